"""Ways to run the program under test: in this process for many worlds, through the real kubectl for what users type."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from kubectl_llmfit.main import run

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a run left behind."""

    code: int
    stdout: str
    stderr: str


def run_here(*arguments: str | Path) -> Answer:
    """``kubectl llmfit ARGUMENTS`` in this process: the whole program, without its start."""
    stdout, stderr = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(stdout), contextlib.redirect_stderr(stderr):
        code = run([str(argument) for argument in arguments])
    return Answer(code, stdout.getvalue(), stderr.getvalue())


@dataclass(frozen=True, slots=True)
class Shell:
    """A user's shell: the real kubectl and this checkout's launcher on PATH, one kubeconfig, an empty home."""

    home: Path
    kubectl: Path
    kubeconfig: Path

    def __call__(self, line: str) -> Answer:
        """Run a line as a person types it; a pipe fails when any of its commands does."""
        tools = self.home / "bin"
        if not tools.exists():
            tools.mkdir()
            (tools / "kubectl").symlink_to(self.kubectl)
            (tools / "kubectl-llmfit").symlink_to(ROOT / "kubectl-llmfit")
        environment = {
            "PATH": os.pathsep.join((str(tools), "/usr/bin", "/bin")),
            "HOME": str(self.home),
            "KUBECONFIG": str(self.kubeconfig),
        }
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", line],
            env=environment,
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return Answer(done.returncode, done.stdout, done.stderr)
