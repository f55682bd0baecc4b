"""The alternatives of a claim: names, bands of memory, shares, and what is left out."""

from __future__ import annotations

import pytest
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from claim.needs import fit, llama, of
from kubectl_llmfit.claim.alternatives import (
    MOST_ALTERNATIVES,
    MOST_BYTES,
    Aspect,
    Wishes,
    make_alternatives,
    table_for,
)
from kubectl_llmfit.claim.ask import make_ask
from kubectl_llmfit.claim.classes import AskedClass, shipped_class
from kubectl_llmfit.claim.header import header
from kubectl_llmfit.dra.environment import selector
from kubectl_llmfit.drivers.products import ProductTable, builtin_table
from kubectl_llmfit.drivers.profile import HealthMode
from kubectl_llmfit.drivers.registry import PROFILES
from kubectl_llmfit.drivers.tablefile import read_table
from kubectl_llmfit.errors import UsageError
from kubectl_llmfit.fit.model import Need

GIB = 1 << 30
ASKABLE = [
    (profile, entry)
    for profile in PROFILES
    if profile.accelerator and not profile.inexpressible
    for entry in (*profile.classes, None)
    if entry is None or not entry.refusal
]


@settings(deadline=None, max_examples=60)
@for_all(
    st.sampled_from(ASKABLE),
    st.integers(1 << 20, 400 * GIB),
    st.one_of(st.none(), st.integers(1, 9000)),
    st.booleans(),
)
def test_every_selector_at_every_floor_is_one_that_the_api_server_takes(
    askable: tuple[object, object], memory_bytes: int, bandwidth_gbs: int | None, smallest_first: bool
) -> None:
    profile, entry = askable
    asked = AskedClass("some-class", profile, entry)  # type: ignore[arg-type]  # as they stand in ASKABLE
    need = Need("some/model", "llmfit", memory_bytes, bandwidth_gbs)
    found = make_alternatives(need, Wishes((asked,), smallest_first=smallest_first), table_for((asked,)))
    assert 1 <= len(found) <= MOST_ALTERNATIVES
    for alternative in found:
        assert len(alternative.expression.encode()) < MOST_BYTES
        assert selector(alternative.expression, stored=False).compile_error is None


def test_bands_are_the_floor_cut_in_pieces_from_the_smallest() -> None:
    found = make_ask(llama("BF16"), of("gpu.nvidia.com", smallest_first=True)).alternatives
    floors = [each.floor for each in found]
    assert floors[0].memory_bytes == 20 * GIB
    assert [floor.below_bytes for floor in floors] == [*(floor.memory_bytes for floor in floors[1:]), None]
    assert {floor.bandwidth_gbs for floor in floors} == {585}
    assert found[0].name == "gpu-nvidia-com-20gi"
    assert "quantity('20Gi')) >= 0" in found[0].expression


def test_of_several_classes_the_smaller_band_comes_first_and_then_the_class() -> None:
    found = make_ask(llama("BF16", 60), of("gpu.amd.com", "gpu.nvidia.com", smallest_first=True)).alternatives
    floors = [each.floor.memory_bytes for each in found]
    assert floors == sorted(floors)
    assert [each.device_class for each in found[:2]] == ["gpu.amd.com", "gpu.nvidia.com"]


def test_more_than_the_api_takes_are_refused_with_all_of_them() -> None:
    with pytest.raises(UsageError, match="at most 8 alternatives, these are ") as caught:
        make_ask(llama(), of("gpu.nvidia.com", "gpu.amd.com", smallest_first=True))
    assert "gpu-nvidia-com-5gi, gpu-amd-com-5gi" in caught.value.message
    nine = tuple(AskedClass(f"class-{number}", PROFILES[0]) for number in range(9))
    with pytest.raises(UsageError, match=r"these are 9: class-0, .*class-8"):
        make_ask(llama(), Wishes(nine))


def test_a_class_of_no_product_that_suffices_is_left_out_and_said() -> None:
    ask = make_ask(llama("BF16", 200), of("gaudi.intel.com", "gpu.nvidia.com"))  # 5840 GB/s
    assert ask.classes == ("gpu.nvidia.com",)
    assert ask.reachable
    assert (
        "device class gaudi.intel.com: no product of gaudi.intel.com in the product table has 20Gi and 5841 GB/s: "
        "it is left out"
    ) in ask.notes
    alone = make_ask(llama("BF16", 200), of("gaudi.intel.com"))
    assert not alone.reachable
    assert alone.notes[0].endswith("no device can satisfy this claim")


def test_a_bandwidth_that_the_table_does_not_know_is_not_said_to_be_too_low() -> None:
    (note,) = make_ask(llama(), of("dra.hygon.com")).notes
    assert note == (
        "device class dra.hygon.com: the product table has no bandwidth of DCU K100_AI: "
        "no device can satisfy this claim"
    )
    (note,) = make_ask(llama(), of("gpu.example.com")).notes
    assert note.startswith("device class gpu.example.com: no product of gpu.example.com is in the product table: ")


def test_a_share_of_a_driver_without_shares_is_refused() -> None:
    with pytest.raises(UsageError, match=r"--share: devices of class gpu\.amd\.com \(driver gpu\.amd\.com\)"):
        make_ask(llama(), of("gpu.amd.com", share=True))


@pytest.mark.parametrize(
    ("name", "mode", "present"),
    [
        ("llmfit.ai", None, True),
        ("llmfit.ai", HealthMode.TAINT, False),
        ("llmfit.ai", HealthMode.NONE, False),
        ("gaudi.intel.com", HealthMode.ATTRIBUTE, True),
        ("gaudi.intel.com", HealthMode.NONE, False),
        ("gpu.nvidia.com", None, False),
    ],
)
def test_health_is_asked_as_wished(name: str, mode: HealthMode | None, present: bool) -> None:
    (alternative,) = make_ask(llama(), of(name, health=mode)).alternatives
    assert ("healthy" in alternative.expression) is present


def test_what_a_users_table_adds_is_asked_for_and_its_name_is_annotated() -> None:
    rows = read_table(
        "vendor,driver_product_names,memory_gib,memory_bandwidth_gb_s\nNVIDIA,NVIDIA R200,288,13000\n", "mine.csv"
    )
    ask = make_ask(llama(), of("gpu.nvidia.com", table=builtin_table().with_rows(rows), table_name="mine.csv"))
    assert "'NVIDIA R200'" in ask.alternatives[0].expression
    assert ask.annotations["llmfit.ai/accelerators"] == "mine.csv"
    assert "'NVIDIA R200'" not in make_ask(llama(), of("gpu.nvidia.com")).alternatives[0].expression


def test_a_list_that_is_too_long_is_refused_before_the_api_server_does() -> None:
    lines = [f"NVIDIA,NVIDIA {'x' * 50} {number:03},80,3000" for number in range(200)]
    text = "\n".join(["vendor,driver_product_names,memory_gib,memory_bandwidth_gb_s", *lines])
    table = ProductTable(read_table(text, "long.csv"))
    with pytest.raises(UsageError, match=r"makes a selector of 1[0-9]{4} bytes; the API takes 10240"):
        make_ask(llama(), of("gpu.nvidia.com", table=table))


def test_what_an_operand_tests_is_told_where_it_does_not_show() -> None:
    (nvidia,) = make_ask(llama("BF16"), of("gpu.nvidia.com")).alternatives
    assert list(nvidia.told.values()) == [Aspect.PRODUCT]
    (intel,) = make_ask(llama(), of("gpu.intel.com")).alternatives
    assert list(intel.told.values()) == [Aspect.KIND, Aspect.KIND, Aspect.PRODUCT, Aspect.HEALTH]
    (ascend,) = make_ask(fit(), of("npu-910b4.project-hami.io")).alternatives
    assert list(ascend.told.values()) == [Aspect.MEMORY]
    assert make_ask(llama()).alternatives[0].told == {}


def test_a_class_with_a_long_name_has_a_short_alternative_of_its_own() -> None:
    first, second = (AskedClass(f"{'a' * 200}.{end}", PROFILES[0]) for end in "xy")
    names = [each.name for each in make_ask(llama(), Wishes((first, second))).alternatives]
    assert len(set(names)) == 2
    assert all(len(name) <= 63 for name in names)


def test_the_rounding_alone_is_said_where_it_refuses_a_slice() -> None:
    # 4.66 GB of weights are 4442Mi; the claim asks for 5Gi; a 1g.5gb of an A100 has 4864Mi.
    notes = make_ask(llama(), of("mig.nvidia.com")).notes
    assert any("only the rounding of 4442Mi up to 5Gi refuses 1g.5gb of NVIDIA A100-SXM4-40GB" in n for n in notes)


def test_sizes_that_nobody_publishes_are_told_as_assumed() -> None:
    asked = shipped_class("gaudi.intel.com")
    assert asked is not None
    notes = make_ask(llama("BF16"), Wishes((asked,))).notes
    assert any("counts with 0.93 of the product table's figure: Gaudi3 121896Mi of 131072Mi" in n for n in notes)


def test_what_the_rounding_refuses_is_not_told_by_its_label_as_well() -> None:
    # 4442Mi are asked for as 5Gi: a 1g.5gb of 4864Mi has the need, one of 4284Mi (assumed) has not
    notes = make_ask(llama(), of("gpu.nvidia.com", "mig.nvidia.com")).notes
    (rounding,) = [note for note in notes if note.startswith("only the rounding of 4442Mi up to 5Gi")]
    assert "1g.5gb of NVIDIA A100-SXM4-40GB (4864Mi)" in rounding
    (label,) = [note for note in notes if note.startswith("a memory floor of 5Gi leaves out")]
    assert "A100" not in label
    assert "1g.5gb of NVIDIA A800-SXM4-40GB is taken to have 4284Mi of 5Gi" in label


def test_cards_with_that_label_are_told_in_one_sentence_for_all_classes() -> None:
    notes = make_ask(llama("BF16"), of("gpu.nvidia.com", "mig.nvidia.com", "gpu.amd.com")).notes
    (label,) = [note for note in notes if note.startswith("a memory floor of 20Gi leaves out cards with that label: ")]
    assert label.endswith(" more")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gpu.nvidia.com", "gpu.nvidia.com: a device that the driver does not share is taken whole"),
        # its whole cards publish their memory as an attribute, and a request for capacity refuses them
        ("npu-950dt.project-hami.io", "does not share publishes no capacity and is left out"),
    ],
)
def test_the_header_says_what_becomes_of_devices_that_are_not_shared(name: str, said: str) -> None:
    assert any(line.endswith(said) for line in header(make_ask(llama(), of(name, share=True))))
