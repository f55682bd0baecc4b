from __future__ import annotations

import pytest

from claim.needs import LLAMA, fit, given, llama, of
from kubectl_llmfit.claim.alternatives import Wishes
from kubectl_llmfit.claim.ask import make_ask
from kubectl_llmfit.claim.classes import DEFAULT, AskedClass
from kubectl_llmfit.errors import UsageError
from kubectl_llmfit.fit.modelfit import need_of_catalogue
from kubectl_llmfit.fit.overrides import with_min_bandwidth

SELECTOR = (
    "'memory' in device.capacity['llmfit.ai'] && "
    "device.capacity['llmfit.ai'].memory.compareTo(quantity('5Gi')) >= 0 && "
    "'memoryBandwidthGBs' in device.attributes['llmfit.ai'] && "
    "device.attributes['llmfit.ai'].memoryBandwidthGBs >= 170 && "
    "'healthy' in device.attributes['llmfit.ai'] && "
    "device.attributes['llmfit.ai'].healthy"
)


def test_the_selector_asks_for_memory_bandwidth_and_health_each_guarded_before_its_use() -> None:
    assert make_ask(llama()).alternatives[0].expression == SELECTOR


def test_without_a_bandwidth_an_accelerators_memory_and_health_are_asked_for() -> None:
    kind, *parts = make_ask(fit()).alternatives[0].expression.split(" && ")
    assert kind.endswith(".kind in ['gpu', 'npu'])")
    assert len(parts) == 4
    assert "quantity('8Gi')" in parts[1]
    assert not any("Bandwidth" in part for part in parts)


def test_names_follow_the_kind_of_need() -> None:
    assert make_ask(llama()).name == "meta-llama-llama-3-1-8b-instruct-fit"
    assert make_ask(fit()).name == "llama-7b-claim"
    assert make_ask(with_min_bandwidth(fit(), 300)).name == "llama-7b-claim"
    assert make_ask(llama(), name="mine.team-a").name == "mine.team-a"


def test_annotations_say_where_the_figures_come_from_and_no_version() -> None:
    assert make_ask(llama(min_tps=12.5)).annotations == {
        "llmfit.ai/model": "meta-llama/Llama-3.1-8B-Instruct",
        "llmfit.ai/quant": "Q4_K_M",
        "llmfit.ai/min-tps": "12.5",
        "llmfit.ai/efficiency-pct": "55",
        "llmfit.ai/memory": "5Gi",
        "llmfit.ai/min-bandwidth-gbs": "106",  # 12.5 × 4.65755 × 100 / 55 = 105.9
        "llmfit.ai/estimator": "llmfit",
        "llmfit.ai/catalog": "llmfit",
    }
    assert make_ask(fit()).annotations == {
        "llmfit.ai/model": "llama-7b",
        "llmfit.ai/memory": "8Gi",
        "llmfit.ai/system-memory": "12Gi",
        "llmfit.ai/estimator": "modelfit",
    }


def test_annotations_promise_no_speed_where_the_bandwidth_is_the_users_own() -> None:
    annotations = make_ask(given()).annotations
    assert annotations["llmfit.ai/min-bandwidth-gbs"] == "300"
    assert "llmfit.ai/min-tps" not in annotations
    assert "llmfit.ai/efficiency-pct" not in annotations


def test_a_class_whose_devices_never_publish_a_figure_is_taken_with_a_note() -> None:
    assert "publish no memoryBandwidthGBs: none can" in make_ask(llama(), wishes=of("cpu.llmfit.ai")).notes[0]
    assert "no memory and no memoryBandwidthGBs" in make_ask(llama(), wishes=of("nic.llmfit.ai")).notes[0]
    assert make_ask(fit(), wishes=of("cpu.llmfit.ai")).notes == ()
    assert make_ask(llama()).notes == ()


@pytest.mark.parametrize("device_class", ["x\n            count: 8", "X", "", "a'] || true || ['"])
def test_a_class_cannot_add_a_key_or_a_condition(device_class: str) -> None:
    with pytest.raises(UsageError, match="for --device-class"):
        make_ask(llama(), Wishes((AskedClass(device_class, DEFAULT.profile),)))


def test_the_older_export_takes_only_what_it_can_say() -> None:
    export = need_of_catalogue(LLAMA)
    assert make_ask(export, api_version="v1alpha2").name == "meta-llama-llama-3-1-8b-instruct-claim"
    for need, options, words in (
        (export, {"template": True}, "--template"),
        (export, {"wishes": of("gpu.llmfit.ai")}, "--device-class"),
        (export, {"wishes": of("llmfit.ai", share=True)}, "--share"),
        (export, {"wishes": of("llmfit.ai", smallest_first=True)}, "--smallest-first"),
        (with_min_bandwidth(export, 3), {}, "bandwidth"),
        (llama(), {}, "bandwidth"),
    ):
        with pytest.raises(UsageError, match=words):
            make_ask(need, api_version="v1alpha2", **options)  # type: ignore[arg-type]  # one option each


def test_an_unknown_api_version_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="for --api-version: must be one of v1, v1beta2, v1beta1, v1alpha2"):
        make_ask(llama(), api_version="v2")
