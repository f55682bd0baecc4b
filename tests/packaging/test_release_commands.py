"""What the release workflow runs and hands on from job to job, followed through the Makefile to the scripts."""

from __future__ import annotations

import fnmatch
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kubectl_llmfit.cluster.yaml_text import load_all

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "packaging"))

from project import HOMEPAGE, PLATFORMS, SDIST, VERSION, WHEEL, archive_name  # noqa: E402 -- a folder of scripts

MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
JOBS = load_all((ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8"))[0]["jobs"]
STEPS = [step for job in JOBS.values() for step in job["steps"]]
SHELL = [line for step in STEPS for line in step.get("run", "").splitlines()]


def told(action: str) -> list[dict[str, Any]]:
    """What every use of an action is told."""
    return [step["with"] for step in STEPS if step.get("uses", "").startswith(f"actions/{action}@")]


def filled(text: str, leg: dict[str, str]) -> str:
    """``text`` as it reads in one leg of the matrix."""
    return re.sub(r"\$\{\{ matrix\.(\w+) \}\}", lambda found: leg[found[1]], text)


def artifacts() -> dict[str, list[str]]:
    """The patterns of each artifact, by its name."""
    legs = JOBS["archive"]["strategy"]["matrix"]["include"]
    uploads = told("upload-artifact")
    return {filled(each["name"], leg): filled(each["path"], leg).split() for each in uploads for leg in legs}


def test_every_released_file_is_handed_on_and_each_platform_hands_on_its_own() -> None:
    built = [f"dist/{archive_name(each)}" for each in PLATFORMS]
    found = artifacts()
    for platform in PLATFORMS:
        (pattern,) = found[f"archive-{platform.os}-{platform.arch}"]
        assert fnmatch.filter(built, pattern) == [f"dist/{archive_name(platform)}"]
    packages = [f"dist/{WHEEL}", f"dist/{SDIST}"]
    assert [fnmatch.filter(packages, pattern) for pattern in found["packages"]] == [[each] for each in packages]
    assert found["manifest"] == ["dist/krew-manifest.yaml"]


def test_only_what_was_handed_on_is_fetched() -> None:
    names = [each["name"] for each in told("download-artifact") if "name" in each]
    assert names
    assert set(names) <= set(artifacts())


def recipe(target: str) -> list[str]:
    """The command lines of a target of make."""
    (found,) = re.findall(rf"^{target}:[^\n]*\n((?:\t[^\n]*\n)+)", MAKEFILE, re.MULTILINE)
    return [line.strip().lstrip("@").replace("$(BIN)/", "") for line in found.splitlines()]


MADE = sorted({word for line in SHELL if line.startswith("make ") for word in line.split()[1:] if "=" not in word})
COMMANDS = [line for target in (*MADE, "lint", "test", "test-dist") for line in recipe(target)]


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.startswith("python packaging/")])
def test_a_script_that_a_target_runs_is_there_and_knows_its_flags(line: str) -> None:
    _, script, *words = shlex.split(line)
    flags = {word for word in words if word.startswith("--")}
    assert (ROOT / script).is_file()
    if flags:
        command = [sys.executable, ROOT / script, "--help"]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert flags <= set(re.findall(r"--[a-z-]+", said))


def test_what_a_target_tests_with_is_there() -> None:
    named = {word for line in COMMANDS for word in line.split() if word.startswith("tests/")}
    assert named
    assert [each for each in sorted(named) if not (ROOT / each).exists()] == []


@pytest.mark.parametrize(
    ("tag", "place", "objection"),
    [
        (f"v{VERSION}0", HOMEPAGE, f"the tag v{VERSION}0 is not v{VERSION}"),
        (VERSION, HOMEPAGE, f"the tag {VERSION} is not v{VERSION}"),
        (f"v{VERSION}; exit 0", HOMEPAGE, f"the tag v{VERSION}; exit 0 is not v{VERSION}"),
        (f"v{VERSION}", f"{HOMEPAGE}-fork", f"{HOMEPAGE}-fork is not {HOMEPAGE}"),
    ],
)
def test_the_first_command_of_a_release_refuses_another_tag_or_place(tag: str, place: str, objection: str) -> None:
    line = SHELL[0]
    server, owner, name = place.rsplit("/", 2)
    variables = {"GITHUB_REF_NAME": tag, "GITHUB_SERVER_URL": server, "GITHUB_REPOSITORY": f"{owner}/{name}"}
    environment = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", **variables}
    command = ["sh", "-c", line]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"error: {objection}" in done.stderr
