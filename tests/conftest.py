"""What all tests share: the program run in this process, from argv to exit status."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import settings

from kubectl_llmfit.main import run

# The same examples in every run, on a busy machine too: what lands must not depend on chance. `--hypothesis-profile
# default` draws new ones.
settings.register_profile("same", derandomize=True, deadline=None)
settings.load_profile("same")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run of the program gave."""

    status: int
    stdout: str
    stderr: str

    @property
    def error(self) -> str:
        """The last line of stderr that is no hint."""
        lines = [line for line in self.stderr.splitlines() if not line.startswith("hint: ")]
        return lines[-1] if lines else ""


Run = Callable[..., Outcome]


@pytest.fixture
def llmfit(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """``llmfit("claim", MODEL, stdin=…)``: one command line through the process boundary."""

    def call(*arguments: str, stdin: str | None = None) -> Outcome:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        capsys.readouterr()
        status = run(arguments)
        captured = capsys.readouterr()
        return Outcome(status, captured.out, captured.err)

    return call


@pytest.fixture(autouse=True)
def _an_empty_home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test reads this machine's kubeconfig, models or settings."""
    home = tmp_path_factory.mktemp("home")
    for name in (
        "KUBECONFIG",
        "LLMFIT_CUSTOM_MODELS",
        "KUBECTL_LLMFIT_DEVICE_CLASS",
        "XDG_DATA_HOME",
        "XDG_CONFIG_HOME",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
