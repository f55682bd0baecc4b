"""The image and the Job that runs it in a cluster: what they are made of, what they may do."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

from controlplane.build import NotBuiltError, programs
from kubectl_llmfit.cluster.documents import load_documents
from kubectl_llmfit.cluster.yaml_text import load_all
from live.program import run_here

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
USER = 65532


def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions with their arguments, in order."""
    text = re.sub(r"(?m)^#.*\n", "", (ROOT / "Dockerfile").read_text("utf-8")).replace("\\\n", " ")
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in text.splitlines() if line)]


def arguments(instruction: str) -> list[str]:
    return [rest for word, rest in instructions() if word == instruction]


def final_stage() -> list[tuple[str, str]]:
    """The instructions that make the image itself."""
    found = instructions()
    start = max(place for place, (word, _) in enumerate(found) if word == "FROM")
    return found[start:]


def copied() -> list[str]:
    """What is copied from the checkout."""
    lines = [rest.split() for rest in arguments("COPY") if "--from=" not in rest]
    return [source for *sources, _ in lines for source in sources]


def ignored(path: str) -> bool:
    """Whether .dockerignore keeps a path out of the build: the last line that matches it or a parent decides."""
    parents = [path, *map(str, Path(path).parents)]
    kept_out = False
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines():
        pattern = line.removeprefix("!").removeprefix("**/")
        names = parents if not line.startswith("**/") else Path(path).parts
        if line and not line.startswith("#") and any(fnmatch.fnmatchcase(name, pattern) for name in names):
            kept_out = not line.startswith("!")
    return kept_out


def test_both_stages_are_one_version_of_python_on_glibc() -> None:
    build, final = (rest.split()[0] for rest in arguments("FROM"))
    assert build == final  # the environment that is copied names its interpreter
    assert re.fullmatch(r"python:3\.\d+-slim-(bookworm|trixie)", final)


def test_everything_that_is_copied_is_there_and_reaches_the_build() -> None:
    assert {"pyproject.toml", "hatch_build.py", "plugin", "templates", *PROJECT["license-files"]} <= set(copied())
    for source in copied():
        assert (ROOT / source).exists(), source
        assert not ignored(source), source


@pytest.mark.parametrize(
    "path",
    [
        ".git/config",
        ".venv/bin/python",
        "dist/kubectl_llmfit-0.1.0-py3-none-any.whl",
        "tests/conftest.py",
        "plugin/kubectl_llmfit/__pycache__/app.cpython-313.pyc",
        "plugin/kubectl_llmfit/catalog/models.sqlite",  # the image's own build makes it
    ],
)
def test_nothing_that_a_checkout_has_gathered_reaches_the_build(path: str) -> None:
    assert ignored(path)


def test_the_image_runs_a_script_of_the_project_as_a_numeric_user_who_is_not_root() -> None:
    words = dict(final_stage())
    assert words["USER"] == f"{USER}:{USER}"
    (program,) = json.loads(words["ENTRYPOINT"])
    assert Path(program).name in PROJECT["scripts"]
    assert [rest for word, rest in final_stage() if word in ("RUN", "ADD", "VOLUME")] == []


def test_every_step_of_the_build_is_run_without_a_shell_and_the_requirements_by_their_hashes() -> None:
    steps = [json.loads(rest) for rest in arguments("RUN")]
    (locked,) = (step for step in steps if "-r" in step)
    assert "--require-hashes" in locked
    assert (ROOT / "requirements" / locked[locked.index("-r") + 1]).is_file()


def test_the_labels_say_what_the_project_says() -> None:
    labels = dict(re.findall(r'org\.opencontainers\.image\.(\w+)="([^"]*)"', " ".join(arguments("LABEL"))))
    assert labels["title"] == PROJECT["name"]
    assert labels["licenses"] == PROJECT["license"]
    assert labels["description"]


@pytest.fixture(scope="session")
def docker_check() -> Path:
    """The reader of Dockerfiles that docker has, with its own rules; built where Go is."""
    try:
        return programs("dockerfile")["dockerfile"]
    except NotBuiltError as error:
        if os.environ.get("KUBECTL_LLMFIT_REQUIRE_LIVE"):
            raise
        pytest.skip(str(error))


def test_docker_reads_it_and_warns_of_nothing(docker_check: Path) -> None:
    text = (ROOT / "Dockerfile").read_text("utf-8")
    good, bad = (read_by(docker_check, each) for each in (text, text.replace("AS build", "as build")))
    assert (good["error"], good["warnings"]) == ("", [])
    read = [one["name"] for stage in good["stages"] for one in stage["instructions"]]
    assert read == [word for word, _ in instructions() if word != "FROM"]
    assert [warning["rule"] for warning in bad["warnings"]] == ["FromAsCasing"]


def read_by(program: Path, text: str) -> dict[str, Any]:
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout))


@pytest.fixture(scope="module")
def objects() -> dict[str, dict[str, Any]]:
    """The objects of the example by kind."""
    found = load_documents(str(ROOT / "examples" / "job.yaml"))
    assert len({one["kind"] for one in found}) == len(found)
    return {one["kind"]: one for one in found}


def pod_of(objects: dict[str, dict[str, Any]]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The Job's pod and its one container."""
    pod = objects["Job"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    return pod, container


def test_the_role_of_the_job_is_what_rbac_prints(objects: dict[str, dict[str, Any]]) -> None:
    assert [objects["ClusterRole"]] == load_all(run_here("rbac").stdout)


def test_the_role_is_bound_to_the_account_that_the_job_runs_as(objects: dict[str, dict[str, Any]]) -> None:
    binding, account = objects["ClusterRoleBinding"], objects["ServiceAccount"]["metadata"]["name"]
    role = objects["ClusterRole"]["metadata"]["name"]
    assert binding["roleRef"] == {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role}
    assert binding["subjects"] == [{"kind": "ServiceAccount", "name": account, "namespace": "default"}]
    assert pod_of(objects)[0]["serviceAccountName"] == account
    # where it is applied is the user's choice: only the binding has to be told
    assert [kind for kind, one in objects.items() if "namespace" in one["metadata"]] == []


def test_the_job_asks_once_and_ends(objects: dict[str, dict[str, Any]]) -> None:
    spec, (pod, _) = objects["Job"]["spec"], pod_of(objects)
    assert (spec["backoffLimit"], pod["restartPolicy"]) == (0, "Never")
    assert spec["activeDeadlineSeconds"] > 0


def test_the_pod_may_do_nothing_that_it_does_not_need(objects: dict[str, dict[str, Any]]) -> None:
    pod, container = pod_of(objects)
    assert pod["securityContext"] == {
        "runAsNonRoot": True,
        "runAsUser": USER,
        "runAsGroup": USER,
        "seccompProfile": {"type": "RuntimeDefault"},
    }
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert set(container["resources"]["requests"]) == {"cpu", "memory"}
    assert set(container["resources"]["limits"]) == {"memory"}
    assert not {"hostNetwork", "hostPID", "hostIPC", "volumes"} & set(pod)


def test_the_job_runs_the_image_of_this_version_by_its_entry_point(objects: dict[str, dict[str, Any]]) -> None:
    _, container = pod_of(objects)
    assert container["image"] == f"{PROJECT['name']}:{PROJECT['version']}"
    assert "command" not in container


def test_what_the_job_asks_is_answered_for_the_example_cluster(objects: dict[str, dict[str, Any]]) -> None:
    _, container = pod_of(objects)
    command, *rest = container["args"]
    assert command == "check-nodes"
    answer = run_here(command, *rest, "--snapshot", ROOT / "examples" / "cluster.yaml")
    assert answer.code == 0, answer.stderr
    assert "Fits" in answer.stdout
