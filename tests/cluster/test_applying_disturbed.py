"""``claim --apply`` with every fault at every request, and ended at every request: nothing or the whole object."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes import worlds
from fakes.api_server import FakeServer, Reply, Request, failure
from fakes.faults import EVERY, PASSING
from live.program import run_here

NAME = "meta-llama-llama-3-1-8b-instruct-fit"
PATH = f"/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/{NAME}"
COMMAND = ("claim", "meta-llama/Llama-3.1-8B-Instruct", "--apply")
REQUESTS = 13  # discovery 2, the claim, version, discovery 2, five lists, dry run, write
NOT_KNOWN = "it is not known whether resourceclaim"


class Cluster:
    """A server that stores the claim when it is applied, and only then."""

    def __init__(self, server: FakeServer) -> None:
        self.server = server
        self.object: dict[str, Any] | None = None
        server.answers[PATH] = self.answer

    def answer(self, request: Request) -> Reply:
        if request.method == "GET":
            missing = failure(404, "NotFound", f'resourceclaims.resource.k8s.io "{NAME}" not found')
            return missing if self.object is None else Reply(200, json.dumps(self.object).encode())
        made = json.loads(request.body)
        if "dryRun" not in request.query:
            self.object = made
        return Reply(201, json.dumps(made).encode())


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with FakeServer(worlds.answers(), tls=False) as server:
        yield Cluster(server)


@pytest.fixture
def config(cluster: Cluster, kubeconfig: Callable[..., Path]) -> Path:
    return kubeconfig(cluster.server.url)


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kubectl_llmfit.cluster.connection.RetryPolicy.pause", _pause)


def _pause(policy: Any, attempt: int, answer: Any, left: float | None) -> bool:
    return bool(attempt < policy.attempts)


def test_the_undisturbed_run_writes_it(cluster: Cluster, config: Path) -> None:
    assert run_here(*COMMAND, "--kubeconfig", config).code == 0
    assert cluster.object is not None
    assert len(cluster.server.requests) == REQUESTS


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("stays", [False, True])
def test_a_fault_at_any_request_leaves_the_whole_object_or_nothing_and_says_which(
    cluster: Cluster, config: Path, name: str, stays: bool
) -> None:
    for number in range(1, REQUESTS + 1):
        cluster.object = None
        cluster.server.requests.clear()
        cluster.server.interfere = lambda each, _, n=number: (  # type: ignore[misc]
            EVERY[name] if each == n or (stays and each > n) else None
        )
        done = run_here(*COMMAND, "--kubeconfig", config)
        where = f"request {number}: {done}"
        assert done.code in (0, 3, 4), where
        assert (done.code == 0) is (cluster.object is not None), where
        assert (done.stdout == "") is (done.code != 0), where
        # only a write that was sent and got no proper answer leaves anything open
        asked_to_write = any(each.method == "PATCH" and "dryRun" not in each.query for each in cluster.server.requests)
        assert (NOT_KNOWN in done.stderr) <= asked_to_write, where
        if not stays and name in PASSING and number < REQUESTS - 1:
            assert done.code == 0, where


def test_a_write_whose_answer_is_lost_is_found_by_the_next_run(cluster: Cluster, config: Path) -> None:
    def write_and_drop(request: Request) -> Reply:
        done = cluster.answer(request)
        return Reply(drop=True) if request.method == "PATCH" and "dryRun" not in request.query else done

    cluster.server.answers[PATH] = write_and_drop
    first = run_here(*COMMAND, "--kubeconfig", config)
    assert (first.code, first.stdout) == (4, "")
    assert NOT_KNOWN in first.stderr
    written = cluster.object
    assert written is not None
    second = run_here(*COMMAND, "--kubeconfig", config)
    assert (second.code, second.stdout) == (0, f"resourceclaim.resource.k8s.io/{NAME} unchanged\n")
    assert cluster.object is written


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("number", range(1, REQUESTS + 1))
def test_the_end_at_any_request_leaves_nothing_and_says_so_where_it_may_not(
    cluster: Cluster, config: Path, number: int, sent: signal.Signals, status: int
) -> None:
    reached, go_on = threading.Event(), threading.Event()

    def wait(each: int, _request: Request) -> None:
        if each == number:
            reached.set()
            go_on.wait(30)

    cluster.server.interfere = wait
    environment = {"PATH": os.defpath, "KUBECONFIG": str(config), "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "kubectl_llmfit", *COMMAND]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            assert reached.wait(60), process.communicate(timeout=5)
            assert cluster.object is None
            process.send_signal(sent)
            stdout, stderr = process.communicate(timeout=60)
        finally:
            go_on.set()
            process.kill()
    assert (process.returncode, stdout) == (status, b""), stderr
    assert b"Traceback" not in stderr
    assert (NOT_KNOWN.encode() in stderr) is (number == REQUESTS), stderr
