from __future__ import annotations

import os
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from kubectl_llmfit.claim.names import claim_name
from kubectl_llmfit.fit.model import Model
from parity import reference
from parity.compare import Difference, compare_manifest, compare_summary, model_of
from parity.drawing import random_flags
from parity.reference import Flags

SEED = int(os.environ.get("KUBECTL_LLMFIT_SEED", "20261130"))
COUNT = 300


@pytest.fixture(scope="module")
def models() -> list[Model]:
    return [model_of(entry) for entry in reference.entries()]


def compare(job: tuple[int, Model, Flags]) -> list[Difference]:
    number, model, flags = job
    return compare_summary(model, flags) if number % 2 else compare_manifest(model, flags)


def test_300_random_models_with_random_flags_are_sized_as_the_llmfit_program_sizes_them(models: list[Model]) -> None:
    print(f"seed {SEED} (KUBECTL_LLMFIT_SEED changes it)")
    draw = random.Random(SEED)
    jobs = [(number, model, random_flags(model, draw)) for number, model in enumerate(draw.sample(models, COUNT))]
    with ThreadPoolExecutor(2) as pool:
        faults = [found for some in pool.map(compare, jobs) for found in some if found.category is None]
    assert not faults, "\n".join(map(str, faults[:5]))


def test_the_catalogue_is_the_whole_of_the_pinned_program(models: list[Model]) -> None:
    assert len(models) == 15_855
    assert len({model.name for model in models}) == len(models)


def test_no_two_models_of_the_catalogue_share_a_claim_name(models: list[Model]) -> None:
    assert len({claim_name(model.name) for model in models}) == len(models)
