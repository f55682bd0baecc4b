"""A real control plane for the tests: etcd, kube-apiserver and kube-scheduler on free loopback ports.

    python tests/controlplane/plane.py        # run one until Ctrl-C; says which kubeconfig to use

No kubelet and no driver: a test creates nodes, slices and classes, the API server validates and stores them,
and the scheduler decides. The programs come from ``build.py``. They end with the process that started them,
however it ends; what they write stays in a folder of their own, which goes with them.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import itertools
import json
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # when run as a program

from controlplane import settings
from controlplane.build import LIVE, NotBuiltError, programs
from controlplane.client import Client, RefusedError
from controlplane.settings import ADMIN, HOST

READY_WITHIN_SECONDS = 90  # three on an idle machine
RBAC = "/apis/rbac.authorization.k8s.io/v1"
ACCESS_REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
Rule = dict[str, list[str]]


class NotStartedError(Exception):
    """A control plane that did not get ready; the message ends with the last lines of the log."""


class ControlPlane:
    """One control plane.

    ``users`` are the names, beside the administrator, that may log in; they may do nothing until ``granted``.
    """

    def __init__(self, users: Sequence[str] = ()) -> None:
        self._programs = programs(*LIVE)
        self._folder = Path(tempfile.mkdtemp(prefix="kubectl-llmfit-plane-"))
        self._processes: list[tuple[str, subprocess.Popen[bytes]]] = []
        self._tokens = {user: secrets.token_hex(16) for user in (ADMIN, *users)}
        self.port = 0

    @property
    def url(self) -> str:
        """Address of the API server."""
        return f"https://{HOST}:{self.port}"

    @property
    def kubectl(self) -> Path:
        """The real kubectl of the same version."""
        return self._programs["kubectl"]

    def kubeconfig(self, user: str = ADMIN) -> Path:
        """A kubeconfig file that logs in as ``user``."""
        return self._folder / f"{user}.kubeconfig"

    def client(self, user: str = ADMIN) -> Client:
        """A connection of its own as ``user``."""
        return Client(HOST, self.port, self._certificate, self._tokens[user])

    @contextlib.contextmanager
    def granted(self, user: str, rules: Sequence[Rule]) -> Iterator[None]:
        """Let ``user`` do what the RBAC rules say, everywhere, for the length of the block."""
        name = f"granted-{user}"
        head = {"apiVersion": "rbac.authorization.k8s.io/v1", "metadata": {"name": name}}
        group = "rbac.authorization.k8s.io"
        binding = {
            "kind": "ClusterRoleBinding",
            "roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": name},
            "subjects": [{"apiGroup": group, "kind": "User", "name": user}],
        }
        admin = self.client()
        admin.create(f"{RBAC}/clusterroles", head | {"kind": "ClusterRole", "rules": rules})
        admin.create(f"{RBAC}/clusterrolebindings", head | binding)
        try:
            self._wait_for_access(admin, user, rules, allowed=True)
            yield
        finally:
            admin.delete(f"{RBAC}/clusterrolebindings/{name}")
            admin.delete(f"{RBAC}/clusterroles/{name}")
            self._wait_for_access(admin, user, rules, allowed=False)
            admin.close()

    def start(self) -> None:
        """Start everything and return when the API server is ready; raises NotStartedError."""
        atexit.register(self.stop)
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End the programs and remove what they wrote. There is nothing in it worth a graceful end."""
        for _, process in reversed(self._processes):
            process.kill()
        for _, process in self._processes:
            process.wait()
        self._processes.clear()
        shutil.rmtree(self._folder, ignore_errors=True)
        atexit.unregister(self.stop)

    def wait(self) -> None:
        """Wait until one of the programs ends."""
        while all(process.poll() is None for _, process in self._processes):
            time.sleep(1)

    @property
    def _certificate(self) -> Path:
        return self._folder / "apiserver.crt"

    def _start(self) -> None:
        etcd_port, peer_port, self.port = _free_ports(3)
        self._run("etcd", *settings.etcd_arguments(self._folder / "etcd", etcd_port, peer_port))
        (self._folder / "service-account.key").write_text(settings.ec_private_key())
        (self._folder / "tokens.csv").write_text("".join(map(settings.token_line, self._tokens.items())))
        self._run("kube-apiserver", *settings.apiserver_arguments(self._folder, etcd_port, self.port))
        self._wait_until_ready()
        for user, token in self._tokens.items():
            document = settings.kubeconfig(user, token, self.url, self._certificate)
            self.kubeconfig(user).write_text(json.dumps(document))
        configuration = self._folder / "scheduler.json"
        configuration.write_text(json.dumps(settings.scheduler_configuration(self.kubeconfig())))
        self._run("kube-scheduler", f"--config={configuration}", "--secure-port=0")

    def _run(self, name: str, *arguments: str) -> None:
        with (self._folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                [str(self._programs[name]), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self._folder,
                preexec_fn=_end_with_parent,  # noqa: PLW1509 -- one call into libc, no lock
            )
        self._processes.append((name, process))

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_WITHIN_SECONDS
        words = "no answer"
        while time.monotonic() < deadline:
            for name, process in self._processes:
                if process.poll() is not None:
                    raise NotStartedError(f"{name} ended with {process.returncode}: {self._last_lines(name)}")
            try:
                if self._certificate.exists():
                    return self._check_ready()
            except (OSError, RefusedError) as error:
                words = str(error)
            time.sleep(0.1)
        raise NotStartedError(f"kube-apiserver is not ready: {words}: {self._last_lines('kube-apiserver')}")

    def _check_ready(self) -> None:
        client = self.client()
        try:
            client.get("/readyz")
        except ValueError:  # "ok" is no JSON
            return
        finally:
            client.close()

    def _last_lines(self, name: str) -> str:
        return "\n".join((self._folder / f"{name}.log").read_text(errors="replace").splitlines()[-8:])

    def _wait_for_access(self, admin: Client, user: str, rules: Sequence[Rule], *, allowed: bool) -> None:
        """The authorizer follows the objects a moment later."""
        deadline = time.monotonic() + 10
        for attributes in _each(rules):
            review = {
                "apiVersion": "authorization.k8s.io/v1",
                "kind": "SubjectAccessReview",
                "spec": {"user": user, "resourceAttributes": attributes},
            }
            while admin.create(ACCESS_REVIEWS, review)["status"]["allowed"] is not allowed:
                if time.monotonic() > deadline:
                    raise NotStartedError(f"{user}: {attributes} did not become allowed={allowed}")
                time.sleep(0.02)


def _each(rules: Sequence[Rule]) -> Iterator[dict[str, str]]:
    for rule in rules:
        for group, resource, verb in itertools.product(rule["apiGroups"], rule["resources"], rule["verbs"]):
            yield {"group": group, "resource": resource, "verb": verb}


def _free_ports(count: int) -> list[int]:
    """Ports nobody listens on; held together so that they differ."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind((HOST, 0))
        return [each.getsockname()[1] for each in sockets]


def _end_with_parent() -> None:
    """Linux: be killed when the parent ends, whatever way. Elsewhere the parent's own exit has to do."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def exit_on_sigterm() -> None:
    """Let SIGTERM leave through ``sys.exit``, so that fixtures and atexit run; keep another handler."""
    in_main_thread = threading.current_thread() is threading.main_thread()
    if in_main_thread and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))


def main() -> int:
    """Run a control plane until it is interrupted."""
    exit_on_sigterm()
    try:
        plane = ControlPlane()
        plane.start()
    except (NotBuiltError, NotStartedError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"ready: export KUBECONFIG={plane.kubeconfig()}  (kubectl: {plane.kubectl})", flush=True)
    try:
        plane.wait()
    except KeyboardInterrupt:
        return 130
    finally:
        plane.stop()
    return 1


if __name__ == "__main__":
    sys.exit(main())
