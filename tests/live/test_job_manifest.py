"""The Job of the examples in a real API server: taken without a warning, under the restricted pod security too."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controlplane.plane import ControlPlane
from kubectl_llmfit.cluster.documents import load_documents
from live.program import ROOT, Shell

EXAMPLE = ROOT / "examples" / "job.yaml"
NAMESPACE = "restricted"
LEVELS = {f"pod-security.kubernetes.io/{mode}": "restricted" for mode in ("enforce", "warn")}


@pytest.fixture(scope="module")
def shell(control_plane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """The administrator's shell, and a namespace that takes restricted pods only; it goes with the control plane."""
    client = control_plane.client()
    client.create("/api/v1/namespaces", {"metadata": {"name": NAMESPACE, "labels": LEVELS}})
    client.close()
    return Shell(tmp_path_factory.mktemp("job"), control_plane.kubectl, control_plane.kubeconfig())


def job() -> dict[str, Any]:
    (found,) = (one for one in load_documents(str(EXAMPLE)) if one["kind"] == "Job")
    return found


def tried(shell: Shell, thing: dict[str, Any]) -> tuple[int, str]:
    """Exit status and words of the server's dry run of one object."""
    (shell.home / "tried.json").write_text(json.dumps(thing))
    done = shell(f"kubectl apply --dry-run=server --validate=strict -n {NAMESPACE} -f tried.json")
    return done.code, done.stderr


def test_the_server_takes_every_object_without_a_warning(shell: Shell) -> None:
    done = shell(f"kubectl apply --dry-run=server --validate=strict -n {NAMESPACE} -f {EXAMPLE}")
    assert (done.code, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "serviceaccount/kubectl-llmfit created (server dry run)",
        "clusterrole.rbac.authorization.k8s.io/kubectl-llmfit created (server dry run)",
        "clusterrolebinding.rbac.authorization.k8s.io/kubectl-llmfit created (server dry run)",
        "job.batch/llmfit-check created (server dry run)",
    ]


def test_its_pod_is_admitted_where_only_restricted_ones_are(shell: Shell) -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "check"}, "spec": job()["spec"]["template"]["spec"]}
    assert tried(shell, pod) == (0, "")


@pytest.mark.parametrize("field", ["allowPrivilegeEscalation", "capabilities"])
def test_without_a_field_of_its_security_context_the_server_would_warn(shell: Shell, field: str) -> None:
    weaker = job()
    del weaker["spec"]["template"]["spec"]["containers"][0]["securityContext"][field]
    code, words = tried(shell, weaker)
    assert code == 0
    assert words.startswith('Warning: would violate PodSecurity "restricted:latest"')
