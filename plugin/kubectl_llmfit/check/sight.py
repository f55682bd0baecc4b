"""What some selectors can see of a device: devices that look alike to them need to be explained only once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from ..api.values import DeviceShape
from ..dra.environment import Selector


class Sight:
    """A key for a device by the values that the selectors can read, known from their syntax trees.

    The driver is always part of it. A selector that may read anything makes every shape a key of its own.
    """

    def __init__(self, selectors: Iterable[Selector]) -> None:
        self._attributes: set[tuple[str, str]] = set()
        self._capacities: set[tuple[str, str]] = set()
        self._reads_all = False
        for selector in selectors:
            for path in selector.program.reads if selector.program is not None else ():
                self._add(path)

    def key(self, driver: str, shape: DeviceShape) -> Hashable:
        """Equal keys, equal results of every selector."""
        if self._reads_all or shape.unreadable:
            return driver, shape
        seen: list[object] = [driver, shape.allow_multiple_allocations]
        for domain, name in self._attributes:
            for published in _names(driver, domain, name):
                value = shape.attributes.get(published)
                seen.append((type(value), value))  # 1 and true are equal in Python, not in CEL
        for domain, name in self._capacities:
            for published in _names(driver, domain, name):
                capacity = shape.capacity.get(published)
                seen.append(str(capacity.value) if capacity is not None else None)
        return tuple(seen)

    def _add(self, path: tuple[str, ...]) -> None:
        match path:
            case ("device", "driver") | ("device", "allowMultipleAllocations"):
                pass
            case ("device", "attributes", domain, name, *_):
                self._attributes.add((domain, name))
            case ("device", "capacity", domain, name, *_):
                self._capacities.add((domain, name))
            case _:
                self._reads_all = True


def _names(driver: str, domain: str, name: str) -> tuple[str, ...]:
    """The names under which a driver may publish ``name`` of ``domain``: bare only in its own."""
    qualified = f"{domain}/{name}"
    return (name, qualified) if domain == driver else (qualified,)
