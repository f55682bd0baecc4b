from __future__ import annotations

from hashlib import sha256

import pytest

from kubectl_llmfit.api.names import dns_label_error
from kubectl_llmfit.claim.names import CLAIM_SUFFIX, checked_class, checked_name, checked_namespace, claim_name
from kubectl_llmfit.errors import UsageError


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("meta-llama/Llama-3.1-8B-Instruct", "meta-llama-llama-3-1-8b-instruct-fit"),
        ("Qwen/Qwen3-8B", "qwen-qwen3-8b-fit"),
        ("_a__b/..C--", "a-b-c-fit"),
        ("a" * 48, "a" * 48 + "-fit"),
        ("模型-7b", "7b-fit"),
    ],
)
def test_a_short_name_is_llmfits(model: str, name: str) -> None:
    assert claim_name(model) == name


def test_a_long_name_keeps_its_head_and_gets_a_digest_of_the_exact_model_name() -> None:
    model = "nvidia/NVIDIA-Nemotron-3.5-Lightning-30B-A3B-NVFP4-DFlash"
    digest = sha256(model.encode()).hexdigest()[:6]
    # the stem is 57 characters; its first 41 end before "a3b"
    assert claim_name(model) == f"nvidia-nvidia-nemotron-3-5-lightning-30b-{digest}-fit".replace("--", "-")
    assert claim_name(model) != claim_name(model.replace("DFlash", "DSpark"))
    assert claim_name(model) != claim_name(model.lower())


def test_names_are_dns_labels_of_at_most_63_characters() -> None:
    for length in (1, 47, 48, 49, 500):
        for suffix in ("-fit", CLAIM_SUFFIX):
            name = claim_name("Org/" + "Model.7B_" * length, suffix)
            assert dns_label_error(name) is None
            assert name.endswith(suffix)
            assert "--" not in name


def test_a_name_without_a_letter_that_can_stand_is_refused() -> None:
    with pytest.raises(UsageError, match="give one with --name"):
        claim_name("模型")


@pytest.mark.parametrize("name", ["BAD_Name with spaces/and: stuff", "", "a" * 254, "-a", "a\nb: c", "a..b"])
def test_a_name_that_the_api_would_refuse_is_refused_with_its_rule(name: str) -> None:
    for check, flag in ((checked_name, "--name"), (checked_class, "--device-class")):
        with pytest.raises(UsageError, match=f"for {flag}: ") as raised:
            check(name)
        assert raised.value.message.isprintable()


@pytest.mark.parametrize("namespace", ["a.b", "A", "", "a" * 64])
def test_a_namespace_is_a_label(namespace: str) -> None:
    with pytest.raises(UsageError, match="for --namespace: "):
        checked_namespace(namespace)


def test_names_may_have_dots_and_253_characters() -> None:
    assert checked_name("llama.team-a") == "llama.team-a"
    assert checked_name(".".join(["a" * 62] * 4)[:253])
