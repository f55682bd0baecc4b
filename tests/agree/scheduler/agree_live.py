"""``make agree-live``: what follows from this program's answers beside what the real kube-scheduler decides.

python tests/agree/scheduler/agree_live.py [--size N] [--seed SEED]

Exit status: 0 they agree, 1 they differ or the control plane could not be built.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.remove(str(Path(__file__).parent))  # its own folder would hide the package this file is in
sys.path.insert(0, str(Path(__file__).parents[2]))

from agree.scheduler.clusters import cluster_worlds
from agree.scheduler.deciding import Decided, decided
from agree.scheduler.differences import Difference
from agree.scheduler.shrinking import shrunk
from agree.scheduler.world import World
from controlplane.build import LIVE, MODULES, NotBuiltError, build
from controlplane.client import Client, RefusedError
from controlplane.plane import ControlPlane, NotStartedError, exit_on_sigterm
from live.worlds import Cluster


def main() -> int:
    """Decide world after world, show those that differ, and sum up in one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=300, help="worlds")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    try:
        for name in LIVE:
            print(build(MODULES[name]), flush=True)
        plane = ControlPlane()
        exit_on_sigterm()
        plane.start()
    except (NotBuiltError, NotStartedError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    try:
        return _compare(plane, asked.seed, asked.size)
    finally:
        plane.stop()


def _compare(plane: ControlPlane, seed: int, size: int) -> int:
    started = time.monotonic()
    client = plane.client()
    cluster = Cluster(client)
    outcomes: Counter[str] = Counter()
    differences = 0
    for number, world in enumerate(cluster_worlds(seed, size)):
        decision = decided(cluster, client, world)
        outcomes[decision.outcome] += 1
        if decision.disagreement is not None:
            differences += 1
            print(f"world {number} of seed {seed}:", flush=True)
            _show(cluster, client, _difference(world, decision))
    told = ", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items()))
    seconds = time.monotonic() - started
    print(f"agree-live: seed {seed}, {size} worlds ({told}): {differences} differences, {seconds:.0f} s")
    return 1 if differences else 0


def _show(cluster: Cluster, client: Client, difference: Difference) -> None:
    """The smallest world that shows it; one that the API server does not take is none."""

    def find(candidates: list[World]) -> Iterator[Difference]:
        for world in candidates:
            with contextlib.suppress(RefusedError):
                decision = decided(cluster, client, world)
                if decision.disagreement is not None:
                    yield _difference(world, decision)

    smallest = shrunk(difference, find)
    print(f"{smallest.report()}\n{smallest.world.yaml()}", flush=True)


def _difference(world: World, decision: Decided) -> Difference:
    words = decision.disagreement or ""
    return Difference(words.split(":", maxsplit=1)[0], world, "the pod", words, decision.told)


if __name__ == "__main__":
    sys.exit(main())
