"""Every string in the files that a user hands over, and in a server's words: it stays in its field, or is refused."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from fakes.api_server import CERTIFICATE
from kubectl_llmfit.cluster.words import server_error
from kubectl_llmfit.completion import answer
from kubectl_llmfit.dra.environment import selector
from kubectl_llmfit.main import say_error
from safety.inputs import ENTRY as PLAIN_ENTRY
from safety.sinks import document, leaves, lines, refusal
from safety.strings import HOSTILE, obeyed
from safety.worlds import CLASS, world

pytestmark = pytest.mark.usefixtures("_app_made_once")

ROOT = Path(__file__).parents[2]
SNAPSHOT = str(ROOT / "examples" / "cluster.yaml")
ENTRY: dict[str, Any] = PLAIN_ENTRY | {
    "architecture": "llama",
    "license": "mit",
    "release_date": "2026-01-01",
    "capabilities": ["vision"],
}
LISTED = ("name", "provider", "quantization", "parameter_count", "use_case", "architecture", "license", "release_date")
CLAIM = """apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: claim}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: any}}]}}
"""


def written(path: Path, value: object) -> str:
    path.write_text(json.dumps(value))
    return str(path)


def answered(outcome: Any, form: str) -> Any:
    """The document that was answered; None where one line refuses the input."""
    if outcome.status == 2:
        refusal(outcome.status, outcome.stdout, outcome.stderr)
        return None
    assert outcome.status in (0, 1, 3), outcome.stderr
    assert "fault of" not in outcome.stderr
    lines(outcome.stderr)
    return document(outcome.stdout, form)


@pytest.mark.parametrize("field", LISTED)
@pytest.mark.parametrize("form", ["json", "yaml"])
def test_a_field_of_a_catalogue_is_listed_as_it_is(llmfit, tmp_path: Path, field: str, form: str) -> None:
    for name, text in HOSTILE.items():
        path = written(tmp_path / "models.json", [{**ENTRY, field: text}])
        found = answered(llmfit("models", "--catalog", path, "-o", form), form)
        if found is not None:
            assert found["items"][0][field] == text
            assert obeyed(text) == []
            table = llmfit("models", "--catalog", path, "-o", "wide")
            assert len(lines(table.stdout)) == 2, name
            assert len(lines(llmfit("models", "--catalog", path, "-o", "name").stdout)) == 1


def test_what_a_newer_catalogue_adds_is_listed_as_it_is(llmfit, tmp_path: Path) -> None:
    for text in HOSTILE.values():
        path = written(tmp_path / "models.json", [{**ENTRY, f"new {text}": {text: [text]}, "capabilities": ["x"]}])
        found = answered(llmfit("models", "--catalog", path, "-o", "json"), "json")
        assert found["items"][0][f"new {text}"] == {text: [text]}


@pytest.mark.parametrize("source", ["--catalog", "--fit"])
def test_a_models_name_is_the_annotation_of_its_claim_and_no_more(llmfit, tmp_path: Path, source: str) -> None:
    taken = 0
    for text in HOSTILE.values():
        path = written(tmp_path / "in.json", [{**ENTRY, "name": text}])
        if source == "--fit":
            path = written(tmp_path / "in.json", {"name": text, "min_ram_gb": 4, "min_vram_gb": 8})
        model = ["--", text] if source == "--catalog" else []
        for form in ("yaml", "json"):
            found = answered(llmfit("claim", source, path, "--name", "x", "-o", form, *model), form)
            if found is not None:
                annotations = found["metadata"]["annotations"]
                assert annotations["llmfit.ai/model"] == text.strip() or annotations["llmfit.ai/model"] == text
                assert set(found) == {"apiVersion", "kind", "metadata", "spec"}
                taken += 1
        summary = llmfit("claim", source, path, "--name", "x", "--json", *model)
        if summary.status == 0:
            assert text in set(leaves(json.loads(summary.stdout)))
        checked = answered(llmfit("check-nodes", source, path, "--snapshot", SNAPSHOT, "-o", "yaml", *model), "yaml")
        assert checked is None or text in set(leaves(checked))
    assert taken > len(HOSTILE) // 2


@pytest.mark.parametrize("folder", HOSTILE.values(), ids=HOSTILE)
def test_the_name_of_a_file_is_in_messages_and_annotations_on_one_line(llmfit, tmp_path: Path, folder: str) -> None:
    name = folder.replace("/", "-")
    try:
        path = written(tmp_path / name, [ENTRY])
    except (OSError, ValueError):
        assert folder in (HOSTILE[each] for each in ("empty", "long", "wide", "nul", "surrogate"))
        return  # no file is named so
    found = answered(llmfit("claim", "acme/model-7b", "--catalog", path), "yaml")
    assert "\n" not in found["metadata"]["annotations"]["llmfit.ai/catalog"]
    written(tmp_path / name, {"no": "list"})
    refused = llmfit("claim", "acme/model-7b", "--catalog", path)
    refusal(refused.status, refused.stdout, refused.stderr)


def table_of(**cells: str) -> str:
    row = {
        "vendor": "NVIDIA",
        "product": "Plain",
        "driver_product_names": "Plain Card",
        "memory_gib": "80",
        "memory_bandwidth_gb_s": "3000",
        "source": "s",
        **cells,
    }
    out = io.StringIO()
    writer = csv.DictWriter(out, row)
    writer.writeheader()
    writer.writerow(row)
    return out.getvalue()


@pytest.mark.parametrize("column", ["vendor", "product", "driver_product_names", "pci_ids", "mig_profiles", "source"])
def test_a_cell_of_a_product_table_stays_one_literal_of_the_selector(llmfit, tmp_path: Path, column: str) -> None:
    path = tmp_path / "table.csv"
    asked = ["claim", "--catalog", written(tmp_path / "models.json", [ENTRY]), "acme/model-7b", "-o", "json"]
    asked += ["--device-class", "gpu.nvidia.com", "--accelerators", str(path)]

    def expression(cell: str) -> str | None:
        path.write_bytes(table_of(**{column: cell}).encode("utf-8", "surrogatepass"))
        found = answered(llmfit(*asked), "json")
        if found is None:
            return None
        return found["spec"]["devices"]["requests"][0]["exactly"]["selectors"][0]["cel"]["expression"]

    plain = expression({"vendor": "NVIDIA", "pci_ids": "", "mig_profiles": ""}.get(column, "Plain Card"))
    for text in HOSTILE.values():
        found = expression(text)
        if found is not None:
            assert selector(found, stored=False).compile_error is None
            names = "', '".join(text.strip().split(" | "))
            assert found == (plain.replace("Plain Card", names) if column == "driver_product_names" else plain)


@pytest.mark.parametrize("place", ["name", "request", "class", "namespace", "expression", "unknown"])
def test_a_string_of_a_claim_is_taken_as_it_is_or_refused(llmfit, tmp_path: Path, place: str) -> None:
    cluster = written(tmp_path / "world.json", world("product", ["A"]))
    for text in HOSTILE.values():
        exactly: dict[str, Any] = {"deviceClassName": CLASS}
        metadata = {"name": "claim"}
        request: dict[str, Any] = {"name": "gpu", "exactly": exactly}
        if place == "class":
            exactly["deviceClassName"] = text
        elif place == "request":
            request["name"] = text
        elif place == "expression":
            exactly["selectors"] = [{"cel": {"expression": text}}]
        elif place == "unknown":
            request[text] = text
        else:
            metadata[place] = text
        claim = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": metadata}
        path = written(tmp_path / "claim.json", {**claim, "spec": {"devices": {"requests": [request]}}})
        answered(llmfit("check-nodes", "-f", path, "--snapshot", cluster, "-o", "json"), "json")
        table = llmfit("check-nodes", "-f", path, "--snapshot", cluster)
        assert table.status == 2 or len(lines(table.stdout)) == 2


@pytest.mark.parametrize("place", ["class", "expression", "stored claim"])
def test_a_string_of_a_class_or_a_stored_claim_stays_in_its_field(llmfit, tmp_path: Path, place: str) -> None:
    (tmp_path / "claim.yaml").write_text(CLAIM)
    for text in HOSTILE.values():
        cluster = world("product", ["A"])
        class_ = next(item for item in cluster["items"] if item["kind"] == "DeviceClass")
        asked = ["-f", str(tmp_path / "claim.yaml")]
        if place == "class":
            cluster["items"].append({**class_, "metadata": {"name": text}})
        elif place == "expression":
            class_["spec"] = {"selectors": [{"cel": {"expression": text}}]}
        else:
            holder = next(item for item in cluster["items"] if item["kind"] == "ResourceClaim")
            holder["spec"]["devices"]["requests"][0]["exactly"]["deviceClassName"] = text
            asked = ["resourceclaim/holder-0", "-n", "team"]
        path = written(tmp_path / "world.json", cluster)
        found = answered(llmfit("check-nodes", *asked, "--snapshot", path, "-o", "json"), "json")
        if found is not None and place != "class":
            assert text in set(leaves(found))
        missing = llmfit("eval", "true", "--device-class", "no-such-class", "--snapshot", path)
        refusal(missing.status, missing.stdout, missing.stderr)
        table = llmfit("check-nodes", *asked, "--snapshot", path)
        assert table.status == 2 or len(lines(table.stdout)) == 2


@pytest.mark.parametrize("key", ["serverVersion", "resourceVersion", "observedAt", "assumed", "reason", "resource"])
def test_a_string_of_a_snapshots_head_stays_in_its_field(llmfit, tmp_path: Path, key: str) -> None:
    (tmp_path / "claim.yaml").write_text(CLAIM)
    for text in HOSTILE.values():
        cluster = world("product", ["A"])
        head = cluster["items"][0]
        if key in ("reason", "resource"):
            head["unread"] = [{"resource": "nodes", "reason": "forbidden", key: text}]
        else:
            head[key] = [text] if key == "assumed" else text
        path = written(tmp_path / "world.json", cluster)
        asked = ["check-nodes", "-f", str(tmp_path / "claim.yaml"), "--snapshot", path]
        found = answered(llmfit(*asked, "-o", "yaml"), "yaml")
        if found is not None and not obeyed(text):
            assert any(isinstance(leaf, str) and text in leaf for leaf in leaves(found)), text
        table = llmfit(*asked)
        assert table.status == 2 or len(lines(table.stdout)) == 2


@pytest.mark.parametrize("place", ["context", "cluster", "user", "server", "namespace", "token", "proxy", "command"])
def test_a_string_of_a_kubeconfig_gets_one_line_at_most(llmfit, tmp_path: Path, place: str) -> None:
    for text in HOSTILE.values():
        names = {"context": "c", "cluster": "k", "user": "u", "namespace": "ns", "server": "https://127.0.0.1:1"}
        names |= {place: text} if place in names else {}
        user: dict[str, Any] = {"token": text if place == "token" else "secret-word"}
        if place == "command":
            user = {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "interactiveMode": "Never"}}
            user["exec"]["command"] = f"/nonexistent/{text}"  # some of them are programs
        cluster = {"server": names["server"], "certificate-authority": str(CERTIFICATE)}  # the system's are thousands
        cluster |= {"proxy-url": text} if place == "proxy" else {}
        context = {"cluster": names["cluster"], "user": names["user"], "namespace": names["namespace"]}
        config = {
            "kind": "Config",
            "current-context": names["context"],
            "clusters": [{"name": names["cluster"], "cluster": cluster}],
            "users": [{"name": names["user"], "user": user}],
            "contexts": [{"name": names["context"], "context": context}],
        }
        path = written(tmp_path / "config", config)
        outcome = llmfit("devices", "--kubeconfig", path, "--request-timeout", "1ms")
        assert outcome.stdout == ""
        assert outcome.status == 4, outcome.stderr
        assert len(lines(outcome.stderr)) <= 2, outcome.stderr
        assert "fault of" not in outcome.stderr
        assert "secret-word" not in outcome.stderr
        for flag in [f"--{place}"] if place in ("context", "cluster", "user") else []:
            *offered, directive = answer(["devices", "--kubeconfig", path, flag, ""]).split("\n")[:-1]
            assert directive == ":4"
            assert len(offered) <= 1
            assert all(obeyed(word) == [] and not set(word) & set(" \t$`\\\"'!;&|<>(){}[]*?#^") for word in offered)


@pytest.mark.parametrize("code", [400, 403, 404, 409, 422, 429, 500, 503])
def test_a_servers_words_are_one_line(code: int, capsys: pytest.CaptureFixture[str]) -> None:
    for text in HOSTILE.values():
        details = {"kind": text, "name": text, "causes": [{"field": text, "message": text, "reason": text}]}
        status = {"kind": "Status", "status": "Failure", "reason": text, "message": text, "details": details}
        for body in (
            json.dumps(status).encode(),
            json.dumps({**status, "reason": "Invalid"}).encode(),
            json.dumps({**status, "reason": "Unauthorized"}).encode(),
            text.encode("utf-8", "surrogatepass"),
        ):
            error = server_error(code, body, "get nodes")
            say_error(error.message, error.hint)
            assert len(lines(capsys.readouterr().err)) == 1
