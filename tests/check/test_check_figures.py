"""Two figures side by side show their gap."""

from __future__ import annotations

import pytest

from kubectl_llmfit.check.figures import gap, side_by_side


@pytest.mark.parametrize(
    ("observed", "required", "shown"),
    [
        ("15Gi", "18Gi", ("15Gi", "18Gi")),
        ("170", "300", ("170", "300")),
        ("81559Mi", "80Gi", ("79.65Gi", "80Gi")),  # 81559 / 1024 = 79.647
        ("4864Mi", "5Gi", ("4.75Gi", "5Gi")),
        ("85520809984", "80Gi", ("79.65Gi", "80Gi")),  # 85520809984 / 2^30 = 79.6475
        ("0", "24Gi", ("0", "24Gi")),
        ("23028Mi", "24000Mi", ("23028Mi", "24000Mi")),
        ("1Ti", "80Gi", ("1024Gi", "80Gi")),
        ("500M", "1Gi", ("0.47Gi", "1Gi")),  # 500000000 / 2^30 = 0.466
        ("NVIDIA A100", "NVIDIA H100", ("NVIDIA A100", "NVIDIA H100")),
        ("1.2.0", "1.3.0", ("1.2.0", "1.3.0")),
    ],
)
def test_in_the_unit_that_is_asked_for(observed: str, required: str, shown: tuple[str, str]) -> None:
    assert side_by_side(observed, required) == shown


def test_in_full_where_rounding_would_hide_the_gap() -> None:
    # 80 Gi = 85899345920 bytes; one byte less still rounds to 80.00.
    assert side_by_side("85899345919", "80Gi") == ("85899345919", "85899345920")
    assert side_by_side("96Gi", "98305Mi") == ("98304Mi", "98305Mi")


def test_the_gap_is_relative_to_the_larger() -> None:
    assert gap("15Gi", "20Gi") == 0.25
    assert gap("20Gi", "15Gi") == 0.25
    assert gap("170", "340") == 0.5
    assert gap("0", "0") == 0


@pytest.mark.parametrize(("observed", "required"), [(None, "5Gi"), ("5Gi", None), ("a", "b")])
def test_what_is_no_number_is_as_far_as_can_be(observed: str | None, required: str | None) -> None:
    assert gap(observed, required) == 1
