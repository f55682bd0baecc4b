"""Runs an archive as krew would have installed it: unpacked, through a link, by somebody who has nothing else.

    python packaging/smoke.py [ARCHIVE]      # default: this platform's, in dist/

The environment is empty, the folder a foreign one, the home read-only, and there is no cluster. The commands reach
everything that is loaded late: templates, catalogue, product table, tables, YAML, regular expressions, the code that
speaks to clusters, completion. For every platform that is released for; ``tests/dist`` looks closer where it can.
Exit status: 0 all as it should be, 1 something is not.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from project import PROGRAM, ROOT, VERSION, archive_name, this_platform

MODEL = "meta-llama/Llama-3.1-8B-Instruct"
CLUSTER = ROOT / "examples" / "cluster.yaml"
COMPLETER = "kubectl_complete-llmfit"


@dataclass(frozen=True, slots=True)
class Run:
    """A command line, and what must come of it; the words stand on stdout, for a failure on stderr."""

    arguments: tuple[str, ...]
    words: str
    status: int = 0
    name: str = PROGRAM

    def __str__(self) -> str:
        return " ".join((self.name, *self.arguments))


RUNS = (
    Run(("version",), f"{PROGRAM} {VERSION} "),
    Run(("--help",), "check-nodes"),
    Run(("claim", MODEL), "kind: ResourceClaim\n"),
    Run(("claim", MODEL, "--template", "-o", "json"), '"kind": "ResourceClaimTemplate"'),
    Run(("check-nodes", MODEL, "--snapshot", str(CLUSTER)), "Fits"),
    Run(("check-nodes", MODEL, "--snapshot", str(CLUSTER), "-o", "yaml"), "kind: NodeCheck\n"),
    Run(("check-nodes", MODEL, "--snapshot", str(CLUSTER), "--min-memory", "4Ti"), "NoFit", 1),
    Run(("eval", "device.driver.matches('^llm.*')", "--snapshot", str(CLUSTER)), "true"),
    Run(("devices", "--snapshot", str(CLUSTER)), "NODE"),
    Run(("models", "llama-3.1"), MODEL),
    Run(("drivers", "gpu.nvidia.com"), "gpu.nvidia.com"),
    Run(("claim", "no/such-model"), "no/such-model", 2),
    Run(("check-nodes", MODEL, "--server", "https://127.0.0.1:1"), "127.0.0.1:1", 4),
    Run(("claim", "meta-llama/Llama-3.1-8B-"), f"{MODEL}\n", name=COMPLETER),
)


def main(archive: Path) -> int:
    """See the top of this file."""
    with tempfile.TemporaryDirectory() as folder:
        faults = list(faults_of(archive, Path(folder)))
    sys.stderr.writelines(f"error: {each}\n" for each in faults)
    if not faults:
        sys.stdout.write(f"{archive.name}: {len(RUNS)} commands ran as they should\n")
    return 1 if faults else 0


def faults_of(archive: Path, folder: Path) -> Iterator[str]:
    """Unpack into ``folder``, run everything, yield what was not as it should be."""
    store, links, home = (folder / name for name in ("store", "bin", "home"))
    with tarfile.open(archive) as opened:
        opened.extractall(store, filter="tar")
    for made in (links, home):
        made.mkdir()
    for name in (PROGRAM, COMPLETER):
        (links / name).symlink_to(store / PROGRAM)
    home.chmod(0o555)
    for run in RUNS:
        if fault := fault_of(run, links, home):
            yield fault


def fault_of(run: Run, links: Path, home: Path) -> str | None:
    """What a run did that it should not have done; None for nothing."""
    command = [str(links / run.name), *run.arguments]
    variables = {"HOME": str(home)}
    try:
        done = subprocess.run(command, env=variables, cwd=home, capture_output=True, text=True, check=False)
    except OSError as error:
        return f"{run}: {error.strerror}"
    said = done.stderr if run.status > 1 else done.stdout
    if done.returncode != run.status:
        return f"{run}: exit status {done.returncode}, not {run.status}: {done.stderr.strip()[-300:]}"
    if run.words not in said:
        return f"{run}: no {run.words.strip()!r} in what it says: {said[:300]}"
    if "Traceback" in done.stderr:
        return f"{run}: {done.stderr.strip()[-300:]}"
    return None


if __name__ == "__main__":
    given = sys.argv[1:] or [str(ROOT / "dist" / archive_name(this_platform()))]
    sys.exit(main(Path(given[0])))
