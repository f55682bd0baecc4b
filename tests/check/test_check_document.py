"""Every check's document is what its schema says, whatever the answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from check.card_worlds import (
    SHARE_ID,
    any_of,
    asks,
    carded,
    first_available,
    partition,
    same,
    share_of,
    shareable,
    steps_of,
)
from check.check_worlds import LLMFIT_CLASS, allocated, ask, check, claim, claim_of, everywhere, gpu, on, world
from kubectl_llmfit.api.values import Claim, ClaimSpec, ClusterState, Constraint, Node, Request, Unread
from kubectl_llmfit.check.document import to_document
from kubectl_llmfit.check.values import NodeCheck
from output.sample_check import sample

SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "docs" / "node-check.schema.json").read_text(encoding="utf-8")
)


def strict(schema: Any) -> Any:
    """The schema without room for keys that it does not describe."""
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: strict(value) for key, value in schema.items()}
    if "properties" in schema and isinstance(schema.get("type"), str):
        closed["additionalProperties"] = False
    return closed


def unread(resource: str) -> ClusterState:
    classes = () if resource == "deviceclasses" else (LLMFIT_CLASS,)
    nodes = () if resource == "nodes" else ("a",)
    return world(on("a", gpu("gpu-0")), nodes=nodes, classes=classes, unread=(Unread(resource, "forbidden"),))


def constrained() -> Claim:
    request = Request("model", (ask("model"),))
    return Claim("c", "default", ClaimSpec((request,), (Constraint(("model",), match_attribute="llmfit.ai/kind"),)))


CARD = carded("a", partition("whole", "40Gi"), partition("half-0", "20Gi"), partition("half-1", "20Gi"), card="40Gi")
SHARED = on("a", shareable("gpu-0", policy=steps_of("5Gi")))
TWELVE = asks(any_of(capacity={"memory": "12Gi"}))
UNGUARDED = "device.attributes['llmfit.ai'].vram > 5"
A = on("a", gpu("gpu-0"), gpu("gpu-1", "15Gi"))
CHECKS: dict[str, NodeCheck] = {
    "a model": sample(),
    "a model that fails": sample(fails=True),
    "fits": check(world(A)),
    "in use": check(world(A, claims=(allocated("llama", "a", "gpu-0"),))),
    "no fit": check(world(on("a", gpu("gpu-0", "15Gi")))),
    "an error": check(world(A), claim(UNGUARDED)),
    "an error on a cordoned node": check(world(A, nodes=(Node("a", unschedulable=True),)), claim(UNGUARDED)),
    "does not compile": check(world(A), claim("device.nonsense")),
    "not supported": check(world(A), constrained()),
    "no class": check(world(A, classes=())),
    "no nodes": check(world()),
    "claims unread": check(unread("resourceclaims")),
    "classes unread": check(unread("deviceclasses")),
    "nodes unread": check(unread("nodes")),
    "allocated": check(world(A, on("b", gpu("gpu-0"))), allocated("mine", "a", "gpu-0")),
    "shared": check(world(everywhere("fabric", gpu("gpu-0")), nodes=("a", "b"))),
    "two requests": check(world(A), claim_of("pair", ask("one"), ask("two"))),
    "all": check(world(A), claim(allocation_mode="All", count=0)),
    "partitions": check(world(*CARD, claims=(allocated("one", "a", "half-0"),)), asks(any_of())),
    "shares": check(world(SHARED, claims=(share_of("a", "gpu-0", memory="10Gi"),)), TWELVE),
    "a share allocated": check(world(SHARED), share_of("a", "gpu-0", memory="10Gi")),
    "too little left": check(world(SHARED, claims=(share_of("a", "gpu-0", memory="75Gi"),)), TWELVE),
    "alternatives": check(world(A), asks(first_available("model", any_of("one"), any_of("two", count=2)))),
    "a constraint": check(world(A), asks(any_of(count=2), constraints=[same("llmfit.ai/numa")])),
}


@pytest.mark.parametrize("name", CHECKS)
def test_the_document_is_what_the_schema_says(name: str) -> None:
    jsonschema.Draft202012Validator(strict(SCHEMA)).validate(to_document(CHECKS[name]))


def test_the_schema_is_a_schema_and_names_every_key_it_requires() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    for described in objects(SCHEMA):
        assert set(described["required"]) <= set(described["properties"])


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, list):
        for item in schema:
            yield from objects(item)
    elif isinstance(schema, dict):
        if "required" in schema and isinstance(schema["required"], list):
            yield schema
        for value in schema.values():
            yield from objects(value)


def test_the_checks_above_show_every_verdict() -> None:
    assert {str(node.verdict) for checked in CHECKS.values() for node in checked.nodes} == {
        "Fits", "InUse", "NoFit", "Unknown", "Error",
    }  # fmt: skip


def test_yes_and_no_have_the_same_keys() -> None:
    yes, no = to_document(CHECKS["fits"]), to_document(CHECKS["no fit"])
    assert list(yes) == list(no)
    assert list(yes["nodes"][0]) == list(no["nodes"][0])  # type: ignore[index]  # a plain document
    assert list(yes["summary"]) == list(no["summary"])  # type: ignore[call-overload]


def test_a_condition_that_does_not_compile_says_why() -> None:
    (node,) = CHECKS["does not compile"].nodes
    entry = node.devices[0].conditions[1]
    assert (entry.result, "undefined field 'nonsense'" in (entry.parts[0].error or "")) == ("error", True)


def node_of(name: str) -> Any:
    """The first node of a check's document."""
    return to_document(CHECKS[name])["nodes"][0]  # type: ignore[index]  # a plain document


def test_the_devices_left_are_counted_after_each_step() -> None:
    (partitions,) = node_of("partitions")["requests"]
    # Of whole, half-0 and half-1: half-0 is held, and whole then has too few counters.
    steps = ("class", "selectors", "free", "untainted", "counters", "capacity", "constraint")
    assert [partitions[step] for step in steps] == [3, 3, 2, 2, 1, 1, 1]
    (shares,) = node_of("too little left")["requests"]
    assert [shares[step] for step in steps] == [1, 1, 1, 1, 1, 0, 0]
    (constrained,) = node_of("a constraint")["requests"]
    assert [constrained[step] for step in steps] == [2, 2, 2, 2, 2, 2, 0]


def test_a_share_says_what_it_takes_and_a_new_one_has_no_id_yet() -> None:
    (share,) = node_of("shares")["allocation"]
    assert share["consumedCapacity"] == {"memory": "15Gi"}
    assert "shareID" not in share
    (allocated_share,) = node_of("a share allocated")["allocation"]
    assert allocated_share["shareID"] == SHARE_ID
    (whole,) = node_of("fits")["allocation"]
    assert "consumedCapacity" not in whole
