"""The role that ``rbac`` prints: the least rights, and what reading asks for is in it."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from fakes.api_server import FakeServer
from kubectl_llmfit.cluster.rbac import cluster_role
from kubectl_llmfit.cluster.reading import CHECKED, read_cluster
from live.program import run_here


def rights(role: dict[str, Any]) -> set[tuple[str, str, str]]:
    return {
        (group, resource, verb)
        for rule in role["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
        for verb in rule["verbs"]
    }


def test_reading_is_all_that_the_role_allows() -> None:
    found = rights(cluster_role())
    assert {verb for _, _, verb in found} == {"get", "list"}
    assert {resource for _, resource, verb in found if verb == "list"} == set(CHECKED)
    assert ("resource.k8s.io", "resourceclaimtemplates", "get") in found


def test_apply_adds_creating_and_patching_of_claims_and_templates_and_nothing_else() -> None:
    added = rights(cluster_role(apply=True)) - rights(cluster_role())
    assert added == {
        ("resource.k8s.io", resource, verb)
        for resource in ("resourceclaims", "resourceclaimtemplates")
        for verb in ("create", "patch")
    }


def test_the_role_allows_every_request_of_a_check_and_no_other(server: FakeServer, connected: Any) -> None:
    read_cluster(connected())
    lists = {request.path.rpartition("/")[2] for request in server.requests} - {"version", "resource.k8s.io", "v1"}
    assert lists == {resource for _, resource, verb in rights(cluster_role()) if verb == "list"}


@pytest.mark.parametrize("flags", [[], ["--apply"]])
def test_yaml_and_json_are_the_same_role(flags: list[str]) -> None:
    as_yaml, as_json = run_here("rbac", *flags), run_here("rbac", *flags, "-o", "json")
    assert (as_yaml.code, as_json.code) == (0, 0)
    assert yaml.safe_load(as_yaml.stdout) == json.loads(as_json.stdout) == cluster_role(apply=bool(flags))
    assert "kubectl create clusterrolebinding" in as_yaml.stderr


def test_another_output_is_wrong_usage() -> None:
    answer = run_here("rbac", "-o", "wide")
    assert (answer.code, answer.stdout) == (2, "")
    assert answer.stderr == 'error: invalid value "wide" for --output: must be one of yaml, json\n'
