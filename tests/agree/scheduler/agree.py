"""``make agree``: this program's answers beside those of kube-scheduler's own allocator, node by node.

python tests/agree/scheduler/agree.py [--size N] [--seed SEED] [--kubernetes-version 1.36]

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
from kubectl_llmfit.dra.rules import rules_for
from oracle.scheduler import NEWEST, VERSIONS, SchedulerOracle, module

_SHOWN_EACH = 1


def main() -> int:
    """Compare, show the first of each kind made small, and sum up in one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=20_000, help="worlds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kubernetes-version", default=NEWEST, choices=VERSIONS, help="minor version")
    asked = parser.parse_args()
    kubernetes: str = asked.kubernetes_version
    try:
        print(build(module(kubernetes)), flush=True)
    except NotBuiltError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    started = time.monotonic()
    with SchedulerOracle(kubernetes) as oracle:
        comparison = Comparison(oracle, kubernetes)
        limits = rules_for(kubernetes).tries_combinations
        found: Counter[str] = Counter()
        for difference in comparison.differences(worlds(asked.seed, asked.size, limits=limits)):
            found[difference.kind] += 1
            if found[difference.kind] <= _SHOWN_EACH:
                _show(difference, kubernetes)
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in sorted(comparison.outcomes.items()))
    unknown = found.pop("unknown", 0)
    kinds = "".join(f", {count} {kind}" for kind, count in sorted(found.items()))
    print(
        f"agree: {kubernetes}, seed {asked.seed}, {asked.size} worlds ({outcomes}): "
        f"{found.total()} differences{kinds}, {unknown} unknown, {comparison.left_to_chance} left to chance by the "
        f"scheduler, {time.monotonic() - started:.0f} s"
    )
    return 1 if found or unknown else 0


def _show(difference: Difference, kubernetes: str) -> None:
    """The smallest world that shows it. With an oracle of its own: the running one is in the middle of a batch."""
    with SchedulerOracle(kubernetes) as oracle:
        smallest = shrunk(difference, lambda worlds: list(Comparison(oracle, kubernetes).differences(worlds)))
    print(f"{smallest.report()}\n{smallest.world.yaml()}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
