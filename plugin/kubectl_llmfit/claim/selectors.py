"""The only writer of CEL: the conditions that a device must meet, each lookup guarded before its use.

A missing key is a runtime error in CEL, and a runtime error fails the whole pod (kube-scheduler 1.37:
structured/internal, selector evaluation); so every condition asks for the key first, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..drivers.asking import Floor, conditions
from ..drivers.conditions import (
    AnyOf,
    AttributeAtLeast,
    AttributeBelow,
    AttributeIn,
    AttributeIsTrue,
    AttributeStartsWith,
    CapacityAbsent,
    CapacityAtLeast,
    CapacityBelow,
    Condition,
)
from ..fit.units import binary_quantity

if TYPE_CHECKING:
    from ..drivers.products import ProductTable
    from ..drivers.profile import DriverClass, HealthMode, Profile

AND = " && "
OR = " || "


class _Key(NamedTuple):
    """What a lookup needs to be there: ``name`` in ``device.<container>['driver']``."""

    container: str
    name: str


def selector(
    profile: Profile,
    entry: DriverClass | None,
    floor: Floor,
    table: ProductTable,
    health: HealthMode | None = None,
    memory_text: str | None = None,
) -> str:
    """The selector, on one line, for devices of ``entry`` (None: another class of that driver) that have ``floor``.

    ``memory_text`` is the floor's memory as its giver wrote it; None writes it in the largest fitting unit. Names come
    from a profile and a checked table, amounts are numbers: nothing else that a user wrote stands in the text.
    Raises UsageError as ``drivers.asking.conditions`` does.
    """
    return AND.join(clauses(profile, conditions(profile, entry, floor, health, table), floor, memory_text))


def clauses(
    profile: Profile, wanted: Iterable[Condition], floor: Floor, memory_text: str | None = None
) -> tuple[str, ...]:
    """The operands of the selector's ``&&``, in order."""
    texts = {} if memory_text is None else {floor.memory_bytes: memory_text}
    return tuple(_Writer(profile.name, texts).conjunction(wanted, frozenset()))


@dataclass(frozen=True, slots=True)
class _Writer:
    """Writes conditions on devices of one driver; ``texts`` are amounts that are written otherwise."""

    driver: str
    texts: Mapping[int, str]

    def conjunction(self, wanted: Iterable[Condition], known: frozenset[_Key]) -> Iterator[str]:
        """The operands of ``&&``: each condition after the guards that it needs beyond ``known``."""
        for condition in wanted:
            for key in _needs(condition):
                if key not in known:
                    known |= {key}
                    yield self._guard(key)
            yield from self._test(condition, known)

    def _test(self, condition: Condition, known: frozenset[_Key]) -> Iterator[str]:
        match condition:
            case CapacityAtLeast(name, amount):
                yield f"{self._capacity(name)}.compareTo(quantity('{self._quantity(amount)}')) >= 0"
            case CapacityBelow(name, amount):
                yield f"{self._capacity(name)}.compareTo(quantity('{self._quantity(amount)}')) < 0"
            case CapacityAbsent(name):
                yield f"!({self._guard(_Key('capacity', name))})"
            case AttributeAtLeast(name, amount):
                yield f"{self._attribute(name)} >= {amount}"
            case AttributeBelow(name, amount):
                yield f"{self._attribute(name)} < {amount}"
            case AttributeIn(name, values, if_published):
                yield self._if_published(name, f"{self._attribute(name)} in {_list(values)}", if_published)
            case AttributeStartsWith(name, prefixes):
                yield _any_of([f"{self._attribute(name)}.startsWith({_quoted(prefix)})" for prefix in prefixes])
            case AttributeIsTrue(name, if_published):
                yield self._if_published(name, self._attribute(name), if_published)
            case AnyOf(alternatives):
                written = [tuple(self.conjunction(each, known)) for each in alternatives]
                if len(written) == 1:
                    yield from written[0]
                else:
                    yield _any_of([f"({AND.join(each)})" if len(each) > 1 else each[0] for each in written])

    def _if_published(self, name: str, test: str, if_published: bool) -> str:
        return f"(!({self._guard(_Key('attributes', name))}){OR}{test})" if if_published else test

    def _guard(self, key: _Key) -> str:
        return f"'{key.name}' in device.{key.container}['{self.driver}']"

    def _capacity(self, name: str) -> str:
        return f"device.capacity['{self.driver}'].{name}"

    def _attribute(self, name: str) -> str:
        return f"device.attributes['{self.driver}'].{name}"

    def _quantity(self, amount: int) -> str:
        return self.texts.get(amount) or binary_quantity(amount)


def _needs(condition: Condition) -> tuple[_Key, ...]:
    """What every device that meets the condition publishes: what all alternatives need is asked for once."""
    match condition:
        case CapacityAbsent() | AttributeIn(if_published=True) | AttributeIsTrue(if_published=True):
            return ()
        case CapacityAtLeast(name) | CapacityBelow(name):
            return (_Key("capacity", name),)
        case AnyOf(alternatives):
            first, *others = ([key for each in alternative for key in _needs(each)] for alternative in alternatives)
            return tuple(dict.fromkeys(key for key in first if all(key in other for other in others)))
        case _:
            return (_Key("attributes", condition.name),)


def _any_of(tests: list[str]) -> str:
    return tests[0] if len(tests) == 1 else f"({OR.join(tests)})"


def _list(values: Iterable[str]) -> str:
    return f"[{', '.join(map(_quoted, values))}]"


def _quoted(text: str) -> str:
    """A CEL string; names in product tables hold neither quotes nor backslashes."""
    return f"'{text}'"
