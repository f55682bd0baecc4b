"""Every fault at every request of a check: the right answer, or none. Never half a list, never a wrong verdict."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from fakes import worlds
from fakes.api_server import Answer, FakeServer, Request
from fakes.faults import EVERY, LASTING, PASSING
from kubectl_llmfit.api.read import read_claim
from kubectl_llmfit.check.check import check_nodes
from kubectl_llmfit.check.document import to_document
from kubectl_llmfit.check.subject import Subject
from kubectl_llmfit.check.verdicts import answer
from kubectl_llmfit.cluster import lists
from kubectl_llmfit.cluster.connection import Connection
from kubectl_llmfit.cluster.reading import read_cluster
from kubectl_llmfit.errors import ExitCode, LlmfitError

V1 = {"apiVersion": "resource.k8s.io/v1"}


@dataclass(frozen=True)
class Outcome:
    """What a check said: the exit status, and each node's verdict."""

    code: ExitCode
    verdicts: Any = None


def held(name: str, node: str) -> dict[str, Any]:
    """A claim that holds the device of a node."""
    result = {"request": "gpu", "driver": "llmfit.ai", "pool": node, "device": "gpu-0"}
    return worlds.claim(name) | {"status": {"allocation": {"devices": {"results": [result]}}}}


def a_yes() -> dict[str, list[dict[str, Any]]]:
    """Five nodes of which only the last fits: three are held, one is cordoned."""
    objects = worlds.lists(nodes=5)
    objects["resourceclaims"] = [held(f"holder-{index}", f"node-000{index}") for index in range(3)]
    objects["nodes"][3]["spec"]["unschedulable"] = True
    return objects


def a_no() -> dict[str, list[dict[str, Any]]]:
    """As ``a_yes``, but the class leaves out the device of the last node: without any one list it would fit."""
    objects = a_yes()
    objects["resourceslices"][4]["spec"]["devices"][0]["attributes"]["healthy"] = {"bool": False}
    selector = "device.driver == 'llmfit.ai' && device.attributes['llmfit.ai'].healthy"
    objects["deviceclasses"][0]["spec"]["selectors"] = [{"cel": {"expression": selector}}]
    return objects


WORLDS = {"yes": (a_yes, ExitCode.OK), "no": (a_no, ExitCode.NO)}


@pytest.fixture(params=WORLDS)
def faulty(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeServer]:
    """A server whose lists come in pages of two, so that a run has many requests."""
    monkeypatch.setattr(lists, "LARGEST_PAGE", 1 << 20)
    with FakeServer(worlds.answers(WORLDS[request.param][0]()), tls=False) as server:
        server.largest_page = 2
        yield server


def run(connection: Connection) -> Outcome:
    """One check of a claim that any free device of the class satisfies."""
    claim = read_claim({**V1, "kind": "ResourceClaim", **worlds.claim("asked")})
    try:
        check = check_nodes(Subject((claim,), "file"), read_cluster(connection))
    except LlmfitError as error:
        return Outcome(error.exit_code, error.message.splitlines()[1:])  # a second line makes it no outcome of ours
    if answer(check) is ExitCode.CANNOT_TELL:
        return Outcome(ExitCode.CANNOT_TELL, [])  # nobody's yes or no
    nodes = to_document(check)["nodes"]
    return Outcome(answer(check), [(node["name"], node["verdict"], node["unschedulable"]) for node in nodes])


NO_ANSWER = [Outcome(ExitCode.CLUSTER, []), Outcome(ExitCode.CANNOT_TELL, [])]


def undisturbed(server: FakeServer, connection: Connection) -> tuple[Outcome, int]:
    """The right answer, and how many requests it takes."""
    right = run(connection)
    assert right.code in (ExitCode.OK, ExitCode.NO)
    requests = len(server.requests)
    server.requests.clear()
    return right, requests


@pytest.fixture
def to(faulty: FakeServer, kubeconfig: Any, naps: Any) -> Any:
    """``to()``: a new connection to ``faulty``."""
    from kubectl_llmfit.cluster.connection import ConnectionOptions, RetryPolicy, connect

    path = kubeconfig(faulty.url)
    return lambda: connect(ConnectionOptions(kubeconfig=str(path)), environ={}, retry=RetryPolicy(sleep=naps))


@pytest.mark.parametrize("name", WORLDS)
def test_the_two_worlds_have_the_two_answers(server: FakeServer, connected: Any, name: str) -> None:
    objects, code = WORLDS[name]
    server.answers = worlds.answers(objects())
    assert run(connected()).code == code


@pytest.mark.parametrize("name", EVERY)
def test_a_fault_at_any_request_never_makes_another_answer(faulty: FakeServer, to: Any, name: str) -> None:
    right, requests = undisturbed(faulty, to())
    assert requests == 13  # version, 2 of discovery, nodes and slices in 3 pages each, class, 2 of claims, rules
    for number in range(1, requests + 1):
        faulty.requests.clear()
        faulty.interfere = lambda each, _, number=number: EVERY[name] if each == number else None  # type: ignore[misc]
        outcome = run(to())
        if name in PASSING:
            assert outcome == right, f"request {number}"
        else:
            assert outcome == right or outcome in NO_ANSWER, f"request {number}"


@pytest.mark.parametrize("name", EVERY)
def test_a_fault_that_stays_never_makes_another_answer(faulty: FakeServer, to: Any, name: str) -> None:
    right, requests = undisturbed(faulty, to())
    for number in range(1, requests + 1):
        faulty.requests.clear()
        faulty.interfere = lambda each, _, number=number: EVERY[name] if each >= number else None  # type: ignore[misc]
        outcome = run(to())
        assert outcome in NO_ANSWER or outcome == right, f"from request {number}"
        assert len(faulty.requests) < 200, f"from request {number}: it does not give up"


@pytest.mark.parametrize("seed", range(3))
def test_a_run_gets_over_a_hundred_passing_faults(faulty: FakeServer, to: Any, seed: int) -> None:
    """Up to four faults, one less than there are attempts, come before each answer until a hundred have come."""
    objects = a_yes()
    for index in range(5, 60):  # further nodes, all held, for more pages
        name = f"node-{index:04}"
        objects["nodes"].append(worlds.node(name))
        objects["resourceslices"].append(worlds.resource_slice(name))
        objects["resourceclaims"].append(held(f"holder-{index}", name))
    faulty.answers = worlds.answers(objects)
    right, _ = undisturbed(faulty, to())
    chosen = random.Random(seed)
    faults = [chosen.choice(list(PASSING)) for _ in range(100)]
    waiting = iter(faults)
    before_answer = itertools.chain.from_iterable([True] * chosen.randint(1, 4) + [False] for _ in itertools.count())

    def interfere(_number: int, _request: Request) -> Answer | None:
        fault = next(waiting, None) if next(before_answer) else None
        return None if fault is None else PASSING[fault]

    faulty.interfere = interfere
    assert run(to()) == right
    assert next(waiting, None) is None, "all hundred came"


@pytest.mark.parametrize("seed", range(40))
def test_random_faults_of_any_kind_never_make_another_answer(faulty: FakeServer, to: Any, seed: int) -> None:
    right, _ = undisturbed(faulty, to())
    chosen = random.Random(seed)
    often = chosen.choice([0.05, 0.2, 0.5])
    kinds = list(PASSING) * 4 + list(LASTING) if seed % 2 else [*PASSING, *["410"] * 4]
    faulty.interfere = lambda _number, _request: EVERY[chosen.choice(kinds)] if chosen.random() < often else None
    outcome = run(to())
    assert outcome == right or outcome in NO_ANSWER
