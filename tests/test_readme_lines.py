"""Every command line, flag and exit status in README and the pages beside it is tried.

Those that ask a cluster are tried as they stand on the real one in tests/live/test_readme_lines_live.py, and here on
the example clusters; installations in tests/dist, signals and closed streams in tests/safety/test_process.py.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest
import yaml

from documents import MODEL, README, ROOT, Line, flags, lines, text_of
from fakes import worlds
from fakes.api_server import FakeServer
from kubectl_llmfit.app import group

EXAMPLE = str(ROOT / "examples" / "cluster.yaml")
NVIDIA = str(ROOT / "examples" / "nvidia.yaml")
# What stands for something that the reader puts in, in the order in which it is replaced.
PLACEHOLDERS = {
    "resourceclaim/NAME": "resourceclaim/llama",
    "MODEL": MODEL,
    "drivers NAME": "drivers gpu.nvidia.com",
    "COMMAND": "claim",
    "…": "DRAPartitionableDevices=true",
    "--fit FILE": "--fit fit.json",
    "--accelerators FILE": "--accelerators table.csv",
    "--with FILE": f"--with {EXAMPLE}",
    "--template-dir DIR": "--template-dir .",
}
FILES = {
    "claim.yaml": """
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: mine}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: llmfit.ai}}]}}
""",
    "fit.json": '{"name": "llama", "min_ram_gb": 12, "min_vram_gb": 8}',
    "table.csv": "vendor,driver_product_names,memory_gib,memory_bandwidth_gb_s\nNVIDIA,NVIDIA R200,288,20000\n",
}
# Lines of other programs, and where they are tried.
ELSEWHERE = {
    "kubectl krew install": "tests/dist/test_krew.py",
    "kubectl krew index add": "tests/dist/test_krew.py",
    "kubectl krew upgrade": "tests/dist/test_krew.py",
    "pipx install": "tests/dist/test_pip.py",
    "uv tool install": "tests/dist/test_pip.py",
    "kubectl get": "tests/live/test_readme_lines_live.py",
}
# A line for each flag that pages name in passing. Connection flags are given to a server that answers.
CONFIG = "--kubeconfig config"
BY_FLAG = {
    "--efficiency": f"claim {MODEL} --efficiency 60",
    "--fit": "claim --fit fit.json",
    "--api-version": f"claim {MODEL} --api-version v1beta1",
    "-o": f"claim {MODEL} -o json",
    "--json": f"claim {MODEL} --json",
    "--template-dir": f"claim {MODEL} --template-dir .",
    "--dry-run": f"claim {MODEL} --apply --dry-run=client -o name",
    "--skip-check": f"claim {MODEL} --apply --skip-check --dry-run=client -o name",
    "--force-conflicts": f"claim {MODEL} --apply --force-conflicts --dry-run=client -o name",
    "--request-timeout": f"devices --request-timeout 20s {CONFIG}",
    "--context": f"devices --context dev {CONFIG}",
    "--kubeconfig": f"devices {CONFIG}",
    "--cluster": f"devices --cluster fake {CONFIG}",
    "--user": f"devices --user jane {CONFIG}",
    "--as": f"devices --as reader {CONFIG}",
    "--as-group": f"devices --as reader --as-group team {CONFIG}",
    "--token": f"devices --token t {CONFIG}",
    "--server": "devices --server SERVER",
    "-n": f"check-nodes {MODEL} -n team-a --snapshot {EXAMPLE}",
    "--require-health": f"claim {MODEL} --device-class gpu.nvidia.com --require-health taint",
    "--smallest-first": f"claim {MODEL} --device-class gpu.nvidia.com --smallest-first",
    "--share": f"claim {MODEL} --device-class hami-core-gpu.project-hami.io --share",
    "--driver": f"claim {MODEL} --device-class fast --driver gpu.nvidia.com",
    "--accelerators": f"claim {MODEL} --device-class gpu.nvidia.com --accelerators table.csv",
    "--with": f"check-nodes {MODEL} --snapshot {EXAMPLE} --with {EXAMPLE}",
    "--kubernetes-version": f"check-nodes {MODEL} --kubernetes-version 1.36 --snapshot {EXAMPLE}",
    "--feature-gates": f"check-nodes {MODEL} --feature-gates DRAConsumableCapacity=false --snapshot {EXAMPLE}",
    "--check": "eval --check true",
    "--help": "claim --help",
    "-h": "claim -h",
    "--snapshot": f"devices --snapshot {EXAMPLE}",
    "--limit": "models llama --limit 3",
    "--show-devices": f"check-nodes {MODEL} --show-devices --snapshot {EXAMPLE}",
    "--apply": "rbac --apply",
    "-f": f"check-nodes -f claim.yaml --snapshot {EXAMPLE}",
    "-l": f"check-nodes {MODEL} -l kubernetes.io/hostname=gpu-a --snapshot {EXAMPLE}",
    "--node": f"check-nodes {MODEL} --node gpu-a --snapshot {EXAMPLE}",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("reader")
    for name, text in FILES.items():
        (made / name).write_text(text)
    stored = yaml.safe_load(Path(EXAMPLE).read_text())
    claim = yaml.safe_load(FILES["claim.yaml"]) | {"metadata": {"name": "llama", "namespace": "default"}}
    (made / "stored.json").write_text(json.dumps(stored | {"items": [*stored["items"], claim]}))
    return made


def filled(text: str) -> str:
    """The line with something of the reader's own in it."""
    for placeholder, word in PLACEHOLDERS.items():
        text = text.replace(placeholder, word)
    return text


def run(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}
    program = [str(ROOT / "kubectl-llmfit"), *words]
    return subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, check=False)


OURS = [line for line in lines() if line.is_ours]
OTHERS = [line for line in lines() if not line.is_ours]


@pytest.mark.parametrize("line", OURS, ids=lambda line: line.text)
def test_a_line_does_what_its_page_says(line: Line, folder: Path) -> None:
    ours = filled(line.text).partition(" | ")[0].partition(" > ")[0].removeprefix("kubectl llmfit ")
    words = shlex.split(ours)
    done = run([*words, *_have(words)], folder)
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout


def _have(words: list[str]) -> list[str]:
    """The cluster that takes the place of the reader's."""
    if "--apply" in words:
        return ["--dry-run=client", "-o", "yaml"]
    if words[0] == "snapshot":
        return ["--help"]
    if words[0] not in ("check-nodes", "devices", "eval"):
        return []
    if "resourceclaim/llama" in words:
        return ["--snapshot", "stored.json"]
    return ["--snapshot", NVIDIA if {"gpu.nvidia.com", "auto"} & set(words) else EXAMPLE]


@pytest.mark.parametrize("line", OTHERS, ids=lambda line: line.text)
def test_a_line_of_another_program_is_tried_elsewhere(line: Line) -> None:
    if line.text.startswith("make "):
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        assert set(line.text.split()[1:]) <= set(targets)
        return
    [place] = [place for beginning, place in ELSEWHERE.items() if line.text.startswith(beginning)]
    word = line.text.split()[1] if line.text.startswith("kubectl") else line.text.split()[0]
    assert word in (ROOT / place).read_text()


def test_every_flag_of_a_page_is_one_of_the_program_and_tried() -> None:
    known = {spelling for command in group().commands.values() for each in command.params for spelling in each.opts}
    named = flags() - {"-c"}
    assert named <= known | {"--help", "-h", "--version"}, named - known
    shown = {flag for line in OURS for flag in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", line.text)}
    assert named <= shown | BY_FLAG.keys(), sorted(named - shown - BY_FLAG.keys())


@pytest.mark.parametrize("flag", BY_FLAG)
def test_a_flag_is_understood(flag: str, folder: Path) -> None:
    with FakeServer(worlds.answers(), tls=False) as server:
        (folder / "config").write_text(
            "{apiVersion: v1, kind: Config, current-context: dev, users: [{name: jane, user: {}}],"
            f" clusters: [{{name: fake, cluster: {{server: '{server.url}'}}}}],"
            " contexts: [{name: dev, context: {cluster: fake, user: jane}}]}"
        )
        done = run(shlex.split(BY_FLAG[flag].replace("SERVER", server.url)), folder)
    assert done.returncode in (0, 1), done.stderr
    assert done.stdout


# What yields each status of the table; signals and a closed pipe are in tests/safety/test_process.py too.
STATUSES = {
    0: f"check-nodes {MODEL} --snapshot {EXAMPLE}",
    1: f"check-nodes {MODEL} --min-memory 80Gi --snapshot {EXAMPLE}",
    2: "claim no/such-model",
    3: f"check-nodes {MODEL} --snapshot unread.json",  # what holds the devices was not read
    4: f"check-nodes {MODEL} --server http://127.0.0.1:1",
}


@pytest.mark.parametrize("status", STATUSES)
def test_every_exit_status_of_the_table_is_given(status: int, folder: Path) -> None:
    state = yaml.safe_load(Path(EXAMPLE).read_text())
    state["items"][0]["unread"] = [{"resource": "resourceclaims", "reason": "forbidden"}]
    (folder / "unread.json").write_text(json.dumps(state))
    assert run(shlex.split(STATUSES[status]), folder).returncode == status
    assert f"| {status} |" in text_of(README)
