"""Which values a flag or an argument may have: from the program's own data, from the kubeconfig, from the cluster.

A flag's source is named after the flag, else after what its help calls the value (``FILE``, ``NS``, ``CLASS``, ...).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from . import live
from .answer import Answer, Candidate, Directive
from .words import Line

MANY_MODELS = 100
"""Above this many, publishers are shown first, as a shell shows folders."""

Source = Callable[[Line], Answer]


def values(line: Line) -> Answer:
    """The values that may stand at the cursor; nothing where any text may."""
    parameter = line.flag or _argument(line)
    source = None if parameter is None else _source(parameter, line.command)
    return Answer() if source is None else source(line)


def has_source(parameter: Any, command: str) -> bool:
    """Whether the values of a parameter of a command are completed."""
    return _source(parameter, command) is not None


def _source(parameter: Any, command: str | None) -> Source | None:
    if parameter.param_type_name == "argument" and command in BY_COMMAND:
        return BY_COMMAND[command]
    named = (BY_FLAG[spelling] for spelling in parameter.opts if spelling in BY_FLAG)
    return next(named, BY_METAVAR.get(parameter.metavar or ""))


def _argument(line: Line) -> Any:
    """The parameter of the argument that the cursor is in."""
    arguments = [one for one in line.parameters if one.param_type_name == "argument"]
    return arguments[len(line.arguments)] if len(line.arguments) < len(arguments) else None


def _of(candidates: Callable[[], Iterable[Candidate]]) -> Source:
    """A source that is the same on every line."""
    return lambda line: Answer.of(line.last, candidates())


def _listed(source: Callable[[Line], Iterable[Candidate]], directive: Directive = Directive.NO_FILES) -> Source:
    """A source for one more entry of a list that is separated by commas."""

    def last_entry(line: Line) -> Answer:
        before, comma, last = line.last.rpartition(",")
        return Answer.of(last, source(line), directive, before + comma)

    return last_entry


def _live(resource: live.Resource) -> Callable[[Line], Iterable[Candidate]]:
    """Names of objects of the cluster that the flags so far choose."""
    return lambda line: live.names(resource, line.given)


def _models(line: Line) -> Answer:
    """Models by the beginning of their names; their publishers where there would be too many.

    Where nothing is typed yet, only those of the publishers that train models: the others are thousands.
    """
    from ..catalog import open_catalog
    from ..catalog.ranking import ORIGINAL_PUBLISHERS

    names = open_catalog().names(line.last)
    publishers = dict.fromkeys(name.partition("/")[0] + "/" for name in names if "/" in name)
    if not line.last:
        publishers = {name: None for name in publishers if name[:-1].lower() in ORIGINAL_PUBLISHERS}
    if "/" in line.last or len(names) <= MANY_MODELS or len(publishers) == 1:
        return Answer.of(line.last, names)
    single = [name for name in names if "/" not in name]
    return Answer.of(line.last, [*publishers, *single], Directive.NO_FILES | Directive.NO_SPACE)


def _models_or_objects(line: Line) -> Answer:
    """Models, and ``TYPE/NAME`` of what the cluster holds."""
    from ..cli.subject import TYPES

    written, slash, name = line.last.partition("/")
    kind = TYPES.get(written.lower().removesuffix("s"))
    if slash and kind is not None:
        resource = live.OF_KIND.get(kind)
        found = live.names(resource, line.given) if resource else ()
        return Answer.of(name, found, before=f"{written}/")
    models = _models(line)
    types = Answer.of(line.last, [f"{name}/" for name in TYPES]).candidates
    if not types:
        return models
    return Answer((*types, *models.candidates), Directive.NO_FILES | Directive.NO_SPACE)


def _quantisations() -> list[Candidate]:
    from ..fit.quantisation import QUANTISATIONS

    return [(one.name, f"{one.bytes_per_parameter:g} bytes per parameter") for one in QUANTISATIONS]


def _formats(line: Line) -> Answer:
    """The output formats of the command, from the very tuple that it checks them with."""
    from ..app import COMMANDS

    module = sys.modules[COMMANDS[line.command or ""].load().__module__]
    return Answer.of(line.last, module.FORMATS).keeping_order()


def _drivers() -> list[Candidate]:
    from ..drivers.registry import PROFILES

    return sorted({profile.name for profile in PROFILES})


def _drivers_and_classes() -> list[Candidate]:
    from ..drivers.registry import PROFILES

    classes = {entry.name for profile in PROFILES for entry in profile.classes if "*" not in entry.name}
    return [*_drivers(), *sorted(classes.difference(profile.name for profile in PROFILES))]


def _api_versions() -> tuple[str, ...]:
    from ..claim.ask import API_VERSIONS

    return API_VERSIONS


def _dry_runs() -> tuple[str, ...]:
    from ..cli.apply import DRY_RUNS

    return DRY_RUNS


def _health() -> tuple[str, ...]:
    from ..cli.wishes import HEALTH

    return HEALTH


def _kubeconfig(section: str) -> Source:
    return lambda line: Answer.of(line.last, live.kubeconfig_names(section, line.given))


def _files(_line: Line) -> Answer:
    return Answer(directive=Directive.FILES)


def _folders(_line: Line) -> Answer:
    return Answer(directive=Directive.DIRECTORIES)


BY_COMMAND: dict[str, Source] = {"drivers": _of(_drivers_and_classes)}  # of its argument
BY_FLAG: dict[str, Source] = {
    "--context": _kubeconfig("contexts"),
    "--cluster": _kubeconfig("clusters"),
    "--user": _kubeconfig("users"),
    "--kubeconfig": _files,
    "--certificate-authority": _files,
    "--client-certificate": _files,
    "--client-key": _files,
    "--node": _listed(_live(live.NODES)),
    "--api-version": _of(_api_versions),
    "--dry-run": _of(_dry_runs),
    "--require-health": _of(_health),
}
BY_METAVAR: dict[str, Source] = {
    "MODEL": _models,
    "QUERY": _models,
    "MODEL|TYPE/NAME": _models_or_objects,
    "FORMAT": _formats,
    "Q": _of(_quantisations),
    "NS": _listed(_live(live.NAMESPACES)),
    "CLASS": _listed(_live(live.DEVICE_CLASSES)),
    "DRIVER": _of(_drivers),
    "FILE": _files,
    "DIR": _folders,
}
