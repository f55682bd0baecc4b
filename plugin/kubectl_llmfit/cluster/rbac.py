"""The rule a user lacks, ready to be pasted into a ClusterRole or Role."""

from __future__ import annotations

_GROUPS = {"nodes": ""}


def rule(resource: str, *verbs: str) -> str:
    """The RBAC rule that allows ``verbs`` (list by default) on ``resource``, as YAML flow text."""
    group = _GROUPS.get(resource, "resource.k8s.io")
    wanted = ", ".join(f'"{verb}"' for verb in verbs or ("list",))
    return f'{{apiGroups: ["{group}"], resources: ["{resource}"], verbs: [{wanted}]}}'


def missing_rule(resource: str, *verbs: str, namespaced: bool = False) -> str:
    """One sentence for a hint or a reason: which rule is missing, and in what kind of role."""
    return f"missing {'Role' if namespaced else 'ClusterRole'} rule: {rule(resource, *verbs)}"
