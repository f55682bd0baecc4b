"""``claim --apply`` on the real API server: what it makes, what is unchanged, who refuses, and that nothing is left."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from controlplane.client import Client, RefusedError
from controlplane.plane import ControlPlane
from live.cards import MODEL, WORLD
from live.objects import NAMESPACE, Object, claim, request
from live.program import Answer, Shell, run_here
from live.worlds import Cluster

NAME = "meta-llama-llama-3-1-8b-instruct-fit"
CLAIMS = f"/apis/resource.k8s.io/v1/namespaces/{NAMESPACE}/resourceclaims"
TEMPLATES = f"/apis/resource.k8s.io/v1/namespaces/{NAMESPACE}/resourceclaimtemplates"
CLAIM_PATH = f"{CLAIMS}/{NAME}"
QUOTAS = f"/api/v1/namespaces/{NAMESPACE}/resourcequotas"
ADMISSION = "/apis/admissionregistration.k8s.io/v1"
LINE = f"kubectl llmfit claim {MODEL}"


def names(client: Client, collection: str = CLAIMS) -> list[str]:
    return sorted(each["metadata"]["name"] for each in client.get(collection)["items"])


def refused(done: Answer, code: int = 4) -> str:
    """What a refusal says; nothing is on stdout, and each line is one."""
    assert (done.code, done.stdout) == (code, ""), done.stderr
    return done.stderr


def test_the_field_manager_is_ours_or_the_one_named(shell: Shell, client: Client) -> None:
    shell(f"{LINE} --apply")
    shell(f"{LINE} --apply --name another --field-manager platform-team")
    for name, manager in ((NAME, "kubectl-llmfit"), ("another", "platform-team")):
        entries = client.get(f"{CLAIMS}/{name}")["metadata"]["managedFields"]
        assert [(entry["manager"], entry["operation"]) for entry in entries] == [(manager, "Apply")]


@pytest.mark.parametrize("output", ["yaml", "json"])
def test_the_object_is_printed_as_the_server_has_it(shell: Shell, client: Client, output: str) -> None:
    done = shell(f"{LINE} --apply -o {output} | kubectl create --dry-run=client -o json -f -")
    stored = client.get(CLAIM_PATH)
    printed = json.loads(done.stdout)
    assert done.code == 0, done.stderr
    assert printed["spec"] == stored["spec"]
    assert "managedFields" not in shell(f"{LINE} --apply -o {output}").stdout


def test_the_name_is_printed_for_scripts(shell: Shell) -> None:
    assert shell(f"{LINE} --apply -o name").stdout == f"resourceclaim.resource.k8s.io/{NAME}\n"


def test_the_namespace_is_the_flags_else_the_contexts(shell: Shell, client: Client) -> None:
    client.create("/api/v1/namespaces", {"metadata": {"name": "team-b"}})
    try:
        shell("kubectl config set-context --current --namespace team-b")
        assert shell(f"{LINE} --apply").code == 0
        assert shell(f"{LINE} --apply -n {NAMESPACE}").code == 0
        where = f"/apis/resource.k8s.io/v1/namespaces/team-b/resourceclaims/{NAME}"
        assert client.find(where) is not None
        assert client.find(CLAIM_PATH) is not None
        client.delete(where)
    finally:
        shell("kubectl config set-context --current --namespace default")
        client.delete("/api/v1/namespaces/team-b")


def test_a_namespace_that_does_not_exist_is_said_in_the_servers_words(shell: Shell) -> None:
    said = refused(shell(f"{LINE} --apply -n nowhere"))
    assert 'Error from server (NotFound): namespaces "nowhere" not found' in said


@pytest.mark.parametrize(
    "made",
    [
        "kubectl apply -f -",
        "kubectl apply --server-side -f -",
        "kubectl apply --server-side --field-manager=argocd-controller -f -",
        "kubectl create -f -",
        "kubectl create --save-config -f -",
    ],
)
@pytest.mark.parametrize("kind", ["", "--template"])
def test_what_others_made_of_our_text_is_unchanged(shell: Shell, client: Client, made: str, kind: str) -> None:
    path = f"{TEMPLATES if kind else CLAIMS}/{NAME}"
    assert shell(f"{LINE} {kind} | {made}").code == 0
    shell(f"kubectl annotate {'resourceclaimtemplate' if kind else 'resourceclaim'} {NAME} owner=somebody")
    before = client.get(path)
    done = shell(f"{LINE} {kind} --apply")
    assert (done.code, done.stdout.split()[-1]) == (0, "unchanged"), done.stderr
    assert client.get(path) == before


def test_a_claim_that_is_being_deleted_is_no_claim(shell: Shell, client: Client) -> None:
    shell(f"{LINE} --apply")
    client.patch(CLAIM_PATH, {"metadata": {"finalizers": ["example.com/hold"]}})
    try:
        client.delete(CLAIM_PATH)
        said = refused(shell(f"{LINE} --apply"))
        assert "is being deleted" in said
        assert "choose another --name" in said
    finally:
        client.patch(CLAIM_PATH, {"metadata": {"finalizers": None}})


@pytest.mark.parametrize("kind", ["", "--template"])
def test_another_spec_says_what_differs_and_offers_a_name_that_is_free(shell: Shell, client: Client, kind: str) -> None:
    collection = TEMPLATES if kind else CLAIMS
    for name in (NAME, f"{NAME}-2"):
        assert shell(f"{LINE} {kind} --apply --name {name}").code == 0
    before = client.get(collection)["items"]
    said = refused(shell(f"{LINE} {kind} --min-tps 30 --apply"))
    assert "exists with another spec, which cannot be changed" in said
    assert ".exactly.selectors[0].cel.expression" in said
    assert {"170", "255"} <= set(re.findall(r"\d+", said))  # 20 and 30 × 4.66 × 100 / 55 GB/s
    assert f"--name {NAME}-3 makes a new one" in said
    assert client.get(collection)["items"] == before
    assert shell(f"{LINE} {kind} --min-tps 30 --apply --name {NAME}-3").code == 0


def test_a_quota_on_claims_refuses_and_nothing_is_written(shell: Shell, client: Client) -> None:
    with quota(client, {"count/resourceclaims.resource.k8s.io": "0"}):
        said = refused(shell(f"{LINE} --apply"))
    assert "Error from server (Forbidden): " in said
    assert "exceeded quota: few" in said
    assert NAME not in names(client)


def test_a_quota_on_the_devices_of_the_class_refuses(shell: Shell, client: Client) -> None:
    with quota(client, {"llmfit.ai.deviceclass.resource.k8s.io/devices": "0"}):
        said = refused(shell(f"{LINE} --apply"))
    assert "exceeded quota: few, requested: llmfit.ai.deviceclass.resource.k8s.io/devices=1" in said
    assert NAME not in names(client)


def test_an_admission_policy_refuses_in_its_own_words(shell: Shell, client: Client) -> None:
    with policy(client, ["Deny"], "ask the platform team for devices"):
        refusal = shell(f"{LINE} --apply")
        dry = shell(f"{LINE} --apply --dry-run=server")
    assert "ask the platform team for devices" in refused(refusal)
    refused(dry)
    assert NAME not in names(client)


def test_what_an_admission_policy_warns_of_is_said_once_as_kubectl_says_it(shell: Shell, client: Client) -> None:
    with policy(client, ["Warn"], "claims are counted from next month"):
        done = shell(f"{LINE} --apply")
        theirs = shell(f"{LINE} --name theirs | kubectl create -f -")
    warned = [line for line in done.stderr.splitlines() if line.startswith("Warning: ")]
    assert done.code == 0, done.stderr
    assert warned == [line for line in theirs.stderr.splitlines() if line.startswith("Warning: ")]
    assert len(warned) == 1
    assert "claims are counted from next month" in warned[0]


def test_a_claim_that_somebody_makes_meanwhile_is_unchanged_or_taken_over(
    control_plane: ControlPlane, cluster: Cluster, client: Client
) -> None:
    from kubectl_llmfit.cluster.applying import Application, apply
    from kubectl_llmfit.cluster.connection import ConnectionOptions, connect

    document = json.loads(run_here("claim", MODEL, "-o", "json").stdout)

    def race(*, force: bool) -> Any:
        def make_it() -> bool:
            theirs = {**document, "metadata": {"name": NAME, "annotations": {"llmfit.ai/model": "theirs"}}}
            client.create(CLAIMS, theirs)
            return True

        connection = connect(ConnectionOptions(kubeconfig=str(control_plane.kubeconfig())))
        return apply(connection, Application(document, NAMESPACE, force_conflicts=force), make_it, print)

    with cluster.holding(WORLD):
        left = race(force=False)
        assert left.line.endswith(" unchanged")
        assert client.get(CLAIM_PATH)["metadata"]["annotations"]["llmfit.ai/model"] == "theirs"
        client.delete(CLAIM_PATH)
        taken = race(force=True)
        assert taken.line.endswith(" serverside-applied")
        assert client.get(CLAIM_PATH)["metadata"]["annotations"]["llmfit.ai/model"] == MODEL


def test_a_verdict_that_cannot_be_told_writes_nothing(
    control_plane: ControlPlane, shell: Shell, client: Client
) -> None:
    role = json.loads(run_here("rbac", "--apply", "-o", "json").stdout)
    rules = [
        {**rule, "verbs": ["get", *(verb for verb in rule["verbs"] if verb in ("create", "patch"))]}
        if "resourceclaims" in rule["resources"]
        else rule
        for rule in role["rules"]
    ]
    rules.append(
        {"apiGroups": ["resource.k8s.io"], "resources": ["resourceslices", "deviceclasses"], "verbs": ["list"]}
    )
    with control_plane.granted("reader", rules):
        done = run_here("claim", MODEL, "--apply", "--kubeconfig", control_plane.kubeconfig("reader"))
    said = refused(done, 3)
    assert "nothing was written" in said
    assert NAME not in names(client)


@pytest.mark.parametrize(
    ("flags", "code"),
    [("--min-memory 80Gi", 1), ("--api-version v1alpha2", 2), ("--name Not_A_Name", 2), ("--dry-run=perhaps", 2)],
)
def test_nothing_is_written_for_a_no_or_wrong_usage(shell: Shell, client: Client, flags: str, code: int) -> None:
    before = names(client)
    refused(shell(f"{LINE} --apply {flags}"), code)
    assert names(client) == before


def test_a_dry_run_on_the_client_asks_no_server(shell: Shell, client: Client) -> None:
    done = shell(f"{LINE} --apply --dry-run=client -o json --server https://127.0.0.1:1")
    assert done.code == 0, done.stderr
    assert json.loads(done.stdout)["apiVersion"] == "resource.k8s.io/v1"
    assert NAME not in names(client)


@contextmanager
def quota(client: Client, hard: dict[str, str]) -> Iterator[None]:
    """A ResourceQuota that counts, as the controller manager would leave it."""
    made = client.create(QUOTAS, {"metadata": {"name": "few"}, "spec": {"hard": hard}})
    try:
        client.replace(f"{QUOTAS}/few/status", made | {"status": {"hard": hard, "used": dict.fromkeys(hard, "0")}})
        yield
    finally:
        client.delete(f"{QUOTAS}/few")


@contextmanager
def policy(client: Client, actions: list[str], message: str) -> Iterator[None]:
    """A ValidatingAdmissionPolicy that no claim satisfies, in force."""
    rule = {
        "apiGroups": ["resource.k8s.io"],
        "apiVersions": ["*"],
        "operations": ["CREATE"],
        "resources": ["resourceclaims"],
    }
    spec: Object = {
        "matchConstraints": {"resourceRules": [rule]},
        "validations": [{"expression": "object.metadata.name.startsWith('x')", "messageExpression": f'"{message}"'}],
    }
    client.create(f"{ADMISSION}/validatingadmissionpolicies", {"metadata": {"name": "strict"}, "spec": spec})
    probed = {"matchResources": {"objectSelector": {"matchLabels": {"probe": "yes"}}}, "validationActions": ["Deny"]}
    bindings = {"strict": {"validationActions": actions}, "strict-probe": probed}
    try:
        for name, binding in bindings.items():
            made = {"metadata": {"name": name}, "spec": {"policyName": "strict", **binding}}
            client.create(f"{ADMISSION}/validatingadmissionpolicybindings", made)
        _wait_for_policy(client, in_force=True)
        yield
    finally:
        for name in bindings:
            client.delete(f"{ADMISSION}/validatingadmissionpolicybindings/{name}")
        client.delete(f"{ADMISSION}/validatingadmissionpolicies/strict")
        _wait_for_policy(client, in_force=False)


def _wait_for_policy(client: Client, *, in_force: bool) -> None:
    """The API server follows its policies a moment later; it learns of the probe's binding after the other."""
    probe = claim(request(), name="probe")
    probe["metadata"]["labels"] = {"probe": "yes"}
    deadline = time.monotonic() + 30
    while _is_refused(client, probe) is not in_force:
        assert time.monotonic() < deadline, "the policy does not come into force, or stays in it"
        time.sleep(0.05)


def _is_refused(client: Client, made: Object) -> bool:
    try:
        client.create(f"{CLAIMS}?dryRun=All", made)
    except RefusedError:
        return True
    return False
