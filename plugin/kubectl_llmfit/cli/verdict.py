"""A check's answer as an exit status, and what is said of it on stderr."""

from typing import TYPE_CHECKING

from ..console import say, warn
from ..errors import ExitCode

if TYPE_CHECKING:
    from ..check.values import NodeCheck


def exit_code(check: "NodeCheck") -> ExitCode:
    """0 for yes, 1 for no, 3 where it could not be told."""
    from ..check.values import Answer

    codes = {Answer.YES: ExitCode.OK, Answer.NO: ExitCode.NO, Answer.CANNOT_TELL: ExitCode.CANNOT_TELL}
    return codes[check.summary.verdict]


def tell_summary(check: "NodeCheck") -> None:
    """The answer in one line, and what would change a "no"."""
    from ..output.check_table import summary_line

    tell_rules(check)
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
