"""``kubectl llmfit claim --apply``: check the cluster, then create the claim by server-side apply."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from typer import Option

from ..console import Result, say
from ..errors import ClusterError, ExitCode, UsageError
from .options import ConnectionFlags, choice

if TYPE_CHECKING:
    from ..claim.ask import Ask
    from ..cluster.applying import Applied
    from ..cluster.connection import Connection
    from .asking import Asked

DRY_RUNS = ("none", "client", "server")


@dataclass(frozen=True, slots=True)
class ApplyFlags:
    """Flags of ``claim --apply``."""

    apply: Annotated[bool, Option("--apply", help="Check the cluster, then create the claim by server-side apply")] = (
        False
    )
    dry_run: Annotated[
        str | None, Option("--dry-run", metavar="KIND", help="With --apply: none, client or server [default: none]")
    ] = None
    skip_check: Annotated[bool, Option("--skip-check", help="With --apply: do not check whether a node fits")] = False
    force_conflicts: Annotated[
        bool, Option("--force-conflicts", help="With --apply: take fields from other managers")
    ] = False
    field_manager: Annotated[
        str | None, Option("--field-manager", metavar="NAME", help="With --apply [default: kubectl-llmfit]")
    ] = None

    @property
    def writes(self) -> bool:
        """Whether a server is asked for anything."""
        return self.apply and self.dry_run != "client"


def validate(flags: ApplyFlags) -> None:
    """Raise UsageError for flags of ``--apply`` without it, and for an unknown kind of dry run."""
    given = {
        "--dry-run": flags.dry_run,
        "--skip-check": flags.skip_check,
        "--force-conflicts": flags.force_conflicts,
        "--field-manager": flags.field_manager,
    }
    for flag, value in given.items():
        if value is not None and value is not False and not flags.apply:
            raise UsageError(f"{flag} goes with --apply")
    if flags.dry_run is not None:
        choice("--dry-run", flags.dry_run, DRY_RUNS)
    if flags.field_manager == "":
        raise UsageError("--field-manager must not be empty")


def apply(
    asked: "Asked", wanted_version: str | None, flags: ApplyFlags, connection: ConnectionFlags, output: str | None
) -> Result:
    """Apply the ask's claim, or say why not; nothing is written unless some node fits (or ``--skip-check``).

    ``wanted_version``: the API version that the user named.
    """
    from ..claim.documents import document
    from ..cluster.applying import FIELD_MANAGER, Application
    from ..cluster.applying import apply as apply_to
    from .cluster import connect

    cluster = connect(connection)
    version = _served_version(cluster, template=asked.ask.template, wanted=wanted_version)
    say(*asked.remarks)
    application = Application(
        document(asked.ask, version),
        namespace=asked.ask.namespace or cluster.namespace,
        field_manager=flags.field_manager or FIELD_MANAGER,
        force_conflicts=flags.force_conflicts,
        dry_run=flags.dry_run == "server",
    )
    codes: list[ExitCode] = []

    def fits() -> bool:
        codes.append(ExitCode.OK if flags.skip_check else _check(asked, cluster))
        return codes[-1] is ExitCode.OK

    applied = apply_to(cluster, application, fits, say)
    if applied is None:
        say("nothing was written")
        return Result("", codes[-1])
    return Result(_text(applied, output, asked.ask))


def _served_version(connection: "Connection", *, template: bool, wanted: str | None) -> str:
    """The API version to write: ``wanted`` if the server has it, else the newest served. Raises ClusterError."""
    from ..cluster.discovery import served_versions

    resource = "resourceclaimtemplates" if template else "resourceclaims"
    served = served_versions(connection).get(resource, ())
    if not served:
        raise ClusterError(f"the server serves no {resource}.resource.k8s.io")
    if wanted is not None and wanted not in served:
        raise ClusterError(f"the server does not serve resource.k8s.io/{wanted}: it has {', '.join(served)}")
    return wanted or served[0]


def _check(asked: "Asked", connection: "Connection") -> ExitCode:
    """Check the cluster and say on stderr what stands in the way, if anything."""
    from ..check.check import check_nodes
    from ..check.subject import stored
    from ..check.verdicts import answer
    from ..dra.rules import rules_for
    from ..output.check_table import node_table
    from ..output.table import render_table
    from .asking import subject_of
    from .cluster import read_live, tell
    from .verdict import tell_summary

    state = read_live(connection)
    tell(state)
    rules = rules_for(state.server_version)
    subject = stored(subject_of(asked), rules)
    say(*(f"warning: {sentence}" for sentence in subject.assumed))
    check = check_nodes(subject, state, rules=rules)
    code = answer(check)
    headers, rows = node_table(check)
    if rows and code is not ExitCode.OK:
        say(*render_table(headers, rows).splitlines())
    tell_summary(check)
    return code


def _text(applied: "Applied", output: str | None, ask: "Ask") -> str:
    from ..claim.documents import object_name
    from ..output.document import to_text

    if output is None:
        return f"{applied.line}\n"
    if output == "name":
        return f"{object_name(ask)}\n"
    shown = {**applied.object, "metadata": {**applied.object["metadata"]}}
    shown["metadata"].pop("managedFields", None)  # as kubectl, which shows them only when asked to
    return to_text(shown, output)
