"""A NodeCheck becomes rows, names and the summary line. Decides what is shown, never what is true."""

from __future__ import annotations

from collections.abc import Mapping

from ..check.values import Copies, NodeCheck, NodeEntry, Summary, Verdict
from ..check.words import count, listed, taint_text
from ..escapes import one_line
from .table import UNKNOWN

Row = tuple[str | None, ...]
Table = tuple[tuple[str, ...], tuple[Row, ...]]

_HEADERS = ("NODE", "VERDICT", "MATCH", "COPIES", "DEVICE", "REASON")
_CLASS = "CLASS"  # where a request has alternatives: the class of the one that is taken
_WIDE_HEADERS = ("SCHEDULER", "POOL", "TAINTS", "NOTES")
_REQUEST = "REQUEST"  # the same, by name
_MORE_THAN_99 = 100


def node_table(check: NodeCheck, wide: bool = False) -> Table:
    """Headers and one row a node: Fits first, then by name. ``wide`` adds columns, never rows."""
    classes = _alternatives(check)
    headers = _HEADERS + (_WIDE_HEADERS if wide else ())
    rows = [_node_row(node, check) + (_wide_cells(node) if wide else ()) for node in in_table_order(check)]
    if classes:
        place = headers.index("DEVICE")
        taken = [_taken(node, classes) for node in in_table_order(check)]
        rows = [(*row[:place], ",".join(of), *row[place:]) for row, of in zip(rows, taken, strict=True)]
        headers = (*headers[:place], _CLASS, *headers[place:])
        if wide:
            requests = [",".join(dict.fromkeys(d.request for d in node.allocation)) for node in in_table_order(check)]
            rows = [(*row, request) for row, request in zip(rows, requests, strict=True)]
            headers = (*headers, _REQUEST)
    return headers, tuple(rows)


def _alternatives(check: NodeCheck) -> dict[tuple[str, str], str]:
    """The class of each alternative by claim and ``request/alternative``; empty where no request has a choice."""
    return {
        (claim.name, f"{request.name}/{alternative.name}"): alternative.device_class_name
        for claim in check.claims
        for request in claim.requests
        if len(request.alternatives) > 1
        for alternative in request.alternatives
    }


def _taken(node: NodeEntry, classes: Mapping[tuple[str, str], str]) -> tuple[str, ...]:
    """The classes of the alternatives that the scheduler would take."""
    return tuple(
        dict.fromkeys(
            classes[device.claim, device.request]
            for device in node.allocation
            if (device.claim, device.request) in classes
        )
    )


def in_table_order(check: NodeCheck) -> list[NodeEntry]:
    """The nodes as the table lists them: those that can take the claims first, then by name."""
    return sorted(check.nodes, key=lambda node: (node.verdict is not Verdict.FITS, node.name))


def fitting_names(check: NodeCheck) -> tuple[str, ...]:
    """``node/NAME`` of each candidate that fits; none at all when any candidate fails the pod."""
    if check.summary.error:
        return ()
    return tuple(
        one_line(f"node/{node.name}")
        for node in in_table_order(check)
        if node.verdict is Verdict.FITS and not node.unschedulable
    )


def summary_line(check: NodeCheck) -> str:
    """The answer in one line for stderr: ``Yes: 1 of 4 nodes fits (1 in use, 2 no fit; 1 cordoned)``."""
    summary = check.summary
    candidates = summary.fits + summary.in_use + summary.no_fit + summary.unknown + summary.error
    kinds = (
        (summary.in_use, "in use"),
        (summary.no_fit, "no fit"),
        (summary.unknown, "unknown"),
        (summary.error, "error: the scheduler fails the whole pod"),
    )
    others = ", ".join(f"{number} {text}" for number, text in kinds if number)
    cordoned = f"{summary.cordoned} cordoned" if summary.cordoned else ""
    failing = [node.node for node in summary.errors_elsewhere]
    unasked = f"the error is on {listed(failing)}, not asked about" if failing else ""
    asides = (others, _time_outs(summary), unasked, _open_elsewhere(summary), cordoned)
    aside = "; ".join(filter(None, asides))
    verb = "fits" if 1 in {summary.fits, candidates} else "fit"
    line = f"{summary.verdict}: {summary.fits} of {count(candidates, 'node')} {verb}"
    return f"{line} ({aside})" if aside else line


def _time_outs(summary: Summary) -> str:
    number = summary.may_time_out
    return f"on {number} the scheduler may time out, which fails the whole pod" if number else ""


def _open_elsewhere(summary: Summary) -> str:
    names = [node.node for node in summary.may_fail_elsewhere]
    return f"{listed(names)}, not asked about, may fail the whole pod" if names else ""


def copies_cell(copies: Copies) -> str:
    """``2/4``: now, and were nothing held; ``99+`` for more than 99."""
    return "/".join("99+" if n >= _MORE_THAN_99 else str(n) for n in (copies.now, copies.if_free))


def _node_row(node: NodeEntry, check: NodeCheck) -> Row:
    missing = UNKNOWN if node.verdict is Verdict.UNKNOWN else None
    match = node.match
    tried = f"{match.matching}/{match.total}" if match is not None and match.total else None
    return (
        node.name,
        _verdict(node, check),
        missing if match is None else tried,
        missing if node.copies is None else copies_cell(node.copies),
        ",".join(device.device for device in node.allocation),
        node.reason,
    )


def _verdict(node: NodeEntry, check: NodeCheck) -> str:
    """The verdict, and that the node takes no pods or does not exist yet."""
    nodes_unread = any(unread.resource == "nodes" for unread in check.summary.unread)
    states = ["SchedulingDisabled"] * node.unschedulable + ["Assumed"] * (node.assumed and not nodes_unread)
    return ",".join([str(node.verdict), *states])


def _wide_cells(node: NodeEntry) -> Row:
    return (
        node.scheduler,
        ",".join(dict.fromkeys(f"{device.driver}/{device.pool}" for device in node.allocation)),
        ",".join(taint_text(taint) for taint in node.taints),
        "; ".join(node.notes),
    )
