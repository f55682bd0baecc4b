"""When two devices, or two states of the search, are as good as each other.

Two blocks of devices have one form when an exchange of their devices, counters and values changes nothing for this
and all later requests: then what failed with one fails with the other. A form covers what is taken, what is left and
what the constraints remember; the value's own name is no part of it where it occurs in one block only.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from .blocks import Block, Bond, root_block
from .problem import Problem, Want, can_end
from .state import State

Place = tuple[int, int | None]
"""A request's number, and the number of the alternative that is being tried; None before one is chosen."""


class Symmetry:
    """Forms of the devices of a problem in the state that they are in now."""

    def __init__(self, problem: Problem, state: State) -> None:
        self._requests = problem.requests
        self._devices = problem.devices
        self._state = state
        self._root, self._leaves = root_block(problem)
        self._owners = _owners(self._leaves)
        self._forms: dict[Hashable, int] = {}
        self._labels: dict[Place, Sequence[int]] = {(len(self._requests), None): self._fixed()}
        self._place: Place | None = None
        self._label: Sequence[int] = ()
        self._want: Want = problem.requests[0].wants[0]
        self._start = 0

    def touch(self, device: int) -> None:
        """Says that the device was taken or given back."""
        for block in self._owners[device]:
            _forget(block)

    def look_from(self, place: Place, start: int) -> None:
        """Says which requests are still to come, and which devices the current one has passed."""
        if place != self._place:
            self._place, self._label = place, self._labels_of(place)
            self._want = self._requests[place[0]].wants[place[1] or 0]
            for leaf in self._leaves:
                _forget(leaf)
        for device in range(min(start, self._start), max(start, self._start)):
            _forget(self._leaves[device])
        self._start = start

    def form(self) -> int:
        """A number for the state of all devices; equal numbers, equal in all that is still to come."""
        return self._form_of(self._root)

    def role(self, device: int) -> tuple[int, ...]:
        """What the device is in that state; devices of one role can be exchanged for each other."""
        self.form()
        return tuple(self._form_of(block) for block in _upwards(self._leaves[device]))

    def _form_of(self, block: Block) -> int:
        if block.form is None:
            content = self._leaf(block) if block.key else self._inner(block)
            block.form = self._forms.setdefault(content, len(self._forms))
        return block.form

    def _inner(self, block: Block) -> Hashable:
        bonds = tuple([self._bond(bond) for bond in block.bonds])
        return bonds, tuple(sorted([self._form_of(child) for child in block.children]))

    def _leaf(self, block: Block) -> Hashable:
        (device,) = block.devices
        state, want = self._state, self._want
        mark = state.marks[device]
        return (
            block.key,
            self._label[device],
            device < self._start,
            bool(mark) + (mark >> want.claim & 1),
            bool(state.shares[device]),
            state.capacity.get(device),
            tuple([self._bond(bond) for bond in block.bonds]),
        )

    def _bond(self, bond: Bond) -> Hashable:
        if bond.is_counter:
            return bond.kind, self._state.left[bond.member]
        return bond.kind, self._state.memories[bond.kind[0]].holds(bond.member)

    def _labels_of(self, place: Place) -> Sequence[int]:
        """Per device a number; equal numbers, equal for the rest of this request and all later ones."""
        known = self._labels.get(place)
        if known is None:
            number, alternative = place
            request = self._requests[number]
            later = self._labels_of((number + 1, None))
            wants = request.wants if alternative is None else request.wants[alternative : alternative + 1]
            known = self._labels[place] = _numbered(zip(later, *map(_rows, wants), strict=True))
        return known

    def _fixed(self) -> list[int]:
        shareable, shared = self._devices.shareable, self._devices.shared
        return _numbered((device in shareable, device in shared) for device in range(self._devices.count))


def _rows(want: Want) -> Iterator[Hashable]:
    """An All that may end the search does so by the first device of its list that is not free: its order counts."""
    listed = want.all_devices or ()
    places = {device: place if can_end(want) else 0 for place, device in enumerate(listed)}
    for device, status in enumerate(want.statuses):
        yield status, places.get(device), want.amounts.get(device)


def _numbered(contents: Iterator[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(content, len(numbers)) for content in contents]


def _owners(leaves: Sequence[Block]) -> list[list[Block]]:
    """Per device the blocks whose own content changes with it: where it is alone, and where its bonds stand."""
    owners: list[list[Block]] = []
    for device, leaf in enumerate(leaves):
        inner = (block for block in _upwards(leaf) if any(device in bond.weights for bond in block.bonds))
        owners.append(list(dict.fromkeys([leaf, *inner])))
    return owners


def _upwards(block: Block | None) -> Iterator[Block]:
    while block is not None and block.parent is not None:
        yield block
        block = block.parent


def _forget(block: Block | None) -> None:
    while block is not None and block.form is not None:
        block.form = None
        block = block.parent
