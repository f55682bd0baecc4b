"""What a call can cost at most, from the sizes of its operands.

Owns the figures of the language's own functions (cel-go: checker/cost.go, functionCost); those of libraries
are in the table. Must not walk the tree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from .cost_extent import Extent
from .cost_operand import CallEstimate, Operand
from .cost_range import ONE, PER_CHARACTER, PER_PATTERN_CHARACTER, Range, total
from .cost_table import library_estimate


def call_estimate(
    function: str,
    overload: str,
    target: Operand | None,
    args: list[Operand],
    costs: list[Range],
    extents: Mapping[str, Extent],
) -> CallEstimate:
    """The cost of calling one overload, that of the arguments (``costs``) included and that of the target not."""
    library = library_estimate(function, overload, target, args, extents)
    if library is not None:
        return CallEstimate(library.cost.plus(total(costs)), library.size)
    if overload in _LOGIC:
        # The first operand may decide.
        return CallEstimate(Range(costs[0].least, costs[0].plus(costs[1]).most))
    if overload == "conditional":
        size = args[1].size_or_unknown.union(args[2].size_or_unknown)
        return CallEstimate(costs[0].plus(costs[1].union(costs[2])), size)
    linear = _BY_OVERLOAD.get(overload)
    operands = args if target is None else [target, *args]
    own = CallEstimate(ONE) if linear is None else linear([operand.size_or_unknown for operand in operands])
    return CallEstimate(own.cost.plus(total(costs)), own.size)


_LOGIC: Final = frozenset({"logical_and", "logical_or"})
_Sizes = list[Range]


def _traversal(index: int) -> Callable[[_Sizes], CallEstimate]:
    return lambda sizes: CallEstimate(sizes[index].scaled(PER_CHARACTER))


def _to_bytes(sizes: _Sizes) -> CallEstimate:
    (text,) = sizes
    # Go's multiplication wraps around.
    return CallEstimate(text.scaled(PER_CHARACTER), Range(text.least, text.most * 4 % 2**64))


def _to_text(sizes: _Sizes) -> CallEstimate:
    (content,) = sizes
    return CallEstimate(content.scaled(PER_CHARACTER), Range(content.least // 4, content.most))


def _quoted(sizes: _Sizes) -> CallEstimate:
    (text,) = sizes
    size = Range(text.least + 2, (text.most * 2 + 2) % 2**64)
    return CallEstimate(text.scaled(PER_CHARACTER), size)


def _in_list(sizes: _Sizes) -> CallEstimate:
    return CallEstimate(sizes[1].scaled(1))


def pattern_search(text: Range, pattern: Range) -> Range:
    """Looking for a pattern; one is added to the text so that an empty one is not for nothing."""
    return text.plus(ONE).scaled(PER_CHARACTER).times(pattern.scaled(PER_PATTERN_CHARACTER))


def _matches(sizes: _Sizes) -> CallEstimate:
    return CallEstimate(pattern_search(*sizes))


def _contains(sizes: _Sizes) -> CallEstimate:
    return CallEstimate(sizes[0].scaled(PER_CHARACTER).times(sizes[1].scaled(PER_CHARACTER)))


def _joined(sizes: _Sizes) -> CallEstimate:
    size = sizes[0].plus(sizes[1])
    return CallEstimate(size.scaled(PER_CHARACTER), size)


def _joined_lists(sizes: _Sizes) -> CallEstimate:
    return CallEstimate(ONE, sizes[0].plus(sizes[1]))


def _compared(sizes: _Sizes) -> CallEstimate:
    shorter = min(sizes[0].most, sizes[1].most)
    return CallEstimate(Range(min(shorter, 1), shorter).scaled(PER_CHARACTER))


_BY_OVERLOAD: Final[dict[str, Callable[[_Sizes], CallEstimate]]] = {
    "string_format": _traversal(0),
    "strings_quote": _quoted,
    "string_to_bytes": _to_bytes,
    "bytes_to_string": _to_text,
    "startsWith_string": _traversal(1),
    "endsWith_string": _traversal(1),
    "in_list": _in_list,
    "matches": _matches,
    "matches_string": _matches,
    "contains_string": _contains,
    "add_string": _joined,
    "add_bytes": _joined,
    "add_list": _joined_lists,
    "equals": _compared,
    "not_equals": _compared,
    **{
        f"{order}_{kind}": _compared
        for order in ("less", "less_equals", "greater", "greater_equals")
        for kind in ("string", "bytes")
    },
}
