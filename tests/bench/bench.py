"""`make bench`: wall times of whole processes as ratios, side by side in one run; what is imported; the CEL engine.

    python tests/bench/bench.py [--rounds N]           # the wheel, and the krew archive if make dist built one
    python tests/bench/bench.py --dist                 # only start-up, of what is in dist/

Programs take turns, so that a busy moment hits all of them; the figure is the ratio of the medians. Ours is the
installed wheel in an environment of its own and the unpacked archive, as users have them. A ratio says little on a
busy machine: no test asserts one.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
DIST = ROOT / "dist"
MODEL = "meta-llama/Llama-3.1-8B-Instruct"
SNAPSHOT = str(ROOT / "examples" / "cluster.yaml")
REFERENCE, BARE = "llmfit claim", "bare python"
HEAVIEST = 10
# what is started: its name here, and the words after the program's name
STARTS = {
    "claim": ("claim", MODEL),
    "check-nodes": ("check-nodes", MODEL, "--snapshot", SNAPSHOT),
    "--help": ("--help",),
    "--version": ("--version",),
}
COMPLETION = ("claim", "meta-llama/Llama-3.1-8")
_IMPORT = re.compile(r"import time:\s+(\d+) \|\s+(\d+) \| (\s*)(\S+)")


@dataclass(frozen=True, slots=True)
class Installed:
    """A way to have the program: a folder with both of its names."""

    kind: str
    folder: Path

    def commands(self) -> dict[str, list[str]]:
        """What is timed of it."""
        program = str(self.folder / "kubectl-llmfit")
        timed = {f"{self.kind}: {name}": [program, *words] for name, words in STARTS.items()}
        return timed | {f"{self.kind}: completion": [str(self.folder / "kubectl_complete-llmfit"), *COMPLETION]}


def install_wheel(folder: Path, *, build: bool) -> Installed:
    """The wheel, built first or as it is in dist/, in an empty environment of its own."""
    wheels = folder / "wheels" if build else DIST
    if build:
        quietly([sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(wheels), str(ROOT)])
    quietly([sys.executable, "-m", "venv", str(folder / "env")])
    python = folder / "env" / "bin" / "python"
    quietly([str(python), "-m", "pip", "install", "--quiet", *map(str, wheels.glob("*.whl"))])
    return Installed("wheel", python.parent)


def unpack_archive(folder: Path) -> Installed | None:
    """The archive that make dist left for this platform, unpacked and with its second name; None without one."""
    sys.path.insert(0, str(ROOT / "packaging"))
    from project import archive_name, this_platform

    archive = DIST / archive_name(this_platform())
    if not archive.exists():
        return None
    with tarfile.open(archive) as opened:
        opened.extractall(folder, filter="data")
    (folder / "kubectl_complete-llmfit").symlink_to("kubectl-llmfit")
    return Installed("archive", folder)


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


def report_starts(installed: list[Installed], python: Path, rounds: int) -> None:
    """One line per command: the ratio to the reference, and what it takes above the bare interpreter's own start."""
    commands = {REFERENCE: [str(Path(sys.executable).parent / "llmfit"), "claim", MODEL]}
    commands[BARE] = [str(python), "-I", "-c", ""]
    for each in installed:
        commands |= each.commands()
    result = medians(commands, rounds)
    base, bare = result[REFERENCE], result[BARE]
    for name, value in result.items():
        above = f"{(value - bare) * 1000:4.0f} ms above {BARE}"
        print(f"{name:<20} {value / base:5.2f} x {REFERENCE}   {value * 1000:4.0f} ms, {above}")
    print(f"rounds {rounds}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")


def report_imports(python: Path) -> None:
    """The modules that cost the most, themselves and with what they import."""
    for name in ("claim", "check-nodes", "--help"):
        command = [str(python), "-X", "importtime", "-m", "kubectl_llmfit", *STARTS[name]]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/")
        lines = [(int(own), int(whole), module) for own, whole, _, module in _IMPORT.findall(done.stderr)]
        print(f"\nthe {HEAVIEST} heaviest of the {len(lines)} modules that {name} imports, in ms\n   OWN  WITH THEIRS")
        for own, whole, module in sorted(lines, reverse=True)[:HEAVIEST]:
            print(f"{own / 1000:6.1f}  {whole / 1000:6.1f}  {module}")


def main() -> None:
    """See the top of this file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--dist", action="store_true", help="only the start-up of what is in dist/")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print("installing the wheel in an empty environment ...", file=sys.stderr)
        wheel = install_wheel(Path(folder), build=not given.dist)
        archive = unpack_archive(Path(folder) / "archive")
        report_starts([wheel, *([archive] if archive else [])], wheel.folder / "python", given.rounds)
        if not given.dist:
            report_imports(wheel.folder / "python")
    if not given.dist:
        from cel_speed import report

        print()
        report(rounds=20_000)


if __name__ == "__main__":
    main()
