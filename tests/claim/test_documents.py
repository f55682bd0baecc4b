from __future__ import annotations

from typing import Any

import pytest

from claim.needs import fit, llama, of
from kubectl_llmfit.api.read import read_claim, read_template
from kubectl_llmfit.api.validation import validate_claim
from kubectl_llmfit.claim.ask import make_ask
from kubectl_llmfit.claim.documents import document, object_name
from kubectl_llmfit.fit.modelfit import need_from_model_fit

SERVED = ["v1", "v1beta2", "v1beta1"]


@pytest.mark.parametrize("version", SERVED)
@pytest.mark.parametrize("template", [False, True])
def test_every_version_says_the_same_and_the_api_takes_it(version: str, template: bool) -> None:
    ask = make_ask(llama(), template=template, api_version=version, namespace="team-a")
    made = document(ask)
    assert made["apiVersion"] == f"resource.k8s.io/{version}"
    assert validate_claim(made) == []
    read = read_template(made) if template else read_claim(made)
    alternative = read.spec.requests[0].alternatives[0]
    assert (read.name, read.namespace, read.kind) == (ask.name, "team-a", ask.kind)
    assert (alternative.device_class_name, alternative.count, alternative.selectors) == (
        "llmfit.ai",
        1,
        (ask.alternatives[0].expression,),
    )


def test_only_v1beta1_has_a_flat_request() -> None:
    requests = {version: _request(document(make_ask(llama()), version)) for version in SERVED}
    assert set(requests["v1"]) == set(requests["v1beta2"]) == {"name", "exactly"}
    assert set(requests["v1beta1"]) == {"name", "deviceClassName", "selectors"}


def test_a_namespace_is_written_only_when_given() -> None:
    assert "namespace" not in document(make_ask(llama()))["metadata"]


def test_annotations_never_stand_inside_the_immutable_spec() -> None:
    made = document(make_ask(llama(), template=True))
    assert "annotations" in made["metadata"]
    assert set(made["spec"]) == {"spec"}


def test_the_older_export_is_that_of_the_source_document() -> None:
    made = document(make_ask(fit(), api_version="v1alpha2"))
    assert (made["apiVersion"], made["kind"]) == ("resource.k8s.io/v1alpha2", "ResourceClaim")
    assert made["metadata"]["name"] == "llama-7b-claim"
    assert made["spec"] == {
        "resourceClassName": "gpu-memory-class",
        "resources": {"memory": "12Gi", "gpu.memory": "8Gi"},
    }


def test_the_older_export_keeps_fractions() -> None:
    need = need_from_model_fit({"name": "a", "ram_gb": 7.5, "vram_gb": 4.1})
    resources = document(make_ask(need, api_version="v1alpha2"))["spec"]["resources"]
    assert resources == {"memory": "7.5Gi", "gpu.memory": "4.1Gi"}


def test_the_object_is_named_as_kubectl_names_it() -> None:
    assert object_name(make_ask(llama(), name="a")) == "resourceclaim.resource.k8s.io/a"
    assert object_name(make_ask(llama(), name="a", template=True)) == "resourceclaimtemplate.resource.k8s.io/a"


@pytest.mark.parametrize("version", SERVED)
def test_several_classes_are_alternatives_in_the_order_given_in_every_version(version: str) -> None:
    ask = make_ask(llama("BF16"), of("tpu.google.com", "gpu.nvidia.com"), api_version=version)
    made = document(ask)
    assert validate_claim(made) == []
    (request,) = read_claim(made).spec.requests
    assert request.prioritized
    assert [(each.name, each.device_class_name, each.allocation_mode) for each in request.alternatives] == [
        ("tpu-google-com", "tpu.google.com", "All"),
        ("gpu-nvidia-com", "gpu.nvidia.com", "ExactCount"),
    ]
    assert [each.selectors for each in request.alternatives] == [(each.expression,) for each in ask.alternatives]


@pytest.mark.parametrize("version", SERVED)
def test_a_share_requests_the_memory_that_is_needed(version: str) -> None:
    made = document(make_ask(llama(), of("hami-core-gpu.project-hami.io", share=True), api_version=version))
    assert validate_claim(made) == []
    (alternative,) = read_claim(made).spec.requests[0].alternatives
    assert {name: str(amount) for name, amount in alternative.capacity.items()} == {"memory": "5Gi", "cores": "0"}


def _request(made: dict[str, Any]) -> dict[str, Any]:
    request: dict[str, Any] = made["spec"]["devices"]["requests"][0]
    return request
