"""kube-scheduler's allocator, where it is built.

Where it is not, the tests that ask it are skipped and say so; with ``KUBECTL_LLMFIT_REQUIRE_LIVE=1`` in the
environment, as in CI, they fail.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from controlplane.build import NotBuiltError
from oracle.scheduler import SchedulerOracle


@pytest.fixture(scope="session")
def allocator() -> Iterator[SchedulerOracle]:
    """The running program."""
    try:
        running = SchedulerOracle()
    except NotBuiltError as error:
        if os.environ.get("KUBECTL_LLMFIT_REQUIRE_LIVE"):
            raise
        pytest.skip(str(error))
    with running:
        yield running
