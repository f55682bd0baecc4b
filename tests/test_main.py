"""The process boundary: one line per error, the right stream, the right status."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kubectl_llmfit import __version__
from kubectl_llmfit.app import COMMANDS, group
from kubectl_llmfit.console import progress
from kubectl_llmfit.main import run, wants_trace

ROOT = Path(__file__).parents[1]
PROGRAM = [sys.executable, "-m", "kubectl_llmfit"]
MODEL = "meta-llama/Llama-3.1-8B-Instruct"


def environment(**more: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "PYTHONPATH": str(ROOT / "plugin"), **more}


def test_without_arguments_help_goes_to_stderr_with_2(llmfit) -> None:
    outcome = llmfit()
    assert outcome.status == 2
    assert outcome.stdout == ""
    assert "kubectl llmfit [OPTIONS] COMMAND" in outcome.stderr


@pytest.mark.parametrize("spelling", ["--help", "-h"])
@pytest.mark.parametrize("command", sorted(group().commands))
def test_every_command_has_help_on_stdout(llmfit, command: str, spelling: str) -> None:
    outcome = llmfit(command, spelling)
    assert outcome.status == 0
    assert f"Usage: kubectl llmfit {command}" in outcome.stdout
    assert outcome.stderr == ""


def test_version_is_told_both_ways(llmfit) -> None:
    assert llmfit("--version").stdout == llmfit("version").stdout
    assert __version__ in llmfit("version").stdout
    assert f'"version": "{__version__}"' in llmfit("version", "-o=json").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nonsense"], "no such command 'nonsense'"),
        (["claim", "--nonsense"], "no such option: --nonsense"),
        (["claim", MODEL, "--efficiency", "54.9"], "--efficiency"),
        (["claim", MODEL, "--min-tps", "1,5"], "--min-tps"),
        (["claim", MODEL, "--min-tps"], "--min-tps"),
        (["claim", MODEL, "another"], "unexpected extra argument"),
        (["version", "-o", "xml"], "must be one of text, json, yaml"),
    ],
)
def test_wrong_usage_is_one_line_and_2(llmfit, arguments: list[str], words: str) -> None:
    outcome = llmfit(*arguments)
    assert outcome.status == 2
    assert outcome.stdout == ""
    assert outcome.error.startswith("error: ")
    assert words in outcome.error
    assert len(outcome.stderr.splitlines()) <= 2


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["-v", "9"], True),
        (["-v9"], True),
        (["-v=9"], True),
        (["--v=10"], True),
        (["-v", "8"], False),
        (["--version"], False),
        (["-v"], False),
    ],
)
def test_a_trace_is_shown_from_level_9_on(words: list[str], wanted: bool) -> None:
    assert wants_trace(words) is wanted


def test_a_fault_of_ours_is_one_line_and_3(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*_: object) -> None:
        raise TypeError("first line\nsecond line")

    monkeypatch.setattr("kubectl_llmfit.main._invoke", broken)
    assert run(["version"]) == 3
    error, hint = capsys.readouterr().err.splitlines()
    assert error == "error: this is a fault of kubectl-llmfit: TypeError: first line second line"
    assert hint.startswith("hint: run it with -v 9")
    with pytest.raises(TypeError):
        run(["version", "-v", "9"])


def test_a_closed_stdout_ends_with_141_like_kubectl() -> None:
    read, write = os.pipe()
    os.close(read)
    process = subprocess.run(
        [*PROGRAM, "version"], stdout=write, stderr=subprocess.PIPE, env=environment(), check=False
    )
    os.close(write)
    assert process.returncode == 141
    assert process.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_is_one_line_and_3() -> None:
    with Path("/dev/full").open("w") as full:
        process = subprocess.run(
            [*PROGRAM, "version"], stdout=full, stderr=subprocess.PIPE, env=environment(), text=True, check=False
        )
    assert process.returncode == 3
    assert process.stderr.splitlines() == ["error: the output could not be written: No space left on device"]


def test_an_unbuffered_stdout_loses_nothing(tmp_path: Path) -> None:
    limited = f"ulimit -f 2; exec {sys.executable} -m kubectl_llmfit models --limit 0 -o name"
    whole = {"PYTHONDONTWRITEBYTECODE": "1"}  # the limit would cut byte code short for every later run
    for more in (whole, whole | {"PYTHONUNBUFFERED": "1"}):
        with (tmp_path / "out").open("w") as out:
            process = subprocess.run(
                ["bash", "-c", limited], stdout=out, stderr=subprocess.PIPE, env=environment(**more), check=False
            )
        assert (process.returncode, process.stderr.splitlines()[-1][:39]) == (
            3,
            b"error: the output could not be written:",
        )


def test_a_closed_stdout_from_the_start_is_one_line_and_3() -> None:
    process = subprocess.run(
        ["bash", "-c", f"exec {sys.executable} -m kubectl_llmfit version >&-"],
        stderr=subprocess.PIPE,
        env=environment(),
        text=True,
        check=False,
    )
    assert process.returncode == 3
    assert process.stderr.splitlines() == ["error: the output could not be written: standard output is closed"]


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_with_its_own_status(number: signal.Signals, status: int) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "check-nodes", MODEL, "--snapshot", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    time.sleep(2)  # it now waits for its input
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=20)
    assert (process.returncode, stdout) == (status, b"")
    assert b"Traceback" not in stderr


def test_any_locale_can_print_the_header() -> None:
    process = subprocess.run(
        [*PROGRAM, "claim", MODEL], capture_output=True, env=environment(LC_ALL="C", PYTHONUTF8="0"), check=True
    )
    assert "kind: ResourceClaim" in process.stdout.decode("utf-8")


def test_the_launcher_runs_through_a_symlink_from_any_folder(tmp_path: Path) -> None:
    link = tmp_path / "kubectl-llmfit"
    link.symlink_to(ROOT / "kubectl-llmfit")
    process = subprocess.run(
        [str(link), "version"], capture_output=True, text=True, cwd="/", env={"PATH": os.environ["PATH"]}, check=True
    )
    assert process.stdout.startswith(f"kubectl-llmfit {__version__}")


def test_the_launcher_is_at_most_ten_lines() -> None:
    assert len((ROOT / "kubectl-llmfit").read_text().splitlines()) <= 10


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("seconds", "stream", "said"), [(1.5, Terminal, True), (0, Terminal, False), (1.5, io.StringIO, False)]
)
def test_only_slow_work_on_a_terminal_says_that_it_goes_on(
    monkeypatch: pytest.MonkeyPatch, seconds: float, stream: type[io.StringIO], said: bool
) -> None:
    stderr = stream()
    monkeypatch.setattr(sys, "stderr", stderr)
    with progress("reading"):
        time.sleep(seconds)
    assert stderr.getvalue() == ("reading ...\n" if said else "")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_summary_of_a_command_is_the_first_line_of_its_help(name: str) -> None:
    assert COMMANDS[name].summary == (COMMANDS[name].load().__doc__ or "").splitlines()[0]
