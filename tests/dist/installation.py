"""What ``make dist`` builds, a krew to install it in, and the checkout to compare it with."""

from __future__ import annotations

import os
import subprocess
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIST = ROOT / "dist"
VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
ARCHIVE = DIST / f"kubectl-llmfit-v{VERSION}-linux-amd64.tar.gz"
WHEEL = DIST / f"kubectl_llmfit-{VERSION}-py3-none-any.whl"
SDIST = DIST / f"kubectl_llmfit-{VERSION}.tar.gz"
VALIDATOR = "validate-krew-manifest"


@dataclass(frozen=True, slots=True)
class Installation:
    """A krew of its own with the plugin in it, and nothing else of the user's."""

    root: Path  # KREW_ROOT
    home: Path
    tools: Path  # kubectl, kubectl-krew and krew's validator of manifests

    @property
    def environment(self) -> dict[str, str]:
        """All that the programs get to see."""
        path = os.pathsep.join((str(self.root / "bin"), str(self.tools)))
        return {"PATH": path, "HOME": str(self.home), "KREW_ROOT": str(self.root)}

    def kubectl(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run the real kubectl in an empty folder."""
        return self.run("kubectl", *arguments)

    def run(self, tool: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run one of the tools in an empty folder."""
        return subprocess.run(
            [tool, *map(str, arguments)],
            executable=self.tools / tool,
            env=self.environment,
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )


def run_checkout(arguments: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    """The same command by the checkout's own launcher, to compare with."""
    command = [str(ROOT / "kubectl-llmfit"), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
