"""The process in bad surroundings: every command, stream and signal; one line or nothing, never a traceback."""

from __future__ import annotations

import os
import pty
import re
import resource
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from fakes import worlds
from fakes.api_server import FakeServer, Request
from kubectl_llmfit.app import group

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "kubectl_llmfit"]
MODEL = "meta-llama/Llama-3.1-8B-Instruct"
SNAPSHOT = ["--snapshot", str(ROOT / "examples" / "cluster.yaml")]
# Each command with something to print; all of them answer 0.
COMMANDS: dict[str, list[str]] = {
    "claim": [MODEL],
    "check-nodes": [MODEL, *SNAPSHOT],
    "devices": SNAPSHOT,
    "models": ["llama-3.1-8b-instruct"],
    "snapshot": ["--server", "SERVER"],
    "eval": ["device.driver == 'llmfit.ai'", *SNAPSHOT],
    "drivers": [],
    "rbac": [],
    "version": [],
    "completion": [],
}
CHECK = ["check-nodes", *COMMANDS["check-nodes"]]


@dataclass(frozen=True, slots=True)
class Done:
    code: int
    stdout: str
    stderr: str


def environment(**more: str) -> dict[str, str]:
    return {"PATH": os.defpath, "PYTHONPATH": str(ROOT / "plugin"), "HOME": "/nonexistent", **more}


def start(words: list[str], **settings: object) -> Done:
    """Run the program to its end; nothing in it may hang."""
    defaults: dict[str, object] = {"stdin": subprocess.DEVNULL, "env": environment(), "cwd": "/"}
    streams: dict[str, object] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.run([*PROGRAM, *words], timeout=120, check=False, **(streams | defaults | settings))  # type: ignore[call-overload]
    done = Done(process.returncode, _text(process.stdout), _text(process.stderr))
    assert "Traceback" not in done.stderr
    return done


def _text(stream: bytes | None) -> str:
    return (stream or b"").decode("utf-8")


def test_the_table_has_every_command() -> None:
    assert COMMANDS.keys() == set(group().commands)


@pytest.fixture(scope="module", autouse=True)
def _server() -> Iterator[None]:
    """What ``snapshot`` reads."""
    with FakeServer(worlds.answers(), tls=False) as server:
        COMMANDS["snapshot"][1] = server.url
        yield


@pytest.fixture(scope="module")
def undisturbed() -> dict[str, Done]:
    done = {name: start([name, *words]) for name, words in COMMANDS.items()}
    assert {name for name, each in done.items() if each.code or not each.stdout} == set()
    return done


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reader_that_is_gone_ends_it_with_141(command: str) -> None:
    read, write = os.pipe()
    os.close(read)
    done = start([command, *COMMANDS[command]], stdout=write)
    os.close(write)
    assert done.code == 141
    assert "error" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_is_no_answer(command: str) -> None:
    with Path("/dev/full").open("w") as full:
        done = start([command, *COMMANDS[command]], stdout=full)
    assert done.code == 3
    assert done.stderr.splitlines()[-1] == "error: the output could not be written: No space left on device"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_stdout_is_no_answer(command: str) -> None:
    done = start([command, *COMMANDS[command]], preexec_fn=lambda: os.close(1), stdout=None)
    assert done.code == 3
    assert done.stderr.splitlines()[-1] == "error: the output could not be written: standard output is closed"


@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_stderr_and_stdin_change_nothing(command: str, undisturbed: dict[str, Done]) -> None:
    def close() -> None:
        os.close(0)
        os.close(2)

    done = start([command, *COMMANDS[command]], preexec_fn=close, stderr=None, stdin=None)
    assert (done.code, _timeless(done.stdout)) == (0, _timeless(undisturbed[command].stdout))


def test_a_full_stderr_changes_nothing(undisturbed: dict[str, Done]) -> None:
    with Path("/dev/full").open("w") as full:
        done = start(CHECK, stderr=full)
    assert (done.code, done.stdout) == (0, undisturbed["check-nodes"].stdout)


def _timeless(text: str) -> str:
    """A snapshot says when it was made."""
    return re.sub(r'"observedAt": ?"[^"]*"', "", text)


ENVIRONMENTS: dict[str, dict[str, str | None]] = {
    "no HOME": {"HOME": None},
    "empty HOME": {"HOME": ""},
    "HOME is a file": {"HOME": "/etc/hostname"},
    "HOME cannot be entered": {"HOME": "/proc/1/root"},
    "no PATH": {"PATH": None},
    "no environment": dict.fromkeys(("PATH", "HOME")),
    "locale C": {"LC_ALL": "C"},
    "locale POSIX, no UTF-8 mode": {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "a locale that is not there": {"LC_ALL": "xx_YY.KOI8-R", "LANG": "tlh"},
    "a Turkish locale": {"LC_ALL": "tr_TR.UTF-8"},
    "ASCII streams": {"PYTHONIOENCODING": "ascii:strict"},
    "no terminal": {"TERM": "dumb", "COLUMNS": "20", "LINES": "1", "NO_COLOR": "1"},
    "colours forced": {"TERM": "xterm-256color", "FORCE_COLOR": "1", "CLICOLOR_FORCE": "1", "COLUMNS": "40"},
    "nonsense in COLUMNS": {"COLUMNS": "wide"},
    "warnings are errors": {"PYTHONWARNINGS": "error"},
    "hash seed": {"PYTHONHASHSEED": "4242"},
    "unbuffered": {"PYTHONUNBUFFERED": "1"},
    "another kubeconfig, which check and claim do not need": {"KUBECONFIG": "/nonexistent:/dev/null"},
    "a time zone that is not there": {"TZ": "Nowhere/Land"},
}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_the_answer_does_not_depend_on_the_surroundings(name: str, undisturbed: dict[str, Done]) -> None:
    made = {key: value for key, value in (environment() | ENVIRONMENTS[name]).items() if value is not None}
    for command in ("check-nodes", "claim"):
        done = start([command, *COMMANDS[command]], env=made)
        assert done == undisturbed[command], done.stderr


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no folder here that even root cannot write to")
def test_a_home_and_a_folder_that_nobody_can_write_to_are_enough(undisturbed: dict[str, Done]) -> None:
    with pytest.raises(OSError, match="proc"):
        Path("/proc/kubectl-llmfit").write_text("")
    done = start(CHECK, cwd="/proc", env=environment(HOME="/proc", TMPDIR="/proc", XDG_CACHE_HOME="/proc"))
    assert done == undisturbed["check-nodes"]


def test_a_folder_that_was_deleted_is_enough(tmp_path: Path, undisturbed: dict[str, Done]) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    done = start(CHECK, cwd=gone, preexec_fn=gone.rmdir)
    assert done == undisturbed["check-nodes"]


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    for command, words in COMMANDS.items():
        start([command, *words], cwd=tmp_path, env=environment(HOME=str(tmp_path), TMPDIR=str(tmp_path)))
    assert list(tmp_path.iterdir()) == []


LONG_NAMES = f"""
apiVersion: v1
kind: List
items:
- {{apiVersion: v1, kind: Node, metadata: {{name: {"n" * 63}}}}}
- apiVersion: resource.k8s.io/v1
  kind: ResourceSlice
  metadata: {{name: s}}
  spec:
    driver: llmfit.ai
    nodeName: {"n" * 63}
    pool: {{name: {"p" * 63}, generation: 1, resourceSliceCount: 1}}
    devices:
    - name: {"d" * 63}
      attributes: {{memoryBandwidthGBs: {{int: 1008}}, healthy: {{bool: true}}}}
      capacity: {{memory: {{value: 24Gi}}}}
- {{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {{name: llmfit.ai}}}}
"""


@pytest.mark.parametrize("terminal", [False, True])
def test_a_table_is_never_cut_or_coloured_however_narrow_the_terminal(tmp_path: Path, terminal: bool) -> None:
    (tmp_path / "cluster.yaml").write_text(LONG_NAMES)
    words = [*CHECK[:2], "--snapshot", str(tmp_path / "cluster.yaml")]
    narrow = environment(COLUMNS="40", TERM="xterm-256color", FORCE_COLOR="1")
    printed = _on_a_terminal(words, narrow) if terminal else start(words, env=narrow).stdout
    assert "\x1b" not in printed
    row = next(line for line in printed.splitlines() if line.startswith("nnn"))
    assert row.split()[0] == "n" * 63
    assert "d" * 63 in row
    assert not re.search(r"…|\.\.\.", row)


def _on_a_terminal(words: list[str], env: dict[str, str]) -> str:
    """What a person sees of stdout at a terminal of 20 columns."""
    import fcntl
    import struct
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 5, 20, 0, 0))
    with subprocess.Popen([*PROGRAM, *words], stdin=slave, stdout=slave, stderr=subprocess.DEVNULL, env=env) as process:
        os.close(slave)
        seen = b""
        while True:
            try:
                piece = os.read(master, 4096)
            except OSError:
                break
            seen += piece
        assert process.wait(60) == 0
    os.close(master)
    return seen.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("moment", range(0, 400, 25))
def test_ctrl_c_at_any_moment_is_never_a_traceback(moment: int, undisturbed: dict[str, Done]) -> None:
    with subprocess.Popen(
        [*PROGRAM, *CHECK], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        time.sleep(moment / 1000)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
    early = b"init_import_site" in stderr or b"<frozen" in stderr  # the interpreter's own start, before any of ours
    assert b"Traceback" not in stderr or early
    assert process.returncode in (130, -signal.SIGINT, 0) or early
    assert stdout.decode() in ("", undisturbed["check-nodes"].stdout)


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, -1)])
@pytest.mark.parametrize("command", [["check-nodes", MODEL], ["devices"], ["snapshot"]])
def test_a_signal_ends_the_wait_for_a_server_that_does_not_answer(
    tmp_path: Path, command: list[str], sent: signal.Signals, status: int
) -> None:
    reached, go_on = threading.Event(), threading.Event()

    def hang(_number: int, _request: Request) -> None:
        reached.set()
        go_on.wait(60)

    with FakeServer(worlds.answers(), tls=False) as server:
        server.interfere = hang
        settings = environment(KUBECONFIG="/dev/null")
        with subprocess.Popen(
            [*PROGRAM, *command, "--server", server.url], env=settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert reached.wait(60)
            process.send_signal(sent)
            stdout, stderr = process.communicate(timeout=60)
        go_on.set()
    assert (process.returncode, stdout) == (status, b"")
    assert b"Traceback" not in stderr


@pytest.mark.parametrize(("sent", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_wait_for_a_credential_plugin(tmp_path: Path, sent: signal.Signals, status: int) -> None:
    (tmp_path / "config").write_text(
        """
apiVersion: v1
kind: Config
current-context: dev
clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
contexts: [{name: dev, context: {cluster: c, user: u}}]
users:
- name: u
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: sh, args: [-c, "touch started; exec sleep 60"],
           interactiveMode: Never}
"""
    )
    with subprocess.Popen(
        [*PROGRAM, "devices"],
        env=environment(KUBECONFIG=str(tmp_path / "config")),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        _until((tmp_path / "started").exists)
        process.send_signal(sent)
        stdout, stderr = process.communicate(timeout=50)  # the plugin would sleep on for longer
    assert (process.returncode, stdout) == (status, b"")
    assert b"Traceback" not in stderr


def test_ctrl_c_stays_ignored_where_the_parent_ignores_it(undisturbed: dict[str, Done]) -> None:
    read, write = os.pipe()
    command = shlex.join([*PROGRAM, *CHECK[:2], "--snapshot", "-"])
    with subprocess.Popen(
        ["sh", "-c", f"trap '' INT; exec {command}"],
        stdin=read,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
    ) as process:
        os.close(read)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        os.write(write, Path(SNAPSHOT[1]).read_bytes())
        os.close(write)
        stdout, _ = process.communicate(timeout=60)
    assert (process.returncode, stdout.decode()) == (0, undisturbed["check-nodes"].stdout)


def test_too_little_memory_is_one_line() -> None:
    for megabytes in (60, 90, 120, 200):
        limit = megabytes << 20
        done = start(CHECK, preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
        assert done.code in (0, 3) or _interpreter_gave_up(done), done
        assert done.code == 0 or not done.stdout


def _interpreter_gave_up(done: Done) -> bool:
    """With so little that Python itself, or a library it loads, cannot start."""
    return done.code in (1, 127, -signal.SIGSEGV, -signal.SIGABRT) and "kubectl_llmfit" not in done.stderr


def test_too_few_open_files_are_one_line(tmp_path: Path) -> None:
    done = start(CHECK, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8)))
    assert done.code in (0, 2, 3), done
    assert len([line for line in done.stderr.splitlines() if line.startswith("error")]) == (done.code != 0)


def _until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
