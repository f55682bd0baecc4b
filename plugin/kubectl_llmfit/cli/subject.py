"""What ``check-nodes`` checks: the claim of a model, of a file, or of the cluster."""

from dataclasses import replace
from typing import TYPE_CHECKING

from .. import __version__
from ..errors import UsageError
from .cluster import Have
from .options import SizingFlags

if TYPE_CHECKING:
    from ..api.values import Claim, ClaimKind
    from ..check.asked import Source
    from ..check.subject import Subject
    from .check_nodes import CheckFlags

# kubectl's spellings of the types: singular, plural, and both with the group, perhaps with a version.
TYPES: "dict[str, ClaimKind]" = {"resourceclaim": "ResourceClaim", "resourceclaimtemplate": "ResourceClaimTemplate"}
GROUP = "resource.k8s.io"


Remarks = tuple[str, ...]


def subject_of(flags: "CheckFlags", sizing: SizingFlags, have: Have) -> "tuple[Subject, Remarks]":
    """The subject of the flags, and lines for stderr. Raises UsageError, and ClusterError for a stored claim."""
    if flags.filenames:
        _refuse_sizing(sizing, "-f")
        return _of_file(flags.filenames[0], have)
    kind, name = _type_and_name(flags.target or "")
    if kind is not None and not flags.model:
        _refuse_sizing(sizing, flags.target or "")
        return _subject(have.claim(kind, name), "cluster"), ()
    return _of_model(flags.target, sizing, have)


def _of_model(model: str | None, sizing: SizingFlags, have: Have) -> "tuple[Subject, Remarks]":
    from ..check.subject import Subject
    from .asking import ask_for, claim_of

    try:
        asked = ask_for(model, sizing, shares=False)
    except UsageError as error:
        if model is None or "/" not in model or error.hint:
            raise
        types = ", ".join(f"{name}/NAME" for name in TYPES)
        raise UsageError(error.message, f"read as a model; objects of the cluster are {types}") from error
    claim = replace(claim_of(asked.ask), namespace=have.namespace)
    return Subject((claim,), "model", asked.ask.need, asked.with_quant, __version__), asked.remarks


def _of_file(path: str, have: Have) -> "tuple[Subject, Remarks]":
    """The one claim or template of a file, held against the API's rules as if it were created."""
    from ..api.claims import read_claim, read_template
    from ..api.validation import validate_claim
    from ..check.subject import require_valid_selectors
    from ..cluster.documents import load_documents
    from ..files import display_name

    name = display_name(path)
    found = [raw for raw in load_documents(path) if raw["kind"] in TYPES.values()]
    if len(found) != 1:
        kinds = " or ".join(TYPES.values())
        raise UsageError(f"{name}: {len(found) or 'no'} {kinds} in it: give a file with one")
    raw = found[0]
    try:
        claim = (read_claim if raw["kind"] == "ResourceClaim" else read_template)(raw)
    except UsageError as error:
        raise UsageError(f"{name}: {error.message}") from error
    problems = validate_claim(raw)
    if problems:
        raise UsageError(f"{name}: {'; '.join(problems)}")
    require_valid_selectors((claim,))
    new = replace(claim, namespace=claim.namespace or have.namespace, allocation=None)
    ignored = f"warning: {name}: its status is ignored, since a new claim has none; check resourceclaim/{claim.name}"
    return _subject(new, "file"), () if claim.allocation is None else (ignored,)


def _subject(claim: "Claim", source: "Source") -> "Subject":
    from ..check.subject import Subject

    return Subject((claim,), source, tool_version=__version__)


def _type_and_name(target: str) -> "tuple[ClaimKind | None, str]":
    """The kind and name of ``TYPE/NAME`` in any of kubectl's spellings; no kind for anything else."""
    written, slash, name = target.partition("/")
    resource, _, group = written.lower().partition(".")
    kind = TYPES.get(resource.removesuffix("s"))
    if not slash or "/" in name or kind is None or not (group == "" or f".{group}".endswith(f".{GROUP}")):
        return None, ""
    return kind, name


def _refuse_sizing(sizing: SizingFlags, subject: str) -> None:
    """Sizing flags say how a MODEL is counted; a claim says itself what it asks."""
    if sizing != SizingFlags():
        raise UsageError(f"the sizing flags go with MODEL: they cannot be used with {subject}")
