"""Our answer beside the reference's, and the differences that are meant."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kubectl_llmfit.catalog.entries import read_entry
from kubectl_llmfit.claim.alternatives import Wishes
from kubectl_llmfit.claim.ask import Ask, make_ask
from kubectl_llmfit.claim.classes import DEFAULT, DEFAULT_CLASS, AskedClass, shipped_class
from kubectl_llmfit.claim.documents import document
from kubectl_llmfit.claim.header import header
from kubectl_llmfit.claim.render import render
from kubectl_llmfit.claim.summary import summary
from kubectl_llmfit.fit.estimators import DEFAULT_ESTIMATOR, ESTIMATORS
from kubectl_llmfit.fit.model import Model
from kubectl_llmfit.fit.target import make_target
from parity import reference
from parity.reference import Flags

LONG_NAME = "a name over 48 characters"
ANNOTATIONS = "annotations"
DELIBERATE = (LONG_NAME,)

_LONGEST_SHARED_STEM = 48


@dataclass(frozen=True, slots=True)
class Difference:
    """One value that differs; ``category`` is one of DELIBERATE, or None for a fault."""

    flags: Flags
    where: str
    ours: object
    theirs: object
    category: str | None

    def __str__(self) -> str:
        words = " ".join([self.flags.model, *self.flags.words()])
        return f"{words}: {self.where}: ours {self.ours!r}, llmfit's {self.theirs!r}"


def model_of(entry: dict[str, Any]) -> Model:
    """A model from an entry of the reference's list, as the program reads it."""
    return read_entry(entry, "llmfit")


def ask_of(model: Model, flags: Flags) -> Ask:
    """Our ask for the same flags."""
    target = make_target(
        20.0 if flags.min_tps is None else flags.min_tps,
        55 if flags.efficiency is None else flags.efficiency,
        flags.quant,
    )
    need = ESTIMATORS[DEFAULT_ESTIMATOR](model, target)
    # a class that no driver ships is asked in llmfit.ai's names, as with --driver llmfit.ai
    name = flags.device_class or DEFAULT_CLASS
    asked = shipped_class(name) or AskedClass(name, DEFAULT.profile)
    return make_ask(need, Wishes((asked,)), name=flags.name, template=flags.template)


def compare_summary(model: Model, flags: Flags, custom_models: Path | None = None) -> list[Difference]:
    """Every key of ``--json`` but resolverVersion, values and types."""
    ours, theirs = summary(ask_of(model, flags)), reference.summary(flags, custom_models)
    keys = sorted((ours.keys() | theirs.keys()) - {"resolverVersion"})
    return [
        Difference(flags, key, ours.get(key), theirs.get(key), _name_category(model, flags, key == "claimName"))
        for key in keys
        if not _same(ours.get(key, _MISSING), theirs.get(key, _MISSING))
    ]


def compare_manifest(model: Model, flags: Flags) -> list[Difference]:
    """The parsed manifest: spec, kind, API version and name. The text of ours is rendered, and so read back."""
    ask = ask_of(model, flags)
    ours, theirs = document(ask), reference.manifest(flags)
    render(ours, header(ask))
    found = [
        Difference(flags, key, ours.get(key), theirs.get(key), None)
        for key in sorted((ours.keys() | theirs.keys()) - {"metadata"})
        if not _same(ours.get(key, _MISSING), theirs.get(key, _MISSING))
    ]
    names = ours["metadata"]["name"], theirs["metadata"]["name"]
    if names[0] != names[1]:
        found.append(Difference(flags, "metadata.name", *names, _name_category(model, flags, is_name=True)))
    return found


_MISSING = object()


def _same(one: object, other: object) -> bool:
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and one == other


def _name_category(model: Model, flags: Flags, is_name: bool) -> str | None:
    stem = re.sub("[^a-z0-9]+", "-", model.name.lower()).strip("-")
    return LONG_NAME if is_name and flags.name is None and len(stem) > _LONGEST_SHARED_STEM else None
