from __future__ import annotations

import math

import pytest

from kubectl_llmfit.errors import UsageError
from kubectl_llmfit.fit.model import Model
from kubectl_llmfit.fit.modelfit import need_from_model_fit, need_of_catalogue
from kubectl_llmfit.fit.units import GIB

FIT = {"name": "llama-7b", "min_ram_gb": 12, "min_vram_gb": 8}


def test_device_memory_is_the_floor_and_system_memory_a_fact_for_the_pod() -> None:
    need = need_from_model_fit(FIT)
    assert (need.memory_bytes, need.memory, need.bandwidth_gbs) == (8 * GIB, "8Gi", None)
    assert (need.system_memory_gb, need.gpu_memory_gb, need.estimator) == (12.0, 8.0, "modelfit")


def test_a_fraction_keeps_its_text_and_rounds_its_bytes_up() -> None:
    need = need_from_model_fit({**FIT, "min_vram_gb": 4.1})
    # 4.1 GiB = 4402341478.4 bytes
    assert (need.memory, need.memory_bytes) == ("4.1Gi", 4402341479)


def test_the_short_names_of_the_figures_are_taken_too() -> None:
    need = need_from_model_fit({"name": "a", "ram_gb": 3, "vram_gb": 2.5})
    assert (need.system_memory_gb, need.memory) == (3.0, "2.5Gi")


@pytest.mark.parametrize("estimate", [6.5, 40])
def test_an_estimate_wins_whether_smaller_or_larger(estimate: float) -> None:
    need = need_from_model_fit({**FIT, "estimated_vram_gb": estimate, "estimated_memory_gb": estimate})
    assert (need.gpu_memory_gb, need.system_memory_gb) == (estimate, estimate)


def test_a_null_estimate_is_absent() -> None:
    need = need_from_model_fit({**FIT, "estimated_vram_gb": None, "estimated_memory_gb": None})
    assert (need.gpu_memory_gb, need.system_memory_gb) == (8.0, 12.0)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": None}, "needs a name"),
        ({"name": ""}, "needs a name"),
        ({"name": 7}, "needs a name"),
        ({"name": "a\nb"}, "control characters"),
        ({"name": "a\x1b[2Jb"}, "control characters"),
        ({"name": "a\ud800"}, "control characters"),
        ({"min_vram_gb": None}, "needs one of estimated_vram_gb, min_vram_gb, vram_gb"),
        ({"min_ram_gb": None}, "needs one of estimated_memory_gb, min_ram_gb, ram_gb"),
        ({"min_vram_gb": -1}, "min_vram_gb is -1: must be a number of GB, 0 or more"),
        ({"min_vram_gb": math.nan}, "min_vram_gb is nan"),
        ({"min_vram_gb": math.inf}, "min_vram_gb is inf"),
        ({"min_vram_gb": "8"}, "min_vram_gb is '8': must be a number of GB"),
        ({"min_vram_gb": True}, "min_vram_gb is True: must be a number of GB"),
        ({"min_vram_gb": [8]}, "min_vram_gb is"),
        ({"min_vram_gb": 0}, "min_vram_gb is 0"),
        ({"min_vram_gb": 1e30}, "more than any device has"),
        ({"min_vram_gb": 10**400}, "must be a number of GB"),
        ({"estimated_vram_gb": 9, "min_vram_gb": "x"}, "min_vram_gb is 'x'"),
    ],
)
def test_a_figure_or_name_that_is_none_is_refused_with_its_file(change: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError) as raised:
        need_from_model_fit({**FIT, **change}, "fit.json")
    assert raised.value.message.startswith("fit.json: ")
    assert words in raised.value.message
    assert raised.value.message.isprintable()


def test_the_catalogues_own_minimum_can_stand_for_a_modelfit() -> None:
    need = need_of_catalogue(Model(name="a/b", min_ram_gb=4.5, min_vram_gb=4.1, source="llmfit"))
    assert (need.system_memory_gb, need.memory, need.estimator, need.catalog) == (4.5, "4.1Gi", "catalogue", "llmfit")
