"""Every product of the table through the real selector text: admitted at its figures, refused one step above them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from kubectl_llmfit.api.devices import Interner
from kubectl_llmfit.api.slices import read_slice
from kubectl_llmfit.api.values import DeviceShape
from kubectl_llmfit.claim.selectors import selector
from kubectl_llmfit.dra import environment
from kubectl_llmfit.drivers.asking import Floor
from kubectl_llmfit.drivers.assumed import assumed_node
from kubectl_llmfit.drivers.products import MIB, Product, builtin_table, covers
from kubectl_llmfit.drivers.profile import AttributeMemory, Profile
from kubectl_llmfit.drivers.registry import PROFILES
from kubectl_llmfit.drivers.sizes import share_of

TABLE = builtin_table()
LONGEST, DEAREST = 10 * 1024, 1_000_000  # Kubernetes' limits of a selector
ASKED = [profile for profile in PROFILES if profile.inexpressible is None]


@dataclass(frozen=True, slots=True)
class Whole:
    """A product of which name, driver, memory and bandwidth are known."""

    profile: Profile
    product: Product
    memory_mib: int
    bandwidth_gbs: int


def whole_products() -> list[Whole]:
    """Every product of the table whose figures are known, for the driver that publishes it first."""
    found = []
    for product in TABLE.products:
        profile = next((each for each in PROFILES if each.specimen and covers(each, product)), None)
        least = product.least_mib() if profile is None else product.least_mib(profile.assumed_share)
        if profile is not None and least is not None and product.bandwidth_gbs is not None:
            found.append(Whole(profile, product, least, int(product.bandwidth_gbs)))
    return found


WHOLE = whole_products()


def published(whole: Whole) -> DeviceShape:
    """The device as its driver publishes it."""
    name = whole.product.names[0]
    wanted = name.replace("*", "48xlarge") if name.endswith("*") else whole.product.product
    return read_slice(assumed_node(wanted, TABLE)[1], Interner()).devices[0].shape


def admits(whole: Whole, memory_bytes: int, bandwidth_gbs: int) -> bool:
    """Whether the selector of the driver's first class takes the device."""
    entry = whole.profile.classes[0]
    text = selector(whole.profile, entry, Floor(memory_bytes, bandwidth_gbs), TABLE)
    return environment.selector(text, False).matches(whole.profile.name, published(whole))


def test_the_figures_of_all_but_a_few_products_are_known() -> None:
    unknown = {product.product for product in TABLE.products} - {whole.product.product for whole in WHOLE}
    assert len(TABLE.products) == 249
    assert unknown == {
        *("H20 NVL16", "Radeon 8060S / 8050S (Ryzen AI Max)", "Arc Pro B65"),
        *("Arc 140V (Lunar Lake iGPU)", "Arc Graphics (Meteor Lake iGPU)", "ATOM+ (CA22)", "ATOM-Max (CA25)"),
        *("Ascend 910B3", "Ascend 910B4", "Ascend 310P3", "DCU K100_AI", "Spyre"),
        "RNGD",  # its driver cannot be asked
    }
    assert len(WHOLE) == 236


@pytest.mark.parametrize("whole", WHOLE, ids=lambda whole: whole.product.product)
def test_a_product_is_admitted_at_its_figures_and_not_above(whole: Whole) -> None:
    memory = whole.memory_mib * MIB
    if isinstance(next(iter(whole.profile.memory), None), AttributeMemory):
        memory = memory >> 30 << 30  # published in whole GiB
    assert admits(whole, memory, whole.bandwidth_gbs)
    assert not admits(whole, memory + MIB, whole.bandwidth_gbs)
    assert not admits(whole, memory, whole.bandwidth_gbs + 1)


def slices_of_cards() -> list[tuple[Whole, str, int]]:
    """Every named slice of every card, with the MiB that such a slice publishes (or 95 % of its share)."""
    return [
        (whole, partition.name, partition.published_mib or int(0.95 * share))
        for whole in WHOLE
        for partition in whole.product.partitions
        if (share := share_of(whole.product, partition.gigabytes)) is not None
    ]


SLICES = slices_of_cards()


@pytest.mark.parametrize(
    ("whole", "name", "mib"), SLICES, ids=[f"{whole.product.product}-{name}" for whole, name, _ in SLICES]
)
def test_a_slice_is_admitted_with_its_share_of_the_bandwidth_and_not_above(whole: Whole, name: str, mib: int) -> None:
    assert whole.product.memory_slices is not None
    assert whole.product.bandwidth_gbs is not None
    share = share_of(whole.product, next(p.gigabytes for p in whole.product.partitions if p.name == name))
    assert share is not None
    slices = round(share * whole.product.memory_slices / whole.memory_mib)
    # 3g.40gb of an H100: 4 of 8 slices, 3350 x 4 / 8 = 1675 GB/s
    bandwidth = int(whole.product.bandwidth_gbs * slices / whole.product.memory_slices)
    device = {
        "name": "gpu-0-mig",
        "attributes": {
            "type": {"string": "mig"},
            "profile": {"string": name},
            "productName": {"string": whole.product.names[0]},
        },
        "capacity": {"memory": {"value": f"{mib}Mi"}},
    }
    raw = assumed_node(whole.product.product, TABLE)[1]
    raw["spec"]["devices"] = [device]
    shape = read_slice(raw, Interner()).devices[0].shape
    entry = whole.profile.find_class("mig.nvidia.com")

    def takes(memory_mib: int, bandwidth_gbs: int) -> bool:
        text = selector(whole.profile, entry, Floor(memory_mib * MIB, bandwidth_gbs), TABLE)
        return environment.selector(text, False).matches(whole.profile.name, shape)

    assert takes(mib, bandwidth)
    assert not takes(mib + 1, bandwidth)
    assert not takes(mib, bandwidth + 1)


@pytest.mark.parametrize("profile", ASKED, ids=lambda profile: profile.name)
def test_a_selector_of_all_products_is_short_and_cheap_enough(profile: Profile) -> None:
    floors = sorted({int(p.bandwidth_gbs) for p in TABLE.of(profile) if p.bandwidth_gbs is not None} | {1})
    for entry in (*profile.classes, None):
        if entry is not None and entry.refusal:
            continue
        for bandwidth in [None, *floors, *(floor // 8 + 1 for floor in floors)]:
            # a small memory floor implies no other: the text is at its longest
            text = selector(profile, entry, Floor(1 << 30, bandwidth), TABLE)
            assert len(text.encode()) <= LONGEST
            program = environment.selector(text, False).program
            assert program is not None, environment.selector(text, False).compile_error
            assert program.max_cost <= DEAREST


@pytest.mark.parametrize(
    ("pci_id", "memory_mib", "bandwidth"),
    [
        ("0x73df", 10240, 320),  # RX 6700, beside RX 6700 XT and 6750 XT of 12 GB: 384 and 432
        ("0x73df", 12272, 384),  # of those two the slower
        ("0x7590", 8176, 288),  # RX 9060 or 9060 XT, both of 8 GB
        ("0x7590", 16368, 320),
        ("0x73ef", 8176, 224),  # RX 6700S, 6800S or 6650 XT, all of 8 GB
        ("0x7480", 8176, 256),  # RX 7600S or 7600
    ],
)
def test_a_card_without_a_name_counts_as_the_slowest_that_its_pci_id_and_memory_may_be(
    pci_id: str, memory_mib: int, bandwidth: int
) -> None:
    profile = next(each for each in PROFILES if each.name == "gpu.amd.com")
    device = {
        "name": "gpu-1-128",
        "attributes": {"type": {"string": "amdgpu"}, "productName": {"string": ""}, "deviceID": {"string": pci_id}},
        "capacity": {"memory": {"value": f"{memory_mib}Mi"}},
    }
    raw = assumed_node("MI300X", TABLE)[1]
    raw["spec"]["devices"] = [device]
    shape = read_slice(raw, Interner()).devices[0].shape
    for floor, admitted in ((bandwidth, True), (bandwidth + 1, False)):
        text = selector(profile, profile.classes[0], Floor(4 << 30, floor), TABLE)
        assert environment.selector(text, False).matches(profile.name, shape) is admitted
