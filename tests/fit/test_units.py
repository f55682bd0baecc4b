from __future__ import annotations

import pytest

from kubectl_llmfit.fit.units import binary_quantity, bytes_from_gib, gib_from_bytes, plain_number, round_half_away


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0"),
        (1, "1"),
        (1024, "1Ki"),
        (1025, "1025"),
        (5 * 2**30, "5Gi"),
        (7.5 * 2**30, "7680Mi"),
        (2**60, "1Ei"),
        (17400 * 2**30, "17400Gi"),
    ],
)
def test_bytes_are_written_with_the_largest_suffix_that_divides(count: float, text: str) -> None:
    assert binary_quantity(int(count)) == text


@pytest.mark.parametrize(
    # 19.25 and 0.25 are exact in binary; 0.05 × 10 is 0.5 exactly; 4.65 × 10 is 46.5
    ("value", "rounded"),
    [(19.25, 19.3), (0.25, 0.3), (0.05, 0.1), (4.65, 4.7), (4.64, 4.6), (0.0, 0.0), (17400.0, 17400.0)],
)
def test_a_half_is_rounded_up(value: float, rounded: float) -> None:
    assert round_half_away(value, 1) == rounded


@pytest.mark.parametrize(
    ("value", "text"),
    [(20.0, "20"), (12.5, "12.5"), (1e-7, "0.0000001"), (1e16, "10000000000000000"), (100, "100"), (0.1, "0.1")],
)
def test_numbers_are_written_without_exponent(value: float, text: str) -> None:
    assert plain_number(value) == text


def test_gib_and_bytes_turn_into_each_other_without_loss_of_a_byte() -> None:
    assert bytes_from_gib(0.1) == 107374183  # 107374182.4
    assert gib_from_bytes(8 * 2**30) == 8
    assert isinstance(gib_from_bytes(8 * 2**30), int)
    assert gib_from_bytes(2**29) == 0.5
