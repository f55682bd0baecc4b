"""Builds the programs that the tests run against, from Go modules, once, into a cache folder.

    python tests/controlplane/build.py [--optional] [NAME ...]   # of MODULES below; default: all but those on demand

Every module is a folder of its own (beside this file, or where MODULES says); its ``go.mod`` is the only
place that names a version. Several versions of one program share a folder: each has its own file in the place of
``go.mod``. The binaries go to ``${XDG_CACHE_HOME:-~/.cache}/kubectl-llmfit/<version>/`` with
a stamp of what they were built from: when the stamp still holds, nothing is run at all. A binary in
``$KUBEBUILDER_ASSETS`` is used instead of building it when it reports the very version that the module names;
any other one is passed over, for a test judged by another version proves nothing about this one. Starting
the programs is not this file's work.

Exit status: 0 they are there, 1 a build failed, 3 Go is not installed and something has to be built; with
``--optional`` the last is 0 too, since the tests that need the programs are then skipped.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
GO_MISSING = 3
OPTIONAL = "--optional"


class NotBuiltError(Exception):
    """A program that a test needs is neither in the cache nor in KUBEBUILDER_ASSETS."""


class GoMissingError(NotBuiltError):
    """Something has to be built and there is no ``go`` on PATH."""


@dataclass(frozen=True, slots=True)
class Module:
    """One Go module of this repository and the programs that come from it."""

    name: str
    source: str  # the module path whose version in go.mod is the version of the programs
    packages: tuple[str, ...]  # the last element of each is the program's name
    folder_prefix: str = ""
    version_variable: str = ""
    cost: str = "under a minute"
    place: str = ""  # where its go.mod is, from here; by default the folder of its name
    go_mod: str = "go.mod"
    tag: str = ""  # a Go build tag
    on_demand: bool = False  # built only where it is named

    @property
    def root(self) -> Path:
        """The folder of its go.mod."""
        return HERE / (self.place or self.name)

    @property
    def programs(self) -> tuple[str, ...]:
        """Names of the binaries."""
        return tuple(self.name if package == "." else package.rsplit("/", 1)[1] for package in self.packages)

    @property
    def version(self) -> str:
        """The version that go.mod names, such as v1.37.2."""
        required = rf"^\s*(?:require )?{re.escape(self.source)} (v\S+)"
        go_mod = self.root / self.go_mod
        found = re.search(required, go_mod.read_text(), re.MULTILINE)
        if found is None:
            raise NotBuiltError(f"{go_mod}: requires no {self.source}")
        return found[1]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    @property
    def folder(self) -> Path:
        """Where its binaries are kept."""
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        return Path(cache) / "kubectl-llmfit" / f"{self.folder_prefix}{self.version}"

    @property
    def ldflags(self) -> str:
        """Linker flags: small files that report the version."""
        stamp = f" -X {self.version_variable}={self.version}" if self.version_variable else ""
        return f"-s -w{stamp}"

    @property
    def stamp(self) -> Path:
        """The file that records what the binaries were built from."""
        return self.folder / f".{self.name}.sha256"

    def fingerprint(self) -> str:
        """Hash of all that the build reads but the (immutable) modules themselves."""
        digest = hashlib.sha256(self.ldflags.encode() + self.tag.encode())
        own = (self.go_mod, self.go_mod.removesuffix(".mod") + ".sum")
        for path in sorted(self.root.iterdir()):
            if path.suffix not in (".mod", ".sum") or path.name in own:
                digest.update(path.name.encode() + b"\0" + path.read_bytes())
        return digest.hexdigest()

    def is_built(self) -> bool:
        """Whether the cache holds every program, built from what is in the checkout now."""
        return (
            all((self.folder / program).exists() for program in self.programs)
            and self.stamp.exists()
            and self.stamp.read_text() == self.fingerprint()
        )


MODULES = {
    module.name: module
    for module in (
        Module(
            "kubernetes",
            "k8s.io/kubernetes",
            tuple(f"k8s.io/kubernetes/cmd/{name}" for name in ("kube-apiserver", "kube-scheduler", "kubectl")),
            version_variable="k8s.io/component-base/version.gitVersion",
            cost="some 8 minutes",
        ),
        Module("etcd", "go.etcd.io/etcd/server/v3", (".",), folder_prefix="etcd-"),
        Module(
            "krew",
            "sigs.k8s.io/krew",
            ("sigs.k8s.io/krew/cmd/krew", "sigs.k8s.io/krew/cmd/validate-krew-manifest"),
            folder_prefix="krew-",
        ),
        Module(
            "cel-oracle",
            "k8s.io/dynamic-resource-allocation",
            (".",),
            folder_prefix="cel-oracle-",
            cost="a minute or two",
            place="../oracle/cel",
        ),
        Module(
            "allocator-oracle",
            "k8s.io/dynamic-resource-allocation",
            (".",),
            folder_prefix="allocator-oracle-",
            cost="a minute or two",
            place="../oracle/allocator",
        ),
        Module(
            "actionlint",
            "github.com/rhysd/actionlint",
            ("github.com/rhysd/actionlint/cmd/actionlint",),
            folder_prefix="actionlint-",
        ),
        Module(
            "dockerfile",
            "github.com/moby/buildkit",
            (".",),
            folder_prefix="dockerfile-",
            cost="a minute or two",
        ),
        *(
            Module(
                f"allocator-oracle-{minor}",
                "k8s.io/dynamic-resource-allocation",
                (".",),
                folder_prefix="allocator-oracle-",
                cost="a minute or two",
                place="../oracle/allocator",
                go_mod=f"go-{minor}.mod",
                tag=f"kubernetes_{minor.replace('.', '_')}",
                on_demand=True,
            )
            for minor in ("1.34", "1.35", "1.36")
        ),
    )
}
LIVE = ("kubernetes", "etcd")


def programs(*names: str) -> dict[str, Path]:
    """Paths of the programs of the named modules; raises NotBuiltError when one is missing or out of date."""
    found: dict[str, Path] = {}
    for module in (MODULES[name] for name in names):
        given = _assets(module)
        if len(given) < len(module.programs) and not module.is_built():
            raise NotBuiltError(f"{module} is not built: run python tests/controlplane/build.py {module.name}")
        found |= {program: module.folder / program for program in module.programs} | given
    return found


def build(module: Module) -> str:
    """Make the module's programs available; returns one line that says how."""
    given = _assets(module)
    if len(given) == len(module.programs):
        return f"{module}: from KUBEBUILDER_ASSETS"
    if module.is_built():
        return f"{module}: in {module.folder}"
    with _lock(module):
        if not module.is_built():  # another run may have built it while this one waited
            _build(module)
    return f"{module}: built in {module.folder}"


def _build(module: Module) -> None:
    go = shutil.which("go")
    if go is None:
        raise GoMissingError(f"{module} has to be built, and go is not installed (https://go.dev/dl)")
    _say(f"{module}: building {', '.join(module.programs)} ({module.cost} the first time)")
    with tempfile.TemporaryDirectory(dir=module.folder) as fresh:
        command = [go, "build", "-C", str(module.root)]
        # on the command line, so that a GOFLAGS=-mod=mod in the environment cannot rewrite go.mod
        command += ["-mod=readonly", "-trimpath", "-buildvcs=false", "-ldflags", module.ldflags]
        command += [f"-modfile={module.go_mod}", f"-tags={module.tag}", "-o", fresh + os.sep, *module.packages]
        if subprocess.run(command, env=os.environ | {"GOWORK": "off"}, check=False).returncode:
            raise NotBuiltError(f"{module}: go build failed")
        for program in module.programs:
            (Path(fresh) / program).replace(module.folder / program)
        stamp = Path(fresh) / "stamp"
        stamp.write_text(module.fingerprint())
        stamp.replace(module.stamp)


def _assets(module: Module) -> dict[str, Path]:
    """The module's programs that KUBEBUILDER_ASSETS offers in the right version."""
    folder = os.environ.get("KUBEBUILDER_ASSETS")
    if not folder:
        return {}
    candidates = {program: Path(folder) / program for program in module.programs}
    return {name: path for name, path in candidates.items() if path.exists() and _reports(path, module.version)}


def _reports(path: Path, version: str) -> bool:
    arguments = ["version", "--client"] if path.name == "kubectl" else ["--version"]
    answer = subprocess.run([path, *arguments], capture_output=True, text=True, check=False)
    return re.search(rf"\bv?{re.escape(version.removeprefix('v'))}\b(?![-+.])", answer.stdout) is not None


@contextlib.contextmanager
def _lock(module: Module) -> Iterator[None]:
    """Hold the module's folder for one builder; the system lets go of the lock when the process ends."""
    module.folder.mkdir(parents=True, exist_ok=True)
    with (module.folder / f".{module.name}.lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _say(f"{module}: waiting for another build")
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def _say(line: str) -> None:
    print(line, flush=True)


def main(arguments: Sequence[str]) -> int:
    """Build the named modules; see the top of this file."""
    names = [argument for argument in arguments if argument != OPTIONAL]
    unknown = [name for name in names if name not in MODULES]
    if unknown:
        print(f"error: unknown module {unknown[0]!r}: one of {', '.join(MODULES)}", file=sys.stderr)
        return 2
    try:
        for module in [MODULES[name] for name in names] or [each for each in MODULES.values() if not each.on_demand]:
            _say(build(module))
    except GoMissingError as error:
        if OPTIONAL in arguments:
            print(f"warning: {error}: the tests that need it are skipped", file=sys.stderr)
            return 0
        print(f"error: {error}", file=sys.stderr)
        return GO_MISSING
    except NotBuiltError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
