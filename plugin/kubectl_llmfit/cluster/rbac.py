"""The rights that the program uses: the rule that a user lacks, and the whole role with the least of them.

Owns which resource is in which API group. Must not ask a server what anybody may do.
"""

from __future__ import annotations

from typing import Any

from ..api.raw import GROUP

_GROUPS = {"nodes": "", "namespaces": ""}
ROLE_NAME = "kubectl-llmfit"
# What a check reads. Nothing is watched; list is what the program sends, get is what TYPE/NAME sends.
_READ = ("resourceslices", "deviceclasses", "resourceclaims", "devicetaintrules")
_CLAIMS = ("resourceclaims", "resourceclaimtemplates")


def cluster_role(*, apply: bool = False) -> dict[str, Any]:
    """The ClusterRole with the least rights that every command needs; ``apply`` adds those of claim --apply."""
    rules = [
        {"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list"]},
        {"apiGroups": [GROUP], "resources": [*_READ], "verbs": ["get", "list"]},
        {"apiGroups": [GROUP], "resources": ["resourceclaimtemplates"], "verbs": ["get"]},
    ]
    if apply:
        # server-side apply is a patch, which also needs create where the object does not exist yet
        rules.append({"apiGroups": [GROUP], "resources": [*_CLAIMS], "verbs": ["create", "patch"]})
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": ROLE_NAME},
        "rules": rules,
    }


def rule(resource: str, *verbs: str) -> str:
    """The RBAC rule that allows ``verbs`` (list by default) on ``resource``, as YAML flow text."""
    group = _GROUPS.get(resource, GROUP)
    wanted = ", ".join(f'"{verb}"' for verb in verbs or ("list",))
    return f'{{apiGroups: ["{group}"], resources: ["{resource}"], verbs: [{wanted}]}}'


def missing_rule(resource: str, *verbs: str, namespaced: bool = False) -> str:
    """One sentence for a hint or a reason: which rule is missing, and in what kind of role."""
    return f"missing {'Role' if namespaced else 'ClusterRole'} rule: {rule(resource, *verbs)}"


def missing_discovery_rule(group: str) -> str:
    """As ``missing_rule``, for the discovery of an API group (every logged-in user has it by default)."""
    return f'missing ClusterRole rule: {{nonResourceURLs: ["/apis/{group}", "/apis/{group}/*"], verbs: ["get"]}}'
