"""``claim --apply``: compare, check, dry run, server-side apply.

Owns the order of the steps and what each refusal is called. Nothing is sent that writes before the comparison,
the caller's check and the server's dry run have agreed; what becomes of a write that was sent and not answered is
never guessed. Must not decide whether a claim fits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..api.differences import spec_differences
from ..api.raw import GROUP
from ..errors import ClusterError, LlmfitError
from .connection import Connection
from .discovery import collection_path, path_segment
from .lookup import get_object
from .rbac import missing_rule
from .words import ServerError

FIELD_MANAGER = "kubectl-llmfit"
_APPLY_TYPE = "application/apply-patch+yaml"
_ASK_AGAIN = "the same command again says that it is unchanged, or writes it"
_NAMES_TRIED = 20
# A refusal of these codes may mean that somebody made the object after we had looked (Conflict, Invalid: immutable).
_MADE_MEANWHILE = (409, 422)


@dataclass(frozen=True, slots=True)
class Application:
    """What to apply and how: the document in a served version, kubectl's flags."""

    document: Mapping[str, Any]
    namespace: str
    field_manager: str = FIELD_MANAGER
    force_conflicts: bool = False
    dry_run: bool = False

    @property
    def name(self) -> str:
        """The object's name."""
        return str(self.document["metadata"]["name"])

    @property
    def kind(self) -> str:
        """ResourceClaim or ResourceClaimTemplate."""
        return str(self.document["kind"])

    @property
    def resource(self) -> str:
        """The kind's plural, lower case."""
        return f"{self.kind.lower()}s"

    @property
    def version(self) -> str:
        """The API version without its group."""
        return str(self.document["apiVersion"]).rpartition("/")[2]

    def __str__(self) -> str:
        return f'{self.kind.lower()} "{self.name}" in namespace "{self.namespace}"'


@dataclass(frozen=True, slots=True)
class Applied:
    """What happened: the object as the server has it, and kubectl's line about it."""

    object: Mapping[str, Any]
    line: str


def apply(
    connection: Connection, application: Application, check: Callable[[], bool], tell: Callable[[str], None]
) -> Applied | None:
    """Apply unless an equal object exists; ``check`` is asked before anything is written.

    None: ``check`` said no and nothing was written. Raises ClusterError for another spec under the same name
    (claims and templates are immutable) and for every refusal of the server. ``tell`` gets a sentence where the
    program is ended in the middle of the write.
    """
    unchanged = _unchanged(connection, application)
    if unchanged is not None:
        return unchanged
    if not check():
        return None
    try:
        result = _patch(connection, application, dry_run=True)
    except ServerError as error:
        unchanged = _unchanged(connection, application) if error.code in _MADE_MEANWHILE else None
        if unchanged is not None:
            return unchanged
        raise _refused(application, error) from error
    _require_whole_spec(application, result)
    if not application.dry_run:
        result = _write(connection, application, tell)
    return Applied(result, _line(application, "serverside-applied"))


def _unchanged(connection: Connection, application: Application) -> Applied | None:
    """The object as it exists with our spec, None where there is none. Raises ClusterError for any other."""
    existing = get_object(
        connection, application.resource, application.version, application.name, application.namespace
    )
    if existing is None:
        return None
    if (existing.get("metadata") or {}).get("deletionTimestamp"):
        raise ClusterError(f"{application} is being deleted", "wait until it is gone, or choose another --name")
    differences = _differences(application, existing)
    if differences:
        raise ClusterError(
            f"{application} exists with another spec, which cannot be changed: {'; '.join(differences)}",
            f"--name {_free_name(connection, application)} makes a new one beside it",
        )
    return Applied(existing, _line(application, "unchanged"))


def _write(connection: Connection, application: Application, tell: Callable[[str], None]) -> dict[str, Any]:
    """Apply for good. Raises ClusterError, which says where it is open whether the object was written."""
    unsure = f"it is not known whether {application} was written"
    try:
        return _patch(connection, application, dry_run=False)
    except (KeyboardInterrupt, SystemExit):
        tell(f"{unsure}: {_ASK_AGAIN}")
        raise
    except ServerError as error:
        if error.code >= 500:
            raise ClusterError(f"{error.message}; {unsure}", _ASK_AGAIN) from error
        raise _refused(application, error) from error
    except ClusterError as error:
        raise ClusterError(f"{error.message}; {unsure}", _ASK_AGAIN) from error


def _require_whole_spec(application: Application, stored: Mapping[str, Any]) -> None:
    """A server drops fields of features that are off without a word, and the claim would ask for less."""
    dropped = _differences(application, stored)
    if dropped:
        raise ClusterError(
            f"the server would store another spec for {application}: {'; '.join(dropped)}",
            "a feature of it may be off, or an admission policy changes it",
        )


def _differences(application: Application, stored: Mapping[str, Any]) -> list[str]:
    """What differs between the stored spec and ours, as ``path: theirs -> ours``."""
    try:
        return spec_differences(application.document["spec"], stored.get("spec") or {})
    except LlmfitError as error:
        raise ClusterError(f"cannot compare with the stored {application.resource}: {error.message}") from error


def _free_name(connection: Connection, application: Application) -> str:
    """The first of the next names that nobody has; after some tries, one that perhaps somebody has."""
    name = application.name
    for _ in range(_NAMES_TRIED):
        name = _next_name(name)
        if get_object(connection, application.resource, application.version, name, application.namespace) is None:
            break
    return name


def _next_name(name: str) -> str:
    """``name`` with its trailing number raised: llama, llama-2, llama-3."""
    stem, _, number = name.rpartition("-")
    if stem and number.isdecimal() and len(number) < 4:
        return f"{stem}-{int(number) + 1}"
    return f"{name}-2"


def _patch(connection: Connection, application: Application, *, dry_run: bool) -> dict[str, Any]:
    params = {"fieldManager": application.field_manager, "fieldValidation": "Strict"}
    if application.force_conflicts:
        params["force"] = "true"
    if dry_run:
        params["dryRun"] = "All"
    metadata = {**application.document["metadata"], "namespace": application.namespace}
    body = json.dumps({**application.document, "metadata": metadata})
    collection = collection_path(application.resource, application.version, application.namespace)
    path = f"{collection}/{path_segment('resource name', application.name)}"
    answer = connection.request("PATCH", path, params, body, _APPLY_TYPE)
    if not isinstance(answer, dict) or answer.get("kind") != application.kind:
        raise ClusterError(f"Server returned an unexpected response for {application.resource} {application.name}")
    return answer


def _refused(application: Application, error: ServerError) -> ClusterError:
    if error.code == 403 and "cannot patch" in error.detail:
        rule = missing_rule(application.resource, "get", "patch", "create", namespaced=True)
        return ClusterError(error.message, rule)
    if error.code == 403 and "cannot create" in error.detail:
        return ClusterError(error.message, missing_rule(application.resource, "create", namespaced=True))
    if error.code == 409 and error.reason == "Conflict":
        return ClusterError(error.message, "--force-conflicts takes these fields from their other managers")
    return error


def _line(application: Application, operation: str) -> str:
    """kubectl's own line (cli-runtime: NamePrinter; cmd/util: PrintFlagsWithDryRunStrategy)."""
    suffix = " (server dry run)" if application.dry_run else ""
    return f"{application.kind.lower()}.{GROUP}/{application.name} {operation}{suffix}"
