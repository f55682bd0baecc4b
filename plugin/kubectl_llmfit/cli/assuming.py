"""What is added to a cluster or snapshot before it is checked: ``--with FILE`` and ``--assume '8x PRODUCT'``."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from typer import Option

from .options import SizingFlags

if TYPE_CHECKING:
    from ..api.values import ClusterState


@dataclass(frozen=True, slots=True)
class AssumeFlags:
    """What is not there, but shall be counted in."""

    assume: Annotated[
        list[str] | None,
        Option(
            "--assume",
            metavar="'8x PRODUCT'",
            help="Count in a node with so many devices of a product of the table (repeatable)",
        ),
    ] = None
    with_files: Annotated[
        list[str] | None,
        Option(
            "--with",
            metavar="FILE",
            help="Count in the objects of a file, each in place of its namesake (repeatable); - is stdin",
        ),
    ] = None


def with_assumed(state: "ClusterState", flags: AssumeFlags, sizing: SizingFlags) -> "ClusterState":
    """The state with what the flags add: files first, then nodes. Raises UsageError."""
    from ..cluster.overlay import laid_over

    if flags.with_files:
        from ..cluster.documents import load_documents
        from ..files import display_name

        for path in flags.with_files:
            state = laid_over(state, load_documents(path), display_name(path))
    if flags.assume:
        from ..drivers.assumed import assumed_node, meant_product
        from .wishes import product_table

        table = product_table(sizing)
        for text in flags.assume:
            taken = frozenset(node.name for node in state.nodes)
            nodes = assumed_node(text, table, taken)
            meant = meant_product(text, table)
            state = laid_over(state, nodes, f"--assume {text}{f' ({meant})' if meant else ''}")
    return state
