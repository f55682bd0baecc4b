"""What the tests of the engine share: Kubernetes' own CEL, where it is built.

Where it is not, the tests that ask it are skipped and say so; with ``KUBECTL_LLMFIT_REQUIRE_LIVE=1`` in the
environment, as in CI, they fail.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import pytest

from controlplane.build import NotBuiltError
from oracle.program import Oracle, conformance_cases, overloads


@pytest.fixture(scope="session")
def oracle() -> Iterator[Oracle]:
    """The running program."""
    try:
        running = Oracle()
    except NotBuiltError as error:
        _skip(error)
    with running:
        yield running


@pytest.fixture(scope="session")
def cases_of_the_specification() -> list[dict[str, Any]]:
    """Every case, with what Kubernetes makes of it."""
    try:
        return conformance_cases()
    except (NotBuiltError, FileNotFoundError) as error:  # the latter: there is no go
        _skip(error)


@pytest.fixture(scope="session")
def overloads_of_kubernetes() -> Callable[[bool], list[dict[str, Any]]]:
    """The signatures of all functions, in the environment for stored expressions or in that for new ones."""
    try:
        known = {stored: overloads(stored) for stored in (False, True)}
    except NotBuiltError as error:
        _skip(error)
    return known.__getitem__


def _skip(error: Exception) -> NoReturn:
    if os.environ.get("KUBECTL_LLMFIT_REQUIRE_LIVE"):
        raise error
    pytest.skip(str(error))
