"""``make agree-cel``: this program's CEL beside Kubernetes' own on generated expressions, in both environments.

python tests/agree/agree_cel.py [--size N] [--seed SEED]

Exit status: 0 they agree, 1 they differ or the oracle could not be built.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.remove(str(Path(__file__).parent))  # its own folder would hide the package this file is in
sys.path.insert(0, str(Path(__file__).parents[1]))

from agree.cases import cases, pool
from agree.compare import Comparison, Difference
from controlplane.build import MODULES, NotBuiltError, build
from oracle.program import Oracle

_SHOWN = 40


def main() -> int:
    """Compare, show the smallest of each kind, and sum up in one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100_000, help="expressions")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    try:
        print(build(MODULES["cel-oracle"]), flush=True)
    except NotBuiltError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    started = time.monotonic()
    with Oracle() as oracle:
        comparison = Comparison(oracle, pool(asked.seed))
        count = _show(comparison, asked.seed, asked.size)
    print(
        f"agree-cel: seed {asked.seed}, {asked.size} expressions, new and stored: {count} differences "
        f"({comparison.left_to_chance} left to chance by Kubernetes), {time.monotonic() - started:.0f} s"
    )
    return 1 if count else 0


def _show(comparison: Comparison, seed: int, size: int) -> int:
    """Print differences as they are found, each small one once; returns how many there were before shrinking."""
    shown: Counter[str] = Counter()
    devices = pool(seed)
    count = 0
    for found in comparison.differences(cases(seed, size)):
        count += 1
        if len(shown) < _SHOWN and shown[_key(found)] < 5:
            smallest = comparison.shrunk(found)
            shown[_key(found)] += 1
            if not shown[smallest.case.text]:
                print(smallest.report(devices), flush=True)
            shown[smallest.case.text] += 1
    return count


def _key(difference: Difference) -> str:
    return f"{difference.kind} {difference.ours.compile_error[:30]} {difference.theirs.compile_error[:30]}"


if __name__ == "__main__":
    sys.exit(main())
