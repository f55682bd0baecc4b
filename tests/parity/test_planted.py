from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from kubectl_llmfit.catalog.overlay import VARIABLE, read_overlay
from kubectl_llmfit.errors import UsageError
from kubectl_llmfit.fit.model import Model
from parity import reference
from parity.compare import compare_summary
from parity.planting import planted_entries
from parity.reference import Flags

SEED = int(os.environ.get("KUBECTL_LLMFIT_SEED", "20261130"))
COUNT = 60

Planted = tuple[Path, list[Model]]


@pytest.fixture
def plant(tmp_path: Path) -> Callable[[list[dict[str, Any]]], Planted]:
    """Write entries to a custom models file; the file, and the models as our catalogue reads them from it."""

    def planted(entries: list[dict[str, Any]]) -> Planted:
        path = tmp_path / "custom_models.json"
        path.write_text(json.dumps(entries))
        store, warnings = read_overlay({VARIABLE: str(path)})
        assert store is not None, warnings
        models = [store.get(entry["name"].lower()) for entry in entries]
        return path, [model for model in models if model is not None]

    return planted


def faults(path: Path, model: Model) -> list[str]:
    """What differs from the reference: a number, or who refuses the model."""
    flags = Flags(model.name, min_tps=1000.0, efficiency=100)  # a bandwidth bound of four digits and more
    try:
        found = compare_summary(model, flags, path)
    except UsageError as refusal:
        try:
            return [f"{model}: refused ({refusal}), llmfit says {reference.summary(flags, path)}"]
        except RuntimeError as theirs:
            return [] if "cannot size" in str(theirs) else [str(theirs)]
    return [f"{difference} ({model})" for difference in found if difference.category is None]


def test_60_planted_models_around_the_edges_of_the_size_rule_are_sized_as_the_llmfit_program_sizes_them(
    plant: Callable[[list[dict[str, Any]]], Planted],
) -> None:
    print(f"seed {SEED} (KUBECTL_LLMFIT_SEED changes it)")
    path, models = plant(planted_entries(COUNT, random.Random(SEED)))
    assert len(models) == COUNT
    with ThreadPoolExecutor(2) as pool:
        found = [fault for some in pool.map(lambda model: faults(path, model), models) for fault in some]
    assert not found, "\n".join(found[:5])
