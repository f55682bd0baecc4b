"""What rendered YAML must be to be believed: free of what readers disagree on, and equal to its document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..escapes import as_json, is_plain

_STRING = "tag:yaml.org,2002:str"


class ReadbackError(ValueError):
    """Text that is no YAML, or that another YAML reader would take for something else."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two documents differ first: a path, and both values in words."""

    path: str
    wanted: str
    got: str


def check_nodes(node: Any, seen: set[int] | None = None) -> None:
    """Refuse, in a tree of YAML nodes, what readers of YAML do not agree on.

    Raises ReadbackError for aliases (a node met twice), repeated keys, and a bare string that Kubernetes' reader
    could take for another type.
    """
    seen = set() if seen is None else seen
    if id(node) in seen:
        raise ReadbackError(f"{_line(node)}: an alias")
    seen.add(id(node))
    if node.id == "scalar":
        if node.tag == _STRING and not node.style and not is_plain(node.value):
            raise ReadbackError(f"{_line(node)}: {node.value!r} without quotes (use the filter 'scalar')")
    elif node.id == "mapping":
        keys: set[str] = set()
        for key in (key.value for key, _ in node.value if key.id == "scalar"):
            if key in keys:
                raise ReadbackError(f"{_line(node)}: key {key!r} twice")
            keys.add(key)
        for key, value in node.value:
            check_nodes(key, seen)
            check_nodes(value, seen)
    else:
        for item in node.value:
            check_nodes(item, seen)


def _line(node: Any) -> str:
    return f"line {node.start_mark.line + 1}"


def difference(wanted: object, got: object, path: str = "") -> Difference | None:
    """Where ``got`` first differs from ``wanted``, types included; None when they are equal."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        for key in (*wanted, *(key for key in got if key not in wanted)):
            at = f"{path}.{key}" if path else str(key)
            if key not in got:
                return Difference(at, as_json(wanted[key]), "nothing")
            if key not in wanted:
                return Difference(at, "nothing", as_json(got[key]))
            found = difference(wanted[key], got[key], at)
            if found:
                return found
        return None
    if isinstance(wanted, list) and isinstance(got, list) and len(wanted) == len(got):
        pairs = enumerate(zip(wanted, got, strict=True))
        found_in = (difference(one, other, f"{path}[{index}]") for index, (one, other) in pairs)
        return next((found for found in found_in if found), None)
    if type(wanted) is type(got) and wanted == got:
        return None
    return Difference(path or "the document", as_json(wanted), as_json(got))
