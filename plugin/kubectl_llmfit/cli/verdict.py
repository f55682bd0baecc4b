"""What is said of a check on stderr: the answer in one line, and what would change it."""

from typing import TYPE_CHECKING

from ..console import say, warn

if TYPE_CHECKING:
    from ..check.values import NodeCheck

MOST_NOTES = 3


def tell_summary(check: "NodeCheck") -> None:
    """The answer in one line, and what would change a "no"."""
    from ..check.warnings import unguarded_warnings
    from ..output.check_table import summary_line

    tell_rules(check)
    for line in unguarded_warnings(check):
        warn(line)
    noted = [node for node in check.nodes if node.verdict == "Fits" and not node.unschedulable and node.notes]
    for node in noted[:MOST_NOTES]:
        warn(f"{node.name} fits, but: {'; '.join(node.notes)}")
    if len(noted) > MOST_NOTES:
        warn(f"{len(noted) - MOST_NOTES} more nodes that fit have notes: -o wide shows them")
    say(summary_line(check))
    for suggestion in check.summary.suggestions:
        say(f"hint: {suggestion.text}")


def tell_rules(check: "NodeCheck") -> None:
    """Say so when the server's version has no scheduler rules of its own here."""
    server = check.cluster.server_version
    if server is not None and _minor(server) != check.cluster.rules:
        warn(f"no scheduler rules for Kubernetes {server} yet: those of {check.cluster.rules} are used")


def _minor(version: str) -> str:
    """``1.37`` of ``v1.37.2-gke.100``."""
    return ".".join(version.removeprefix("v").split(".")[:2])
