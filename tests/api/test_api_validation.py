"""The API server's rules for claims, in its words (checked against the 1.37.2 API server's own validation)."""

from __future__ import annotations

from typing import Any

import pytest

from kubectl_llmfit.api.validation import (
    dns_label_error,
    dns_subdomain_error,
    validate_claim,
    validate_claim_spec,
)

Object = dict[str, Any]
REQUEST = "spec.devices.requests[0]"
LABEL = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end "
    "with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
)
SUBDOMAIN = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
    "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    r"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
)
REFERENCE = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"


def exactly(name: str = "gpu", **fields: Any) -> Object:
    return {"name": name, "exactly": {"deviceClassName": "llmfit.ai"} | fields}


def first_available(*names: str) -> Object:
    return {"name": "gpu", "firstAvailable": [{"name": name, "deviceClassName": "c"} for name in names]}


def problems(*requests: Object, version: str = "v1", **devices: Any) -> list[str]:
    spec = {"devices": {"requests": list(requests)} | devices}
    return validate_claim_spec(spec, f"resource.k8s.io/{version}")


def test_a_sound_claim_has_no_problem() -> None:
    selectors = [{"cel": {"expression": "true"}}] * 32
    tolerations = [{"operator": "Exists"}, {"key": "a.com/b", "value": "v", "effect": "NoExecute"}, {}]
    requests = [exactly(f"r{index}", selectors=selectors, tolerations=tolerations) for index in range(30)]
    constraints = [{"requests": ["r0", "gpu", "gpu/a"], "matchAttribute": "example.com/numa"}]
    config = [{"requests": ["gpu/b"], "opaque": {"driver": "D.com", "parameters": {}}}]
    alternatives = first_available(*"abcdefgh")
    everything = exactly("all", allocationMode="All")
    assert problems(*requests, alternatives, everything, constraints=constraints, config=config) == []
    assert problems() == []  # a claim may ask for nothing


@pytest.mark.parametrize(
    ("request_", "problem"),
    [
        (exactly("GPU"), f'{REQUEST}.name: Invalid value: "GPU": {LABEL}'),
        (exactly("a.b"), f'{REQUEST}.name: Invalid value: "a.b": must not contain dots'),
        (exactly(""), f'{REQUEST}.name: Invalid value: "": {LABEL}'),
        (
            exactly(deviceClassName="GPU"),
            f'{REQUEST}.exactly.deviceClassName: Invalid value: "GPU": {SUBDOMAIN}',
        ),
        (exactly(deviceClassName=""), f"{REQUEST}.exactly.deviceClassName: Required value"),
        (
            exactly(allocationMode="All", count=2),
            f"{REQUEST}.exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'",
        ),
        (exactly(count=-1), f"{REQUEST}.exactly.count: Invalid value: -1: must be greater than zero"),
        (
            exactly(allocationMode="Some"),
            f'{REQUEST}.exactly.allocationMode: Unsupported value: "Some": supported values: "All", "ExactCount"',
        ),
        (
            exactly(selectors=[{"cel": {"expression": "true"}}] * 33),
            f"{REQUEST}.exactly.selectors: Too many: 33: must have at most 32 items",
        ),
        (exactly(selectors=[{}]), f"{REQUEST}.exactly.selectors[0].cel: Required value"),
        (
            exactly(selectors=[{"cel": {"expression": "ü" * 5121}}]),  # 10,242 bytes
            f"{REQUEST}.exactly.selectors[0].cel.expression: Too long: may not be more than 10240 bytes",
        ),
        (
            exactly(tolerations=[{"operator": "Exists", "value": "x"}]),
            f'{REQUEST}.exactly.tolerations[0].value: Invalid value: "x": must be empty for operator `Exists`',
        ),
        (
            exactly(tolerations=[{"operator": "Like"}]),
            f'{REQUEST}.exactly.tolerations[0].operator: Unsupported value: "Like": '
            'supported values: "Equal", "Exists"',
        ),
        (
            exactly(tolerations=[{"effect": "Nope"}]),
            f'{REQUEST}.exactly.tolerations[0].effect: Unsupported value: "Nope": '
            'supported values: "NoExecute", "NoSchedule", "None"',
        ),
        (first_available(*"abcdefghi"), f"{REQUEST}.firstAvailable: Too many: 9: must have at most 8 items"),
        (first_available("a", "a"), f'{REQUEST}.firstAvailable[1]: Duplicate value: "a"'),
        (
            {"name": "gpu"},
            f"{REQUEST}: Required value: exactly one of `exactly` or `firstAvailable` is required",
        ),
        (
            exactly() | first_available("a"),
            f"{REQUEST}: Invalid value: null: exactly one of `exactly` or `firstAvailable` is required, "
            "but multiple fields are set",
        ),
    ],
)
def test_a_request_the_api_server_refuses_is_refused_in_its_words(request_: Object, problem: str) -> None:
    assert problems(request_) == [problem]


@pytest.mark.parametrize(
    ("toleration", "field"),
    [
        ({"key": "a/b/c"}, "key"),
        ({"key": "/b"}, "key"),
        ({"key": "a/"}, "key"),
        ({"key": "A.com/b"}, "key"),
        ({"key": "a" * 64}, "key"),
        ({"key": "a", "value": "v" * 64}, "value"),
        ({"key": "a", "value": "-v"}, "value"),
    ],
)
def test_tolerations_name_label_keys_and_values(toleration: Object, field: str) -> None:
    (problem,) = problems(exactly(tolerations=[toleration]))
    assert problem.startswith(f"{REQUEST}.exactly.tolerations[0].{field}: Invalid value: ")


def test_limits_of_a_whole_claim() -> None:
    many = [exactly(f"r{index}") for index in range(33)]
    assert problems(*many) == ["spec.devices.requests: Too many: 33: must have at most 32 items"]
    constraints = [{"matchAttribute": "a.com/b"}] * 33
    assert problems(constraints=constraints) == ["spec.devices.constraints: Too many: 33: must have at most 32 items"]


def test_requests_have_names_of_their_own() -> None:
    assert problems(exactly(), exactly()) == ['spec.devices.requests[1]: Duplicate value: "gpu"']


@pytest.mark.parametrize(
    ("constraint", "problem"),
    [
        ({"requests": ["other"], "matchAttribute": "a.com/b"}, f'.requests[0]: Invalid value: "other": {REFERENCE}'),
        ({"requests": ["gpu/a"], "matchAttribute": "a.com/b"}, f'.requests[0]: Invalid value: "gpu/a": {REFERENCE}'),
        ({"requests": ["gpu", "gpu"], "matchAttribute": "a.com/b"}, '.requests[1]: Duplicate value: "gpu"'),
        (
            {"matchAttribute": "numa"},
            '.matchAttribute: Invalid value: "numa": a fully qualified name must be a domain and a name '
            "separated by a slash",
        ),
        ({"matchAttribute": "A.com/b"}, f'.matchAttribute: Invalid value: "A.com/b": prefix: {SUBDOMAIN}'),
        ({"matchAttribute": "/numa"}, '.matchAttribute: Invalid value: "/numa": the domain must not be empty'),
        ({"matchAttribute": "a.com/"}, '.matchAttribute: Invalid value: "a.com/": the name must not be empty'),
        (
            {"distinctAttribute": f"a.com/{'n' * 33}"},
            f'.distinctAttribute: Invalid value: "a.com/{"n" * 33}": must be no more than 32 characters',
        ),
        ({"requests": ["gpu"]}, ': Required value: exactly one of "matchAttribute" or "distinctAttribute" is required'),
    ],
)
def test_a_constraint_names_existing_requests_and_a_full_attribute(constraint: Object, problem: str) -> None:
    assert problems(exactly(), constraints=[constraint]) == [f"spec.devices.constraints[0]{problem}"]


def test_a_configuration_has_a_driver_and_an_object_for_it() -> None:
    path = "spec.devices.config[0].opaque"
    assert problems(config=[{}]) == [f"{path}: Required value"]
    assert problems(config=[{"opaque": {}}]) == [f"{path}.driver: Required value", f"{path}.parameters: Required value"]

    def of(parameters: object) -> list[str]:
        return problems(config=[{"opaque": {"driver": "d", "parameters": parameters}}])

    assert of([1]) == [f'{path}.parameters: Invalid value: "<value omitted>": must be a valid JSON object']
    assert of({"a": "x" * 10232}) == []  # with {"a":""} 10240 bytes
    assert of({"a": "x" * 10233}) == [f"{path}.parameters: Too long: may not be more than 10240 bytes"]


def test_alternatives_have_no_admin_access() -> None:
    request = first_available("a")
    request["firstAvailable"][0]["adminAccess"] = True
    (problem,) = problems(request)
    assert problem == f"{REQUEST}.firstAvailable[0].adminAccess: an alternative cannot have admin access"


def test_fields_in_the_place_of_another_version_are_pointed_out() -> None:
    (flat,) = problems({"name": "gpu", "deviceClassName": "c"})
    assert flat.endswith("is required (the fields of a request stand below `exactly` in this version)")
    (nested,) = problems(exactly(), version="v1beta1")
    assert nested.endswith("is required (this version knows no `exactly`: its fields stand in the request)")


def test_the_older_versions_are_checked_in_their_own_shape() -> None:
    assert problems({"name": "gpu", "deviceClassName": "c"}, version="v1beta1") == []
    (problem,) = problems({"name": "gpu", "deviceClassName": "c", "count": -1}, version="v1beta1")
    assert problem == f"{REQUEST}.count: Invalid value: -1: must be greater than zero"


def test_a_wrong_type_is_a_problem_too() -> None:
    assert problems(exactly(count="1")) == [f'ResourceClaim: {REQUEST}.exactly.count: must be an integer, got "1"']


def claim(name: str | None = "llama", *, template: bool = False, **metadata: Any) -> Object:
    spec: Object = {"devices": {"requests": [exactly("GPU")]}}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate" if template else "ResourceClaim",
        "metadata": {"name": name} | metadata,
        "spec": {"spec": spec} if template else spec,
    }


def test_the_names_of_an_object_are_checked_with_its_spec() -> None:
    found = validate_claim(claim("Llama", namespace="team.a"))
    assert found == [
        f'metadata.name: Invalid value: "Llama": {SUBDOMAIN}',
        'metadata.namespace: Invalid value: "team.a": must not contain dots',
        f'spec.devices.requests[0].name: Invalid value: "GPU": {LABEL}',
    ]
    assert validate_claim(claim(None))[0] == "metadata.name: Required value: name or generateName is required"
    assert len(validate_claim(claim(None, generateName="llama-"))) == 1


def test_a_template_is_checked_below_its_spec() -> None:
    (problem,) = validate_claim(claim(template=True))
    assert problem.startswith("spec.spec.devices.requests[0].name: Invalid value: ")


def test_the_classic_api_and_unknown_versions_are_problems() -> None:
    (classic,) = validate_claim(claim() | {"apiVersion": "resource.k8s.io/v1alpha2"})
    assert "resource.k8s.io/v1alpha2 is the classic API" in classic


@pytest.mark.parametrize("value", ["a", "a-b", "0", "a" * 63, "1a"])
def test_labels_that_pass(value: str) -> None:
    assert dns_label_error(value) is None
    assert dns_subdomain_error(value) is None


@pytest.mark.parametrize("value", ["", "-a", "a-", "A", "a_b", "a\n", "ä", "a b"])
def test_names_that_do_not_pass(value: str) -> None:
    assert dns_label_error(value) == LABEL
    assert dns_subdomain_error(value) == SUBDOMAIN


def test_lengths_are_limited() -> None:
    assert dns_label_error("a" * 64) == "must be no more than 63 characters"
    assert dns_subdomain_error("a" * 64) is None  # a part of a subdomain may be longer than a label
    assert dns_subdomain_error("a" * 253) is None
    assert dns_subdomain_error("a" * 254) == "must be no more than 253 characters"
    assert dns_subdomain_error("a.b-c.d") is None
    assert dns_subdomain_error("a..b") == SUBDOMAIN


@pytest.mark.parametrize(
    ("metadata", "problem"),
    [
        ({"labels": {"a b": "v"}}, 'metadata.labels: Invalid value: "a b": '),
        ({"labels": {"a": "-"}}, 'metadata.labels: Invalid value: "-": '),
        ({"annotations": {"a/b/c": "v"}}, 'metadata.annotations: Invalid value: "a/b/c": '),
        ({"annotations": {"a": "x" * 262144}}, "metadata.annotations: Too long: may not be more than 262144 bytes"),
        ({"generateName": "Ask-"}, 'metadata.generateName: Invalid value: "Ask-": '),
    ],
)
def test_labels_annotations_and_prefixes_follow_the_apis_rules(metadata: Object, problem: str) -> None:
    (found, _) = validate_claim(claim(**metadata))
    assert found.startswith(problem)


def test_the_case_of_an_annotations_key_does_not_matter() -> None:
    sound = {"labels": {"a.com/b": ""}, "annotations": {"A.com/B": "x" * 262136}, "generateName": "ask-"}
    assert len(validate_claim(claim(**sound))) == 1  # the request's name
