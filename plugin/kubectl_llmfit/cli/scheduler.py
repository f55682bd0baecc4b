"""From ``--kubernetes-version`` and ``--feature-gates`` to the rules of a scheduler."""

from typing import TYPE_CHECKING

from ..console import say, warn
from ..errors import UsageError
from .options import SchedulerFlags

if TYPE_CHECKING:
    from ..check.values import ClusterEntry
    from ..dra.rules import Rules

# strconv.ParseBool, which the scheduler's own flag uses.
TRUE = ("1", "t", "T", "TRUE", "true", "True")
FALSE = ("0", "f", "F", "FALSE", "false", "False")


def validate(flags: SchedulerFlags) -> None:
    """Raise UsageError for what no scheduler of any version would take."""
    from ..dra.rules import minor_version

    version = flags.kubernetes_version
    if version is not None and minor_version(version) is None:
        raise UsageError(f'invalid value "{version}" for --kubernetes-version: must be a version such as 1.36')
    _gates(flags)


def rules_of(flags: SchedulerFlags, server_version: str | None) -> "Rules":
    """The rules of the scheduler that the flags name, of the server's where they do not. Raises UsageError."""
    from ..dra.gates import without_effect
    from ..dra.rules import rules_for

    gates = _gates(flags)
    rules = rules_for(flags.kubernetes_version or server_version, gates)
    for name in without_effect(gates):
        say(f"--feature-gates: {name} is without effect here: it changes nothing about claims")
    return rules


def tell_rules(cluster: "ClusterEntry", flags: SchedulerFlags) -> None:
    """Say so where the rules are not those of the server's version."""
    from ..dra.rules import minor_version

    server, used = cluster.server_version, cluster.rules
    wanted = flags.kubernetes_version or server
    if wanted is not None and minor_version(wanted) != used:
        warn(f"no scheduler rules for Kubernetes {wanted}: those of {used} are used")
    elif server is not None and minor_version(server) != used:
        say(f"the scheduler rules of Kubernetes {used} are used: the server is {server}")


def _gates(flags: SchedulerFlags) -> dict[str, bool]:
    """The gates by name; a later value replaces an earlier one, as in the scheduler."""
    pairs = (pair.strip() for text in flags.feature_gates or () for pair in text.split(","))
    return dict(_gate(pair) for pair in pairs if pair)


def _gate(pair: str) -> tuple[str, bool]:
    name, equals, value = (part.strip() for part in pair.partition("="))
    if not equals or not name:
        raise UsageError(f'invalid value "{pair}" for --feature-gates: must be GATE=true or GATE=false')
    if value not in (*TRUE, *FALSE):
        raise UsageError(f'invalid value "{value}" for {name} in --feature-gates: must be true or false')
    return name, value in TRUE
