"""What krew and pip installed, used as people use it: through the real kubectl, on a real API server, on TAB."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from controlplane.plane import ControlPlane
from dist.installation import Installation
from live.cards import MODEL, WORLD
from live.objects import OTHER_NAMESPACE
from live.worlds import Cluster

ATTEMPTS = 8  # a busy machine may need longer than the second that a completion has
COMPLETER = "kubectl_complete-llmfit"


@dataclass(frozen=True, slots=True)
class User:
    """Somebody with kubectl and the plugin on PATH, an empty folder and a kubeconfig, if any."""

    programs: Path  # where kubectl-llmfit and the completer are
    tools: Path  # where kubectl is
    home: Path
    kubeconfig: Path | None = None

    def kubectl(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run kubectl; it ends within half a minute, whatever a server does."""
        variables = {"PATH": f"{self.programs}:{self.tools}", "HOME": str(self.home)}
        if self.kubeconfig:
            variables["KUBECONFIG"] = str(self.kubeconfig)
        return subprocess.run(
            ["kubectl", *arguments],
            executable=self.tools / "kubectl",
            env=variables,
            cwd=self.home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )

    def complete(self, *words: str) -> tuple[list[str], str]:
        """The candidates for the last of the words, without descriptions, and the directive."""
        done = self.kubectl("__complete", "llmfit", *words)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        assert "rror" not in done.stderr
        *candidates, directive = done.stdout.splitlines()
        return [each.partition("\t")[0] for each in candidates], directive


@pytest.fixture(params=["krew", "pip"])
def user(request: pytest.FixtureRequest, installed: Installation, programs_folder: Path, tmp_path: Path) -> User:
    """Who installed it by krew and made the second link as the caveats say; who installed it by pip and did nothing."""
    if request.param == "pip":
        return User(programs_folder, installed.tools, tmp_path)
    link = installed.root / "bin" / COMPLETER
    if not link.exists():
        link.symlink_to("kubectl-llmfit")
    return User(installed.root / "bin", installed.tools, tmp_path)


@pytest.fixture(scope="module")
def kubeconfig(control_plane: ControlPlane) -> Iterator[Path]:
    """The administrator's, of a cluster that has devices."""
    client = control_plane.client()
    with Cluster(client).holding(WORLD):
        yield control_plane.kubeconfig()
    client.close()


@pytest.fixture
def logged_in(user: User, kubeconfig: Path) -> User:
    """The same with a cluster."""
    return replace(user, kubeconfig=kubeconfig)


def test_it_is_the_one_that_was_installed(user: User) -> None:
    assert f"{user.programs}/kubectl-llmfit" in user.kubectl("plugin", "list").stdout.splitlines()


def test_a_check_of_the_cluster(logged_in: User) -> None:
    done = logged_in.kubectl("llmfit", "check-nodes", MODEL, "--no-headers")
    assert done.returncode == 0, done.stderr
    rows = {line.split()[0]: line.split()[1] for line in done.stdout.splitlines()}
    assert rows == {"gpu-a": "Fits", "gpu-b": "InUse", "gpu-c": "NoFit"}


def test_what_is_claimed_is_applied(logged_in: User) -> None:
    claimed = logged_in.kubectl("llmfit", "claim", MODEL)
    assert claimed.returncode == 0, claimed.stderr
    path = logged_in.home / "claim.yaml"
    path.write_text(claimed.stdout, "utf-8")
    done = logged_in.kubectl("apply", "--dry-run=server", "--filename", str(path))
    assert (done.returncode, done.stdout.endswith(" created (server dry run)\n")) == (0, True), done.stderr


@pytest.mark.parametrize(
    ("words", "expected", "directive"),
    [
        (["cla"], ["claim"], ":4"),
        (["claim", "--qua"], ["--quant"], ":4"),
        (["claim", "--quant", "q4_k"], ["Q4_K_M", "Q4_K_S"], ":4"),
        (["claim", "-o", ""], ["yaml", "json", "name"], ":36"),  # 4: no file names, 32: keep the order
        (["check-nodes", "-o=w"], ["wide"], ":36"),
        (["drivers", "gpu.nv"], ["gpu.nvidia.com"], ":4"),
        (["claim", "meta-llama/Llama-3.1-8B-"], [MODEL], ":4"),
        (["check-nodes", "META-LLAMA/llama-3.1-8b-"], [MODEL], ":4"),
        (["claim", "no/such"], [], ":4"),
        (["check-nodes", "--snapshot", ""], [], ":0"),
        # without a cluster there is nothing to say of it
        (["check-nodes", "--device-class", ""], [], ":4"),
        (["check-nodes", "--context", ""], [], ":4"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_what_needs_no_cluster_is_completed_without_one(
    user: User, words: list[str], expected: list[str], directive: str
) -> None:
    assert user.complete(*words) == (expected, directive)


def test_every_command_and_publisher_is_offered_where_nothing_is_typed(user: User) -> None:
    assert {"claim", "check-nodes", "models", "completion"} <= set(user.complete("")[0])
    publishers, directive = user.complete("claim", "")
    assert {"meta-llama/", "Qwen/"} <= set(publishers)
    assert directive == ":6"  # no space behind it


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["check-nodes", "--context", ""], "plane"),
        (["check-nodes", "--namespace", "kube-s"], "kube-system"),
        (["check-nodes", "--device-class", ""], "llmfit.ai"),
        (["check-nodes", "--node", "gpu-"], "gpu-a"),
        (["check-nodes", "-n", OTHER_NAMESPACE, "resourceclaim/"], "resourceclaim/llama-70b"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else value,
)
def test_what_the_cluster_has_is_completed(logged_in: User, words: list[str], expected: str) -> None:
    found = next((got for _ in range(ATTEMPTS) if (got := logged_in.complete(*words)[0])), [])
    assert expected in found


@pytest.mark.parametrize("flag", ["--namespace", "--device-class", "--node"])
def test_a_server_that_never_answers_is_not_waited_for(user: User, flag: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:  # takes connections and says nothing
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        assert user.complete("check-nodes", "--server", address, flag, "") == ([], ":4")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_how_to_switch_it_on_is_said_for_every_shell(user: User, shell: str) -> None:
    done = user.kubectl("llmfit", "completion")
    assert (done.returncode, done.stderr) == (0, "")
    (line,) = (each for each in done.stdout.splitlines() if each.split()[:1] == [shell])
    assert f"kubectl completion {shell}" in line
    assert COMPLETER in done.stdout
    # what it names is there: kubectl writes a script for that shell
    assert user.kubectl("completion", shell).stdout.lstrip().startswith("#")
