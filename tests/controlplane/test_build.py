"""The builder of the test programs, as make calls it; nothing is compiled here."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

from controlplane.build import GO_MISSING, HERE, MODULES, NotBuiltError, programs

KREW = MODULES["krew"]


def run_build(tmp_path: Path, *names: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The builder with an empty cache and nothing on PATH but what a test puts into ``bin``."""
    environment = {"PATH": str(tmp_path / "bin"), "XDG_CACHE_HOME": str(tmp_path / "cache")} | variables
    command = [sys.executable, str(HERE / "build.py"), *names]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def write_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


def test_without_go_it_says_so_in_one_line_with_a_status_of_its_own(tmp_path: Path) -> None:
    done = run_build(tmp_path)
    assert done.returncode == GO_MISSING
    assert done.stderr.splitlines() == [
        f"error: kubernetes {MODULES['kubernetes'].version} has to be built, "
        "and go is not installed (https://go.dev/dl)"
    ]


def test_where_it_is_optional_that_is_a_warning(tmp_path: Path) -> None:
    done = run_build(tmp_path, "--optional", "krew")
    assert done.returncode == 0
    assert done.stderr.startswith(f"warning: krew {KREW.version} has to be built, and go is not installed")


def test_an_unknown_module_is_wrong_usage(tmp_path: Path) -> None:
    done = run_build(tmp_path, "etcdd")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: unknown module 'etcdd': one of kubernetes, etcd, krew, cel-oracle")
    assert done.stderr.count("\n") == 1


def test_a_failing_build_leaves_nothing_that_looks_built(tmp_path: Path) -> None:
    write_program(tmp_path / "bin" / "go", "echo 'no such module' >&2; exit 1")
    done = run_build(tmp_path, "krew")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == f"error: krew {KREW.version}: go build failed"
    assert run_build(tmp_path, "krew").returncode == 1


def test_go_is_asked_once_and_may_not_change_the_module(tmp_path: Path) -> None:
    # a stand-in for the compiler: notes its arguments and writes the programs where it is told to
    script = (
        f'echo "$@" >> {tmp_path}/calls; while [ "$1" != -o ]; do shift; done; '
        ": > $2/krew; : > $2/validate-krew-manifest"
    )
    write_program(tmp_path / "bin" / "go", script)
    first, second = run_build(tmp_path, "krew"), run_build(tmp_path, "krew")
    folder = tmp_path / "cache" / "kubectl-llmfit" / f"krew-{KREW.version}"
    assert first.stdout.splitlines()[-1] == f"krew {KREW.version}: built in {folder}"
    assert second.stdout.splitlines() == [f"krew {KREW.version}: in {folder}"]
    calls = (tmp_path / "calls").read_text().splitlines()
    assert len(calls) == 1
    assert "-mod=readonly" in calls[0].split()


def test_another_source_is_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    for program in KREW.programs:
        write_program(KREW.folder / program, "")
    KREW.stamp.write_text("of something else")
    with pytest.raises(NotBuiltError, match=r"krew v.* is not built"):
        programs("krew")
    KREW.stamp.write_text(KREW.fingerprint())
    assert set(programs("krew")) == {"krew", "validate-krew-manifest"}


@pytest.mark.parametrize(
    ("reported", "is_used"),
    [("v{version}", True), ("{version}", True), ("v{version}-alpha.1", False), ("v9.9.9", False)],
)
def test_kubebuilder_assets_are_used_in_the_right_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reported: str, is_used: bool
) -> None:
    etcd = MODULES["etcd"]
    words = reported.format(version=etcd.version.removeprefix("v"))
    write_program(tmp_path / "assets" / "etcd", f"echo 'etcd Version: {words}'")
    monkeypatch.setenv("KUBEBUILDER_ASSETS", str(tmp_path / "assets"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    if is_used:
        assert programs("etcd") == {"etcd": tmp_path / "assets" / "etcd"}
    else:
        with pytest.raises(NotBuiltError):
            programs("etcd")
