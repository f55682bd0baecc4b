"""Cards and their parts in ``check-nodes``: a card is never counted twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from drivers.published import QUESTIONS, claim, contents, device_classes, slices

COPIES = [
    ("gpu.nvidia.com-20Gi-585", "dynamic", "gpu-0", 1),  # the card, though slices of it are published too
    ("mig.nvidia.com-4Gi-194", "dynamic", "gpu-0-mig-1g5gb-19-0", 7),  # of 9 placements that match
    ("mig.nvidia.com-4Gi-419", "dynamic", "gpu-0-mig-3g20gb-9-0", 2),
    ("any.nvidia.example.com-20Gi-585", "dynamic", "gpu-0", 1),
    ("gpu.amd.com-20Gi-600", "automatic", "gpu-0-cpx-nps4", 8),  # one device that stands for eighths
    ("gpu.amd.com-40Gi-1300", "automatic", "gpu-0-dpx-nps2", 2),
    ("gpu.amd.com-spx-20Gi-1300", "automatic", "gpu-0-spx-nps1", 1),
]


@pytest.mark.parametrize(("name", "node", "device", "copies"), COPIES, ids=[name for name, *_ in COPIES])
def test_copies_are_as_many_as_the_card_has_parts(
    llmfit, tmp_path: Path, name: str, node: str, device: str, copies: int
) -> None:
    question = next(each for each in QUESTIONS if each.name == name)
    driver = question.driver
    nodes = [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": each}} for each in contents(driver)["nodes"]]
    items = [*nodes, *slices(driver), *device_classes(driver)]
    (tmp_path / "cluster.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    (tmp_path / "claim.json").write_text(json.dumps(claim(question)))
    answer = llmfit(
        *("check-nodes", "-f", str(tmp_path / "claim.json"), "--snapshot", str(tmp_path / "cluster.json")),
        *("--node", node, "-o", "json"),
    )
    (entry,) = json.loads(answer.stdout)["nodes"]
    assert entry["verdict"] == "Fits"
    assert entry["copies"] == {"now": copies, "ifFree": copies}
    assert [each["device"] for each in entry["allocation"]] == [device]
