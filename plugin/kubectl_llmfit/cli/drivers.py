"""``kubectl llmfit drivers``: what the DRA drivers publish, and what a claim can ask of their devices."""

from dataclasses import dataclass
from textwrap import indent
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from ..console import Result
from ..errors import UsageError
from ..escapes import as_json
from .options import choice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..drivers.asking import Floor
    from ..drivers.products import ProductTable
    from ..drivers.profile import DriverClass, Profile

FORMATS = ("table", "wide", "json", "yaml", "name")
EXAMPLES = ((20 << 30, 585), (8 << 30, 200), (8 << 30, None))
"""Floors (bytes, GB/s) that an example asks for: the first that some product of the driver reaches."""


@dataclass(frozen=True, slots=True)
class DriversFlags:
    """Flags of ``drivers``."""

    name: Annotated[str | None, Argument(metavar="NAME", help="A driver or device class: its details")] = None
    output: Annotated[str, Option("-o", "--output", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}")] = "table"
    no_headers: Annotated[bool, Option("--no-headers", help="Print no headers")] = False


def drivers(flags: DriversFlags) -> Result:
    """List the DRA drivers that are known, and what can and cannot be asked of their devices; NAME shows one."""
    from ..drivers.products import builtin_table
    from ..drivers.registry import PROFILES

    output = choice("--output", flags.output, FORMATS)
    table = builtin_table()
    if flags.name is None:
        return Result(_listed(PROFILES, table, output, flags.no_headers))
    profile, entry = _find(flags.name)
    if output == "table":
        return Result("".join(f"{line}\n" for line in _details(profile, entry, table)))
    return Result(_listed((profile,), table, output, flags.no_headers))


def _find(name: str) -> "tuple[Profile, DriverClass | None]":
    """The driver of that name, else the driver that ships the class of that name, with the class."""
    from difflib import get_close_matches

    from ..drivers.registry import PROFILES, profile_of_class, profile_of_driver

    profile = profile_of_driver(name)
    if profile is not None:
        return profile, None
    profile = profile_of_class(name)
    if profile is not None:
        return profile, profile.find_class(name)
    known = [each.name for each in PROFILES] + [entry.name for each in PROFILES for entry in each.classes]
    near = get_close_matches(name, known, 1)
    hint = f"did you mean {near[0]}?" if near else "'kubectl llmfit drivers' lists them"
    raise UsageError(f"no known driver or device class {as_json(name)}", hint)


def _listed(profiles: "tuple[Profile, ...]", table: "ProductTable", output: str, no_headers: bool) -> str:
    from ..drivers import words

    if output == "name":
        return "".join(f"{profile.name}\n" for profile in profiles)
    if output in ("json", "yaml"):
        from ..output.document import to_text

        items = [words.document(profile, table) for profile in profiles]
        document: dict[str, Any] = {"apiVersion": "kubectl-llmfit/v1alpha1", "kind": "DriverList", "items": items}
        return to_text(document, output)
    from ..output.table import render_table

    headers = ["DRIVER", "MEMORY", "BANDWIDTH", "HEALTH", "PARTS", "REFUSED"]
    rows = [[profile.name, *(say(profile) for say in words.COLUMNS), profile.inexpressible] for profile in profiles]
    if output == "wide":
        headers += ["PRODUCTS", "CLASSES"]
        for row, profile in zip(rows, profiles, strict=True):
            row += [str(len(table.of(profile))), ",".join(entry.name for entry in profile.classes)]
    return render_table(headers, rows, no_headers)


def _details(profile: "Profile", entry: "DriverClass | None", table: "ProductTable") -> "Iterator[str]":
    from ..drivers import words

    known = words.document(profile, table)
    yield f"driver:      {profile.name}"
    yield f"classes:     {', '.join(each.name for each in profile.classes) or '<none>'}"
    if profile.inexpressible:
        yield f"refused:     {profile.inexpressible}"
        return
    yield f"memory:      {words.memory_words(profile)}"
    yield f"bandwidth:   {words.bandwidth_words(profile)}"
    yield f"health:      --require-health={'|'.join(known['health']['modes'])}"
    yield f"             default {known['health']['default']}: {profile.health.means}"
    if profile.identities:
        unknown = known["productsWithoutBandwidth"]
        without = f", {len(unknown)} of them without a bandwidth ({', '.join(unknown)})" if unknown else ""
        yield f"products:    {known['products']} in the product table{without}"
    if profile.share:
        yield f"shares:      --share requests capacity {profile.share.memory}"
    for line, limit in enumerate(profile.limits):
        yield f"{'limits:' if line == 0 else '':<13}{limit}"
    for each in (entry,) if entry else profile.classes or (None,):
        yield from _example(profile, each, table)


def _example(profile: "Profile", entry: "DriverClass | None", table: "ProductTable") -> "Iterator[str]":
    """A selector that some device of the class can pass, or why there is none."""
    from ..claim.selectors import clauses
    from ..drivers.asking import conditions

    name = entry.name if entry else f"another class of {profile.name}"
    yield ""
    try:
        floor = _example_floor(profile, entry, table)
        operands = clauses(profile, conditions(profile, entry, floor, None, table), floor)
    except UsageError as error:
        yield error.message
        return
    bandwidth = "" if floor.bandwidth_gbs is None else f", {floor.bandwidth_gbs} GB/s"
    yield f"example: {name}, {floor.memory_bytes >> 30}Gi{bandwidth}"
    yield indent(" &&\n".join(operands), "  ")


def _example_floor(profile: "Profile", entry: "DriverClass | None", table: "ProductTable") -> "Floor":
    from ..drivers.asking import Floor, is_out_of_reach

    floors = [Floor(memory, bandwidth) for memory, bandwidth in EXAMPLES]
    return next((floor for floor in floors if not is_out_of_reach(profile, entry, floor, table)), floors[-1])
