"""The control plane itself: whatever way its parent ends, nothing of it stays behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from controlplane.build import HERE, LIVE, MODULES
from controlplane.plane import ControlPlane
from live.program import Shell

# tests have an empty home of their own; the programs are in the cache of whoever runs them
CACHE = str(MODULES["etcd"].folder.parents[1])


def children_of(pid: int) -> list[int]:
    """Process ids of the direct children (Linux)."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def is_running(pid: int) -> bool:
    """Whether there is such a process; one that is dead and not yet collected is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_it_runs_the_version_that_was_built(control_plane: ControlPlane, tmp_path: Path) -> None:
    shell = Shell(tmp_path, control_plane.kubectl, control_plane.kubeconfig())
    done = shell("kubectl version -o json")
    versions = json.loads(done.stdout)
    built = MODULES["kubernetes"].version
    assert versions["serverVersion"]["gitVersion"] == versions["clientVersion"]["gitVersion"] == built


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux kills the children of a killed process")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_it_ends_with_its_parent(control_plane: ControlPlane, tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, str(HERE / "plane.py")]
    environment = os.environ | {"XDG_CACHE_HOME": CACHE, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline().startswith("ready: export KUBECONFIG=")
        children = children_of(parent.pid)
        assert len(children) == sum(len(MODULES[name].programs) for name in LIVE) - 1  # kubectl is none
        parent.send_signal(number)
        parent.wait()
    deadline = time.monotonic() + 20
    while any(map(is_running, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not [pid for pid in children if is_running(pid)]
