"""The krew archive, installed by the real krew and run through the real kubectl."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from dist.installation import ROOT, VERSION, Installation, run_checkout

MODEL = "meta-llama/Llama-3.1-8B-Instruct"
EXAMPLE = ROOT / "examples" / "cluster.yaml"


def test_the_plugin_is_one_link_to_plain_files(installed: Installation) -> None:
    link = installed.root / "bin" / "kubectl-llmfit"
    store = installed.root / "store" / "llmfit" / f"v{VERSION}"
    assert link.resolve() == store / "kubectl-llmfit"
    assert not [path for path in store.rglob("*") if path.is_symlink()]
    assert {"LICENSE", "NOTICE", "_internal", "kubectl-llmfit"} == {path.name for path in store.iterdir()}


def test_version(installed: Installation) -> None:
    done = installed.kubectl("llmfit", "version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"kubectl-llmfit {VERSION} ")


@pytest.mark.parametrize(
    "arguments",
    [
        ("claim", MODEL),
        ("claim", MODEL, "--template", "--min-tps", "40"),
        ("claim", MODEL, "--api-version", "v1alpha2"),
        ("claim", MODEL, "--json"),
        ("models", "llama-3.1"),
        ("check-nodes", MODEL, "--snapshot", EXAMPLE),
        ("check-nodes", MODEL, "--snapshot", EXAMPLE, "-o", "yaml"),
        ("check-nodes", MODEL, "--snapshot", EXAMPLE, "-o", "wide", "--min-memory", "4Ti"),
        ("devices", "--snapshot", EXAMPLE),
        ("drivers", "gpu.nvidia.com"),
        ("claim", "no/such-model"),
    ],
    ids=lambda arguments: " ".join(word.name if isinstance(word, Path) else word for word in arguments),
)
def test_it_answers_as_the_checkout_does(installed: Installation, arguments: tuple[str | Path, ...]) -> None:
    done, wanted = installed.kubectl("llmfit", *arguments), run_checkout(arguments)
    assert (done.returncode, done.stdout, done.stderr) == (wanted.returncode, wanted.stdout, wanted.stderr)


def test_it_runs_where_nothing_can_be_written(installed: Installation) -> None:
    if not Path("/proc/self").exists():
        pytest.skip("needs a folder that even root cannot write to")
    environment = {"PATH": installed.environment["PATH"], "HOME": "/proc"}
    for arguments in (("claim", MODEL), ("check-nodes", MODEL, "--snapshot", EXAMPLE), ("models", "llama-3.1")):
        command = [installed.tools / "kubectl", "llmfit", *arguments]
        done = subprocess.run(command, env=environment, cwd="/proc", capture_output=True, text=True, check=False)
        wanted = run_checkout(arguments)
        assert (done.returncode, done.stdout, done.stderr) == (wanted.returncode, wanted.stdout, wanted.stderr)


def test_a_cluster_that_does_not_answer_is_named(installed: Installation) -> None:
    # reaches the code that speaks to clusters, which a snapshot does not
    done = installed.kubectl("llmfit", "check-nodes", MODEL, "--server", "https://127.0.0.1:1")
    assert (done.returncode, done.stdout) == (4, "")
    assert "127.0.0.1:1" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_credential_plugin_gets_the_users_environment(installed: Installation, tmp_path: Path) -> None:
    # the frozen program runs with its own libraries in front; what it starts must not
    plugin = tmp_path / "credentials"
    plugin.write_text('#!/bin/sh\n[ -z "$LD_LIBRARY_PATH" ] && echo clean >&2\nexit 1\n')
    plugin.chmod(0o755)
    command = {"apiVersion": "client.authentication.k8s.io/v1", "command": str(plugin), "interactiveMode": "Never"}
    kubeconfig = {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "c",
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1"}}],
        "users": [{"name": "u", "user": {"exec": command}}],
    }
    (tmp_path / "config").write_text(json.dumps(kubeconfig))
    done = installed.kubectl("llmfit", "check-nodes", MODEL, "--kubeconfig", tmp_path / "config")
    assert done.returncode == 4
    assert "clean" in done.stderr


def test_krew_removes_all_of_it(installed: Installation) -> None:  # the last test of this file: it ends the fixture
    done = installed.kubectl("krew", "uninstall", "llmfit")
    assert done.returncode == 0, done.stderr
    assert not (installed.root / "store" / "llmfit").exists()
    assert not os.path.lexists(installed.root / "bin" / "kubectl-llmfit")
    assert installed.kubectl("llmfit", "version").returncode != 0
