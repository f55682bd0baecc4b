"""The files that a user hands over: which command reads each, and one of each that is good."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from safety.worlds import CLASS, world

MODEL = "acme/model-7b"
ENTRY = {
    "name": MODEL,
    "provider": "Acme",
    "parameter_count": "7B",
    "parameters_raw": 7_000_000_000,
    "min_ram_gb": 4.0,
    "recommended_ram_gb": 8.0,
    "min_vram_gb": 4.0,
    "quantization": "Q4_K_M",
    "context_length": 4096,
    "use_case": "General",
}
WORLD = world("product", ["A"], held=False)
CLAIM = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceClaim",
    "metadata": {"name": "claim"},
    "spec": {"devices": {"requests": [{"name": "gpu", "exactly": {"deviceClassName": CLASS}}]}},
}
CONFIG = {
    "kind": "Config",
    "current-context": "c",
    "clusters": [{"name": "k", "cluster": {"server": "https://127.0.0.1:1"}}],
    "users": [{"name": "u", "user": {"token": "secret-word"}}],
    "contexts": [{"name": "c", "context": {"cluster": "k", "user": "u"}}],
}
TABLE = "vendor,driver_product_names,memory_gib,memory_bandwidth_gb_s\nNVIDIA,Plain Card,80,3000\n"


@dataclass(frozen=True, slots=True)
class Input:
    """A command line with FILE and FOLDER in it, a good text for the file, and what refuses a bad one."""

    words: tuple[str, ...]
    good: str
    refused: int = 2
    accepted: int = 0
    name: str = "input"  # in FOLDER
    is_yaml: bool = False


INPUTS = {
    "--snapshot": Input(
        ("check-nodes", "-f", "FOLDER/claim.json", "--snapshot", "FILE"), json.dumps(WORLD), is_yaml=True
    ),
    "-f": Input(("check-nodes", "-f", "FILE", "--snapshot", "FOLDER/world.json"), json.dumps(CLAIM), is_yaml=True),
    "--with": Input(
        ("check-nodes", "-f", "FOLDER/claim.json", "--snapshot", "FOLDER/world.json", "--with", "FILE"),
        json.dumps(WORLD),
        is_yaml=True,
    ),
    "--fit": Input(("claim", "--fit", "FILE"), json.dumps({"name": "x", "min_ram_gb": 4, "min_vram_gb": 8})),
    "--catalog": Input(("claim", MODEL, "--catalog", "FILE"), json.dumps([ENTRY])),
    "--accelerators": Input(
        (
            *("claim", MODEL, "--catalog", "FOLDER/models.json", "--device-class", "gpu.nvidia.com"),
            *("--accelerators", "FILE"),
        ),
        TABLE,
    ),
    "--template-dir": Input(
        ("claim", MODEL, "--catalog", "FOLDER/models.json", "--template-dir", "FOLDER"),
        "{% include 'resourceclaim-own.j2' %}\n",
        name="resourceclaim.yaml.j2",
    ),
    "--kubeconfig": Input(
        ("devices", "--kubeconfig", "FILE", "--request-timeout", "1ms"),
        json.dumps(CONFIG),
        refused=4,
        accepted=4,  # nothing answers there
        is_yaml=True,
    ),
}
FILES = [name for name in INPUTS if name != "--template-dir"]


def fill(folder: Path) -> None:
    """The good files that the commands read beside the one that is tried."""
    template = Path(__file__).parents[2] / "templates" / "resourceclaim.yaml.j2"
    (folder / "resourceclaim-own.j2").write_text(template.read_text())
    (folder / "world.json").write_text(json.dumps(WORLD))
    (folder / "claim.json").write_text(json.dumps(CLAIM))
    (folder / "models.json").write_text(json.dumps([ENTRY]))


def words(of: Input, folder: Path, file: Path | str | None = None) -> list[str]:
    """The command line that reads ``file``, by default the input in ``folder``."""
    path = str(folder / of.name if file is None else file)
    return [word.replace("FILE", path).replace("FOLDER", str(folder)) for word in of.words]
