"""``check-nodes -f`` refuses the claims that the real API server refuses, and no others.

The API server judges each claim of the table by a dry run, as it would a new one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from controlplane.client import Client, RefusedError
from controlplane.plane import ControlPlane
from live.objects import NAMESPACE, Object, cel, claim
from live.program import run_here

SNAPSHOT = Path(__file__).parents[2] / "examples" / "cluster.yaml"
CLAIMS = f"/apis/resource.k8s.io/v1/namespaces/{NAMESPACE}/resourceclaims?dryRun=All"
LONG = "a" * 64
TOLERANT = {"operator": "Exists"}


def exactly(name: str = "gpu", **fields: Any) -> Object:
    return {"name": name, "exactly": {"deviceClassName": "gpu.example.com"} | fields}


def first_available(*alternatives: Object, name: str = "gpu") -> Object:
    return {"name": name, "firstAvailable": list(alternatives)}


def alternative(name: str = "a", **fields: Any) -> Object:
    return {"name": name, "deviceClassName": "gpu.example.com"} | fields


def asking(*requests: Object, **devices: Any) -> Object:
    """A claim with these requests and, as keywords, constraints and config."""
    made = claim(*requests)
    made["spec"]["devices"] |= devices
    return made


def constrained(*constraints: Object, requests: tuple[Object, ...] = (exactly(), exactly("nic"))) -> Object:
    return asking(*requests, constraints=list(constraints))


def configured(opaque: Any, requests: Any = None) -> Object:
    return asking(exactly(), config=[{"opaque": opaque} | ({} if requests is None else {"requests": requests})])


def tolerating(*tolerations: Object) -> Object:
    return asking(exactly(tolerations=list(tolerations)))


def of_capacity(requests: Any) -> Object:
    return asking(exactly(capacity={"requests": requests}))


def described(**metadata: Any) -> Object:
    made = asking(exactly())
    made["metadata"] |= metadata
    return made


def named(name: Any) -> Object:
    return described(name=name)


# 32 domains at most, so 32 to the power of five turns
COSTLY = "device.attributes.all(a, " * 5 + "true" + ")" * 5
BOTH = first_available(alternative("a"), alternative("b"))

ACCEPTED: dict[str, Object] = {
    "no request": asking(),
    "thirty-two requests": asking(*(exactly(f"r{number}") for number in range(32))),
    "a count beyond the limit of results": asking(exactly(count=33)),
    "a count of nothing, which means one": asking(exactly(count=0)),
    "a count of more than 32 bits": asking(exactly(count=2**62)),
    "all": asking(exactly(allocationMode="All")),
    "all with a count of nothing": asking(exactly(allocationMode="All", count=0)),
    "no admin access": asking(exactly(adminAccess=False)),
    "thirty-two selectors": asking(exactly(selectors=[cel("true")] * 32)),
    "two alternatives": asking(BOTH),
    "eight alternatives": asking(first_available(*(alternative(f"a{number}") for number in range(8)))),
    "an alternative named as its request": asking(first_available(alternative("gpu"))),
    "the same alternatives twice": asking(BOTH, BOTH | {"name": "other"}),
    "alternatives with everything": asking(
        first_available(
            alternative("a", count=2, selectors=[cel("true")], tolerations=[TOLERANT]),
            alternative("b", allocationMode="All", capacity={"requests": {"memory": "1Gi"}}),
        )
    ),
    "an empty list of alternatives beside a request": asking(exactly() | {"firstAvailable": []}),
    "a constraint on all": constrained({"matchAttribute": "a.com/numa"}),
    "a constraint on two": constrained({"matchAttribute": "a.com/numa", "requests": ["gpu", "nic"]}),
    "a constraint on an alternative": constrained(
        {"matchAttribute": "a.com/numa", "requests": ["gpu/a", "nic"]}, requests=(BOTH, exactly("nic"))
    ),
    "a constraint on a request and its alternative": constrained(
        {"matchAttribute": "a.com/numa", "requests": ["gpu", "gpu/a"]}, requests=(BOTH,)
    ),
    "a constraint of both kinds": constrained({"matchAttribute": "a.com/a", "distinctAttribute": "a.com/b"}),
    "a distinct attribute": constrained({"distinctAttribute": "a.com/numa"}),
    "an attribute with two slashes": constrained({"matchAttribute": "a.com/b/c"}),
    "thirty-two constraints": constrained(*[{"matchAttribute": "a.com/numa"}] * 32),
    "a toleration of all": tolerating(TOLERANT),
    "a toleration of nothing": tolerating({}),
    "a toleration without a key": tolerating({"value": "x"}),
    "a toleration with everything": tolerating(
        {"key": "a.com/b", "operator": "Equal", "value": "v", "effect": "NoExecute", "tolerationSeconds": 5}
    ),
    "a toleration of no effect": tolerating({"key": "a", "effect": "None"}),
    "seventeen tolerations": tolerating(*[TOLERANT] * 17),
    "a capacity": of_capacity({"memory": "10Gi", "a.com/compute": "500m"}),
    "a capacity of any name": of_capacity({"not a name!": "1", "": "1"}),
    "a negative capacity": of_capacity({"memory": "-1Gi"}),
    "a capacity as a number": of_capacity({"memory": 5, "other": 0.5}),
    "no capacity": of_capacity({}),
    "a capacity of null, which is zero": of_capacity({"memory": None}),
    "an empty wish for capacity": asking(exactly(capacity={})),
    "a configuration": configured({"driver": "gpu.example.com", "parameters": {"kind": "X"}}, ["gpu"]),
    "a configuration of a driver in upper case": configured({"driver": "GPU.Example.com", "parameters": {}}),
    "a name with dots": named("a.b-c"),
    "a prefix for a name": described(name=None, generateName="ask-"),
    "labels": described(labels={"a.com/b": "v", "c": ""}),
    "annotations": described(annotations={"A.com/b": "any text", "c": ""}),
}

REFUSED: dict[str, Object] = {
    "thirty-three requests": asking(*(exactly(f"r{number}") for number in range(33))),
    "a request twice": asking(exactly(), exactly()),
    "a request without a name": asking(exactly("")),
    "a request's name in upper case": asking(exactly("GPU")),
    "a request's name with a dot": asking(exactly("a.b")),
    "a request's name too long": asking(exactly(LONG)),
    "a request of no kind": asking({"name": "gpu"}),
    "a request of both kinds": asking(exactly() | BOTH),
    "an empty list of alternatives alone": asking(first_available()),
    "a flat request": asking({"name": "gpu", "deviceClassName": "gpu.example.com"}),
    "no class": asking({"name": "gpu", "exactly": {}}),
    "a class in upper case": asking(exactly(deviceClassName="GPU")),
    "a class with a slash": asking(exactly(deviceClassName="a/b")),
    "an unknown mode": asking(exactly(allocationMode="Some")),
    "all with a count": asking(exactly(allocationMode="All", count=1)),
    "a negative count": asking(exactly(count=-1)),
    "a count as text": asking(exactly(count="1")),
    "a count beyond 64 bits": asking(exactly(count=2**63)),
    "a count with a fraction": asking(exactly(count=1.5)),
    "admin access as text": asking(exactly(adminAccess="true")),
    "thirty-three selectors": asking(exactly(selectors=[cel("true")] * 33)),
    "an empty selector": asking(exactly(selectors=[{}])),
    "a selector without text": asking(exactly(selectors=[cel("")])),
    "a selector that does not parse": asking(exactly(selectors=[cel("device.")])),
    "a selector that is no condition": asking(exactly(selectors=[cel("1 + 1")])),
    "a selector of an unknown field": asking(exactly(selectors=[cel("device.name == 'x'")])),
    "a selector that compares a capacity by an operator": asking(
        exactly(selectors=[cel("device.capacity['a.com'].memory >= quantity('1Gi')")])
    ),
    "a selector that is too long": asking(exactly(selectors=[cel("true || " * 1300 + "true")])),
    "a selector that costs too much": asking(exactly(selectors=[cel(COSTLY)])),
    "nine alternatives": asking(first_available(*(alternative(f"a{number}") for number in range(9)))),
    "an alternative twice": asking(first_available(alternative("a"), alternative("a"))),
    "an alternative without a name": asking(first_available(alternative(""))),
    "an alternative's name with a slash": asking(first_available(alternative("a/b"))),
    "an alternative's name in upper case": asking(first_available(alternative("A"))),
    "an alternative without a class": asking(first_available({"name": "a"})),
    "an alternative's negative count": asking(first_available(alternative(count=-1))),
    "an alternative's unknown mode": asking(first_available(alternative(allocationMode="Some"))),
    "an alternative's selector": asking(first_available(alternative(selectors=[cel("device.")]))),
    "an alternative's toleration": asking(first_available(alternative(tolerations=[{"operator": "Like"}]))),
    "thirty-three constraints": constrained(*[{"matchAttribute": "a.com/numa"}] * 33),
    "a constraint of no kind": constrained({"requests": ["gpu"]}),
    "a constraint on a request that is not there": constrained({"matchAttribute": "a.com/b", "requests": ["x"]}),
    "a constraint on an alternative that is not there": constrained(
        {"matchAttribute": "a.com/b", "requests": ["gpu/x"]}, requests=(BOTH,)
    ),
    "a constraint on an alternative of a request without": constrained(
        {"matchAttribute": "a.com/b", "requests": ["gpu/a"]}
    ),
    "a constraint on an alternative alone": constrained(
        {"matchAttribute": "a.com/b", "requests": ["a"]}, requests=(BOTH,)
    ),
    "a constraint with two slashes": constrained(
        {"matchAttribute": "a.com/b", "requests": ["gpu/a/b"]}, requests=(BOTH,)
    ),
    "a constraint on a request twice": constrained({"matchAttribute": "a.com/b", "requests": ["gpu", "gpu"]}),
    "an attribute without a domain": constrained({"matchAttribute": "numa"}),
    "an attribute with an empty domain": constrained({"matchAttribute": "/numa"}),
    "an attribute without a name": constrained({"matchAttribute": "a.com/"}),
    "an attribute that is no identifier": constrained({"matchAttribute": "a.com/numa-node"}),
    "an attribute whose name is too long": constrained({"matchAttribute": f"a.com/{'n' * 33}"}),
    "an attribute whose domain is too long": constrained({"matchAttribute": f"{LONG}.com/numa"}),
    "an attribute whose domain is none": constrained({"distinctAttribute": "a_b/numa"}),
    "an empty attribute": constrained({"matchAttribute": ""}),
    "a wrong distinct attribute beside a match": constrained(
        {"matchAttribute": "a.com/a", "distinctAttribute": "numa"}
    ),
    "a wrong distinct attribute": constrained({"distinctAttribute": "numa"}),
    "seconds as text": tolerating(TOLERANT | {"tolerationSeconds": "1"}),
    "an unknown operator": tolerating({"operator": "Like"}),
    "an unknown effect": tolerating({"operator": "Exists", "effect": "Now"}),
    "a value for Exists": tolerating({"operator": "Exists", "key": "a", "value": "v"}),
    "a toleration's key": tolerating({"key": "a b"}),
    "a toleration's value": tolerating({"key": "a", "value": "a b"}),
    "a toleration's value too long": tolerating({"key": "a", "value": LONG}),
    "a capacity that is none": of_capacity({"memory": "lots"}),
    "a capacity of no amount": of_capacity({"memory": ""}),
    "capacities as a list": of_capacity(["memory"]),
    "a configuration of nothing": asking(exactly(), config=[{}]),
    "a configuration without a driver": configured({"parameters": {}}),
    "a configuration's driver": configured({"driver": "a b", "parameters": {}}),
    "a configuration without parameters": configured({"driver": "gpu.example.com"}),
    "a configuration's parameters as a list": configured({"driver": "gpu.example.com", "parameters": [1]}),
    "a configuration's parameters too long": configured(
        {"driver": "gpu.example.com", "parameters": {"a": "x" * 10240}}
    ),
    "a configuration of a request that is not there": configured({"driver": "d.com", "parameters": {}}, ["x"]),
    "a name in upper case": named("Ask"),
    "a name that is too long": named("a" * 254),
    "no name": named(""),
    "a prefix in upper case": described(name=None, generateName="Ask-"),
    "a label's name": described(labels={"a b": "v"}),
    "a label's domain in upper case": described(labels={"A.com/b": "v"}),
    "a label's value": described(labels={"a": "-"}),
    "a label that is no text": described(labels={"a": 1}),
    "an annotation's name": described(annotations={"a/b/c": "v"}),
    "annotations too long": described(annotations={"a": "x" * 262144}),
    "requests as an object": asking() | {"spec": {"devices": {"requests": {"name": "gpu"}}}},
    "devices as a list": asking() | {"spec": {"devices": []}},
}


def judged(client: Client, asked: Object, parameters: str = "") -> str | None:
    """What the API server says against a new claim; None where it takes it."""
    try:
        client.create(CLAIMS + parameters, asked)
    except RefusedError as error:
        if error.code not in (400, 422):  # neither malformed nor invalid: not about the claim
            raise
        return str(error)
    return None


def checked(asked: Object, folder: Path) -> str | None:
    """What check-nodes says against the claim in a file; None where it checks it."""
    path = folder / "claim.json"
    path.write_text(json.dumps(asked))
    answer = run_here("check-nodes", "-f", path, "--snapshot", SNAPSHOT)
    assert (answer.code == 2) == (answer.stdout == ""), answer.stderr
    return answer.stderr if answer.code == 2 else None


@pytest.fixture(scope="module")
def client(control_plane: ControlPlane) -> Client:
    return control_plane.client()


@pytest.mark.parametrize("asked", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_a_claim_that_the_api_server_takes_is_checked(client: Client, asked: Object, tmp_path: Path) -> None:
    assert judged(client, asked) is None
    assert checked(asked, tmp_path) is None


@pytest.mark.parametrize("asked", REFUSED.values(), ids=REFUSED.keys())
def test_a_claim_that_the_api_server_refuses_is_refused(client: Client, asked: Object, tmp_path: Path) -> None:
    assert judged(client, asked) is not None
    assert checked(asked, tmp_path) is not None


def test_a_template_is_judged_by_the_same_rules(client: Client, tmp_path: Path) -> None:
    path = CLAIMS.replace("resourceclaims", "resourceclaimtemplates")
    for asked, taken in ((ACCEPTED["two alternatives"], True), (REFUSED["an alternative twice"], False)):
        template = asked | {"kind": "ResourceClaimTemplate", "spec": {"spec": asked["spec"]}}
        if taken:
            client.create(path, template)
        else:
            with pytest.raises(RefusedError):
                client.create(path, template)
        assert (checked(template, tmp_path) is None) is taken


def test_a_field_that_alternatives_do_not_have_is_refused_as_kubectl_has_it_refused(
    client: Client, tmp_path: Path
) -> None:
    """kubectl asks for strict reading; without it the API server would drop the field."""
    asked = asking(first_available(alternative(adminAccess=True)))
    words = judged(client, asked, "&fieldValidation=Strict")
    assert words is not None
    assert 'unknown field "spec.devices.requests[0].firstAvailable[0].adminAccess"' in words
    assert "firstAvailable[0].adminAccess" in (checked(asked, tmp_path) or "")
