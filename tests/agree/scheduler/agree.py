"""``make agree``: this program's answers beside those of kube-scheduler's own allocator, node by node.

python tests/agree/scheduler/agree.py [--size N] [--seed SEED]

Exit status: 0 they agree, 1 they differ or the oracle could not be built.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.remove(str(Path(__file__).parent))  # its own folder would hide the package this file is in
sys.path.insert(0, str(Path(__file__).parents[2]))

from agree.scheduler.differences import Comparison, Difference
from agree.scheduler.shrinking import shrunk
from agree.scheduler.worlds import worlds
from controlplane.build import NotBuiltError, build
from oracle.scheduler import SchedulerOracle, module

_SHOWN_EACH = 1


def main() -> int:
    """Compare, show the first of each kind made small, and sum up in one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=20_000, help="worlds")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    try:
        print(build(module()), flush=True)
    except NotBuiltError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    started = time.monotonic()
    with SchedulerOracle() as oracle:
        comparison = Comparison(oracle)
        found: Counter[str] = Counter()
        for difference in comparison.differences(worlds(asked.seed, asked.size)):
            found[difference.kind] += 1
            if found[difference.kind] <= _SHOWN_EACH and difference.kind != "unknown":
                _show(difference)
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in sorted(comparison.outcomes.items()))
    unknown = found.pop("unknown", 0)
    kinds = "".join(f", {count} {kind}" for kind, count in sorted(found.items()))
    print(
        f"agree: seed {asked.seed}, {asked.size} worlds ({outcomes}): {found.total()} differences{kinds}, "
        f"{unknown} unknown, {time.monotonic() - started:.0f} s"
    )
    return 1 if found or unknown else 0


def _show(difference: Difference) -> None:
    """The smallest world that shows it. With an oracle of its own: the running one is in the middle of a batch."""
    with SchedulerOracle() as oracle:
        smallest = shrunk(difference, lambda candidates: list(Comparison(oracle).differences(candidates)))
    print(f"{smallest.report()}\n{smallest.world.yaml()}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
