"""Labels, published sizes and the warnings about the gap between them; bands of memory."""

from __future__ import annotations

import pytest

from kubectl_llmfit.drivers.asking import Floor
from kubectl_llmfit.drivers.products import MIB, builtin_table
from kubectl_llmfit.drivers.profile import DriverClass, Profile
from kubectl_llmfit.drivers.registry import profile_of_class
from kubectl_llmfit.drivers.sizes import Size, bands, label_warning, rounding_warning, share_of, sizes

TABLE = builtin_table()
GIB = 1 << 30


def of(class_name: str) -> tuple[Profile, DriverClass | None]:
    profile = profile_of_class(class_name)
    assert profile is not None
    return profile, profile.find_class(class_name)


def label_of(class_name: str, floor: Floor) -> str | None:
    return label_warning(floor, sizes(*of(class_name), floor.bandwidth_gbs, TABLE))


def rounding_of(class_name: str, floor: Floor, exact_bytes: int) -> str | None:
    return rounding_warning(floor, exact_bytes, sizes(*of(class_name), floor.bandwidth_gbs, TABLE))


@pytest.mark.parametrize(
    ("memory_gib", "bandwidth", "said"),
    [
        (80, 3000, "NVIDIA H100 80GB HBM3 publishes 81559Mi of 80Gi"),
        (24, 1000, "NVIDIA GeForce RTX 4090 publishes 23028Mi of 24Gi"),
        (16, 320, "Tesla T4 publishes 15360Mi of 16Gi"),
    ],
)
def test_a_floor_between_label_and_published_size_is_said_with_both(memory_gib: int, bandwidth: int, said: str) -> None:
    warning = label_of("gpu.nvidia.com", Floor(memory_gib * GIB, bandwidth))
    assert warning is not None
    assert warning.startswith(f"a memory floor of {memory_gib}Gi leaves out cards with that label: ")
    assert said in warning


def test_a_size_that_is_only_assumed_is_said_to_be() -> None:
    warning = label_of("gaudi.intel.com", Floor(96 * GIB, 2000))
    assert warning is not None
    assert "Gaudi2 is taken to have 91422Mi of 96Gi" in warning  # 0.93 x 98304


def test_sizes_of_several_classes_are_told_once_and_in_one_sentence() -> None:
    card = Size("NVIDIA H100 80GB HBM3", 81559, 81920, known=True)
    guess = Size("AMD X", 76185, 81920, known=False)
    assert label_warning(Floor(80 * GIB), [guess, card, card]) == (
        "a memory floor of 80Gi leaves out cards with that label: NVIDIA H100 80GB HBM3 publishes 81559Mi of 80Gi, "
        "AMD X is taken to have 76185Mi of 80Gi"
    )


@pytest.mark.parametrize(("memory_mib", "bandwidth"), [(80 * 1024 + 1, 3000), (80 * 1024, 3351)])
def test_no_gap_no_warning(memory_mib: int, bandwidth: int) -> None:
    """Just above the label; no card with that label is fast enough (H100: 3350)."""
    assert label_of("gpu.nvidia.com", Floor(memory_mib * MIB, bandwidth)) is None


def test_a_rounding_that_alone_refuses_a_slice_is_said() -> None:
    # 4.7 GB are 4700000000 bytes = 4482.3 MiB; asked as 5Gi = 5120 MiB; a 1g.5gb slice has 4864
    warning = rounding_of("mig.nvidia.com", Floor(5 * GIB, 170), 4_700_000_000)
    assert warning == (
        "only the rounding of 4483Mi up to 5Gi refuses 1g.5gb of NVIDIA A100-SXM4-40GB (4864Mi), "
        "1g.5gb of NVIDIA A100-PCIE-40GB (4864Mi): --min-memory 4483Mi admits them"
    )
    assert rounding_of("mig.nvidia.com", Floor(5 * GIB, 195), 4_700_000_000) is None  # 1555 / 8 = 194
    assert rounding_of("mig.nvidia.com", Floor(5 * GIB, 170), 4865 * MIB) is None
    assert rounding_of("gpu.nvidia.com", Floor(5 * GIB, 170), 4_700_000_000) is None


def test_bands_go_up_by_half_and_cover_everything_above_the_floor() -> None:
    floor = Floor(20 * GIB, 585)
    found = bands(*of("gpu.nvidia.com"), floor, TABLE)
    assert found[0].memory_bytes == floor.memory_bytes
    assert found[-1].below_bytes is None
    assert [band.below_bytes for band in found[:-1]] == [band.memory_bytes for band in found[1:]]
    assert {band.bandwidth_gbs for band in found} == {585}
    published = [s.published_mib * MIB for s in sizes(*of("gpu.nvidia.com"), 585, TABLE)]
    for band in found:
        below = band.below_bytes or max(published) + 1
        in_band = [size for size in published if band.memory_bytes <= size < below]
        assert in_band
        assert max(in_band) < 1.5 * min(in_band)
    assert len(found) <= 8  # as many alternatives as a request may have


def test_one_band_where_no_product_is_known() -> None:
    assert bands(*of("llmfit.ai"), Floor(GIB, 1), TABLE) == (Floor(GIB, 1, None),)


@pytest.mark.parametrize(
    ("product", "gigabytes", "slices"),
    [
        ("H100 SXM5 80GB", 20, 2),  # 1g.20gb: not by the g
        ("H100 SXM5 80GB", 40, 4),  # 3g.40gb
        ("H100 SXM5 80GB", 80, 8),  # 7g.80gb
        ("B300 SXM6", 269, 8),  # 269 of 275040 MiB (268.6 GiB), though 288 are on the label
        ("A30", 12, 2),
        ("RTX PRO 6000 Blackwell Server Edition", 24, 1),
    ],
)
def test_a_slice_has_the_share_next_to_its_gigabytes(product: str, gigabytes: int, slices: int) -> None:
    card = next(each for each in TABLE.products if each.product == product)
    total = card.least_mib()
    assert total is not None
    assert card.memory_slices is not None
    assert share_of(card, gigabytes) == total * slices // card.memory_slices
