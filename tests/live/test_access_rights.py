"""The real API server's RBAC: a user for every combination of missing rights, and the role that ``rbac`` prints."""

from __future__ import annotations

import contextlib
import itertools
import json
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
import yaml

from controlplane.plane import ACCESS_REVIEWS, RBAC, ControlPlane, Rule
from live.cards import MODEL, WORLD
from live.objects import OTHER_NAMESPACE
from live.program import Answer, run_here
from live.worlds import Cluster

USER = "reader"
RIGHT = {"gpu-a": "Fits", "gpu-b": "InUse", "gpu-c": "NoFit"}  # live.cards.WORLD, with every right
STORED = ["check-nodes", "resourceclaim/llama-70b", "-n", OTHER_NAMESPACE]
OPTIONAL = ("nodes", "deviceclasses", "resourceclaims", "devicetaintrules")
COMBINATIONS = [names for size in range(5) for names in itertools.combinations(OPTIONAL, size)]
GROUPS = {"nodes": "", "namespaces": ""}


@pytest.fixture(autouse=True)
def world(cluster: Cluster) -> Iterator[None]:
    with cluster.holding(WORLD):
        yield


def printed_rules(*flags: str) -> list[Rule]:
    """The rules of the ClusterRole that the program prints."""
    role = yaml.safe_load(run_here("rbac", *flags).stdout)
    assert (role["kind"], role["apiVersion"]) == ("ClusterRole", "rbac.authorization.k8s.io/v1")
    rules: list[Rule] = role["rules"]
    return rules


def without(rules: Sequence[Rule], names: Sequence[str]) -> list[Rule]:
    """The rules less some resources."""
    kept = [{**rule, "resources": [name for name in rule["resources"] if name not in names]} for rule in rules]
    return [rule for rule in kept if rule["resources"]]


def check(plane: ControlPlane, *flags: str) -> Answer:
    return run_here("check-nodes", MODEL, "--kubeconfig", plane.kubeconfig(USER), *flags)


def verdicts(answer: Answer) -> dict[str, str]:
    assert answer.stdout, answer.stderr
    return {each["name"]: each["verdict"] for each in json.loads(answer.stdout)["nodes"]}


def rule_of(resource: str) -> str:
    group = GROUPS.get(resource, "resource.k8s.io")
    return f'missing ClusterRole rule: {{apiGroups: ["{group}"], resources: ["{resource}"], verbs: ["list"]}}'


@contextlib.contextmanager
def granted_in(plane: ControlPlane, namespace: str) -> Iterator[None]:
    """Let the user list the claims of one namespace."""
    admin = plane.client()
    head = {"apiVersion": "rbac.authorization.k8s.io/v1", "metadata": {"name": "claims"}}
    group = "rbac.authorization.k8s.io"
    rules = [{"apiGroups": ["resource.k8s.io"], "resources": ["resourceclaims"], "verbs": ["list"]}]
    subjects = [{"apiGroup": group, "kind": "User", "name": USER}]
    reference = {"apiGroup": group, "kind": "Role", "name": "claims"}
    path = f"{RBAC}/namespaces/{namespace}"
    admin.create(f"{path}/roles", head | {"kind": "Role", "rules": rules})
    admin.create(f"{path}/rolebindings", head | {"kind": "RoleBinding", "roleRef": reference, "subjects": subjects})
    attributes = {"group": "resource.k8s.io", "resource": "resourceclaims", "verb": "list", "namespace": namespace}
    review = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "spec": {"user": USER, "resourceAttributes": attributes},
    }
    try:
        for _ in range(500):
            if admin.create(ACCESS_REVIEWS, review)["status"]["allowed"]:
                break
            time.sleep(0.02)
        yield
    finally:
        admin.delete(f"{path}/rolebindings/claims")
        admin.delete(f"{path}/roles/claims")
        admin.close()


@pytest.mark.parametrize("missing", COMBINATIONS, ids=lambda names: " ".join(names) or "none")
def test_what_may_not_be_read_makes_unknown_and_never_another_verdict(
    control_plane: ControlPlane, missing: tuple[str, ...]
) -> None:
    with control_plane.granted(USER, without(printed_rules(), missing)):
        answer = check(control_plane, "-o", "json")
    found = verdicts(answer)
    assert set(found) == set(RIGHT)
    assert all(verdict in {RIGHT[name], "Unknown"} for name, verdict in found.items()), found
    assert answer.code == (3 if missing else 0), answer.stderr
    assert {each["resource"] for each in json.loads(answer.stdout)["summary"]["unread"]} == set(missing)
    for resource in missing:
        assert f"warning: {resource} were not read: forbidden; {rule_of(resource)}\n" in answer.stderr


def test_without_slices_the_missing_rule_is_all_there_is_to_say(control_plane: ControlPlane) -> None:
    with control_plane.granted(USER, without(printed_rules(), ["resourceslices"])):
        answer = check(control_plane)
    assert (answer.code, answer.stdout) == (4, "")
    assert answer.stderr.endswith(f"hint: {rule_of('resourceslices')}\n")


def test_the_missing_rule_is_the_one_that_helps(control_plane: ControlPlane) -> None:
    """What the program prints as missing is granted, word for word, and then nothing is missing."""
    with control_plane.granted(USER, without(printed_rules(), ["devicetaintrules"])):
        words = check(control_plane).stderr
    (flow,) = [line.partition("rule: ")[2] for line in words.splitlines() if "missing ClusterRole rule" in line]
    with control_plane.granted(USER, [*without(printed_rules(), ["devicetaintrules"]), yaml.safe_load(flow)]):
        answer = check(control_plane, "-o", "name")
    assert (answer.code, answer.stdout) == (0, "node/gpu-a\n"), answer.stderr


def test_claims_of_one_namespace_are_read_and_the_others_said_to_be_unseen(control_plane: ControlPlane) -> None:
    with (
        control_plane.granted(USER, without(printed_rules(), ["resourceclaims"])),
        granted_in(control_plane, OTHER_NAMESPACE),
    ):
        answer = check(control_plane, "-o", "json", "-n", OTHER_NAMESPACE)
    document: dict[str, Any] = json.loads(answer.stdout)
    assert answer.code == 3
    words = f"resourceclaims were not all read: forbidden outside namespace {OTHER_NAMESPACE}; "
    assert words in answer.stderr
    assert [each["resource"] for each in document["summary"]["unread"]] == ["resourceclaims"]
    nodes = {each["name"]: each for each in document["nodes"]}
    assert nodes["gpu-a"]["verdict"] == "Unknown"  # a claim that is not seen may hold its devices
    assert nodes["gpu-b"]["scheduler"] == "Refuses"  # the claim in the namespace that is seen holds its only device
    assert nodes["gpu-c"]["verdict"] == "NoFit"


def test_claims_of_every_namespace_are_all_claims(control_plane: ControlPlane) -> None:
    namespaces = [{"apiGroups": [""], "resources": ["namespaces"], "verbs": ["list"]}]
    names = [each["metadata"]["name"] for each in control_plane.client().get("/api/v1/namespaces")["items"]]
    with contextlib.ExitStack() as stack:
        rules = [*without(printed_rules(), ["resourceclaims"]), *namespaces]
        stack.enter_context(control_plane.granted(USER, rules))
        for name in names:
            stack.enter_context(granted_in(control_plane, name))
        answer = check(control_plane, "-o", "json")
    assert (answer.code, verdicts(answer)) == (0, RIGHT), answer.stderr
    assert "resourceclaims" not in answer.stderr


def test_the_printed_role_is_enough_for_every_command_that_reads(control_plane: ControlPlane) -> None:
    target = ("--kubeconfig", str(control_plane.kubeconfig(USER)))
    with control_plane.granted(USER, printed_rules()):
        for command in (["check-nodes", MODEL], STORED, ["devices"]):
            answer = run_here(*command, *target)
            assert answer.code in {0, 1}, answer.stderr
            assert "warning" not in answer.stderr
        snapshot = run_here("snapshot", *target)
    head = json.loads(snapshot.stdout)["items"][0]
    assert [each["resource"] for each in head["unread"]] == ["resourceclaimtemplates"]  # get is enough for a check


def test_the_printed_role_for_apply_is_enough_and_each_right_in_it_is_needed(control_plane: ControlPlane) -> None:
    target = ("--kubeconfig", str(control_plane.kubeconfig(USER)))
    apply = ("claim", MODEL, "--apply", "--dry-run=server", *target)
    rules = printed_rules("--apply")
    with control_plane.granted(USER, rules):
        done = run_here(*apply)
        template = run_here(*apply, "--template")
    assert (done.code, template.code) == (0, 0), done.stderr + template.stderr
    for verb in ("create", "patch"):
        less = [{**rule, "verbs": [each for each in rule["verbs"] if each != verb]} for rule in rules]
        with control_plane.granted(USER, [rule for rule in less if rule["verbs"]]):
            refused = run_here(*apply)
        assert (refused.code, refused.stdout) == (4, ""), verb
        assert "Error from server (Forbidden): " in refused.stderr


def test_the_printed_role_is_taken_by_the_real_api_server(control_plane: ControlPlane) -> None:
    admin = control_plane.client()
    role = json.loads(run_here("rbac", "--apply", "-o", "json").stdout)
    try:
        stored = admin.create(f"{RBAC}/clusterroles", role)
    finally:
        admin.delete(f"{RBAC}/clusterroles/{role['metadata']['name']}")
        admin.close()
    assert stored["rules"] == role["rules"]
