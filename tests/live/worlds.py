"""A world put into the real cluster, and what the real scheduler makes of it.

A ``World`` is plain objects and what is expected of each node. ``Cluster.holding`` creates them, proves with a
sentinel that the scheduler has seen all of them (and the end of the world before), and takes everything away
afterwards. ``Cluster.decide`` runs a pod through the scheduler. Nothing here knows the program under test.
"""

from __future__ import annotations

import contextlib
import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from controlplane.client import Client, RefusedError
from live.objects import (
    ADMIN_NAMESPACE,
    OTHER_NAMESPACE,
    Object,
    claim,
    device,
    device_class,
    node,
    on_node,
    request,
    resource_slice,
    taint_rule,
)

NODES, NAMESPACES = "/api/v1/nodes", "/api/v1/namespaces"
RESOURCES = "/apis/resource.k8s.io/v1"
SLICES, CLASSES, RULES = (f"{RESOURCES}/{name}" for name in ("resourceslices", "deviceclasses", "devicetaintrules"))
DECIDED_WITHIN_SECONDS = 30  # a tenth of a second on an idle machine
SENTINEL = "sentinel.example.com"
Outcome = Literal["Allocates", "Refuses", "Fails"]
Verdict = Literal["Fits", "InUse", "NoFit", "Error"]
OUTCOMES: dict[Verdict, Outcome] = {"Fits": "Allocates", "InUse": "Refuses", "NoFit": "Refuses", "Error": "Fails"}


@dataclass(frozen=True, slots=True)
class Expected:
    """What a node answers: check-nodes' verdict and, for Fits, the devices in the order of the claim."""

    verdict: Verdict
    devices: tuple[str, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """What the scheduler does."""
        return OUTCOMES[self.verdict]


def fits(*devices: str) -> Expected:
    """The scheduler takes these devices; ``pool/device`` where the pool is not the node's own."""
    return Expected("Fits", devices)


IN_USE, NO_FIT, ERROR = Expected("InUse"), Expected("NoFit"), Expected("Error")


@dataclass(frozen=True, slots=True)
class World:
    """Objects of a cluster, the claim that is asked about, and the answer of each node.

    ``beside`` are further new claims of the same pod, after the one that is asked about.
    """

    asked: Object
    expected: dict[str, Expected]
    slices: Sequence[Object] = ()
    nodes: Sequence[Object] = ()  # default: a plain node for each expected one
    classes: Sequence[Object] = field(default_factory=lambda: (device_class(),))
    claims: Sequence[Object] = ()
    rules: Sequence[Object] = ()
    stored: bool = False  # the asked claim is in ``claims``: the pod uses that very claim
    beside: Sequence[Object] = ()

    @property
    def all_nodes(self) -> Sequence[Object]:
        """The nodes, made up when only their names are given."""
        return self.nodes or [node(name) for name in self.expected]

    @property
    def candidates(self) -> list[str]:
        """Nodes that are not cordoned."""
        return [each["metadata"]["name"] for each in self.all_nodes if not each["spec"].get("unschedulable")]

    @property
    def outcome(self) -> Outcome:
        """What the scheduler does with a pod that may go anywhere: one error fails it, else one fit places it."""
        outcomes = {self.expected[name].outcome for name in self.candidates}
        return next((each for each in ("Fails", "Allocates") if each in outcomes), "Refuses")

    @property
    def objects(self) -> list[Object]:
        """Everything of the world, as a List would hold it."""
        return [*self.all_nodes, *self.slices, *self.classes, *self.claims, *self.rules]


@dataclass(frozen=True, slots=True)
class Decision:
    """What the scheduler did with a pod; ``devices`` are its claim's results, in order.

    ``message`` is the pod's, with the claim called as it was asked.
    """

    outcome: Outcome
    node: str | None
    devices: tuple[Object, ...]
    message: str


class Cluster:
    """The real cluster, one world at a time."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._numbers = itertools.count()
        for name, labels in (
            (OTHER_NAMESPACE, {}),
            (ADMIN_NAMESPACE, {"resource.kubernetes.io/admin-access": "true"}),
        ):
            metadata = {"name": name, "labels": labels}
            if client.find(f"{NAMESPACES}/{metadata['name']}") is None:  # another module's tests may have made it
                client.create(NAMESPACES, {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata})

    @contextlib.contextmanager
    def holding(self, world: World) -> Iterator[None]:
        """Put the world into the cluster for the length of the block, seen by the scheduler."""
        try:
            self._create(world.all_nodes, world.slices, world.classes, world.claims, world.rules)
            self.prove_seen(with_rules=bool(world.rules))
            yield
        finally:
            self.clear()

    def decide_node(self, world: World, name: str) -> Decision:
        """What the scheduler does with the world's claim on one node, cordoned or not."""
        return self.decide(world.asked, [name], [{"operator": "Exists"}], stored=world.stored, beside=world.beside)

    def decide_world(self, world: World) -> Decision:
        """What it does when the pod may go to every node; node taints are tolerated, a cordon is not."""
        keys = {taint["key"] for each in world.all_nodes for taint in each["spec"].get("taints", ())}
        tolerations = [{"key": key, "operator": "Exists"} for key in sorted(keys)]
        names = [each["metadata"]["name"] for each in world.all_nodes]
        return self.decide(world.asked, names, tolerations, stored=world.stored, beside=world.beside)

    def decide(
        self,
        asked: Object,
        nodes: Sequence[str],
        tolerations: Sequence[Object] = (),
        *,
        stored: bool = False,
        beside: Sequence[Object] = (),
    ) -> Decision:
        """Run a pod that uses the claims and may go to the named nodes only; remove all of them again.

        ``stored``: the asked claim is in the cluster already, and stays.
        """
        made = [each if each is asked and stored else self._create_anew(each) for each in (asked, *beside)]
        own = [f"{_claims(each['metadata']['namespace'])}/{each['metadata']['name']}" for each in made]
        namespace = asked["metadata"]["namespace"]
        names = [each["metadata"]["name"] for each in made]
        pod = _pod(f"pod-{next(self._numbers)}", namespace, names, nodes, tolerations)
        self._client.create(_pods(namespace), pod)
        try:
            decision = self._wait_for_decision(_path(_pods(namespace), pod), own)
        finally:
            self._client.delete(_path(_pods(namespace), pod))
            for path in own[stored:]:
                self._remove_claim(self._client.get(path))
        message = decision.message
        for each, name in zip((asked, *beside), names, strict=True):
            message = message.replace(f"{namespace}/{name}", f"{namespace}/{each['metadata']['name']}")
        return replace(decision, message=message)

    def _create_anew(self, wanted: Object) -> Object:
        """With a name of its own each time, so that nothing the scheduler still knows of the last one counts."""
        metadata = wanted["metadata"] | {"name": f"{wanted['metadata']['name']}-{next(self._numbers)}"}
        return self._client.create(_claims(metadata["namespace"]), wanted | {"metadata": metadata})

    def clear(self) -> None:
        """Remove every pod, claim, slice, class, rule and node there is."""
        for pod in self._list("/api/v1/pods"):
            self._client.delete(_path(_pods(pod["metadata"]["namespace"]), pod))
        for each in self._list(f"{RESOURCES}/resourceclaims"):
            self._remove_claim(each)
        for each in self._list(f"{RESOURCES}/resourceclaimtemplates"):
            namespace = each["metadata"]["namespace"]
            self._client.delete(_path(f"{RESOURCES}/namespaces/{namespace}/resourceclaimtemplates", each))
        for collection in (RULES, SLICES, CLASSES, NODES):
            for each in self._list(collection):
                self._client.delete(_path(collection, each))

    def _list(self, collection: str) -> list[Object]:
        items: list[Object] = self._client.get(collection)["items"]
        return items

    def _create(
        self,
        nodes: Sequence[Object],
        slices: Sequence[Object],
        classes: Sequence[Object],
        claims: Sequence[Object],
        rules: Sequence[Object],
    ) -> None:
        for each in nodes:
            made = self._client.create(NODES, each)
            self._client.replace(_path(NODES, each) + "/status", made | {"status": each["status"]})
        for collection, group in ((RULES, rules), (SLICES, slices), (CLASSES, classes)):
            for each in group:
                self._client.create(collection, each)
        for each in claims:
            self._create_claim(each)

    def _create_claim(self, wanted: Object) -> None:
        """With its status; one that is being deleted is deleted, and stays for its finalizer."""
        collection = _claims(wanted["metadata"]["namespace"])
        metadata = {key: value for key, value in wanted["metadata"].items() if key != "deletionTimestamp"}
        made = self._client.create(collection, wanted | {"metadata": metadata})
        if "status" in wanted:
            self._client.replace(_path(collection, wanted) + "/status", made | {"status": wanted["status"]})
        if "deletionTimestamp" in wanted["metadata"]:
            self._client.delete(_path(collection, wanted))

    def _remove_claim(self, found: Object) -> None:
        """Deallocate, let go of the finalizer, delete; the scheduler may be writing to it at the same time."""
        path = _path(_claims(found["metadata"]["namespace"]), found)
        with contextlib.suppress(RefusedError):
            self._client.patch(f"{path}/status", {"status": {"allocation": None, "reservedFor": None}})
            self._client.patch(path, {"metadata": {"finalizers": None}})
        self._client.delete(path)

    def prove_seen(self, *, with_rules: bool = False) -> None:
        """Have the scheduler place a pod that needs the youngest object of every kind.

        The scheduler learns of the objects of one kind in the order of their creation and deletion; so when it
        uses the youngest it knows all others, and the end of those before. A rule is known to be seen when the
        device that it taints is passed over.
        """
        devices = [device("a"), device("b")]
        own = f"sentinel-{next(self._numbers)}"
        rules = [taint_rule(own, driver=SENTINEL, pool=own, device="a")] if with_rules else []
        published = resource_slice(own, on_node(own), *devices, driver=SENTINEL)
        self._create([node(own)], [published], [device_class(own, f'device.driver == "{SENTINEL}"')], [], rules)
        while True:
            decision = self.decide(claim(request(of_class=own), name=own), [own])
            if decision.outcome == "Allocates" and decision.devices[0]["device"] == ("b" if rules else "a"):
                break
        for collection in (RULES, SLICES, CLASSES, NODES) if rules else (SLICES, CLASSES, NODES):
            self._client.delete(f"{collection}/{own}")

    def _wait_for_decision(self, pod_path: str, claim_paths: Sequence[str]) -> Decision:
        deadline = time.monotonic() + DECIDED_WITHIN_SECONDS
        while time.monotonic() < deadline:
            pod = self._client.get(pod_path)
            if name := pod["spec"].get("nodeName"):
                allocations = [self._client.get(path)["status"]["allocation"]["devices"] for path in claim_paths]
                results = tuple(result for devices in allocations for result in devices.get("results", ()))
                return Decision("Allocates", name, results, "")
            for each in pod.get("status", {}).get("conditions", []):
                outcome = _outcome_of(each)
                if outcome is not None:
                    return Decision(outcome, None, (), each["message"])
            time.sleep(0.01)
        raise TimeoutError(f"{pod_path}: not decided: {pod.get('status')}")


def _outcome_of(condition: Object) -> Outcome | None:
    if condition["type"] != "PodScheduled" or condition["status"] != "False":
        return None
    reasons: dict[str, Outcome] = {"Unschedulable": "Refuses", "SchedulerError": "Fails"}
    return reasons.get(condition.get("reason", ""))


def _pod(
    name: str, namespace: str, claims: Sequence[str], nodes: Sequence[str], tolerations: Sequence[Object]
) -> Object:
    fields = [{"key": "metadata.name", "operator": "In", "values": [each]} for each in nodes]
    terms = [{"matchFields": [each]} for each in fields]  # one of the terms has to hold
    affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}}
    container = {"name": "main", "image": "example.com/server", "resources": {"claims": [{"name": "gpu"}]}}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {
            "affinity": affinity,
            "containers": [container],
            "resourceClaims": [
                {"name": "gpu" if not index else f"gpu-{index}", "resourceClaimName": each}
                for index, each in enumerate(claims)
            ],
            "terminationGracePeriodSeconds": 0,
            "tolerations": list(tolerations),
        },
    }


def _claims(namespace: str) -> str:
    return f"{RESOURCES}/namespaces/{namespace}/resourceclaims"


def _pods(namespace: str) -> str:
    return f"{NAMESPACES}/{namespace}/pods"


def _path(collection: str, thing: Object) -> str:
    return f"{collection}/{thing['metadata']['name']}"
