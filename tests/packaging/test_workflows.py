"""The workflows of the hosted CI: what GitHub asks of them, and what we ask of a release."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from controlplane.build import NotBuiltError, programs
from kubectl_llmfit.cluster.yaml_text import load_all

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "packaging"))

from project import HOMEPAGE, PLATFORMS, PROGRAM, VERSION, Platform  # noqa: E402 -- a folder of scripts
from tagged import objections  # noqa: E402

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
RELEASE = ROOT / ".github" / "workflows" / "release.yml"
NAMES = [path.name for path in WORKFLOWS]
Job = Mapping[str, Any]


def read(path: Path) -> Mapping[Any, Any]:
    """The workflow; a key twice is an error, and ``on`` is the boolean that Kubernetes takes it for."""
    (workflow,) = load_all(path.read_text("utf-8"))
    assert isinstance(workflow, dict)
    return workflow


def jobs_of(path: Path) -> Mapping[str, Job]:
    found: Mapping[str, Job] = read(path)["jobs"]
    return found


def steps() -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for path in WORKFLOWS:
        for name, job in jobs_of(path).items():
            for step in job["steps"]:
                yield path.name, name, step


def needed(jobs: Mapping[str, Job], name: str) -> set[str]:
    """All jobs that must have passed before a job runs."""
    direct = set(jobs[name].get("needs", []))
    return direct.union(*(needed(jobs, each) for each in direct))


def test_there_is_one_for_changes_and_one_for_releases() -> None:
    assert NAMES == ["ci.yml", "release.yml"]
    assert read(RELEASE)["true"] == {"push": {"tags": ["v*"]}}
    assert set(read(WORKFLOWS[0])["true"]) == {"pull_request", "push"}


@pytest.fixture(scope="session")
def actionlint() -> Path:
    """The program; built where Go is."""
    try:
        return programs("actionlint")["actionlint"]
    except NotBuiltError as error:
        if os.environ.get("KUBECTL_LLMFIT_REQUIRE_LIVE"):
            raise
        pytest.skip(str(error))


@pytest.mark.parametrize("path", WORKFLOWS, ids=NAMES)
def test_actionlint_finds_nothing(actionlint: Path, path: Path) -> None:
    # it looks into every run: with shellcheck and pyflakes where they are installed: the same everywhere, without
    command = [actionlint, "-no-color", "-shellcheck=", "-pyflakes="]
    done = subprocess.run([*command, path], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    broken = path.read_text("utf-8").replace("runs-on: ubuntu-24.04", "runs-on: ubuntu-1.0", 1)
    done = subprocess.run([*command, "-"], input=broken, capture_output=True, text=True, check=False)
    assert (done.returncode, "ubuntu-1.0" in done.stdout) == (1, True)


@pytest.mark.parametrize("path", WORKFLOWS, ids=NAMES)
def test_every_job_says_where_it_runs_how_long_and_what_it_may_do(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {}  # nothing, unless a job says so
    assert set(workflow["concurrency"]) == {"group", "cancel-in-progress"}
    for name, job in workflow["jobs"].items():
        assert re.fullmatch(r"[A-Za-z_][\w-]*", name)
        assert {"runs-on", "timeout-minutes", "permissions", "steps"} <= set(job), name
        assert set(job.get("needs", [])) <= set(workflow["jobs"]) - {name}, name
        assert job["permissions"] == {"contents": "read"} or name == "publish", name


def test_every_step_runs_something_or_uses_a_commit_of_an_action() -> None:
    for workflow, job, step in steps():
        assert ("run" in step) != ("uses" in step), (workflow, job, step)
        if "uses" in step:
            assert re.fullmatch(r"[\w.-]+/[\w.-]+@[0-9a-f]{40}", step["uses"]), (workflow, job, step)


def test_one_action_is_one_commit_everywhere_and_the_line_names_its_version() -> None:
    text = "".join(path.read_text("utf-8") for path in WORKFLOWS)
    uses = re.findall(r"uses: (\S+?)@(\S+) # (v\d+\.\d+\.\d+)$", text, re.MULTILINE)
    assert len(uses) == text.count("uses: ")
    assert len({name for name, _, _ in uses}) == len(set(uses))


def test_no_checkout_leaves_its_token_behind_and_no_secret_is_named() -> None:
    for workflow, job, step in steps():
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False, (workflow, job)
        assert "secrets." not in str(step)
        # what a person may have named, such as a branch, reaches a shell as a variable, never as text
        assert "${{" not in step.get("run", ""), (workflow, job)


def makefile_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):(?!=)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def test_every_command_is_a_target_of_the_makefile_or_a_script_that_exists() -> None:
    for workflow, job, step in steps():
        if "run" not in step:
            continue
        for line in step["run"].strip().splitlines():
            program, *words = line.split()
            if program == "make":
                targets = [word for word in words if "=" not in word]
                assert targets, line
                assert set(targets) <= makefile_targets(), (workflow, job, line)
            elif program == "python":
                assert (ROOT / words[0]).is_file(), (workflow, job, line)
            elif program == "gh":
                assert (workflow, job, words[0]) == ("release.yml", "publish", "release")
            else:
                assert (ROOT / program).stat().st_mode & 0o100, (workflow, job, line)


def test_the_release_has_an_archive_for_every_platform_built_on_that_platform() -> None:
    entries = jobs_of(RELEASE)["archive"]["strategy"]["matrix"]["include"]
    assert [Platform(entry["os"], entry["arch"]) for entry in entries] == list(PLATFORMS)
    runners = {(entry["os"], entry["arch"]): entry["runner"] for entry in entries}
    assert all(runner.startswith("ubuntu" if os == "linux" else "macos") for (os, _), runner in runners.items())
    # GitHub's labels: Intel unless Linux says -arm, Apple silicon unless macOS says -intel
    assert all(("-arm" in runners["linux", arch]) == (arch == "arm64") for arch in ("amd64", "arm64"))
    assert all(("-intel" in runners["darwin", arch]) == (arch == "amd64") for arch in ("amd64", "arm64"))
    assert f"--platforms {len(PLATFORMS)} " in (ROOT / "Makefile").read_text("utf-8")
    (upload,) = (step for step in jobs_of(RELEASE)["archive"]["steps"] if "upload-artifact" in step.get("uses", ""))
    pattern = f"dist/{PROGRAM}-v*-${{{{ matrix.os }}}}-${{{{ matrix.arch }}}}.tar.gz"
    assert upload["with"] == {
        "name": "archive-${{ matrix.os }}-${{ matrix.arch }}",
        "path": pattern,
        "if-no-files-found": "error",
    }


def test_nothing_is_published_before_everything_has_passed() -> None:
    jobs = jobs_of(RELEASE)
    assert list(jobs)[-1] == "publish"
    assert needed(jobs, "publish") == set(jobs) - {"publish"}
    assert all("publish" not in job.get("needs", []) for job in jobs.values())
    assert all("if" not in job and "continue-on-error" not in str(job) for job in jobs.values())
    for name, job in jobs.items():
        publishes = any(
            "publish" in step.get("uses", "") or "gh release" in step.get("run", "") for step in job["steps"]
        )
        assert publishes == (name == "publish") == ("write" in str(job["permissions"])), name
    # the tag is compared, and all is linted and tested, before a build begins
    first = [step["run"] for step in jobs["check"]["steps"] if "run" in step]
    assert first[0].startswith("python packaging/tagged.py ")
    assert first[1:] == [".ci/run"]
    assert all("check" in needed(jobs, name) for name in jobs if name != "check")


def test_a_release_stays_a_draft_until_the_packages_are_up() -> None:
    done = [
        step.get("run", step.get("uses", ""))
        for step in jobs_of(RELEASE)["publish"]["steps"]
        if "download" not in str(step)
    ]
    create, upload, end = done
    assert "--draft " in create
    assert "--verify-tag" in create
    assert create.endswith(" assets/*")
    assert upload.startswith("pypa/gh-action-pypi-publish@")
    assert end.endswith(" --draft=false")
    # what runs with rights to write is no code of the checkout
    assert "checkout" not in str(jobs_of(RELEASE)["publish"])


def test_the_address_of_publication_stands_in_none_of_them() -> None:
    for path in (*WORKFLOWS, ROOT / ".github" / "dependabot.yml"):
        assert "://" not in path.read_text("utf-8")


def test_a_tag_is_released_only_as_the_version_at_the_place_and_with_its_changes() -> None:
    written = f"# Changelog\n\n## {VERSION} (2026-12-24)\n"
    assert list(objections(f"v{VERSION}", HOMEPAGE, written)) == []
    assert [each.split(" is not ")[0] for each in objections("v9.9.9", HOMEPAGE, written)] == ["the tag v9.9.9"]
    (elsewhere,) = objections(f"v{VERSION}", f"{HOMEPAGE}-fork", written)
    assert elsewhere.startswith(f"{HOMEPAGE}-fork is not {HOMEPAGE}")
    unwritten = objections(f"v{VERSION}", HOMEPAGE, f"## Unreleased ({VERSION})\n\n## {VERSION}0\n")
    assert list(unwritten) == [f'CHANGELOG.md has no heading "## {VERSION}"']
