"""``kubectl llmfit claim``: the ResourceClaim that a model needs, on stdout or applied."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from ..console import Result, say
from ..errors import UsageError
from .apply import ApplyFlags, validate
from .asking import ask_for, require_reachable
from .options import ConnectionFlags, SizingFlags, choice

if TYPE_CHECKING:
    from ..api.values import ClusterState
    from ..claim.ask import Ask

FORMATS = ("yaml", "json", "name")


@dataclass(frozen=True, slots=True)
class ClaimFlags:
    """Flags of ``claim``."""

    model: Annotated[str | None, Argument(metavar="MODEL", help="A model, e.g. meta-llama/Llama-3.1-8B-Instruct")] = (
        None
    )
    template: Annotated[bool, Option("--template", help="Write a ResourceClaimTemplate: a claim for each pod")] = False
    name: Annotated[str | None, Option("--name", metavar="NAME", help="Name of the claim [default: the model's]")] = (
        None
    )
    api_version: Annotated[
        str | None,
        Option(
            "--api-version",
            metavar="VERSION",
            help="v1, v1beta2, v1beta1, or v1alpha2 (an older export) [default: v1; with --apply the newest served]",
        ),
    ] = None
    output: Annotated[
        str | None,
        Option("-o", "--output", metavar="FORMAT", help=f"One of {', '.join(FORMATS)} [default: yaml]"),
    ] = None
    json: Annotated[bool, Option("--json", help="Print the summary for controllers instead")] = False
    template_dirs: Annotated[
        list[str] | None,
        Option("--template-dir", metavar="DIR", help="Your own Jinja2 templates; what is missing there is ours"),
    ] = None


def claim(flags: ClaimFlags, sizing: SizingFlags, applying: ApplyFlags, connection: ConnectionFlags) -> Result:
    """Print the ResourceClaim that a model needs, ready for kubectl apply; or check the cluster and apply it."""
    output = _validated(flags, applying)

    def classes() -> "ClusterState":
        from .cluster import read_classes

        return read_classes(connection)

    asked = ask_for(
        flags.model,
        sizing,
        cluster=classes if applying.writes else None,
        auto=classes,
        name=flags.name,
        namespace=connection.namespace,
        template=flags.template,
        api_version=flags.api_version or "v1",
    )
    if not applying.writes or applying.skip_check:
        require_reachable(asked.ask)
    if applying.writes:
        from .apply import apply

        return apply(asked, flags.api_version, applying, connection, output)
    text = _text(asked.ask, flags, output)
    say(*asked.remarks)
    return Result(text)


def _validated(flags: ClaimFlags, applying: ApplyFlags) -> str | None:
    """The output format, after the flags were held against each other."""
    from ..claim.ask import API_VERSIONS, EXPORT_VERSION

    validate(applying)
    if flags.api_version is not None:
        choice("--api-version", flags.api_version, API_VERSIONS)
    if applying.apply and flags.api_version == EXPORT_VERSION:
        raise UsageError(f"--api-version {EXPORT_VERSION} is an export for readers: no server takes it with --apply")
    if flags.json and (flags.output is not None or applying.apply):
        other = "-o" if flags.output is not None else "--apply"
        raise UsageError(f"--json is the summary for controllers: it cannot be used with {other}")
    return None if flags.output is None else choice("--output", flags.output, FORMATS)


def _text(ask: "Ask", flags: ClaimFlags, output: str | None) -> str:
    """The answer in the chosen form, YAML by default."""
    from ..claim.documents import document, object_name
    from ..claim.summary import summary

    if flags.json or output == "json":
        import json

        shown, indent = (summary(ask), 2) if flags.json else (document(ask), 4)  # as llmfit, as kubectl
        return json.dumps(shown, indent=indent, ensure_ascii=False) + "\n"
    if output == "name":
        return f"{object_name(ask)}\n"
    from ..claim.header import header
    from ..claim.render import render

    return render(document(ask), header(ask), flags.template_dirs or ())
