from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given as for_all
from hypothesis import settings
from hypothesis import strategies as st

from claim.needs import LLAMA, fit, given, llama, of
from kubectl_llmfit.claim.ask import Ask, make_ask
from kubectl_llmfit.claim.documents import document
from kubectl_llmfit.claim.header import header
from kubectl_llmfit.claim.render import render, template_name
from kubectl_llmfit.drivers.profile import HealthMode
from kubectl_llmfit.errors import UsageError
from kubectl_llmfit.fit.modelfit import need_of_catalogue

GOLDEN = Path(__file__).parent / "golden"
UPDATE = bool(os.environ.get("KUBECTL_LLMFIT_UPDATE_GOLDEN"))

ASKS: dict[str, Ask] = {
    "claim": make_ask(llama()),
    "claim-v1beta1": make_ask(llama(), api_version="v1beta1"),
    "claim-given": make_ask(given(), name="mine", namespace="team-a", wishes=of("gpu.llmfit.ai")),
    "claim-modelfit": make_ask(fit()),
    "template": make_ask(llama("Q8_0", 12.5), template=True),
    "template-v1beta1": make_ask(llama(), template=True, api_version="v1beta1"),
    "template-v1beta2": make_ask(llama(), template=True, api_version="v1beta2"),
    "nvidia": make_ask(llama("BF16"), of("gpu.nvidia.com")),
    "mig": make_ask(llama(min_tps=60), of("mig.nvidia.com")),
    "amd": make_ask(llama("BF16"), of("gpu.amd.com")),
    "intel": make_ask(llama("BF16", 12), of("gpu.intel.com")),
    "gaudi": make_ask(llama("BF16"), of("gaudi.intel.com")),
    "tpu": make_ask(llama("BF16"), of("tpu.google.com")),
    "neuron": make_ask(llama("BF16"), of("neuron.aws.com"), template=True),
    "ascend": make_ask(fit(), of("npu-910b4.project-hami.io")),
    "hami-share": make_ask(llama(), of("hami-core-gpu.project-hami.io", share=True), api_version="v1beta1"),
    "smallest-first": make_ask(llama("BF16", 60), of("gpu.nvidia.com", smallest_first=True)),
    "alternatives-v1beta1": make_ask(
        llama("BF16"), of("gaudi.intel.com", "tpu.google.com", "llmfit.ai"), api_version="v1beta1", template=True
    ),
    "no-health": make_ask(llama(), of("llmfit.ai", health=HealthMode.NONE)),
    "export-v1alpha2": make_ask(fit(), api_version="v1alpha2"),
    "export-v1alpha2-model": make_ask(need_of_catalogue(LLAMA), api_version="v1alpha2"),
}


@pytest.mark.parametrize("name", ASKS)
def test_the_text_is_the_golden_one(name: str) -> None:
    ask = ASKS[name]
    text = render(document(ask), header(ask))
    file = GOLDEN / f"{name}.yaml"
    if UPDATE:
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8"), "set KUBECTL_LLMFIT_UPDATE_GOLDEN=1 to take the new text"


@pytest.mark.parametrize("name", ASKS)
def test_the_text_reads_as_the_document(name: str) -> None:
    made = document(ASKS[name])
    assert yaml.safe_load(render(made, header(ASKS[name]))) == made


def test_no_golden_file_is_left_behind() -> None:
    assert {file.stem for file in GOLDEN.iterdir()} == set(ASKS)


NASTY_WORDS = [
    *("y", "N", "yes", "Off", "NULL", "~", "true", "1e3", "0o17", "0x1F", "1_000", "12:30:45", "2001-01-01", ".inf"),
    *(
        "=",
        "<<",
        "- a",
        "a: b",
        "a #b",
        "&a",
        "*a",
        "|",
        ">",
        "%a",
        "@a",
        "`",
        "!!int 3",
        "'",
        '"',
        "\\",
        "",
        " a",
        "a ",
    ),
    *("{{ 7*7 }}", "{% raw %}", "\n", "a\nb: c", "\t", "\x00", "\x1b[2J", "\x85", "\u2028", "\ufeff", "\U0001f600"),
]
NASTY = st.one_of(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=40), st.sampled_from(NASTY_WORDS))


def made_of(text: str, annotation: str) -> dict[str, Any]:
    made = document(ASKS["claim"])
    made["metadata"] = {"name": text, "namespace": text, "annotations": {annotation: text, "b": annotation}}
    made["spec"]["devices"]["requests"][0]["name"] = text
    made["spec"]["devices"]["requests"][0]["exactly"]["deviceClassName"] = text
    return made


@settings(deadline=None)
@for_all(NASTY, NASTY.filter(lambda text: text != "b"))
def test_any_string_in_any_scalar_comes_back_as_itself(text: str, annotation: str) -> None:
    made = made_of(text, annotation)
    rendered = render(made, (f"model: {annotation}".encode("unicode_escape").decode(),))
    assert yaml.safe_load(rendered) == made
    assert all(character.isprintable() or character == "\n" for character in rendered)


@pytest.mark.parametrize("word", ["y", "Y", "n", "no", "ON", "off", "True", "null", "Null", "1e3", "-1", "0x1"])
def test_a_word_that_kubernetes_reads_as_another_type_is_quoted(word: str) -> None:
    assert f'name: "{word}"' in render(made_of(word, "a"))


def test_a_lone_surrogate_is_an_error_and_no_crash() -> None:
    with pytest.raises(UsageError):
        render(made_of("\ud800", "a"))


def test_every_kind_has_its_template() -> None:
    names = {template_name(document(ask)) for ask in ASKS.values()}
    assert names == {"resourceclaim.yaml.j2", "resourceclaimtemplate.yaml.j2", "resourceclaim-v1alpha2.yaml.j2"}
