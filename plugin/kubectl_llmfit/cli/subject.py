"""What ``check-nodes`` checks: the claim of a model, of a file, or of the cluster."""

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from .. import __version__
from ..console import warn
from ..errors import UsageError
from .cluster import Have
from .options import SizingFlags

if TYPE_CHECKING:
    from ..api.values import Claim, ClaimKind
    from ..check.subject import Subject
    from .check_nodes import CheckFlags

# kubectl's spellings of the types: singular, plural, and both with the group, perhaps with a version.
TYPES: "dict[str, ClaimKind]" = {"resourceclaim": "ResourceClaim", "resourceclaimtemplate": "ResourceClaimTemplate"}
GROUP = "resource.k8s.io"


def subject_of(flags: "CheckFlags", sizing: SizingFlags, have: Have) -> "Subject":
    """The subject of the flags. Raises UsageError for what the user handed over, ClusterError for the cluster."""
    if flags.filenames:
        _refuse_sizing(sizing, "-f")
        return _of_claim(_file_claim(flags.filenames[0], have), "file")
    kind, name = _type_and_name(flags.target or "")
    if kind is not None and not flags.model:
        _refuse_sizing(sizing, flags.target or "")
        return _of_claim(have.claim(kind, name), "cluster")
    return _of_model(flags.target, sizing, have)


def _of_model(model: str | None, sizing: SizingFlags, have: Have) -> "Subject":
    from ..check.subject import Subject
    from .claim import tell
    from .sizing import ask_of, claim_of, size

    try:
        sized = size(model, sizing)
    except UsageError as error:
        if model is None or "/" not in model or error.hint:
            raise
        types = ", ".join(f"{name}/NAME" for name in TYPES)
        raise UsageError(error.message, f"read as a model; objects of the cluster are {types}") from error
    make = partial(ask_of, sizing, namespace=have.namespace, template=False)
    ask = make(sized.need)
    tell(ask, shares=False)
    return Subject((claim_of(ask),), "model", sized.need, sized.claims(make), __version__)


def _of_claim(claim: "Claim", source: str) -> "Subject":
    from ..check.subject import Subject

    return Subject((claim,), source, tool_version=__version__)  # type: ignore[arg-type]  # one of the two callers'


def _file_claim(path: str, have: Have) -> "Claim":
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
    read = read_claim if raw["kind"] == "ResourceClaim" else read_template
    try:
        claim = read(raw)
    except UsageError as error:
        raise UsageError(f"{name}: {error.message}") from error
    problems = validate_claim(raw)
    if problems:
        raise UsageError(f"{name}: {'; '.join(problems)}")
    require_valid_selectors((claim,))
    if claim.allocation is not None:
        warn(f"{name}: its status is ignored, since a new claim has none; resourceclaim/{claim.name} is the stored one")
    return replace(claim, namespace=claim.namespace or have.namespace, allocation=None)


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
