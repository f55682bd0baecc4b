"""kubectl's spellings of flags reach Typer in a form that it reads."""

from __future__ import annotations

import pytest

from kubectl_llmfit.app import group
from kubectl_llmfit.arguments import normalise
from kubectl_llmfit.errors import UsageError


def respell(line: str) -> list[str]:
    return normalise(line.split(), group())


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("claim M -o=json", "claim M -o json"),
        ("claim M -o json", "claim M -o json"),
        ("claim M -ojson", "claim M -ojson"),
        ("claim M --output=json", "claim M --output json"),
        ("claim M -n=team-a", "claim M -n team-a"),
        ("check-nodes M --no-headers=true", "check-nodes M --no-headers"),
        ("check-nodes M --no-headers=false", "check-nodes M"),
        ("check-nodes M --no-headers=T", "check-nodes M --no-headers"),
        ("check-nodes M --no-headers=0", "check-nodes M"),
        ("check-nodes M -l=gpu=a100", "check-nodes M -l gpu=a100"),
        ("check-nodes M -l gpu=a100", "check-nodes M -l gpu=a100"),
        ("check-nodes M -v=9", "check-nodes M -v 9"),
        ("check-nodes M --v=9", "check-nodes M --v 9"),
        ("-n team-a claim M", "claim -n team-a M"),
        ("--context kind check-nodes M", "check-nodes --context kind M"),
        ("--context=kind check-nodes M", "check-nodes --context kind M"),
        ("claim --name -o=x M", "claim --name -o=x M"),
        ("claim -- -o=json", "claim -- -o=json"),
        ("claim M --template=true", "claim M --template"),
        ("--version", "--version"),
        ("unknown -o=json", "unknown -o=json"),
    ],
)
def test_every_spelling_is_read(given: str, read: str) -> None:
    assert respell(given) == read.split()


def test_an_empty_value_stays_a_value() -> None:
    assert respell("claim M --name=") == ["claim", "M", "--name", ""]


def test_a_boolean_flag_takes_only_booleans() -> None:
    with pytest.raises(UsageError, match='invalid argument "maybe" for "--no-headers" flag'):
        respell("check-nodes M --no-headers=maybe")


def test_kubectls_template_flag_is_told_apart_from_ours() -> None:
    with pytest.raises(UsageError) as caught:
        respell("claim M --template={{.metadata.name}}")
    assert "ResourceClaimTemplate" in str(caught.value.hint)
