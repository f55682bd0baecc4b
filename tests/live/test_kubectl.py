"""What a user types, through the real kubectl, against the real API server and scheduler."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controlplane.client import Client
from controlplane.plane import ControlPlane
from live.cards import LLMFIT, MODEL, WORLD, card, cards
from live.objects import NAMESPACE, Object, claim, device_class, node
from live.program import Shell
from live.worlds import Cluster, World, fits

NAME = "meta-llama-llama-3-1-8b-instruct-fit"
CLAIM_PATH = f"/apis/resource.k8s.io/v1/namespaces/{NAMESPACE}/resourceclaims/{NAME}"
TEMPLATE_PATH = f"/apis/resource.k8s.io/v1/namespaces/{NAMESPACE}/resourceclaimtemplates/{NAME}"


def spec_of(found: Object | None) -> Any:
    """The spec of an object that must be there."""
    assert found is not None
    return found["spec"]


def test_claim_piped_into_kubectl_apply(shell: Shell, client: Client) -> None:
    line = f"kubectl llmfit claim {MODEL} | kubectl apply -f -"
    first, made = shell(line), client.get(CLAIM_PATH)
    second, again = shell(line), client.get(CLAIM_PATH)
    assert (first.code, first.stdout) == (0, f"resourceclaim.resource.k8s.io/{NAME} created\n")
    assert made["metadata"]["annotations"]["llmfit.ai/model"] == MODEL
    # kubectl says "configured", for it compares before the API's defaults; nothing is written
    assert (second.code, again) == (0, made)


def test_a_template_piped_into_kubectl_apply(shell: Shell, client: Client) -> None:
    done = shell(f"kubectl llmfit claim {MODEL} --template | kubectl apply -f -")
    assert (done.code, done.stdout) == (0, f"resourceclaimtemplate.resource.k8s.io/{NAME} created\n")
    shell(f"kubectl llmfit claim {MODEL} | kubectl apply -f -")
    assert spec_of(client.get(TEMPLATE_PATH))["spec"] == spec_of(client.get(CLAIM_PATH))


@pytest.mark.parametrize("flags", ["", "--template"])
def test_every_served_version_is_accepted_and_means_the_same(shell: Shell, client: Client, flags: str) -> None:
    path = TEMPLATE_PATH if flags else CLAIM_PATH
    specs = []
    for version in ("v1", "v1beta2", "v1beta1"):
        line = f"kubectl llmfit claim {MODEL} {flags} --api-version {version}"
        done = shell(f"{line} | kubectl create --validate=strict -f -")
        assert done.code == 0, done.stderr
        specs.append(client.get(path)["spec"])
        client.delete(path)
    assert specs[0] == specs[1] == specs[2]


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_both_forms_are_the_same_object(shell: Shell, client: Client, form: str) -> None:
    yaml = shell(f"kubectl llmfit claim {MODEL} | kubectl create --dry-run=client -o json -f -")
    other = shell(f"kubectl llmfit claim {MODEL} -o {form} | kubectl create --dry-run=client -o json -f -")
    assert json.loads(yaml.stdout) == json.loads(other.stdout)


@pytest.mark.parametrize("name", ["y", "n", "on", "off", "yes", "no", "true", "null", "1e3", "0x1f", "12", "1.5"])
def test_a_name_that_yaml_could_take_for_something_else(shell: Shell, name: str) -> None:
    done = shell(f"kubectl llmfit claim {MODEL} --name {name} | kubectl create -o name -f -")
    assert (done.code, done.stdout) == (0, f"resourceclaim.resource.k8s.io/{name}\n"), done.stderr


def test_check_nodes_of_a_model(shell: Shell) -> None:
    done = shell(f"kubectl llmfit check-nodes {MODEL} --no-headers")
    assert done.code == 0, done.stderr
    rows = [line.split()[:5] for line in done.stdout.splitlines()]
    # gpu-a: two healthy cards of three; gpu-b: its one card is held; gpu-c: too small, too slow
    assert rows == [
        ["gpu-a", "Fits", "2/3", "2/2", "gpu-1"],
        ["gpu-b", "InUse", "1/1", "0/1", "<none>"],
        ["gpu-c", "NoFit", "0/2", "0/0", "<none>"],
    ]
    assert "held by team-a/llama-70b" in done.stdout.splitlines()[1]
    assert "2Gi" in done.stdout.splitlines()[2]


def test_check_nodes_says_no_for_what_no_card_has(shell: Shell) -> None:
    done = shell(f"kubectl llmfit check-nodes {MODEL} --min-memory 80Gi -o name")
    assert (done.code, done.stdout) == (1, "")


@pytest.mark.parametrize("output", ["name", "json", "yaml", "wide"])
def test_every_output_has_the_same_answer(shell: Shell, output: str) -> None:
    done = shell(f"kubectl llmfit check-nodes {MODEL} -o={output}")
    assert done.code == 0, done.stderr
    if output == "name":
        assert done.stdout == "node/gpu-a\n"


def test_the_scheduler_takes_the_device_that_check_nodes_names(shell: Shell, cluster: Cluster) -> None:
    printed = shell(f"kubectl llmfit claim {MODEL} -o json -n {NAMESPACE}")
    decision = cluster.decide(json.loads(printed.stdout), list(WORLD.expected))
    assert (decision.outcome, decision.node, decision.devices[0]["device"]) == ("Allocates", "gpu-a", "gpu-1")


@pytest.mark.parametrize("kind", ["resourceclaim", "resourceclaimtemplate"])
def test_check_nodes_of_what_is_in_the_cluster(shell: Shell, kind: str) -> None:
    flag = "--template" if kind == "resourceclaimtemplate" else ""
    shell(f"kubectl llmfit claim {MODEL} {flag} | kubectl apply -f -")
    done = shell(f"kubectl llmfit check-nodes {kind}/{NAME} -o name")
    assert (done.code, done.stdout) == (0, "node/gpu-a\n"), done.stderr


def test_check_nodes_of_a_claim_from_a_pipe(shell: Shell) -> None:
    done = shell(f"kubectl llmfit claim {MODEL} | kubectl llmfit check-nodes -f - -o name")
    assert (done.code, done.stdout) == (0, "node/gpu-a\n"), done.stderr


def test_a_name_that_is_not_in_the_cluster(shell: Shell) -> None:
    done = shell("kubectl llmfit check-nodes resourceclaim/nothing")
    assert (done.code, done.stdout) == (2, "")
    assert "nothing" in done.stderr


def test_a_list_by_kubectl_get_is_a_snapshot(shell: Shell) -> None:
    live = shell(f"kubectl llmfit check-nodes {MODEL}")
    shell("kubectl get nodes,resourceslices,deviceclasses,resourceclaims,devicetaintrules -A -o yaml > list.yaml")
    again = shell(f"kubectl llmfit check-nodes {MODEL} --snapshot list.yaml")
    assert (again.code, again.stdout) == (live.code, live.stdout), again.stderr


def test_devices_are_listed_with_who_holds_them(shell: Shell) -> None:
    done = shell("kubectl llmfit devices --no-headers")
    rows = [line.split() for line in done.stdout.splitlines()]
    assert done.code == 0, done.stderr
    assert [(row[0], row[2]) for row in rows] == [
        *(("gpu-a", f"gpu-{index}") for index in range(3)),
        ("gpu-b", "gpu-0"),
        *(("gpu-c", f"gpu-{index}") for index in range(2)),
    ]
    assert [row[-1] for row in rows if row[0] == "gpu-b"] == ["team-a/llama-70b"]


def test_apply_then_unchanged_then_refused(shell: Shell, client: Client, cluster: Cluster) -> None:
    line = f"kubectl llmfit claim {MODEL} --apply"
    first, second = shell(line), shell(line)
    assert (first.code, first.stdout) == (0, f"resourceclaim.resource.k8s.io/{NAME} serverside-applied\n"), first.stderr
    assert (second.code, second.stdout) == (0, f"resourceclaim.resource.k8s.io/{NAME} unchanged\n"), second.stderr

    made = client.get(CLAIM_PATH)
    decision = cluster.decide(made, list(WORLD.expected), stored=True)
    assert decision.node == "gpu-a"
    allocated = client.get(CLAIM_PATH)
    assert allocated["status"]["allocation"]["devices"]["results"][0]["device"] == "gpu-1"
    third = shell(line)
    assert (third.code, third.stdout) == (0, f"resourceclaim.resource.k8s.io/{NAME} unchanged\n"), third.stderr

    other = shell(f"{line} --min-tps 30")
    assert (other.code, other.stdout) == (4, "")
    assert NAME in other.stderr
    assert client.get(CLAIM_PATH) == allocated


def test_apply_writes_nothing_when_nothing_fits(shell: Shell, client: Client) -> None:
    done = shell(f"kubectl llmfit claim {MODEL} --min-memory 80Gi --apply")
    assert (done.code, done.stdout) == (1, "")
    assert client.find(CLAIM_PATH) is None


def test_apply_without_the_check_writes_it(shell: Shell, client: Client) -> None:
    done = shell(f"kubectl llmfit claim {MODEL} --min-memory 80Gi --apply --skip-check")
    assert done.code == 0, done.stderr
    assert client.find(CLAIM_PATH) is not None


def test_a_server_side_dry_run_writes_nothing(shell: Shell, client: Client) -> None:
    done = shell(f"kubectl llmfit claim {MODEL} --apply --dry-run=server")
    assert (done.code, done.stdout) == (
        0,
        f"resourceclaim.resource.k8s.io/{NAME} serverside-applied (server dry run)\n",
    ), done.stderr
    assert client.find(CLAIM_PATH) is None


def test_apply_of_what_kubectl_applied_is_unchanged(shell: Shell) -> None:
    shell(f"kubectl llmfit claim {MODEL} | kubectl apply -f -")
    done = shell(f"kubectl llmfit claim {MODEL} --apply")
    assert (done.code, done.stdout) == (0, f"resourceclaim.resource.k8s.io/{NAME} unchanged\n"), done.stderr


def test_a_template_applied_then_unchanged_then_refused(shell: Shell, client: Client) -> None:
    line = f"kubectl llmfit claim {MODEL} --template --apply"
    first, second, other = shell(line), shell(line), shell(f"{line} --min-tps 30")
    assert (first.code, second.code, other.code) == (0, 0, 4), (first.stderr, second.stderr, other.stderr)
    assert second.stdout == f"resourceclaimtemplate.resource.k8s.io/{NAME} unchanged\n"
    assert client.find(TEMPLATE_PATH) is not None


def test_the_cordoned_node_is_marked(control_plane: ControlPlane, cluster: Cluster, tmp_path: Path) -> None:
    world = World(
        claim(),
        {"gpu-a": fits("gpu-0")},
        [cards("gpu-a", card("gpu-0"))],
        [node("gpu-a", cordoned=True)],
        classes=[device_class(LLMFIT)],
    )
    shell = Shell(tmp_path, control_plane.kubectl, control_plane.kubeconfig())
    with cluster.holding(world):
        done = shell(f"kubectl llmfit check-nodes {MODEL} --no-headers")
    assert done.code == 1
    assert done.stdout.split()[:2] == ["gpu-a", "Fits,SchedulingDisabled"]
