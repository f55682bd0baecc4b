"""Faults that users of programs like this one have reported in public, each tried here (reading and connecting).

Others of them are tried where their subject is: several kubeconfig files, impersonation and proxies in
``live/test_access_as_kubectl.py``; plugins that fail in ``test_exec_plugin.py``; authorities without key identifiers in
``test_tls.py``; missing rights in ``test_reading_in_part.py`` and ``live/test_access_rights.py``.
"""

from __future__ import annotations

import copy
import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes import worlds
from fakes.api_server import CERTIFICATE, FakeServer, expired, failure, forbidden
from kubectl_llmfit.cluster.connection import ConnectionOptions, connect
from kubectl_llmfit.cluster.reading import read_cluster
from kubectl_llmfit.errors import CannotTellError
from live.program import run_here

ROOT = Path(__file__).resolve().parents[2]
SLICES = "/apis/resource.k8s.io/v1/resourceslices"
V1 = "client.authentication.k8s.io/v1"


def plugin(script: str, **more: Any) -> dict[str, Any]:
    return {"exec": {"apiVersion": V1, "command": "sh", "args": ["-c", script], "interactiveMode": "Never", **more}}


# A login that prompts was told it cannot, because stdout was a pipe


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo terminals")
def test_a_login_may_prompt_at_the_terminal_although_stdout_is_a_pipe(
    server: FakeServer, kubeconfig: Any, tmp_path: Path
) -> None:
    document = json.dumps({"apiVersion": V1, "kind": "ExecCredential", "status": {"token": "$word"}})
    script = f'printf %s "$KUBERNETES_EXEC_INFO" > {tmp_path}/info; echo "word?" >&2; read word; '
    printed = document.replace('"', '\\"')
    user = plugin(f'{script}echo "{printed}"', interactiveMode="IfAvailable")
    ours, theirs = pty.openpty()
    os.write(ours, b"typed\n")
    try:
        done = subprocess.run(
            [sys.executable, "-m", "kubectl_llmfit", "snapshot", "--kubeconfig", str(kubeconfig(server.url, user))],
            stdin=theirs,
            capture_output=True,
            text=True,
            check=False,
            env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT / "plugin")},
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "word?\n"  # the prompt reached the person, not the pipe
    assert json.loads(done.stdout)["kind"] == "List"
    assert json.loads((tmp_path / "info").read_text())["spec"]["interactive"] is True
    assert {value for request in server.requests for value in request.header("Authorization")} == {"Bearer typed"}


# A token that expires during a paged list


def test_a_token_that_lives_for_three_requests_lasts_for_a_whole_cluster(
    server: FakeServer, kubeconfig: Any, tmp_path: Path
) -> None:
    count = f"echo x >> {tmp_path}/runs; n=$(wc -l < {tmp_path}/runs)"
    document = json.dumps({"apiVersion": V1, "kind": "ExecCredential", "status": {"token": "t$((n))"}})
    printed = document.replace('"', '\\"')
    server.answers |= worlds.answers(worlds.lists(nodes=20))
    server.largest_page = 2
    uses: dict[str, int] = {}

    def three_times_each(_number: int, request: Any) -> Any:
        token = request.header("Authorization")[0]
        uses[token] = uses.get(token, 0) + 1
        return failure(401, "Unauthorized", "Unauthorized") if uses[token] > 3 else None

    server.interfere = three_times_each
    path = kubeconfig(server.url, plugin(f'{count}; echo "{printed}"'))
    state = read_cluster(connect(ConnectionOptions(kubeconfig=str(path)), environ={}))
    assert (len(state.nodes), len(state.slices)) == (20, 20)
    # 3 for version and discovery, 10 pages each of nodes and slices, 3 further lists: 26 answers, 3 a token
    assert len(uses) == 9


# No paging, or paging done wrong


def test_five_thousand_slices_are_read_in_pages_and_a_page_that_expired_starts_again(
    server: FakeServer, connected: Any
) -> None:
    server.answers |= worlds.answers(worlds.lists(nodes=5000))
    server.fail(SLICES, None, None, None, expired())
    state = read_cluster(connected())
    assert len({found.name for found in state.slices}) == len(state.slices) == 5000


def test_a_pool_that_is_split_over_two_pages_is_whole(server: FakeServer, connected: Any) -> None:
    objects = worlds.lists(nodes=2)
    for index, found in enumerate(objects["resourceslices"]):
        found["spec"]["pool"] = {"name": "shared", "generation": 3, "resourceSliceCount": 2}
        found["metadata"]["name"] = f"slice-{index}"
    server.answers |= worlds.answers(objects)
    server.largest_page = 1
    slices = read_cluster(connected()).slices
    assert [(found.pool, found.generation, found.slice_count) for found in slices] == [("shared", 3, 2)] * 2


# Optional fields that turn out not to be


def paths_of(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield (*at, key)
        yield from paths_of(item, (*at, key))


FULL = {
    "apiVersion": "resource.k8s.io/v1",
    "kind": "ResourceSlice",
    **worlds.resource_slice("n"),
}
FULL["spec"]["devices"][0] |= {
    "consumesCounters": [{"counterSet": "set", "counters": {"memory": {"value": "1Gi"}}}],
    "taints": [{"key": "k", "value": "v", "effect": "NoSchedule", "timeAdded": "2026-01-01T00:00:00Z"}],
    "bindingConditions": ["ready"],
    "allowMultipleAllocations": True,
}
FULL["spec"]["devices"][0]["capacity"]["memory"]["requestPolicy"] = {"default": "1Gi", "validRange": {"min": "1Gi"}}


@pytest.mark.parametrize("path", list(paths_of(FULL)), ids=lambda path: ".".join(map(str, path)))
@pytest.mark.parametrize("value", [None, "absent"])
def test_a_slice_without_any_one_field_is_read_or_said_to_be_odd(
    server: FakeServer, connected: Any, path: tuple[Any, ...], value: str | None
) -> None:
    odd: Any = copy.deepcopy(FULL)
    holder = odd
    for key in path[:-1]:
        holder = holder[key]
    if value is None:
        holder[path[-1]] = None
    else:
        del holder[path[-1]]
    objects = worlds.lists(nodes=1)
    objects["resourceslices"] = [{key: each for key, each in odd.items() if key not in ("apiVersion", "kind")}]
    server.answers |= worlds.answers(objects)
    try:
        assert len(read_cluster(connected()).slices) == 1
    except CannotTellError as error:
        assert error.message.startswith("cannot read resourceslices: ResourceSlice ")  # noqa: PT017 - one of two ends


# Flags that kubectl has and the plugin has not, or only in one place


FLAGS = [
    ("--namespace", "default"), ("-n", "default"), ("--context", "dev"), ("--cluster", "fake"), ("--user", "jane"),
    ("--as", "reader"), ("--as-uid", "7"), ("--as-group", "g"), ("--as-user-extra", "k=v"), ("--token", "t"),
    ("--username", "u"), ("--password", "p"), ("--server", "{url}"), ("-s", "{url}"), ("--request-timeout", "30s"),
    ("--certificate-authority", str(CERTIFICATE)), ("--client-certificate", str(CERTIFICATE)),
    ("--client-key", str(CERTIFICATE.with_suffix(".key"))), ("--tls-server-name", "localhost"),
    ("--proxy-url", "{url}"),
]  # fmt: skip
SWITCHES = ["--insecure-skip-tls-verify", "--disable-compression"]
READS = [["devices"], ["snapshot"], ["check-nodes", "resourceclaim/llama"]]


@pytest.mark.parametrize("spelling", ["apart", "equals"])
@pytest.mark.parametrize("flag", FLAGS, ids=lambda flag: flag[0])
def test_every_connection_flag_of_kubectl_is_known_after_the_plugins_name(
    server: FakeServer, kubeconfig: Any, flag: tuple[str, str], spelling: str
) -> None:
    name, value = flag[0], flag[1].replace("{url}", server.url)
    words = [name, value] if spelling == "apart" else [f"{name}={value}"]
    answer = run_here("devices", "--kubeconfig", kubeconfig(server.url), *words)
    assert answer.code in {0, 4}, answer.stderr


@pytest.mark.parametrize("command", READS, ids=lambda words: words[0])
@pytest.mark.parametrize("position", ["before", "after"])
def test_flags_may_stand_before_and_after_what_they_go_with(
    server: FakeServer, kubeconfig: Any, command: list[str], position: str
) -> None:
    claim = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", **worlds.claim("llama")}
    server.answers["/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/llama"] = claim
    flags = ["--as", "reader", f"--kubeconfig={kubeconfig(server.url)}"]
    words = [command[0], *flags, *command[1:]] if position == "before" else [*command, *flags]
    answer = run_here(*words)
    assert answer.code == 0, answer.stderr
    assert {value for request in server.requests for value in request.header("Impersonate-User")} == {"reader"}


@pytest.mark.parametrize("switch", SWITCHES)
def test_every_switch_of_kubectl_is_known(server: FakeServer, kubeconfig: Any, switch: str) -> None:
    for word in (switch, f"{switch}=true", f"{switch}=false"):
        answer = run_here("devices", "--kubeconfig", kubeconfig(server.url), word)
        assert answer.code == 0, answer.stderr


# Missing rights that end in a traceback


def test_one_list_that_is_forbidden_is_one_line_and_the_rest_goes_on(server: FakeServer, kubeconfig: Any) -> None:
    server.always("/apis/resource.k8s.io/v1/resourceclaims", forbidden("resourceclaims"))
    answer = run_here("devices", "--kubeconfig", kubeconfig(server.url))
    assert len([line for line in answer.stderr.splitlines() if "resourceclaims" in line]) == 1
    assert answer.stdout.startswith("NODE")
