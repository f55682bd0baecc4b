"""What a request takes of a device's capacities: what it asks for, or the default, rounded as the policy says.

Rules: kube-scheduler 1.37, ``structured/internal/incubating/consumable_capacity.go``. Only what the request and the
device say; what others have consumed is counted in ``view``. Sums are in Go's int64, as there.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ..api.values import Capacity, CapacityRange, DeviceShape, RequestPolicy
from ..cel.quantity import Quantity
from .answer import CapacityShortage
from .rules import Rules

_INT64_MAX, _WRAP = 2**63 - 1, 2**64
_NANO = 9
_MILLI = 3
_PLACES_AT_ONCE = 27  # from a nano to an exa, without a fraction in between: each attempt counts all counters anew
_POWERS: tuple[int, ...] = tuple(10**places for places in range(_PLACES_AT_ONCE + 1))


class CapacityError(Exception):
    """An amount that fails the whole pod; ``str()`` is the scheduler's text from ``capacity`` on."""


def nanos(quantity: Quantity) -> int:
    """The exact number of nanos. No quantity has more places. Raises OverflowError far beyond any device."""
    places = quantity.exponent + _NANO
    if 0 <= places <= _PLACES_AT_ONCE:
        return quantity.mantissa * _POWERS[places]
    return _scaled(quantity, _NANO).numerator


def quantity(nanos: int) -> Quantity:
    """A number of nanos for a person."""
    whole, rest = divmod(nanos, 10**_NANO)
    return Quantity(nanos, -_NANO) if rest else Quantity.from_bytes(whole)


def consumed_capacity(
    requested: Mapping[str, Quantity], shape: DeviceShape, rules: Rules
) -> dict[str, Quantity] | CapacityShortage:
    """What the request takes of each capacity, or why no device of this shape does, whoever has what of it.

    Raises CapacityError. Errors come before all that only passes the device over. Source: CmpRequestOverCapacity.
    """
    missing = next((name for name in requested if name not in shape.capacity), None)
    if missing is not None:
        return CapacityShortage(missing)
    consumed = {
        name: _checked(name, _consumed(requested.get(name), capacity, rules), rules)
        for name, capacity in shape.capacity.items()
    }
    for name, capacity in shape.capacity.items():
        if _violates_policy(consumed[name], capacity.request_policy, rules):
            return CapacityShortage(name, needed=consumed[name])
        if consumed[name] > capacity.value:
            return CapacityShortage(name, needed=consumed[name], left=capacity.value)
    return consumed


def _checked(name: str, consumed: Quantity | str, rules: Rules) -> Quantity:
    """Source: errNegativeCapacity."""
    if isinstance(consumed, str):
        raise CapacityError(f'capacity "{name}": {consumed}')
    if consumed.sign < 0 and rules.unrepresentable_capacity_fails:
        raise CapacityError(f'capacity "{name}": capacity value is negative')
    return consumed


def _consumed(requested: Quantity | None, capacity: Capacity, rules: Rules) -> Quantity | str:
    """An amount, or the scheduler's words for one that it cannot represent. Source: calculateConsumedCapacity."""
    policy = capacity.request_policy
    if requested is None:
        return capacity.value if policy is None or policy.default is None else policy.default
    if policy is not None and policy.valid_range is not None:
        return _round_up_range(requested, policy.valid_range, rules)
    if policy is not None and policy.valid_values:
        return next((value for value in policy.valid_values if requested <= value), requested)
    return requested


def _round_up_range(requested: Quantity, limits: CapacityRange, rules: Rules) -> Quantity | str:
    """To the next step at or above. Source: roundUpRange."""
    if requested < limits.min:
        return limits.min
    if limits.step is None:
        return requested
    use_milli = _use_milli(limits, rules)
    number = _milli if use_milli else _integer
    fails = rules.unrepresentable_capacity_fails
    if use_milli and not _is_milli(requested):
        return _not_representable(f"request {requested} is not a representable milli value")
    if not use_milli and fails and requested > Quantity.from_int(_INT64_MAX):
        return _not_representable(f"request {requested} exceeds MaxInt64")
    least, step = number(limits.min), _step(number(limits.step))
    added = _int64(number(requested) - least)
    steps = _truncated(added, step) + (added % step != 0)
    if (use_milli or (fails and least >= 0)) and steps > _truncated(_int64(_INT64_MAX - least), step):
        unit = "the milli-value range" if use_milli else "MaxInt64"
        return _not_representable(f"rounding request {requested} up to the next step passes {unit}")
    rounded = _int64(least + _int64(step * steps))
    if use_milli and rounded % 10**_MILLI:
        return Quantity(rounded, -_MILLI, limits.step.format)
    return Quantity.from_int(rounded // 10**_MILLI if use_milli else rounded, limits.step.format)


def _not_representable(why: str) -> str:
    return f"capacity request cannot be represented in the device's range arithmetic: {why}"


def _violates_policy(amount: Quantity, policy: RequestPolicy | None, rules: Rules) -> bool:
    """Source: violatesPolicy. The default is compared as it is held, which only the same number in the same form is."""
    if policy is None or (policy.default is not None and _is_same(amount, policy.default)):
        return False
    if policy.valid_range is not None:
        return _violates_range(amount, policy.valid_range, rules)
    return bool(policy.valid_values) and amount not in policy.valid_values


def _is_same(one: Quantity, other: Quantity) -> bool:
    """Go's == on two quantities; big decimals are pointers, and their copies never equal."""
    return one.is_int64 and (one.mantissa, one.exponent, one.format, one.is_int64, one.text) == (
        other.mantissa,
        other.exponent,
        other.format,
        other.is_int64,
        other.text,
    )


def _violates_range(amount: Quantity, limits: CapacityRange, rules: Rules) -> bool:
    """Source: violateValidRange."""
    if limits.max is not None and amount > limits.max:
        return True
    if limits.step is None:
        return False
    use_milli = _use_milli(limits, rules)
    if use_milli and not _is_milli(amount):
        return True
    number = _milli if use_milli else _integer
    return _int64(number(amount) - number(limits.min)) % _step(number(limits.step)) != 0


def _use_milli(limits: CapacityRange, rules: Rules) -> bool:
    """Whether the range is counted in thousandths, not in whole numbers. Source: useMilli."""
    given = [q for q in (limits.min, limits.max, limits.step) if q is not None]
    return rules.gates.fractional_capacity_range and all(map(_is_milli, given)) and _has_step(limits)


def _has_step(limits: CapacityRange) -> bool:
    return limits.step is None or _milli(limits.step) >= 1


def _is_milli(quantity: Quantity) -> bool:
    """Source: safeMilliValue."""
    value = _scaled(quantity, _MILLI)
    return value.denominator == 1 and -_INT64_MAX - 1 <= value.numerator <= _INT64_MAX


def _milli(quantity: Quantity) -> int:
    return _scaled(quantity, _MILLI).numerator


def _scaled(quantity: Quantity, places: int) -> Fraction:
    factor: int = 10**places
    return quantity.value * factor


def _integer(quantity: Quantity) -> int:
    """Source: Quantity.Value: rounded away from zero; a big decimal wraps, and a scaled int64 that overflows is 0."""
    number = quantity.ceil()
    if -_INT64_MAX - 1 <= number <= _INT64_MAX:
        return number
    return 0 if quantity.is_int64 else _int64(number)


def _step(number: int) -> int:
    """The API server takes no step that reads as 0; the scheduler would panic."""
    if number == 0:
        raise OverflowError
    return number


def _int64(number: int) -> int:
    return (number + _INT64_MAX + 1) % _WRAP - _INT64_MAX - 1


def _truncated(number: int, divisor: int) -> int:
    """Go's division."""
    quotient = abs(number) // abs(divisor)
    return quotient if (number < 0) == (divisor < 0) else -quotient
