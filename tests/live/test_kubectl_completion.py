"""Completion as a shell asks for it: through the real ``kubectl __complete``, against the real API server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controlplane.plane import ControlPlane
from live.cards import WORLD
from live.objects import NAMESPACE
from live.program import ROOT, Shell
from live.worlds import Cluster

ATTEMPTS = 8  # a busy machine may need longer than the second that a completion has


@pytest.fixture
def shell(control_plane: ControlPlane, cluster: Cluster, tmp_path: Path) -> Iterator[Shell]:
    """The administrator's shell, with both names of the program on PATH."""
    with cluster.holding(WORLD):
        made = Shell(tmp_path, control_plane.kubectl, control_plane.kubeconfig())
        assert made("kubectl llmfit version").code == 0
        (tmp_path / "bin" / "kubectl_complete-llmfit").symlink_to(ROOT / "kubectl_complete-llmfit")
        yield made


def complete(shell: Shell, line: str) -> tuple[list[str], str]:
    """The candidates of a line, without descriptions, and the directive."""
    done = shell(f"kubectl __complete llmfit {line}")
    assert done.code == 0, done.stderr
    *candidates, directive = done.stdout.splitlines()
    return [each.partition("\t")[0] for each in candidates], directive


@pytest.mark.parametrize(
    ("line", "expected", "directive"),
    [
        ("cla", ["claim"], ":4"),
        ("claim --qua", ["--quant"], ":4"),
        ("claim --quant Q8", ["Q8_0"], ":4"),
        ("check-nodes -o=w", ["wide"], ":36"),
        ("claim meta-llama/Llama-3.1-8B-", ["meta-llama/Llama-3.1-8B-Instruct"], ":4"),
        ("check-nodes --context ''", ["plane"], ":4"),
        ("check-nodes --snapshot ''", [], ":0"),
    ],
)
def test_local_candidates(shell: Shell, line: str, expected: list[str], directive: str) -> None:
    assert complete(shell, line) == (expected, directive)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("check-nodes --device-class ''", "llmfit.ai"),
        ("check-nodes -n kube-s", "kube-system"),
        ("check-nodes --node gpu-", "gpu-a"),
        (f"check-nodes -n {NAMESPACE} resourceclaim/", "resourceclaim/made-here"),
    ],
)
def test_live_candidates(shell: Shell, control_plane: ControlPlane, line: str, expected: str) -> None:
    shell(f"kubectl llmfit claim Qwen/Qwen3-8B --name made-here -n {NAMESPACE} | kubectl apply -f - >/dev/null")
    found = next((got for _ in range(ATTEMPTS) if (got := complete(shell, line)[0])), [])
    assert expected in found


def test_who_may_not_list_gets_no_candidates_and_no_words(shell: Shell, control_plane: ControlPlane) -> None:
    config = control_plane.kubeconfig("stranger")
    done = shell(f"kubectl __complete llmfit check-nodes --kubeconfig {config} --device-class ''")
    assert (done.code, done.stdout) == (0, ":4\n")
    assert "Error" not in done.stderr
