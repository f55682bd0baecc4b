"""``make fuzz``: random texts against the engine, which must answer each with a program or a clean compile error.

python tests/agree/fuzz.py [--size N] [--seed SEED]

Exit status: 0 without a fault, 1 with one.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.remove(str(Path(__file__).parent))  # its own folder would hide the package this file is in
sys.path.insert(0, str(Path(__file__).parents[1]))

from agree.fuzzing import fuzz

SHOWN = 20


def main() -> int:
    """Fuzz, show the shortest faults, and sum up in one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100_000, help="texts")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    started = time.monotonic()
    findings = fuzz(asked.seed, asked.size)
    for text, fault in sorted(findings.faults, key=lambda one: len(one[0]))[:SHOWN]:
        print(f"{fault}\n  {text[:200]!r}")
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in findings.outcomes.most_common())
    spent_s = time.monotonic() - started
    print(f"fuzz: seed {asked.seed}, {asked.size} texts: {outcomes}, {len(findings.faults)} faults, {spent_s:.0f} s")
    return 1 if findings.faults else 0


if __name__ == "__main__":
    sys.exit(main())
