"""What ``check-nodes`` checks: the claim of a model or of the cluster, or the claims of files."""

from dataclasses import replace
from typing import TYPE_CHECKING

from .. import __version__
from ..errors import UnknownModelError, UsageError
from .assuming import AssumeFlags
from .cluster import Have
from .options import SizingFlags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..api.values import Claim, ClaimKind, ClusterState
    from ..check.asked import Source
    from ..check.subject import Subject
    from .check_nodes import CheckFlags

# kubectl's spellings of the types: singular, plural, and both with the group, perhaps with a version.
TYPES: "dict[str, ClaimKind]" = {"resourceclaim": "ResourceClaim", "resourceclaimtemplate": "ResourceClaimTemplate"}
GROUP = "resource.k8s.io"


Remarks = tuple[str, ...]


def subject_of(
    flags: "CheckFlags", sizing: SizingFlags, have: Have, assuming: AssumeFlags
) -> "tuple[Subject, Remarks]":
    """The subject of the flags, and lines for stderr. Raises UsageError, and ClusterError for a stored claim."""
    of_claims = replace(sizing, accelerators=None) if assuming.assume else sizing  # --assume reads the table, too
    if flags.filenames:
        _refuse_sizing(of_claims, "-f")
        return _of_files(flags.filenames, have)
    kind, name = _type_and_name(flags.target or "")
    if kind is not None and not flags.model:
        _refuse_sizing(of_claims, flags.target or "")
        return _subject((have.claim(kind, name),), "cluster"), ()
    return _of_model(flags.target, sizing, have)


def unserved(subject: "Subject", state: "ClusterState") -> Remarks:
    """A warning for each claim of a file in a version that the server does not have: it cannot be applied so."""
    if subject.source != "file":
        return ()
    warnings = []
    for claim in subject.claims:
        version = claim.api_version.rpartition("/")[2]
        served = state.served.get(f"{claim.kind.lower()}s", (version,))
        if version not in served:
            has = ", ".join(served)
            warnings.append(
                f"warning: {claim.name} is written in {claim.api_version}, which the server does not serve "
                f"(it has {has}): it cannot be applied as it is"
            )
    return tuple(warnings)


def _of_model(model: str | None, sizing: SizingFlags, have: Have) -> "tuple[Subject, Remarks]":
    from .asking import ask_for, subject_of

    try:
        asked = ask_for(model, sizing, shares=False, cluster=lambda: have.state)
    except UnknownModelError as error:
        if model is None or "/" not in model or error.hint:
            raise
        types = ", ".join(f"{name}/NAME" for name in TYPES)
        raise UnknownModelError(error.message, f"read as a model; objects of the cluster are {types}") from error
    return subject_of(asked, have.namespace), asked.remarks


def _of_files(paths: list[str], have: Have) -> "tuple[Subject, Remarks]":
    """All claims and templates of the files as the claims of one pod, in their order; a template is as its claim."""
    from ..check.subject import require_valid_selectors

    claims: list[Claim] = []
    remarks: list[str] = []
    for path in paths:
        for claim, remark in _in_file(path):
            claims.append(replace(claim, namespace=claim.namespace or have.namespace, allocation=None))
            remarks += remark
    _require_one_pod(claims)
    require_valid_selectors(claims)
    return _subject(tuple(claims), "file"), tuple(remarks)


def _in_file(path: str) -> "Iterator[tuple[Claim, Remarks]]":
    """The claims of a file, held against the API's rules as if they were created."""
    from ..api.claims import read_claim, read_template
    from ..api.validation import validate_claim
    from ..cluster.documents import load_documents, naming
    from ..files import display_name

    name = display_name(path)
    found = [raw for raw in load_documents(path) if raw["kind"] in TYPES.values()]
    if not found:
        raise UsageError(f"{name}: no {' or '.join(TYPES.values())} in it")
    for raw in found:
        with naming(name):
            claim = (read_claim if raw["kind"] == "ResourceClaim" else read_template)(raw)
            problems = validate_claim(raw)
        if problems:
            which = f"{claim.kind} {claim.name}: " if len(found) > 1 else ""
            raise UsageError(f"{name}: {which}{'; '.join(problems)}")
        ignored = (
            f"warning: {name}: its status is ignored, since a new claim has none; check resourceclaim/{claim.name}"
        )
        yield claim, () if claim.allocation is None else (ignored,)


def _require_one_pod(claims: "list[Claim]") -> None:
    """Raise UsageError for what no pod can name together, and for names that the answer could not tell apart."""
    for number, claim in enumerate(claims):
        for other in claims[:number]:
            if other.name == claim.name:
                raise UsageError(f"-f: two objects are called {claim.name}: a {other.kind} and a {claim.kind}")
            if None not in (other.namespace, claim.namespace) and other.namespace != claim.namespace:
                raise UsageError(
                    f"-f: the claims are those of one pod, but {other.name} is in namespace {other.namespace} and "
                    f"{claim.name} in {claim.namespace}"
                )


def _subject(claims: "tuple[Claim, ...]", source: "Source") -> "Subject":
    from ..check.subject import Subject

    return Subject(claims, source, tool_version=__version__)


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
