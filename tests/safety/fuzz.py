"""``make fuzz``: command lines on damaged files, each of which must be answered or refused, without a fault.

python tests/safety/fuzz.py [--size N] [--seed SEED]

Exit status: 0 without a fault, 1 with one.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.remove(str(Path(__file__).parent))  # its own folder would hide the package this file is in
sys.path.insert(0, str(Path(__file__).parents[1]))

from safety.fuzzing.driving import fuzz


def main() -> int:
    """Fuzz until the first fault, which is shown as small as it gets, and sum up in one line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=20_000, help="command lines")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    started = time.monotonic()
    findings = fuzz(asked.seed, asked.size)
    if findings.fault is not None:
        print(findings.fault)
    statuses = ", ".join(f"{count} times {status}" for status, count in sorted(findings.statuses.items()))
    faults = 0 if findings.fault is None else 1
    spent_s = time.monotonic() - started
    print(f"fuzz: {asked.size} inputs, seed {asked.seed}: {faults} faults; status {statuses}; {spent_s:.0f} s")
    return faults


if __name__ == "__main__":
    sys.exit(main())
