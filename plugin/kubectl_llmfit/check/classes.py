"""The device classes of a claim that are not there, or that select nothing: in words, and what to ask instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ..api.values import Claim, ClusterState
from ..claim.classes import usable_classes
from ..dra.answer import NodeAnswer
from ..drivers.registry import profile_of_class
from .subject import Subject
from .values import Suggestion
from .words import absent, listed

NOTHING_PUBLISHED = "a driver that does not run and a node pool scaled to zero look the same"


def existing_class(subject: Subject, state: ClusterState, missing: Sequence[str]) -> Suggestion:
    """The classes that there are, for a claim that names one that does not exist."""
    known = sorted((device_class.name for device_class in state.classes), key=lambda name: (_is_other(name), name))
    wanted = absent(missing)
    if not known:
        return Suggestion(None, (), f"{wanted}, and the cluster has no device class: install a DRA driver")
    if subject.need is None:
        return Suggestion(None, (), f"{wanted}; the cluster has {listed(known)}")
    usable = [asked.name for asked in usable_classes(state.classes)]
    auto = f" (--device-class auto takes {listed(usable)})" if usable else ""
    return Suggestion("--device-class", (), f"{wanted}; the cluster has {listed(known)}{auto}")


def nothing_published(claims: Sequence[Claim], answers: Iterable[NodeAnswer]) -> Iterator[Suggestion]:
    """The classes of which no node has a device now, though it has devices of others."""
    classes = _class_of_each(claims)
    published: dict[str, int] = {}
    for answer in answers:
        for steps in answer.steps:
            name = classes[steps.claim, steps.request, steps.alternative]
            published[name] = published.get(name, 0) + steps.after_class
    nowhere = [name for name, devices in published.items() if not devices]
    if nowhere:
        names = listed(nowhere)
        yield Suggestion(None, (), f"no device of class {names} is published now: {NOTHING_PUBLISHED}")


def _class_of_each(claims: Sequence[Claim]) -> Mapping[tuple[int, str, str | None], str]:
    """The class of each request, or of each of its alternatives."""
    return {
        (index, request.name, alternative.name if request.prioritized else None): alternative.device_class_name
        for index, claim in enumerate(claims)
        for request in claim.spec.requests
        for alternative in request.alternatives
    }


def _is_other(class_name: str) -> bool:
    """Whether no known accelerator driver ships the class: those that one does are named first."""
    profile = profile_of_class(class_name)
    return profile is None or not profile.accelerator
