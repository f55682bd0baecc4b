"""What a selector has to ask of a driver's device, as data: the words between a profile and the CEL writer.

A sequence of conditions is a conjunction, in the order memory, bandwidth, health. Names are bare: they belong to the
driver's own domain. Every condition holds only for a device that publishes what it reads, unless ``if_published``.

How each is meant, for driver ``D`` (``claim.selectors`` is the only writer of CEL)::

    CapacityAtLeast("memory", 20 << 30)        'memory' in device.capacity['D'] &&
                                               device.capacity['D'].memory.compareTo(quantity('20Gi')) >= 0
    CapacityBelow("memory", 11 << 30)          the same with < 0
    CapacityAbsent("memory")                   !('memory' in device.capacity['D'])
    AttributeAtLeast("memory", 20)             'memory' in device.attributes['D'] && device.attributes['D'].memory >= 20
    AttributeBelow("memory", 40)               the same with < 40
    AttributeIn("model", ("Gaudi3",))          'model' in device.attributes['D'] && device.attributes['D'].model in ['Gaudi3']
    AttributeIn("type", ("gpu",), if_published=True)
                                               (!('type' in device.attributes['D']) || device.attributes['D'].type in ['gpu'])
    AttributeStartsWith("instanceType", ("inf2.", "trn1."))
                                               'instanceType' in device.attributes['D'] &&
                                               (device.attributes['D'].instanceType.startsWith('inf2.') || …)
    AttributeIsTrue("healthy")                 'healthy' in device.attributes['D'] && device.attributes['D'].healthy
    AnyOf(((a, b), (c,)))                      ((a && b) || c)
"""  # noqa: E501 a line of CEL is shown whole

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CapacityAtLeast:
    """The capacity ``name`` is at least ``amount`` (bytes)."""

    name: str
    amount: int


@dataclass(frozen=True, slots=True)
class CapacityBelow:
    """The capacity ``name`` is less than ``amount`` (bytes)."""

    name: str
    amount: int


@dataclass(frozen=True, slots=True)
class CapacityAbsent:
    """The device publishes no capacity ``name``."""

    name: str


@dataclass(frozen=True, slots=True)
class AttributeAtLeast:
    """The integer attribute ``name`` is at least ``amount`` (in the unit in which the driver publishes it)."""

    name: str
    amount: int


@dataclass(frozen=True, slots=True)
class AttributeBelow:
    """The integer attribute ``name`` is less than ``amount``."""

    name: str
    amount: int


@dataclass(frozen=True, slots=True)
class AttributeIn:
    """The text attribute ``name`` is one of ``values``; no values: no device passes."""

    name: str
    values: tuple[str, ...]
    if_published: bool = False


@dataclass(frozen=True, slots=True)
class AttributeStartsWith:
    """The text attribute ``name`` starts with one of ``prefixes``."""

    name: str
    prefixes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AttributeIsTrue:
    """The bool attribute ``name`` is true."""

    name: str
    if_published: bool = False


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of ``alternatives`` holds, each a conjunction; never empty."""

    alternatives: tuple[tuple[Condition, ...], ...]


Condition = (
    CapacityAtLeast
    | CapacityBelow
    | CapacityAbsent
    | AttributeAtLeast
    | AttributeBelow
    | AttributeIn
    | AttributeStartsWith
    | AttributeIsTrue
    | AnyOf
)
"""One condition; ``AnyOf`` nests."""
