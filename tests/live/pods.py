"""One pod with any number of claims, run through the real scheduler. Nothing here knows the program under test."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from controlplane.client import Client
from live.objects import Object
from live.worlds import DECIDED_WITHIN_SECONDS, RESOURCES, Outcome


@dataclass(frozen=True, slots=True)
class PodDecision:
    """What the scheduler did: ``allocations`` has the device results of each claim, in the order of the pod.

    ``node`` is None too where devices have binding conditions: the pod then waits for what nobody here fulfils.
    """

    outcome: Outcome
    node: str | None
    allocations: tuple[tuple[Object, ...], ...]
    message: str


def decide(client: Client, claims: Sequence[Object]) -> PodDecision:
    """Create the claims that are not allocated yet, and a pod that uses all in this order and may go anywhere."""
    namespace = claims[0]["metadata"]["namespace"]
    for each in claims:
        if "status" not in each:
            client.create(f"{RESOURCES}/namespaces/{namespace}/resourceclaims", each)
    names = [each["metadata"]["name"] for each in claims]
    pods = f"/api/v1/namespaces/{namespace}/pods"
    made = client.create(pods, _pod(f"pod-of-{names[0]}", namespace, names))
    return _wait(client, f"{pods}/{made['metadata']['name']}", [_claim_path(namespace, name) for name in names])


def _claim_path(namespace: str, name: str) -> str:
    return f"{RESOURCES}/namespaces/{namespace}/resourceclaims/{name}"


def _wait(client: Client, pod_path: str, claim_paths: Sequence[str]) -> PodDecision:
    deadline = time.monotonic() + DECIDED_WITHIN_SECONDS
    while time.monotonic() < deadline:
        pod = client.get(pod_path)
        refused = _refused(pod)
        if refused is not None:
            return refused
        allocations = [client.get(path).get("status", {}).get("allocation") for path in claim_paths]
        results = tuple(tuple(each["devices"].get("results", ())) for each in allocations if each is not None)
        waits = any(result.get("bindingConditions") for each in results for result in each)
        node = pod["spec"].get("nodeName")
        if len(results) == len(claim_paths) and (node or waits):
            return PodDecision("Allocates", node, results, "")
        time.sleep(0.01)
    raise TimeoutError(f"{pod_path}: not decided: {pod.get('status')}")


def _refused(pod: Object) -> PodDecision | None:
    reasons: dict[str, Outcome] = {"Unschedulable": "Refuses", "SchedulerError": "Fails"}
    for each in pod.get("status", {}).get("conditions", ()):
        outcome = reasons.get(each.get("reason", ""))
        if each["type"] == "PodScheduled" and each["status"] == "False" and outcome is not None:
            return PodDecision(outcome, None, (), each["message"])
    return None


def _pod(name: str, namespace: str, claims: Sequence[str]) -> Object:
    used = [{"name": f"c{number}"} for number in range(len(claims))]
    container = {"name": "main", "image": "example.com/server", "resources": {"claims": used}}
    sources = [each | {"resourceClaimName": claim} for each, claim in zip(used, claims, strict=True)]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"containers": [container], "resourceClaims": sources, "terminationGracePeriodSeconds": 0},
    }
