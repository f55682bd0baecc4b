"""Command lines on damaged input: every file that a user can hand over, and every way to print the answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from agree.scheduler.worlds import world
from safety.fuzzing.mutating import Choice, damage, scratched, value, written
from safety.inputs import CLAIM, CONFIG, ENTRY, TABLE

ROOT = Path(__file__).parents[3]
MODEL = "meta-llama/Llama-3.1-8B-Instruct"
COMPLETE = "__complete"  # kubectl's request for what may stand in place of the last word
WORLDS = 400
FORMATS = ("json", "table", "wide", "json", "yaml", "name")
FIT = {
    "name": "acme/model-7b",
    "min_ram_gb": 8,
    "min_vram_gb": 6,
    "estimated_vram_gb": 5.5,
    "estimated_memory_gb": 7.25,
}
TEMPLATE = (ROOT / "templates" / "resourceclaim.yaml.j2").read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Case:
    """One command line; FILE and FOLDER stand for ``content`` in a file called ``name``, and for its folder."""

    words: tuple[str, ...]
    content: bytes
    name: str = "input"

    @property
    def form(self) -> str:
        """The output format that was asked for."""
        return self.words[self.words.index("-o") + 1] if "-o" in self.words else "text"

    def __str__(self) -> str:
        return f"{' '.join(self.words)}  <<< {self.content[:3000]!r}"


def case(choice: Choice) -> Case:
    """One of them."""
    return choice.of(_KINDS)(choice)


@cache
def _example(name: str) -> Any:
    return yaml.safe_load((ROOT / "examples" / name).read_text(encoding="utf-8"))


@cache
def _drawn(number: int) -> tuple[Any, Any]:
    """A hostile world of the scheduler's tests: a list of what it holds, and one of the pod's claims."""
    drawn = world(20261201, number)
    objects = [*drawn.nodes, *drawn.slices, *drawn.classes, *drawn.held, *drawn.rules]
    return _list(objects), _list(drawn.claims)


def _list(items: list[Any]) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "List", "items": items}


def _damaged(document: Any, choice: Choice) -> Any:
    for _ in range(choice.below(5)):
        document = damage(document, choice)
    return document


def _printed(choice: Choice) -> tuple[str, ...]:
    form = choice.of(FORMATS)
    return ("-o", form, *(("--show-devices",) if form == "table" and choice.one_in(2) else ()))


def _head(choice: Choice) -> Any:
    """What ``snapshot`` writes first: what the rest of the file is, and what is missing from it."""
    lists = ("nodes", "deviceclasses", "resourceclaims", "resourceclaimtemplates", "devicetaintrules")
    missing = lists[choice.below(len(lists)) :][: choice.below(3)]
    return {
        "apiVersion": "kubectl-llmfit/v1alpha1",
        "kind": "ClusterSnapshot",
        "serverVersion": choice.of(("v1.37.2", "v1.36.1", "v1.35.0-gke.100", "v1.34.2+k3s1", "v1.99.0")),
        "served": {name: ["v1"] for name in lists},
        "unread": [{"resource": name, "reason": "the server is tired"} for name in missing],
        "assumed": [],
        "resourceVersion": "100",
        "observedAt": "2026-12-01T00:00:00Z",
    }


def _snapshot(choice: Choice) -> Case:
    document = _example("cluster.yaml") if choice.one_in(3) else _drawn(choice.below(WORLDS))[0]
    if choice.one_in(3):
        document = _list([_head(choice), *document["items"]])
    content = written(_damaged(document, choice), choice)
    return choice.of(
        (
            Case(("check-nodes", MODEL, "--snapshot", "FILE", *_printed(choice)), content),
            Case(("check-nodes", MODEL, "--device-class", "auto", "--snapshot", "FILE", *_printed(choice)), content),
            Case(("devices", "--snapshot", "FILE", "-o", choice.of(FORMATS)), content),
            Case(("eval", "device.attributes['llmfit.ai'].healthy", "--snapshot", "FILE", "-o", "json"), content),
        )
    )


def _world_with_claims(choice: Choice) -> Case:
    """A cluster and the claims that are asked of it, both in one file: damage to one shows in the other."""
    objects, claims = _drawn(choice.below(WORLDS))
    content = written(_damaged(_list([*objects["items"], *claims["items"]]), choice), choice)
    name = claims["items"][0]["metadata"]["name"]
    words = ("check-nodes", f"resourceclaim/{name}", "--snapshot", "FILE", *_printed(choice))
    return Case(words, content)


def _claims(choice: Choice) -> Case:
    document = CLAIM if choice.one_in(3) else _drawn(choice.below(WORLDS))[1]
    snapshot = str(ROOT / "examples" / "cluster.yaml")
    content = written(_damaged(choice.of((_as_is, _as_v1beta1, _as_templates))(document), choice), choice)
    return Case(("check-nodes", "-f", "FILE", "--snapshot", snapshot, *_printed(choice)), content)


def _as_is(document: Any) -> Any:
    return document


def _as_v1beta1(document: Any) -> Any:
    """With what asks for devices one level higher."""
    if "items" in document:
        return {**document, "items": [_as_v1beta1(item) for item in document["items"]]}
    devices = document["spec"]["devices"]
    requests = [{**request, **request.get("exactly", {})} for request in devices.get("requests", [])]
    for request in requests:
        request.pop("exactly", None)
    return {
        **document,
        "apiVersion": "resource.k8s.io/v1beta1",
        "spec": {**document["spec"], "devices": {**devices, "requests": requests}},
    }


def _as_templates(document: Any) -> Any:
    if "items" in document:
        return {**document, "items": [_as_templates(item) for item in document["items"]]}
    return {
        "apiVersion": document["apiVersion"],
        "kind": "ResourceClaimTemplate",
        "metadata": document["metadata"],
        "spec": {"spec": document["spec"]},
    }


def _with(choice: Choice) -> Case:
    snapshot = str(ROOT / "examples" / "cluster.yaml")
    content = written(_damaged(_drawn(choice.below(WORLDS))[0], choice), choice)
    return Case(("check-nodes", MODEL, "--snapshot", snapshot, "--with", "FILE", *_printed(choice)), content)


def _catalogue(choice: Choice) -> Case:
    second = ENTRY | {"name": "acme/model-8x7B-FP8", "quantization": "Q8_0", "is_moe": True}
    content = written(_damaged([ENTRY, second], choice), choice)
    return choice.of(
        (
            Case(("claim", "acme/model-7b", "--catalog", "FILE", "-o", choice.of(("yaml", "json", "name"))), content),
            Case(("claim", "acme/model-8x7B-FP8", "--catalog", "FILE", "--json"), content),
            Case(("models", "--catalog", "FILE", "-o", choice.of(FORMATS)), content),
        )
    )


def _fit(choice: Choice) -> Case:
    content = written(_damaged(FIT, choice), choice)
    return Case(("claim", "--fit", "FILE", "-o", choice.of(("yaml", "json", "name"))), content)


def _products(choice: Choice) -> Case:
    rows = TABLE.splitlines() + ["NVIDIA,NVIDIA H100 80GB HBM3 | Other,80,3350"] * choice.below(3)
    for _ in range(choice.below(3)):
        cells = rows[row := choice.below(len(rows))].split(",")
        cells[choice.below(len(cells))] = str(value(choice))
        rows[row] = ",".join(cells)
    content = ("\n".join(rows) + "\n").encode("utf-8", "surrogatepass")
    content = scratched(content, choice) if choice.one_in(4) else content
    words = ("claim", MODEL, "--device-class", "gpu.nvidia.com", "--accelerators", "FILE")
    return Case((*words, "-o", choice.of(("yaml", "json", "name"))), content)


def _template(choice: Choice) -> Case:
    text = TEMPLATE.encode()
    for _ in range(1 + choice.below(3)):
        text = scratched(text, choice)
    return Case(("claim", MODEL, "--template-dir", "FOLDER", "-o", "yaml"), text, "resourceclaim.yaml.j2")


def _kubeconfig(choice: Choice) -> Case:
    content = written(_damaged(CONFIG, choice), choice)
    words = ("devices", "--kubeconfig", "FILE", "--server", "https://127.0.0.1:1", "--request-timeout", "5s")
    return Case(words, content)


def _flags(choice: Choice) -> Case:
    """Values of flags that nobody would give."""
    flag = choice.of(("--min-tps", "--quant", "--efficiency", "--min-memory", "--min-bandwidth", "--name", "-n"))
    text = str(value(choice)).replace("\0", "")
    return Case(("claim", MODEL, f"{flag}={text}" if flag != "-n" else f"-n={text}", "-o", "json"), b"")


def _words(choice: Choice) -> Case:
    """What no one would ask for."""
    snapshot = str(ROOT / "examples" / "nvidia.yaml")
    text = choice.of(("device.driver == 'x'", "gpu.nvidia.com", "resourceclaim/", MODEL, str(value(choice))))
    form = choice.of(FORMATS)
    asked = choice.of((("drivers", "-o", form), ("models", "-o", form), ("completion",), ("rbac", "-o", form)))
    with_file = ("check-nodes", "--snapshot", snapshot, "-o", form), ("eval", "--snapshot", snapshot, "-o", form)
    words = asked if choice.one_in(2) else choice.of(with_file)
    return Case((*words, "--", text.replace("\0", "")), b"")


def _completed(choice: Choice) -> Case:
    """A line that a person is writing, over a damaged catalogue or kubeconfig."""
    command = choice.of(("claim", "check-nodes", "devices", "eval", "drivers", "models", "nonsense"))
    before = choice.of(((), ("--catalog", "FILE"), ("--kubeconfig", "FILE"), ("--quant",), ("-n",), ("--context",)))
    last = choice.of(("", "-", "--", "acme/", "llama", "resourceclaim/", "--device-class=", str(value(choice))))
    document = [ENTRY] if "--catalog" in before else CONFIG
    words = (COMPLETE, command, *before, last.replace("\0", ""))
    return Case(words, written(_damaged(document, choice), choice))


def _assumed(choice: Choice) -> Case:
    text = choice.of(
        (
            "8x NVIDIA L40S",
            "2x",
            "x",
            "0x NVIDIA L4",
            "99999999999x NVIDIA L4",
            "3x NVIDIA H100 80GB HBM3",
            str(value(choice)),
        )
    )
    snapshot = str(ROOT / "examples" / "nvidia.yaml")
    words = ("check-nodes", MODEL, "--device-class", "gpu.nvidia.com", "--assume", text.replace("\0", ""))
    return Case((*words, "--snapshot", snapshot, *_printed(choice)), json.dumps({}).encode())


_KINDS: tuple[Callable[[Choice], Case], ...] = (
    *(_snapshot, _snapshot, _snapshot, _world_with_claims, _world_with_claims, _claims, _claims, _with),
    *(_catalogue, _fit, _products, _template, _kubeconfig, _flags, _words, _completed, _assumed),
)
