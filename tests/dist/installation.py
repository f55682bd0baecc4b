"""What ``make dist`` builds, a krew to install it in, and the checkout to compare it with."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from controlplane.build import programs

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "packaging"))

from project import archive_name, this_platform  # noqa: E402 -- a folder of scripts, no package

DIST = ROOT / "dist"
VERSION: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
ARCHIVE = DIST / archive_name(this_platform())
WHEEL = DIST / f"kubectl_llmfit-{VERSION}-py3-none-any.whl"
SDIST = DIST / f"kubectl_llmfit-{VERSION}.tar.gz"


@dataclass(frozen=True, slots=True)
class Installation:
    """A krew of its own with the plugin in it, and nothing else of the user's."""

    root: Path  # KREW_ROOT
    home: Path
    tools: Path  # kubectl and kubectl-krew

    @property
    def environment(self) -> dict[str, str]:
        """All that the programs get to see."""
        path = os.pathsep.join((str(self.root / "bin"), str(self.tools)))
        variables = {"PATH": path, "HOME": str(self.home), "KREW_ROOT": str(self.root)}
        return variables | {"KREW_NO_UPGRADE_CHECK": "1"}  # krew would ask the network for a krew that is newer

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


def link_tools(folder: Path) -> None:
    """The real kubectl and the real krew under the names that kubectl calls them by."""
    found = programs("kubernetes", "krew")
    for name, program in (("kubectl", "kubectl"), ("kubectl-krew", "krew")):
        (folder / name).symlink_to(found[program])
