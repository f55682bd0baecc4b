"""The krew archive, installed by the real krew and run through the real kubectl."""

from __future__ import annotations

import functools
import http.server
import json
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from dist.installation import ARCHIVE, ROOT, VALIDATOR, VERSION, Installation, run_checkout

MODEL = "meta-llama/Llama-3.1-8B-Instruct"
EXAMPLE = ROOT / "examples" / "cluster.yaml"


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and does not write to the terminal."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def address(built: Path) -> Iterator[str]:
    """Where the dist folder is served, as a release page would."""
    handler = functools.partial(QuietHandler, directory=str(built))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_krews_own_validator_accepts_the_manifest_and_the_download(
    bare: Installation, manifest: Path, address: str, tmp_path: Path
) -> None:
    # as krew-index does: every platform is downloaded, its sum compared, installed, a LICENSE looked for
    served = tmp_path / manifest.name
    (line,) = (line for line in manifest.read_text().splitlines() if "uri:" in line)
    served.write_text(manifest.read_text().replace(line, f"      uri: {address}/{ARCHIVE.name}"))
    done = bare.run(VALIDATOR, "-manifest", served)
    assert done.returncode == 0, done.stderr
    assert "all 1 spec.platforms installed fine" in done.stderr


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


def test_kubectl_completes_it_under_its_second_name(installed: Installation) -> None:
    (installed.root / "bin" / "kubectl_complete-llmfit").symlink_to(installed.root / "bin" / "kubectl-llmfit")
    done = installed.kubectl("__complete", "llmfit", "cla")
    assert done.stdout.splitlines()[0].split("\t")[0] == "claim"


def test_krew_removes_all_of_it(installed: Installation) -> None:  # the last test of this file: it ends the fixture
    done = installed.kubectl("krew", "uninstall", "llmfit")
    assert done.returncode == 0, done.stderr
    assert not (installed.root / "store" / "llmfit").exists()
    assert not os.path.lexists(installed.root / "bin" / "kubectl-llmfit")
    assert installed.kubectl("llmfit", "version").returncode != 0
