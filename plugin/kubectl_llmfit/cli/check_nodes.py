"""``kubectl llmfit check-nodes``: which nodes can satisfy a claim, before it is applied."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from ..console import Result, progress, say
from ..errors import UsageError
from .assuming import AssumeFlags, with_assumed
from .options import ConnectionFlags, SchedulerFlags, SizingFlags, SnapshotFlags, choice

if TYPE_CHECKING:
    from ..check.choice import Choice
    from ..check.values import NodeCheck

FORMATS = ("table", "wide", "json", "yaml", "name")


@dataclass(frozen=True, slots=True)
class CheckFlags:
    """Flags of ``check-nodes``."""

    target: Annotated[
        str | None,
        Argument(metavar="MODEL|TYPE/NAME", help="A model, or resourceclaim/NAME, resourceclaimtemplate/NAME"),
    ] = None
    filenames: Annotated[
        list[str] | None,
        Option(
            "-f",
            "--filename",
            metavar="FILE",
            help="Claims and templates of one pod (YAML or JSON; repeatable); - is stdin",
        ),
    ] = None
    model: Annotated[bool, Option("--model", help="Read the argument as a model, even if it looks like TYPE/NAME")] = (
        False
    )
    selector: Annotated[
        str | None, Option("-l", "--selector", metavar="SELECTOR", help="Only nodes with these labels")
    ] = None
    nodes: Annotated[list[str] | None, Option("--node", metavar="NAME", help="Only this node (repeatable)")] = None
    all_nodes: Annotated[bool, Option("--all-nodes", help="A row for every node, also those without devices")] = False
    show_devices: Annotated[bool, Option("--show-devices", help="A row per device, a column per condition")] = False
    output: Annotated[str, Option("-o", "--output", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}")] = "table"
    no_headers: Annotated[bool, Option("--no-headers", help="Print no headers")] = False


def check_nodes(
    flags: CheckFlags,
    sizing: SizingFlags,
    source: SnapshotFlags,
    scheduler: SchedulerFlags,
    connection: ConnectionFlags,
    assuming: AssumeFlags,
) -> Result:
    """Say which nodes can satisfy a claim, and why the others cannot."""
    output = _validated(flags, sizing, source, assuming)
    chosen = _choice(flags)
    from ..check.check import check_nodes
    from ..check.subject import stored
    from ..check.verdicts import answer
    from .cluster import Have
    from .scheduler import rules_of, validate
    from .subject import subject_of, unserved
    from .verdict import tell_summary

    validate(scheduler)
    have = Have(source.snapshot, connection, lambda read: with_assumed(read, assuming, sizing))
    subject, remarks = subject_of(flags, sizing, have, assuming)
    state = have.state
    rules = rules_of(scheduler, state.server_version)
    subject = stored(subject, rules)
    with progress("checking the nodes"):
        check = check_nodes(subject, state, chosen, rules)
    say(*remarks, *unserved(subject, state), *(f"warning: {sentence}" for sentence in subject.assumed))
    text = _text(check, flags, output)
    tell_summary(check, scheduler)
    return Result(text, answer(check))


def _validated(flags: CheckFlags, sizing: SizingFlags, source: SnapshotFlags, assuming: AssumeFlags) -> str:
    """The output format, after the flags were held against each other."""
    filenames = flags.filenames or ()
    if (flags.target is not None) + bool(filenames) + (sizing.fit is not None) != 1:
        raise UsageError("give one of MODEL, TYPE/NAME, -f FILE or --fit FILE")
    files = (*filenames, *(assuming.with_files or ()), sizing.fit, sizing.catalog, sizing.accelerators, source.snapshot)
    if files.count("-") > 1:
        raise UsageError(
            "only one of -f, --fit, --catalog, --snapshot, --with and --accelerators can read standard input"
        )
    if flags.model and flags.target is None:
        raise UsageError("--model says that the argument is a model: give one")
    if flags.show_devices and flags.output not in ("table", "wide"):
        raise UsageError(f"--show-devices is a table: it cannot be used with -o {flags.output}")
    return choice("--output", flags.output, FORMATS)


def _choice(flags: CheckFlags) -> "Choice":
    """The nodes asked about."""
    from ..check.choice import Choice
    from ..check.selector import parse_selector

    names = tuple(flags.nodes or ())
    if flags.selector is None:
        return Choice(names=names, all_nodes=flags.all_nodes)
    return Choice(parse_selector(flags.selector), names, flags.all_nodes)


def _text(check: "NodeCheck", flags: CheckFlags, output: str) -> str:
    """The answer in the chosen form."""
    if output in ("json", "yaml"):
        from ..check.document import to_document
        from ..output.document import to_text

        return to_text(to_document(check), output)
    from ..output.check_table import fitting_names, node_table
    from ..output.device_table import device_table
    from ..output.table import render_table

    if output == "name":
        return "".join(f"{name}\n" for name in fitting_names(check))
    headers, rows = device_table(check) if flags.show_devices else node_table(check, wide=output == "wide")
    if not rows:
        shown = "of those chosen, " if flags.selector is not None or flags.nodes else ""
        say(f"No nodes found: {shown}none publishes devices or looks like a GPU node (--all-nodes shows every node)")
        return ""
    return render_table(headers, rows, flags.no_headers)
