"""What is said of a check on stderr: the answer in one line, and what would change it."""

from typing import TYPE_CHECKING

from ..console import say, warn
from .options import SchedulerFlags
from .scheduler import tell_rules

if TYPE_CHECKING:
    from ..check.values import NodeCheck

MOST_NOTES = 3


def tell_summary(check: "NodeCheck", scheduler: SchedulerFlags | None = None) -> None:
    """The answer in one line, and what would change a "no"; whose rules it follows."""
    from ..check.warnings import unguarded_warnings
    from ..output.check_table import summary_line

    tell_rules(check.cluster, scheduler or SchedulerFlags())
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
