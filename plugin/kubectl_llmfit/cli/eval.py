"""``kubectl llmfit eval``: one CEL selector on every published device, for people who write selectors by hand."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from ..console import Result, say
from ..errors import ExitCode, UsageError
from .cluster import Have
from .options import ConnectionFlags, SnapshotFlags, choice

if TYPE_CHECKING:
    from ..api.values import ClusterState
    from ..check.evaluation import Evaluated
    from ..dra.environment import Selector

FORMATS = ("table", "wide", "json", "yaml")


@dataclass(frozen=True, slots=True)
class EvalFlags:
    """Flags of ``eval``."""

    expression: Annotated[str, Argument(metavar="EXPRESSION", help="A CEL selector over 'device'")]
    check: Annotated[bool, Option("--check", help="Only compile it and list what it reads; no cluster is read")] = False
    device_class: Annotated[
        str | None, Option("--device-class", metavar="CLASS", help="Evaluate this class's selectors first")
    ] = None
    nodes: Annotated[list[str] | None, Option("--node", metavar="NAME", help="Only devices of this node")] = None
    devices: Annotated[list[str] | None, Option("--device", metavar="NAME", help="Only devices of this name")] = None
    output: Annotated[str, Option("-o", "--output", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}")] = "table"
    no_headers: Annotated[bool, Option("--no-headers", help="Print no headers")] = False


def evaluate(flags: EvalFlags, source: SnapshotFlags, connection: ConnectionFlags) -> Result:
    """Evaluate a CEL selector on the published devices, as the scheduler would."""
    from ..check.hints import evaluation_hints

    output = choice("--output", flags.output, FORMATS)
    selector = _compiled(flags.expression)
    if flags.check:
        return Result(_checked(selector, output, flags.no_headers))
    state = Have(source.snapshot, connection).state
    found = sorted(_evaluated(state, selector, flags), key=lambda one: (one.published.node, one.published.slice.driver))
    matching = sum(one.result == "true" for one in found)
    raising = sum(one.result == "error" for one in found)
    say(f"{matching} of {len(found)} devices match{f', {raising} raise an error' if raising else ''}")
    say(*(f"hint: {hint}" for hint in evaluation_hints(found, state)))
    code = ExitCode.OK if matching and not raising else ExitCode.NO
    if output in ("json", "yaml"):
        return Result(_document([_item(one) for one in found], selector, flags.device_class, output), code)
    return Result(_table(found, wide=output == "wide", no_headers=flags.no_headers), code)


def _compiled(expression: str) -> "Selector":
    """The selector, compiled as the API server compiles a new one. Raises UsageError with the position."""
    from ..check.compile_hints import compile_hint
    from ..check.words import one_line
    from ..dra.environment import selector

    compiled = selector(expression, stored=False)
    if compiled.compile_error is not None:
        hint = compile_hint(compiled.compile_error, expression)
        raise UsageError(one_line(str(compiled.compile_error).removeprefix("ERROR: ")), hint)
    return compiled


def _evaluated(state: "ClusterState", selector: "Selector", flags: EvalFlags) -> "Iterator[Evaluated]":
    from ..check.evaluation import class_selectors, evaluate, published

    classes = class_selectors(state, flags.device_class) if flags.device_class is not None else ()
    for one in published(state):
        if (not flags.nodes or one.node in flags.nodes) and (not flags.devices or one.device.name in flags.devices):
            yield evaluate(classes, selector, one)


def _checked(selector: "Selector", output: str, no_headers: bool) -> str:
    """What the expression reads, and what Kubernetes estimates that it costs at most."""
    from ..output.table import render_table

    if output in ("json", "yaml"):
        return _document(None, selector, None, output)
    say(f"it compiles; estimated cost at most {selector.program.max_cost if selector.program else 0} of 1000000")
    rows = [[r["kind"], r["domain"], r["name"], "yes" if r["guarded"] else "no"] for r in _reads(selector)]
    return render_table(["READS", "DOMAIN", "NAME", "GUARDED"], rows, no_headers)


def _reads(selector: "Selector") -> list[dict[str, Any]]:
    """Every path that the expression can read; None for "any". An unguarded one raises on a device that lacks it."""
    from ..check.names import names_in, unguarded_names

    if selector.program is None:
        return []
    named, bare = names_in(selector.program.reads), unguarded_names(selector.program)
    whole = {(*path[1:3], None)[:2] for path in selector.program.reads if len(path) < 4}
    reads = [{"kind": kind, "domain": domain, "name": None, "guarded": True} for kind, domain in whole]
    reads += [{"kind": n.kind, "domain": n.domain, "name": n.name, "guarded": n not in bare} for n in named]
    return sorted(reads, key=lambda read: (read["kind"], read["domain"] or "", read["name"] or ""))


def _document(items: list[dict[str, Any]] | None, selector: "Selector", device_class: str | None, output: str) -> str:
    from ..output.document import to_text

    document: dict[str, Any] = {
        "apiVersion": "kubectl-llmfit/v1alpha1",
        "kind": "Evaluation",
        "expression": selector.text,
        "deviceClass": device_class,
        "maxCost": selector.program.max_cost if selector.program else None,
        "reads": _reads(selector),
    }
    if items is not None:
        document["items"] = items
    return to_text(document, output)


def _item(one: "Evaluated") -> dict[str, Any]:
    slice_ = one.published.slice
    parts = [
        {
            "expression": part.expression,
            "result": entry.result,
            "observed": entry.observed,
            "required": entry.required,
            "error": entry.error,
        }
        for part, entry in one.parts
    ]
    where = {"node": one.published.node, "driver": slice_.driver, "pool": slice_.pool}
    return {**where, "device": one.published.device.name, "result": one.result, "error": one.error, "parts": parts}


def _table(found: "list[Evaluated]", *, wide: bool, no_headers: bool) -> str:
    from ..output.table import render_table

    headers = ["NODE", "DRIVER", "DEVICE", "RESULT", "WHY"] + (["POOL", "ERROR"] if wide else [])
    rows: list[list[str | None]] = []
    for one in found:
        slice_ = one.published.slice
        row = [one.published.node, slice_.driver, one.published.device.name, one.result, one.why]
        rows.append([*row, slice_.pool, one.error] if wide else [*row])
    return render_table(headers, rows, no_headers)
