"""Quantities as Kubernetes' resource.Quantity has them. The expected texts are what apimachinery 0.37.2 gives."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_llmfit.cel.quantity import Format, Quantity

INT64_MAX = 2**63 - 1


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("5Gi", "5Gi"),
        ("23028Mi", "23028Mi"),
        ("1024Mi", "1Gi"),
        ("1536Mi", "1536Mi"),
        ("1.5Gi", "1536Mi"),
        ("0.5Gi", "512Mi"),
        ("1000m", "1"),
        ("1500m", "1500m"),
        ("1.5", "1500m"),
        (".5", "500m"),
        ("1000", "1k"),
        ("1000000k", "1G"),
        ("12e6", "12e6"),
        ("1e3", "1e3"),
        ("1e4", "10e3"),
        ("12E6", "12E6"),
        ("1e-3", "1e-3"),
        ("100n", "100n"),
        ("1u", "1u"),
        ("1E", "1E"),
        ("1Ei", "1Ei"),
        ("512", "512"),
        ("0", "0"),
        ("00", "0"),
        ("-0", "0"),
        ("-1.5", "-1500m"),
        ("-5Gi", "-5Gi"),
    ],
)
def test_a_quantity_prints_in_canonical_form(text: str, canonical: str) -> None:
    assert str(Quantity.parse(text)) == canonical


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("1.", "1."),
        ("1.G", "1.G"),
        ("+5Gi", "+5Gi"),
        ("05", "05"),
        ("1.500", "1.500"),
        ("+5", "+5"),
        ("007Gi", "007Gi"),
    ],
)
def test_a_spelling_that_kubernetes_takes_for_canonical_is_kept(text: str, kept: str) -> None:
    assert str(Quantity.parse(text)) == kept


@pytest.mark.parametrize("text", [".", "+", "-", "Ki", "Mi", "+.", "E", "m"])
def test_a_number_without_digits_is_zero_where_kubernetes_reads_it_so(text: str) -> None:
    assert Quantity.parse(text) == Quantity.from_int(0)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "quantities must match the regular expression"),
        (" 1", "quantities must match the regular expression"),
        ("1 ", "quantities must match the regular expression"),
        ("1.1.1", "quantities must match the regular expression"),
        ("1Gib", "quantities must match the regular expression"),
        ("0x10", "quantities must match the regular expression"),
        ("٣", "quantities must match the regular expression"),
        ("1\n", "quantities must match the regular expression"),
        ("200K", "unable to parse quantity's suffix"),
        ("1mi", "unable to parse quantity's suffix"),
        ("1e", "unable to parse quantity's suffix"),
        ("1e1e", "quantities must match the regular expression"),
        ("1+3", "unable to parse quantity's suffix"),
        ("1e99999999999999999999", "unable to parse quantity's suffix"),
        ("Pi", "unable to parse numeric part of quantity"),
        (".Ei", "unable to parse numeric part of quantity"),
        ("Three", "quantities must match the regular expression"),
    ],
)
def test_what_is_no_quantity_is_refused_in_the_words_of_kubernetes(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Quantity.parse(text)


def test_numbers_finer_than_nano_are_rounded_up() -> None:
    assert str(Quantity.parse("0.1n")) == "1n"
    assert str(Quantity.parse("1.0000000001")) == "1000000001n"
    assert str(Quantity.parse("-0.1n")) == "-1n"  # away from zero
    assert str(Quantity.parse("1e-1000000")) == "1e-9"


def test_binary_quantities_are_capped_at_int64_and_decimal_ones_are_not() -> None:
    assert str(Quantity.parse("8Ei")) == str(INT64_MAX)  # 8 * 2**60 is one more than int64 holds
    assert Quantity.parse("-100Ei").value == -INT64_MAX
    assert Quantity.parse("100E").value == 100 * 10**18


def test_a_power_without_a_suffix_prints_bare_as_in_kubernetes() -> None:
    assert str(Quantity.parse("1000E")) == "1"
    assert Quantity.parse("1000E").value == 10**21


def test_a_binary_quantity_below_one_changes_to_decimal() -> None:
    small = Quantity.parse("0.0001Ki")  # 0.1024
    assert small.format is Format.DECIMAL_SI
    assert str(small) == "102400u"


def test_huge_powers_of_ten_are_read_compared_and_printed_at_once() -> None:
    huge, huger = Quantity.parse("1e1000000"), Quantity.parse("1e2000000000")
    assert str(huge) == "10e999999"
    assert Quantity.parse("1Gi") < huge < huger
    assert Quantity.parse("-1e2000000000") < Quantity.parse("-1Gi")
    assert len({huge, huger, Quantity.parse("10e999999")}) == 2
    for broken in (lambda: huge.value, huge.ceil, lambda: huge + Quantity.from_int(1)):
        with pytest.raises(OverflowError):
            broken()


def test_powers_keep_the_low_32_bits_as_in_kubernetes() -> None:
    assert Quantity.parse("1e4294967299").value == 1000  # 2**32 + 3


def test_numbers_of_any_length_are_read_and_printed() -> None:
    digits = "1" * 5000
    assert str(Quantity.parse(digits)) == digits
    assert Quantity.parse("1e" + "0" * 5000 + "3").value == 1000


def test_equal_values_are_equal_and_hash_alike_however_they_are_written() -> None:
    same = [Quantity.parse(text) for text in ("1Gi", "1024Mi", "1073741824", "1073741824000m", "1073741.824k")]
    assert len(set(same)) == 1
    assert all(one == other for one in same for other in same)
    assert Quantity.parse("1") != 1


def test_ceil_rounds_away_from_zero() -> None:
    assert Quantity.parse("1500m").ceil() == 2
    assert Quantity.parse("-1500m").ceil() == -2
    assert Quantity.parse("1n").ceil() == 1
    assert Quantity.parse("5Gi").ceil() == 5 * 2**30
    assert Quantity.parse("2k").ceil() == 2000


def test_only_scaled_integers_have_an_int64() -> None:
    assert Quantity.parse("5Gi").as_int64() == 5 * 2**30
    assert Quantity.parse("2k").as_int64() == 2000
    assert Quantity.parse("1500m").as_int64() is None
    assert Quantity.parse("1000m").as_int64() is None  # held as 1000 at scale -3
    assert Quantity.parse("1Pi").as_int64() is None  # held as a big decimal
    assert Quantity.parse("1.0Gi").as_int64() is None  # held as a big decimal
    assert Quantity.parse("10E").as_int64() is None  # 10**19 is beyond int64
    assert Quantity.from_int(2**63).as_int64() is None


def test_the_approximate_float_is_go_s() -> None:
    assert Quantity.parse("1.5Gi").as_approximate_float() == 1.5 * 2**30
    assert Quantity.parse("0.3").as_approximate_float() == 3 * 0.1  # not 0.3: base and power round apart
    assert Quantity.parse("1e400").as_approximate_float() == float("inf")
    assert Quantity.parse("-1e400").as_approximate_float() == float("-inf")


@pytest.mark.parametrize(
    ("left", "right", "total"),
    [
        ("5Gi", "1Gi", "6Gi"),
        ("1Gi", "1", "1073741825"),
        ("0", "1Gi", "1Gi"),  # zero takes the other's format
        ("1k", "1Ki", "2024"),
        ("1.5", "1500m", "3"),
        ("9223372036854775807", "1", "9223372036854775808"),
        ("1e3", "1k", "2e3"),
        ("4Ei", "4Ei", "8Ei"),  # sums are not capped
    ],
)
def test_sums_keep_the_format_of_the_first(left: str, right: str, total: str) -> None:
    assert str(Quantity.parse(left) + Quantity.parse(right)) == total


def test_differences_may_be_negative() -> None:
    assert str(Quantity.parse("1Gi") - Quantity.parse("3Gi")) == "-2Gi"
    assert str(Quantity.parse("0") - Quantity.parse("1Gi")) == "-1Gi"
    assert Quantity.parse("1Gi") - Quantity.parse("1024Mi") == Quantity.from_int(0)


def test_the_lowest_int64_negates_to_itself_as_in_go() -> None:
    lowest = Quantity.from_int(-(2**63), Format.DECIMAL_EXPONENT)
    assert (Quantity.from_int(0) - lowest).value == -(2**63)


@pytest.mark.parametrize(
    ("number", "text"),
    [(5 * 2**30, "5Gi"), (23028 * 2**20, "23028Mi"), (1000, "1k"), (1025, "1025"), (0, "0"), (2**40, "1Ti")],
)
def test_bytes_get_the_shortest_exact_text(number: int, text: str) -> None:
    assert str(Quantity.from_bytes(number)) == text
    assert Quantity.parse(text).value == number


def test_bytes_can_be_asked_for_in_decimal() -> None:
    assert str(Quantity.from_bytes(5_000_000_000, binary=False)) == "5G"


NUMBERS = st.from_regex(r"\A[+-]?[0-9]{0,22}(\.[0-9]{0,12})?\Z")
SUFFIXES = st.sampled_from(["", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"])
POWERS = st.integers(-30, 30).map(lambda power: f"e{power}")
QUANTITIES = (
    st.tuples(NUMBERS, SUFFIXES | POWERS)
    .map("".join)
    .filter(lambda text: any(character.isdigit() for character in text.split("e")[0]))
    .map(Quantity.parse)
)


@given(QUANTITIES)
def test_printing_and_reading_again_gives_the_same_value(quantity: Quantity) -> None:
    bare_power = quantity.format is not Format.DECIMAL_EXPONENT and abs(quantity.value) >= 10**18
    if not bare_power:  # such a power may print without its suffix, see above
        assert Quantity.parse(str(quantity)) == quantity


@given(st.integers(-(2**62), 2**62))
def test_every_number_of_bytes_survives_its_text(number: int) -> None:
    again = Quantity.parse(str(Quantity.from_bytes(number)))
    assert again.value == number
    assert again == Quantity.from_int(number)


@given(QUANTITIES, QUANTITIES)
def test_the_order_is_that_of_the_exact_values(left: Quantity, right: Quantity) -> None:
    assert (left < right) == (left.value < right.value)
    assert (left <= right) == (left.value <= right.value)
    assert (left > right) == (left.value > right.value)
    assert (left >= right) == (left.value >= right.value)
    assert (left == right) == (left.value == right.value)
    if left == right:
        assert hash(left) == hash(right)


@given(QUANTITIES, QUANTITIES)
def test_sums_and_differences_are_exact(left: Quantity, right: Quantity) -> None:
    assert (left + right).value == left.value + right.value
    assert (left - right).value == left.value - right.value
    assert (left + right).sign == (left.value + right.value > 0) - (left.value + right.value < 0)


@given(QUANTITIES)
def test_ceil_is_the_nearest_integer_away_from_zero(quantity: Quantity) -> None:
    magnitude = abs(quantity.value)
    expected = -(-magnitude.numerator // magnitude.denominator)
    assert quantity.ceil() == (expected if quantity.value >= 0 else -expected)
    assert quantity.value.denominator <= 10**9  # nothing is finer than nano
    assert isinstance(quantity.value, Fraction)
