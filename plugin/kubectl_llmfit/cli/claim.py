"""``kubectl llmfit claim``: the ResourceClaim that a model needs, on stdout or applied."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from ..console import Result, say, warn
from ..errors import UsageError
from .apply import ApplyFlags, validate
from .options import ConnectionFlags, SizingFlags, choice

if TYPE_CHECKING:
    from ..api.values import Claim
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
    if applying.writes:
        return _applied(flags, sizing, applying, connection, output)
    ask, _ = _ask(flags, sizing, connection.namespace)
    return Result(_text(ask, flags, output))


def _applied(
    flags: ClaimFlags, sizing: SizingFlags, applying: ApplyFlags, connection: ConnectionFlags, output: str | None
) -> Result:
    from .apply import apply, served_version
    from .cluster import connect

    ask, with_quant = _ask(flags, sizing, connection.namespace)
    cluster = connect(connection)
    version = served_version(cluster, template=flags.template, wanted=flags.api_version)
    return apply(replace(ask, api_version=version), applying, cluster, output, with_quant)


def _ask(flags: ClaimFlags, sizing: SizingFlags, namespace: str | None) -> "tuple[Ask, Callable[[str], Claim] | None]":
    """The ask, told on stderr, and the claim that another quantisation would make."""
    from ..claim.ask import EXPORT_VERSION
    from .sizing import ask_of, size

    version = flags.api_version or "v1"
    sized = size(flags.model, sizing, export=version == EXPORT_VERSION)
    make = partial(ask_of, sizing, name=flags.name, namespace=namespace, template=flags.template, api_version=version)
    ask = make(sized.need)
    tell(ask)
    return ask, sized.claims(make)


def tell(ask: "Ask", *, shares: bool = True) -> None:
    """Say on stderr what is asked, how it was counted, and what else a person should know."""
    from ..claim.summary import asking, sharing

    for note in ask.notes:
        warn(note)
    say(asking(ask))
    shared = sharing(ask) if shares else None
    if shared:
        say(shared)


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
