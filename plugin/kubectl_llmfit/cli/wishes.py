"""From the flags to what is asked beside the need: which classes of which drivers, and how their devices are chosen."""

import os
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..escapes import one_line
from .options import SizingFlags, choice

if TYPE_CHECKING:
    from ..claim.alternatives import Wishes
    from ..drivers.products import ProductTable
    from .classes import Cluster

DEVICE_CLASS_VARIABLE = "KUBECTL_LLMFIT_DEVICE_CLASS"
HEALTH = ("attribute", "taint", "none")


def wishes_of(
    flags: SizingFlags, cluster: "Cluster | None", *, export: bool = False, auto: "Cluster | None" = None
) -> "Wishes":
    """What the flags ask for beside the need.

    ``cluster`` says whose devices a class selects that no known driver ships; None where it must not be asked. ``auto``
    lists the classes for ``--device-class auto``; None: ``cluster`` does. Raises UsageError; CannotTellError where
    classes could not be read.
    """
    from ..claim.alternatives import Wishes
    from ..drivers.profile import HealthMode
    from .classes import asked_classes

    names = _names(flags, export=export)
    _check(names)
    health = flags.require_health
    table, table_name = _table(flags)
    return Wishes(
        classes=asked_classes(names, flags.driver, cluster, auto or cluster),
        table=table,
        table_name=table_name,
        health=None if health is None else HealthMode(choice("--require-health", health, HEALTH)),
        smallest_first=flags.smallest_first,
        share=flags.share,
    )


def variable_hint(flags: SizingFlags) -> str | None:
    """Where the class came from, if no flag names it."""
    variable = os.environ.get(DEVICE_CLASS_VARIABLE)
    return f"{DEVICE_CLASS_VARIABLE} is set to {variable}" if variable and not flags.device_class else None


def product_table(flags: SizingFlags) -> "ProductTable":
    """The product table: the built-in one, with the rows of ``--accelerators``."""
    from ..drivers.products import builtin_table

    return _table(flags)[0] or builtin_table()


def _names(flags: SizingFlags, *, export: bool) -> list[str]:
    from ..claim.classes import DEFAULT_CLASS

    if flags.device_class:
        return flags.device_class
    variable = os.environ.get(DEVICE_CLASS_VARIABLE)
    return [DEFAULT_CLASS if not variable or export else variable]  # the older export knows no classes


def _check(names: list[str]) -> None:
    from ..claim.names import checked_class
    from .classes import AUTO

    if AUTO in names and len(names) > 1:
        raise UsageError(f"--device-class {AUTO} chooses the classes itself: it cannot be used with others")
    for place, name in enumerate(names):
        listed = [f"--device-class {one_line(each.strip())}" for each in name.split(",") if each.strip()]
        if len(listed) > 1:
            raise UsageError(f'--device-class "{one_line(name)}": one class each time', f"try {' '.join(listed)}")
        checked_class(name)
        if name in names[:place]:
            raise UsageError(f"--device-class {name} is given twice")


def _table(flags: SizingFlags) -> "tuple[ProductTable | None, str | None]":
    if flags.accelerators is None:
        return None, None
    from ..drivers.products import builtin_table
    from ..drivers.tablefile import read_table
    from ..files import display_name, read_text

    name = display_name(flags.accelerators)
    rows = read_table(read_text(flags.accelerators), name)
    return builtin_table().with_rows(rows), name.rpartition("/")[2]
