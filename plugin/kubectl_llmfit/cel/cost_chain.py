"""Chains of reads that are charged for: ``a.b``, ``a[b]``, ``a.?b`` and has().

Owns what a read costs: one unit each that is made, and from the first optional one on only those that find
something (cel-go: interpreter/attributes.go, evalWatchConstQual). Must not know functions.
"""

from __future__ import annotations

from .attributes import Step, checked_key
from .cost_meter import charge
from .lookup import find, lookup
from .plan import Frame, Run
from .values import MISSING, NONE, Optional


def metered_chain(base: Run, steps: list[Step], units: int = 1) -> Run:
    """Code for the reads ``steps`` from ``base`` at ``units`` each, without the unit that the chain itself costs."""

    def _run(frame: Frame) -> object:
        value = base(frame)
        optional = isinstance(value, Optional) and bool(steps)
        if optional and isinstance(value, Optional):
            if not value.present:
                return value
            value = value.value
        for step in steps:
            optional = optional or step.optional
            if not optional:
                charge(frame, units)
                value = lookup(value, _key(step, frame))
                continue
            value = find(value, _key(step, frame))
            if value is MISSING:
                return NONE
            charge(frame, units)
        return Optional(value) if optional else value

    return _run


def _key(step: Step, frame: Frame) -> object:
    return step.key if step.key_of is None else checked_key(step.key_of(frame))


def metered_presence(base: Run, key: object, is_branch: bool, units: int = 1) -> Run:
    """has(): whether the last read would find something; as the branch of a conditional, what it found."""

    def _run(frame: Frame) -> object:
        value = base(frame)
        if not isinstance(value, Optional):
            charge(frame, units)
            return find(value, key) is not MISSING
        found = find(value.value, key) if value.present else MISSING
        if found is not MISSING:
            charge(frame, units)
        if not is_branch:
            return found is not MISSING
        return NONE if found is MISSING else Optional(found)

    return _run
