"""``kubectl llmfit rbac``: the ClusterRole with the least rights that the other commands need."""

from dataclasses import dataclass
from typing import Annotated

from typer import Option

from ..console import Result, say
from .options import choice

FORMATS = ("yaml", "json")


@dataclass(frozen=True, slots=True)
class RbacFlags:
    """Flags of ``rbac``."""

    apply: Annotated[bool, Option("--apply", help="Add what claim --apply needs")] = False
    output: Annotated[str, Option("-o", "--output", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}")] = "yaml"


def rbac(flags: RbacFlags) -> Result:
    """Print the ClusterRole with the least rights that the other commands need, for kubectl apply -f -."""
    from ..cluster.rbac import ROLE_NAME, cluster_role
    from ..output.document import to_text

    form = choice("--output", flags.output, FORMATS)
    role = cluster_role(apply=flags.apply)
    say(f"give it to somebody: kubectl create clusterrolebinding {ROLE_NAME} --clusterrole={ROLE_NAME} --user=NAME")
    return Result(to_text(role, form))
