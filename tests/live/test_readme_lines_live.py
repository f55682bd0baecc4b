"""The command lines of README and its pages as they stand, in a shell, on the real cluster."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from controlplane.client import Client
from controlplane.plane import ControlPlane
from documents import MODEL, Line, lines
from live.cards import WORLD
from live.objects import NAMESPACE, claim, request
from live.program import Shell
from live.worlds import Cluster

ASKED = [line for line in lines() if line.is_ours or line.text.startswith("kubectl get ")]
CLAIMS = f"/apis/resource.k8s.io/v1/namespaces/{NAMESPACE}/resourceclaims"
# A cluster without NVIDIA's driver has no device of it: the answer is no.
ABSENT = "--device-class gpu.nvidia.com"


@pytest.fixture
def shell(control_plane: ControlPlane, cluster: Cluster, tmp_path: Path) -> Iterator[Shell]:
    client: Client = control_plane.client()
    with cluster.holding(WORLD):
        client.create(CLAIMS, claim(request(of_class="llmfit.ai"), name="mine"))
        yield Shell(tmp_path, control_plane.kubectl, control_plane.kubeconfig())
        client.delete(f"{CLAIMS}/mine")
    client.close()


@pytest.mark.parametrize("line", ASKED, ids=lambda line: line.text)
def test_a_line_works_on_a_real_cluster(shell: Shell, line: Line) -> None:
    (shell.home / "claim.yaml").write_text(
        "{apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: other},"
        " spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: llmfit.ai}}]}}}"
    )
    text = line.text.replace("resourceclaim/NAME", "resourceclaim/mine").replace("MODEL", MODEL)
    done = shell(text.replace("drivers NAME", "drivers gpu.nvidia.com"))
    is_no = "check-nodes" in text and ABSENT in text
    assert done.code == (1 if is_no else 0), done.stderr
    assert done.stdout or is_no or ">" in text


def test_a_list_by_kubectl_get_can_be_checked(shell: Shell) -> None:
    [line] = [line for line in ASKED if line.text.startswith("kubectl get ")]
    done = shell(f"{line.text} | kubectl llmfit check-nodes {MODEL} --snapshot - -o name")
    assert (done.code, done.stdout) == (0, "node/gpu-a\n"), done.stderr
