"""The names that operators and the functions behind macros have in the tree (cel-go: common/operators).

Owns names only.
"""

from __future__ import annotations

from typing import Final

CONDITIONAL: Final = "_?_:_"
LOGICAL_AND: Final = "_&&_"
LOGICAL_OR: Final = "_||_"
LOGICAL_NOT: Final = "!_"
NEGATE: Final = "-_"
INDEX: Final = "_[_]"
OPTIONAL_INDEX: Final = "_[?_]"
OPTIONAL_SELECT: Final = "_?._"
NOT_STRICTLY_FALSE: Final = "@not_strictly_false"
MAP_INSERT: Final = "cel.@mapInsert"
SORT_BY_KEYS: Final = "@sortByAssociatedKeys"
EQUALS: Final = "_==_"
NOT_EQUALS: Final = "_!=_"
ADD: Final = "_+_"
IN: Final = "@in"

BINARY: Final = {
    "==": EQUALS, "!=": NOT_EQUALS, "<": "_<_", "<=": "_<=_", ">": "_>_", ">=": "_>=_", "in": IN,
    "+": ADD, "-": "_-_", "*": "_*_", "/": "_/_", "%": "_%_",
}  # fmt: skip
