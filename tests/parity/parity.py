"""``make parity``: every model of the catalogue beside the pinned llmfit program.

Each model is compared in ``--json`` at default flags; in the manifest of one kind (drawn by the seed; ``--kinds both``
for both, ``none`` for neither); and a share of them, with ``--random N``, once more with random flags. One
summary line; exit 1 when anything differs that is not meant to.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.remove(str(Path(__file__).parent))  # its own folder would hide the package this file is in
sys.path.insert(0, str(Path(__file__).parents[1]))

from kubectl_llmfit.fit.model import Model
from parity import reference
from parity.compare import Difference, compare_manifest, compare_summary, model_of
from parity.drawing import random_flags
from parity.reference import Flags

SHOWN_FAULTS = 10

Job = tuple[str, Model, Flags]
_COMPARISONS = {"json": compare_summary, "manifest": compare_manifest}


def main() -> int:
    """Run the comparison that the command line asks for."""
    options = _options()
    models = [model_of(entry) for entry in reference.entries()]
    jobs = list(_jobs(models, options))
    started = time.monotonic()
    differences: list[Difference] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for number, found in enumerate(pool.map(_compare, jobs), start=1):
            differences += found
            _show_faults(found, differences)
            if number % 500 == 0:
                _progress(number, len(jobs), started)
    return _report(differences, len(models), len(jobs), options, time.monotonic() - started)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare sizing with the pinned llmfit program.")
    parser.add_argument("--limit", type=int, help="only so many models, drawn by the seed")
    parser.add_argument("--kinds", choices=("one", "both", "none"), default="one", help="manifests per model")
    parser.add_argument("--random", type=int, default=1500, metavar="N", help="comparisons with random flags")
    parser.add_argument("--seed", type=int, default=1, help="seed of everything drawn")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes at a time")
    return parser.parse_args()


def _jobs(models: list[Model], options: argparse.Namespace) -> Iterator[Job]:
    draw = random.Random(options.seed)
    chosen = draw.sample(models, min(options.limit, len(models))) if options.limit else models
    for model in chosen:
        yield "json", model, Flags(model.name)
        for template in _kinds(options.kinds, draw):
            yield "manifest", model, Flags(model.name, template=template)
    for _ in range(options.random):
        model = draw.choice(models)
        yield draw.choice(("json", "manifest")), model, random_flags(model, draw)


def _kinds(kinds: str, draw: random.Random) -> tuple[bool, ...]:
    one = draw.random() < 0.5
    return {"one": (one,), "both": (False, True), "none": ()}[kinds]


def _compare(job: Job) -> list[Difference]:
    what, model, flags = job
    return _COMPARISONS[what](model, flags)


def _show_faults(found: list[Difference], so_far: list[Difference]) -> None:
    """Print what was found, until ten faults were printed."""
    if sum(difference.category is None for difference in so_far) <= SHOWN_FAULTS:
        for difference in found:
            if difference.category is None:
                print(difference, flush=True)


def _progress(number: int, total: int, started: float) -> None:
    left = (time.monotonic() - started) / number * (total - number)
    print(f"{number} of {total}, about {left / 60:.0f} min left", file=sys.stderr, flush=True)


def _report(
    differences: list[Difference], models: int, comparisons: int, options: argparse.Namespace, seconds: float
) -> int:
    faults = [difference for difference in differences if difference.category is None]
    meant = Counter(difference.category for difference in differences if difference.category)
    deliberate = ", ".join(f"{count} {category}" for category, count in meant.items()) or "none"
    print(
        f"parity: {models} models, {comparisons} comparisons, seed {options.seed}, {seconds / 60:.1f} min: "
        f"{len(faults)} differences (deliberate: {deliberate})"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
