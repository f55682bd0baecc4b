"""What a driver profile is: the names one DRA driver publishes, as data. No profile stands here."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..api.values import DeviceShape


@dataclass(frozen=True, slots=True)
class DriverClass:
    """A DeviceClass that a driver ships.

    ``name`` may hold ``*`` where the driver makes classes at run time. ``kind`` is the value of the profile's kind
    attribute that its selector demands, None when it takes every device. ``lacks`` are the profile's
    selector names that its devices never publish.
    """

    name: str
    kind: str | None = None
    lacks: tuple[str, ...] = ()

    def matches(self, class_name: str) -> bool:
        """Whether ``class_name`` is this class."""
        return class_name == self.name or ("*" in self.name and fnmatchcase(class_name, self.name))


@dataclass(frozen=True, slots=True)
class SelectorNames:
    """Where a driver publishes what a claim asks for: a capacity in bytes, an int in GB/s, a bool."""

    memory_capacity: str
    bandwidth_attribute: str
    health_attribute: str


@dataclass(frozen=True, slots=True)
class Profile:
    """One driver.

    ``selector_names`` is None for a driver whose devices cannot be asked for yet: ``refusal`` then says why, in words
    that stand after "class X is not supported yet:". ``accelerator_kinds`` are the values of ``kind_attribute`` of
    accelerators; a device without that attribute counts when ``accelerator`` is true. ``extended_resources`` are
    the names (``*`` and ``?`` as in a shell) under which device plugins offer the same hardware.
    """

    name: str
    classes: tuple[DriverClass, ...]
    accelerator: bool
    refusal: str | None = None
    selector_names: SelectorNames | None = None
    kind_attribute: str | None = None
    accelerator_kinds: frozenset[str] = field(default_factory=frozenset)
    extended_resources: tuple[str, ...] = ()

    def find_class(self, class_name: str) -> DriverClass | None:
        """This driver's class of that name."""
        return next((entry for entry in self.classes if entry.matches(class_name)), None)

    def kind_of(self, shape: DeviceShape) -> str | None:
        """The kind a device publishes, under its bare or its qualified name."""
        if self.kind_attribute is None:
            return None
        value = shape.attributes.get(self.kind_attribute, shape.attributes.get(f"{self.name}/{self.kind_attribute}"))
        return value if isinstance(value, str) else None

    def is_accelerator(self, shape: DeviceShape) -> bool:
        """Whether a device of this driver is an accelerator."""
        kind = self.kind_of(shape)
        if kind is None or not self.accelerator_kinds:
            return self.accelerator
        return kind in self.accelerator_kinds

    def offers(self, resource: str) -> bool:
        """Whether ``resource`` is one of this hardware's extended resources."""
        return any(fnmatchcase(resource, pattern) for pattern in self.extended_resources)
