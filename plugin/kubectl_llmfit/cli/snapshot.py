"""``kubectl llmfit snapshot``: what a check would read, as one JSON document."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from ..console import Result, progress
from ..errors import LlmfitError
from .cluster import connect
from .options import ConnectionFlags

PIECE_CHARACTERS = 1 << 20


@dataclass(frozen=True, slots=True)
class SnapshotCommandFlags:
    """``snapshot`` takes no flags of its own."""


def snapshot(_flags: SnapshotCommandFlags, connection: ConnectionFlags) -> Result:
    """Write what a check would read as JSON, for check-nodes --snapshot."""
    from ..cluster.snapshot import write_snapshot

    cluster = connect(connection)
    try:
        out = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 - read, and closed, while it is printed
        with progress(f"reading the cluster at {cluster.server}"):
            write_snapshot(cluster, out)
        out.seek(0)
    except OSError as error:
        raise LlmfitError(f"the snapshot could not be kept in a temporary file: {error.strerror or error}") from error
    return Result(_pieces(out))


def _pieces(stream: IO[str]) -> Iterator[str]:
    with stream:
        while piece := stream.read(PIECE_CHARACTERS):
            yield piece
