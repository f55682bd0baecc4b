"""Kubernetes' authorizer library, of which a selector can only write the names.

Owns the signatures (apiserver 0.37: pkg/cel/library/authz.go). There is no variable ``authorizer`` here and no
other way to such a value, so every call that compiles ends in "no such overload".
"""

from __future__ import annotations

from typing import Final

from ..functions import Function, Overload, no_matching_overload
from ..types import BOOL, STRING, Kind, Type


def _type(name: str) -> Type:
    return Type(Kind.OBJECT, f"kubernetes.authorization.{name}")


_AUTHORIZER: Final = _type("Authorizer")
_PATH: Final = _type("PathCheck")
_GROUP: Final = _type("GroupCheck")
_RESOURCE: Final = _type("ResourceCheck")
_DECISION: Final = _type("Decision")


def _function(name: str, *signatures: tuple[str, Type, int, Type]) -> Function:
    """A method: for each signature the overload, the receiver, how many strings follow, and the result."""

    def _run(*values: object) -> object:
        raise no_matching_overload(name, values)

    overloads = tuple(
        Overload(id_, (receiver, *[STRING] * strings), result, member=True)
        for id_, receiver, strings, result in signatures
    )
    return Function(name, overloads, _run)


FUNCTIONS: Final = (
    _function("path", ("authorizer_path", _AUTHORIZER, 1, _PATH)),
    _function("group", ("authorizer_group", _AUTHORIZER, 1, _GROUP)),
    _function("serviceAccount", ("authorizer_serviceaccount", _AUTHORIZER, 2, _AUTHORIZER)),
    _function("resource", ("groupcheck_resource", _GROUP, 1, _RESOURCE)),
    _function("subresource", ("resourcecheck_subresource", _RESOURCE, 1, _RESOURCE)),
    _function("namespace", ("resourcecheck_namespace", _RESOURCE, 1, _RESOURCE)),
    _function("name", ("resourcecheck_name", _RESOURCE, 1, _RESOURCE)),
    _function("fieldSelector", ("authorizer_fieldselector", _RESOURCE, 1, _RESOURCE)),
    _function("labelSelector", ("authorizer_labelselector", _RESOURCE, 1, _RESOURCE)),
    _function(
        "check",
        ("pathcheck_check", _PATH, 1, _DECISION),
        ("resourcecheck_check", _RESOURCE, 1, _DECISION),
    ),
    _function("errored", ("decision_errored", _DECISION, 0, BOOL)),
    _function("error", ("decision_error", _DECISION, 0, STRING)),
    _function("allowed", ("decision_allowed", _DECISION, 0, BOOL)),
    _function("reason", ("decision_reason", _DECISION, 0, STRING)),
)
