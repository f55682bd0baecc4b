"""Devices in blocks by what they share: counters and the values that constraints read.

A block is the devices that some bonds (a counter, a value) tie together; inside, once the widest bonds are set
apart, smaller blocks remain, down to single devices. Knows the structure only; ``symmetry`` compares blocks by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from .problem import NO_VALUE, Problem

Relations = dict[int, tuple[int, ...]]
"""Per device what it takes of the bonds set apart so far, in their order."""


@dataclass(frozen=True, slots=True, eq=False)
class Bond:
    """Devices that share a counter or a value.

    ``kind`` is what bonds of two blocks must have in common to stand for each other: the constraint's number and
    whether the value equals nothing, or -1 for a counter. ``member`` is the counter's or the value's number.
    ``weights`` is what each device takes of it.
    """

    kind: tuple[int, bool]
    member: int
    weights: dict[int, int]

    @property
    def is_counter(self) -> bool:
        """Whether it is a counter."""
        return self.kind[0] < 0


class Block:
    """Some devices, the bonds that were set apart for them, and the smaller blocks that are left without those."""

    __slots__ = ("bonds", "children", "devices", "form", "key", "parent")

    def __init__(self, devices: Sequence[int], bonds: Sequence[Bond], key: tuple[object, ...]) -> None:
        self.devices = devices
        self.bonds = bonds
        self.key = key
        self.children: list[Block] = []
        self.parent: Block | None = None
        self.form: int | None = None


def bonds_of(problem: Problem) -> list[Bond]:
    """All bonds, in an order that is the same inside of equal blocks."""
    bonds: dict[tuple[tuple[int, bool], int], Bond] = {}
    for device, needs in problem.devices.counters.needs.items():
        for counter, amount in needs:
            _bond(bonds, (-1, False), counter).weights[device] = amount
    for number, constraint in enumerate(problem.constraints):
        for device, value in enumerate(constraint.values):
            if value != NO_VALUE:
                _bond(bonds, (number, value < NO_VALUE), value).weights[device] = 1
    return sorted(bonds.values(), key=lambda bond: (bond.kind, bond.member))


def root_block(problem: Problem) -> tuple[Block, list[Block]]:
    """The block of all devices, and per device the block that it is in alone."""
    root = Block(range(problem.devices.count), (), ())
    leaves: list[Block] = [root] * problem.devices.count
    odd = {device for device, guards in problem.devices.counters.guards.items() if guards}
    pinned: Relations = {device: (device,) if device in odd else () for device in root.devices}
    waiting = [(root, bonds_of(problem), pinned)]
    while waiting:
        parent, bonds, relations = waiting.pop()
        for devices, own in _components(parent.devices, bonds):
            child, rest, below = _child(devices, own, relations)
            child.parent = parent
            parent.children.append(child)
            if len(devices) == 1:
                leaves[devices[0]] = child
            else:
                waiting.append((child, rest, below))
    return root, leaves


def _bond(bonds: dict[tuple[tuple[int, bool], int], Bond], kind: tuple[int, bool], member: int) -> Bond:
    return bonds.setdefault((kind, member), Bond(kind, member, {}))


def _child(devices: Sequence[int], bonds: list[Bond], relations: Relations) -> tuple[Block, list[Bond], Relations]:
    """The block, the bonds left inside of it, and per device what it takes of all bonds set apart so far."""
    if len(devices) == 1:
        (device,) = devices
        weights = tuple(bond.weights[device] for bond in bonds)
        return Block(devices, bonds, (relations[device], weights)), [], {}
    apart = [bond for bond in bonds if len(bond.weights) == len(devices)]
    if not apart:
        apart = [max(bonds, key=lambda bond: len(bond.weights))]
    rest = [bond for bond in bonds if bond not in apart]
    below = {d: (*relations[d], *(bond.weights.get(d, 0) for bond in apart)) for d in devices}
    return Block(devices, apart, ()), rest, below


def _components(devices: Iterable[int], bonds: Sequence[Bond]) -> Iterator[tuple[list[int], list[Bond]]]:
    """Devices that bonds tie together, with those bonds as far as they reach; both in order."""
    leader = {device: device for device in devices}

    def find(device: int) -> int:
        while leader[device] != device:
            leader[device] = leader[leader[device]]
            device = leader[device]
        return device

    for bond in bonds:
        first, *others = bond.weights
        for other in others:
            one, two = sorted((find(first), find(other)))
            leader[two] = one
    members: dict[int, list[int]] = {}
    for device in leader:
        members.setdefault(find(device), []).append(device)
    own: dict[int, list[Bond]] = {}
    for bond in bonds:
        own.setdefault(find(next(iter(bond.weights))), []).append(bond)
    for first, component in members.items():
        yield component, own.get(first, [])
