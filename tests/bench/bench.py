"""`make bench`: wall times of whole processes as ratios, side by side in one run.

Programs take turns, so that a busy moment hits all of them; the figure is the ratio of the medians. Our
program is the installed wheel in an environment of its own, as users have it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODEL = "meta-llama/Llama-3.1-8B-Instruct"


def install(folder: Path) -> Path:
    """The wheel in an empty environment of its own; returns the folder of its programs."""
    wheels = folder / "wheels"
    quietly([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(wheels), str(ROOT)])
    quietly([sys.executable, "-m", "venv", str(folder / "env")])
    python = folder / "env" / "bin" / "python"
    quietly([str(python), "-m", "pip", "install", "--quiet", *map(str, wheels.glob("*.whl"))])
    return python.parent


def quietly(command: list[str]) -> None:
    """Run a step of the set-up; what it says on stdout is of no interest."""
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def seconds(command: list[str]) -> float:
    """The wall time of one run."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, cwd="/")
    return time.perf_counter() - start


def medians(commands: dict[str, list[str]], rounds: int) -> dict[str, float]:
    """The median of each command over ``rounds`` runs, taken in turns after one warm-up each."""
    for command in commands.values():
        seconds(command)
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            times[name].append(seconds(command))
    return {name: statistics.median(values) for name, values in times.items()}


def main() -> None:
    """Print one line per command: the ratio to the reference, and both medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=21)
    rounds = parser.parse_args().rounds
    reference = Path(sys.executable).parent / "llmfit"
    with tempfile.TemporaryDirectory() as folder:
        print("installing the wheel in an empty environment ...", file=sys.stderr)
        ours = str(install(Path(folder)) / "kubectl-llmfit")
        snapshot = str(ROOT / "examples" / "cluster.yaml")
        commands = {
            "llmfit claim": [str(reference), "claim", MODEL],
            "claim": [ours, "claim", MODEL],
            "--help": [ours, "--help"],
            "check-nodes": [ours, "check-nodes", MODEL, "--snapshot", snapshot],
            "bare python": [str(Path(ours).parent / "python"), "-I", "-c", ""],
        }
        result = medians(commands, rounds)
    base = result["llmfit claim"]
    for name, value in result.items():
        print(f"{name:<14} {value / base:5.2f} x llmfit claim   ({value * 1000:.0f} ms against {base * 1000:.0f} ms)")
    print(f"rounds {rounds}, {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
