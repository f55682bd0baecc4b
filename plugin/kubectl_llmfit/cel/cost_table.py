"""What calls of library functions can cost at most, with Kubernetes' own figures.

Owns the estimates by function name (apiserver 0.37: pkg/cel/library/cost.go, EstimateCallCost). What calls
really cost is told elsewhere. Must not walk the tree.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from .cost_extent import ITEMS, Extent, extended
from .cost_lists import LISTS_AND_SETS
from .cost_operand import CallEstimate, LibraryCall, LibraryEstimate, Operand
from .cost_range import (
    MOST,
    NEW_LIST,
    NEW_MESSAGE,
    NOTHING,
    ONE,
    PER_CHARACTER,
    PER_PATTERN_CHARACTER,
    UNKNOWN,
    Range,
    capped_product,
    capped_sum,
    fixed,
)
from .types import QUANTITY, SEMVER, Kind

# apiserver: pkg/cel/limits.go, MaxFormatSize and MaxNameFormatRegexSize.
_MAX_FORMAT: Final = 64
_MAX_NAME_PATTERN: Final = 128
# The bytes of an IP address.
_ADDRESS: Final = Range(4, 16)
_UNIT: Final = CallEstimate(ONE)


def library_estimate(
    function: str, overload: str, target: Operand | None, args: list[Operand], extents: Mapping[str, Extent]
) -> CallEstimate | None:
    """The cost of the call itself; None when the libraries have no figure of their own for it."""
    estimate = LISTS_AND_SETS.get(overload) or _BY_FUNCTION.get(function)
    return estimate(LibraryCall(function, overload, target, args, extents)) if estimate else None


def _unit(_: LibraryCall) -> CallEstimate:
    return _UNIT


def _element_size(call: LibraryCall, target: Operand) -> Range:
    """The size of what is in a list, which only a declared path tells."""
    if target.path is None:
        return UNKNOWN
    return extended(target.path.copied(), ITEMS).size(call.extents) or UNKNOWN


def _over_elements(call: LibraryCall) -> CallEstimate | None:
    """isSorted, sum, min, max, indexOf, lastIndexOf, includes: one unit per element, and the texts read once."""
    if call.target is None:
        return None
    size = call.target.size_or_unknown
    parameters = call.target.node.type.parameters
    if not parameters:
        return CallEstimate(size.times(ONE) if call.function == "includes" else size.scaled(PER_CHARACTER))
    each = ONE
    if parameters[0].kind in (Kind.STRING, Kind.BYTES):
        each = ONE.plus(_element_size(call, call.target).scaled(PER_CHARACTER))
    return CallEstimate(size.times(each))


def _reads_argument(call: LibraryCall) -> CallEstimate | None:
    return CallEstimate(call.size(0).scaled(PER_CHARACTER)) if call.args else None


def _url(call: LibraryCall) -> CallEstimate | None:
    return CallEstimate(call.size(0).scaled(PER_CHARACTER), call.size(0)) if len(call.args) == 1 else None


def _reads_argument_twice(call: LibraryCall) -> CallEstimate | None:
    return CallEstimate(call.size(0).scaled(2 * PER_CHARACTER)) if call.args else None


def _transforms(call: LibraryCall) -> CallEstimate | None:
    if call.target is None:
        return None
    size = call.target.size_or_unknown
    return CallEstimate(size.scaled(PER_CHARACTER), size)


def _replace(call: LibraryCall) -> CallEstimate | None:
    if call.target is None or len(call.args) < 2:
        return None
    text, old, new = call.target.size_or_unknown, call.size(0), call.size(1)
    if old.least == 0:
        most, kept_most = min(text.most + 1, MOST), text.most
    elif new.most <= old.least:
        most, kept_most = 0, text.most
    else:
        most, kept_most = math.ceil(float(text.most) / float(old.least)), 0
    if old.most == 0:
        least, kept_least = min(text.least + 1, MOST), text.least
    elif old.most <= new.least:
        least, kept_least = 0, text.least
    else:
        least, kept_least = math.ceil(float(text.least) / float(old.most)), 0
    size = Range(
        capped_sum(capped_product(min(least, MOST), new.least), kept_least),
        capped_sum(capped_product(min(most, MOST), new.most), kept_most),
    )
    return CallEstimate(text.scaled(2 * PER_CHARACTER), size)


def _split(call: LibraryCall) -> CallEstimate | None:
    if call.target is None:
        return None
    size = call.target.size_or_unknown
    most = size.most
    if len(call.args) > 1:
        limit = call.args[1].literal_int
        most = most if limit is None else limit % 2**64
    return CallEstimate(size.scaled(2 * PER_CHARACTER), Range(0, most))


def _join(call: LibraryCall) -> CallEstimate | None:
    if call.target is None:
        return None
    count = call.target.size_or_unknown
    size = NOTHING
    if call.target.node.type.parameters:
        size = count.times(_element_size(call, call.target))
    if call.args:
        separators = Range(max(count.least - 1, 0), max(count.most - 1, 0))
        size = size.plus(call.size(0).times(separators))
    return CallEstimate(size.scaled(PER_CHARACTER), size)


def _find(call: LibraryCall) -> CallEstimate | None:
    if call.target is None or not call.args:
        return None
    text = call.target.size_or_unknown
    cost = text.plus(ONE).scaled(PER_CHARACTER).times(call.size(0).scaled(PER_PATTERN_CHARACTER))
    return CallEstimate(cost, Range(0, text.most))


def _ip(call: LibraryCall) -> CallEstimate | None:
    return _UNIT if call.overload == "cidr_ip" else _reads_argument(call)


def _contains_address(call: LibraryCall) -> CallEstimate | None:
    """containsIP and containsCIDR, whose arguments may have to be parsed."""
    if not call.args:
        return None
    cost = _ADDRESS.plus(_ADDRESS).scaled(PER_CHARACTER)
    if call.function == "containsCIDR":
        cost = cost.plus(_ADDRESS.scaled(PER_CHARACTER)).plus(ONE)
    if call.overload in ("cidr_contains_ip_string", "cidr_contains_cidr_string"):
        cost = cost.plus(call.size(0).scaled(PER_CHARACTER))
    return CallEstimate(cost)


def _validate(call: LibraryCall) -> CallEstimate | None:
    if not call.args:
        return None
    return CallEstimate(call.size(0).scaled(PER_CHARACTER).scaled(_MAX_NAME_PATTERN * PER_PATTERN_CHARACTER))


# Estimates and counts of an authorizer's functions, which can be called on values of unknown type only.
CHECK_COST: Final = 350_000


def selector_cost(length: Range) -> Range:
    """A label or field selector: read once, and for every second character a requirement made."""
    requirements = length.scaled(0.5).scaled(NEW_LIST + NEW_MESSAGE)
    return fixed(NEW_LIST).plus(length.scaled(PER_CHARACTER)).plus(requirements)


def _selector(call: LibraryCall) -> CallEstimate | None:
    return CallEstimate(selector_cost(call.size(0))) if len(call.args) == 1 else None


def _check(_: LibraryCall) -> CallEstimate:
    return CallEstimate(fixed(CHECK_COST))


def _equal(call: LibraryCall) -> CallEstimate | None:
    """Equality of two values of one of Kubernetes' types."""
    left, right = call.args
    type_ = left.node.type
    if type_ != right.node.type:
        return None
    if type_ in (QUANTITY, SEMVER) or type_.name.startswith(("net.", "kubernetes.authorization.")):
        return _UNIT
    if type_.name == "kubernetes.NamedFormat":
        return CallEstimate(Range(1, _MAX_FORMAT).scaled(PER_CHARACTER))
    if type_.name == "kubernetes.URL":
        most = 1 if right.size is None else right.size.most
        return CallEstimate(Range(1, most).scaled(PER_CHARACTER))
    return None


_BY_FUNCTION: Final[dict[str, LibraryEstimate]] = {
    **dict.fromkeys(("isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes"), _over_elements),
    **dict.fromkeys(("quantity", "isQuantity", "semver", "isSemver", "cidr", "isIP", "isCIDR"), _reads_argument),
    **dict.fromkeys(("lowerAscii", "upperAscii", "substring", "trim"), _transforms),
    **dict.fromkeys(("find", "findAll"), _find),
    **dict.fromkeys(("containsIP", "containsCIDR"), _contains_address),
    **dict.fromkeys(
        (
            *("masked", "prefixLength", "family", "isUnspecified", "isLoopback", "isLinkLocalMulticast"),
            *("isLinkLocalUnicast", "isGlobalUnicast", "format.named", "sign", "asInteger", "isInteger"),
            *("asApproximateFloat", "isGreaterThan", "isLessThan", "compareTo", "add", "sub", "major", "minor"),
            *("serviceAccount", "path", "group", "resource", "subresource", "namespace", "name", "allowed"),
            *(
                "reason",
                "error",
                "errored",
                "patch",
                "getScheme",
                "getHostname",
                "getHost",
                "getPort",
                "getEscapedPath",
                "getQuery",
            ),
        ),
        _unit,
    ),
    "check": _check,
    **dict.fromkeys(("fieldSelector", "labelSelector"), _selector),
    "url": _url,
    "replace": _replace,
    "split": _split,
    "join": _join,
    "ip": _ip,
    "ip.isCanonical": _reads_argument_twice,
    "validate": _validate,
    "_==_": _equal,
}
