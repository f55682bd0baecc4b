from __future__ import annotations

import json

from claim.needs import LLAMA, fit, given, llama
from kubectl_llmfit import __version__
from kubectl_llmfit.claim.ask import make_ask
from kubectl_llmfit.claim.header import header
from kubectl_llmfit.claim.summary import asking, sharing, summary
from kubectl_llmfit.fit.llmfit import estimate
from kubectl_llmfit.fit.model import Model
from kubectl_llmfit.fit.modelfit import need_of_catalogue
from kubectl_llmfit.fit.target import make_target


def test_the_summary_has_llmfits_keys_in_llmfits_order_and_types() -> None:
    assert (
        json.dumps(summary(make_ask(llama())), indent=2)
        == f"""{{
  "claimName": "meta-llama-llama-3-1-8b-instruct-fit",
  "deviceClass": "llmfit.ai",
  "efficiencyPct": 55,
  "memoryGi": 5,
  "minBandwidthGBs": 170,
  "minTps": 20.0,
  "model": "meta-llama/Llama-3.1-8B-Instruct",
  "quant": "Q4_K_M",
  "resolverVersion": "{__version__}",
  "weightsGb": 4.7
}}"""
    )


def test_a_modelfits_summary_names_the_pods_memory_and_leaves_nothing_out() -> None:
    made = summary(make_ask(fit()))
    assert (made["memoryGi"], made["systemMemoryGi"]) == (8, 12)
    assert all(made[key] is None for key in ("quant", "weightsGb", "minBandwidthGBs", "minTps", "efficiencyPct"))


def test_a_memory_that_is_no_whole_gib_is_a_fraction() -> None:
    assert summary(make_ask(need_of_catalogue(LLAMA)))["memoryGi"] == 4.1


def test_the_asking_line_says_what_is_asked_and_how_it_was_counted() -> None:
    assert asking(make_ask(llama())) == (
        "asking: memory >= 5Gi, bandwidth >= 170 GB/s "
        "(Q4_K_M, the catalogue's own; the reference rule counts no KV cache)"
    )
    assert "(Q8_0, --quant; " in asking(make_ask(llama("q8_0")))
    assert asking(make_ask(fit())) == (
        "asking: memory >= 8Gi (from the ModelFit; the pod itself needs 12Gi of system memory)"
    )
    assert asking(make_ask(given())) == (
        "asking: memory >= 18Gi, bandwidth >= 300 GB/s (memory is --min-memory, not the estimate's 5Gi; "
        "bandwidth is --min-bandwidth, not the estimate's 170 GB/s)"
    )


def test_a_claim_is_said_to_be_shared_and_a_template_is_not() -> None:
    assert "share one device" in (sharing(make_ask(llama())) or "")
    assert sharing(make_ask(llama(), template=True)) is None


def test_the_header_says_what_the_formula_counts_and_no_more() -> None:
    lines = header(make_ask(llama("Q8_0")))
    assert lines[1:] == (
        "model:  meta-llama/Llama-3.1-8B-Instruct (8.0B params, Q8_0 ≈ 8.4 GB weights)",
        "fit:    tok/s ≈ bandwidth × 55% / 8.4 GB  ⇒  bandwidth ≥ 307 GB/s for ≥ 20 tok/s",
        "memory: ≥ 11Gi (weights 8.43 GB × 1.2, rounded up; no KV cache counted)",
    )
    assert "headroom" not in " ".join(lines)


def test_the_header_of_the_users_own_figures_promises_no_speed() -> None:
    text = "\n".join(header(make_ask(given())))
    assert "tok/s" not in text
    assert "≥ 300 GB/s (bandwidth is --min-bandwidth, not the estimate's 170 GB/s)" in text


def test_a_name_cannot_leave_its_comment_line_or_reach_the_terminal() -> None:
    model = Model(name="a/7b\nkind: Secret\x1b[2J\u202e\x85", parameters_raw=10**9)
    lines = header(make_ask(estimate(model, make_target())))
    assert all(line.isprintable() for line in lines)
    assert "a/7b\\u000akind: Secret\\u001b[2J\\u202e\\u0085" in lines[1]
