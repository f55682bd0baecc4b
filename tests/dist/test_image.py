"""The image without docker: the Dockerfile's own steps in a root of their own, then its program as its user.

What docker's reader takes from the Dockerfile is run word for word; this machine's files, under an overlay that goes
with the test, play the part of the base image. Needs root and Linux; where docker is, ``make image`` builds the image.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from controlplane.build import programs
from controlplane.plane import ControlPlane
from dist.installation import ROOT, VERSION
from live.cards import MODEL, WORLD
from live.worlds import Cluster

SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount"
SNAPSHOT = ROOT / "examples" / "cluster.yaml"
# the overlay's own layers are on a file system of their own: a layer may not lie in another one
SET_UP = """
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
mount --bind /proc "$1/root/proc"
mount --rbind /dev "$1/root/dev"
for name in /etc/resolv.conf /etc/hosts; do cp --remove-destination "$name" "$1/root$name"; done
echo ready
exec cat
"""


@dataclass(frozen=True, slots=True)
class Machine:
    """A root file system of its own, in the mount namespace of a process that holds it."""

    holder: int
    root: Path

    def outside(self, *command: str | Path) -> None:
        """Run a command that sees the machine's files below ``root``."""
        enter = ["nsenter", "--target", str(self.holder), "--mount", "--"]
        done = subprocess.run([*enter, *map(str, command)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def write(self, path: str, text: str) -> None:
        """Write a file of the machine; its links are followed in the machine."""
        done = self.run(["tee", path], "/", {"PATH": "/usr/bin:/bin"}, stdin=text)
        assert done.returncode == 0, done.stderr

    def run(
        self,
        command: Sequence[str],
        folder: str,
        variables: dict[str, str],
        user: str = "0:0",
        network: bool = True,
        stdin: str = "",
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in the machine."""
        enter = ["nsenter", "--target", str(self.holder), "--mount", "--"]
        cut_off = [] if network else ["unshare", "--net", "--"]
        inside = ["chroot", f"--userspec={user}", "--groups=", str(self.root)]
        given = ["env", "-i", f"--chdir={folder}", *(f"{name}={value}" for name, value in variables.items())]
        return subprocess.run(
            [*enter, *cut_off, *inside, *given, *command],
            input=stdin,
            capture_output=True,
            text=True,
            check=False,
        )


@dataclass(frozen=True, slots=True)
class Image:
    """What the Dockerfile makes: where it is, and how its program is started."""

    machine: Machine
    entry: tuple[str, ...]
    user: str
    folder: str
    variables: dict[str, str]

    def run(
        self, *arguments: str, network: bool = False, stdin: str = "", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """``docker run --read-only IMAGE ARGUMENTS``, by default with ``--network none``."""
        given = self.variables | variables
        return self.machine.run([*self.entry, *arguments], self.folder, given, self.user, network, stdin)


@contextlib.contextmanager
def machine(folder: Path) -> Iterator[Machine]:
    """A machine for the length of the block."""
    command = ["unshare", "--mount", "--propagation", "private", "sh", "-euc", SET_UP, "sh", str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        try:
            if holder.stdout.readline() != "ready\n":
                pytest.skip("this system has no overlay in a mount namespace")
            yield Machine(holder.pid, folder / "root")
        finally:
            holder.stdin.close()  # ends it, and with it everything that was mounted


@pytest.fixture(scope="module")
def image(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Image]:
    """The image, built by the Dockerfile's steps."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("a root file system of one's own needs Linux and root")
    text = (ROOT / "Dockerfile").read_text("utf-8")
    told = subprocess.run(
        [programs("dockerfile")["dockerfile"]], input=text, capture_output=True, text=True, check=True
    )
    build, final = json.loads(told.stdout)["stages"]
    python = Path(sys.executable).resolve()
    path = f"{python.parent}:/usr/local/bin:/usr/bin:/bin"
    with machine(tmp_path_factory.mktemp("image")) as made:
        for parent in python.parents:  # the base image's interpreter is everybody's
            made.outside("chmod", "a+x", made.root / parent.relative_to("/"))
        carry_out(made, build["instructions"], path)
        yield finished(made, final["instructions"], path)


def carry_out(made: Machine, instructions: Sequence[dict[str, Any]], path: str) -> None:
    """Do the steps of the stage that builds."""
    folder = "/"
    for one in instructions:
        fields = one["fields"]
        if one["name"] == "WORKDIR":
            folder = fields["Path"]
            made.outside("mkdir", "-p", made.root / folder.lstrip("/"))
        elif one["name"] == "COPY":
            target = made.root / folder.lstrip("/") / fields["DestPath"]
            made.outside("cp", "-r", *(ROOT / source for source in fields["SourcePaths"]), target)
            made.outside("find", target, "-name", "models.sqlite", "-delete")  # as .dockerignore says
        else:
            assert (one["name"], fields["PrependShell"]) == ("RUN", False)
            done = made.run(fields["CmdLine"], folder, dict(os.environ) | {"PATH": path})
            assert done.returncode == 0, done.stdout + done.stderr


def finished(made: Machine, instructions: Sequence[dict[str, Any]], path: str) -> Image:
    """What the last stage says of the image; from here on nothing of it can be written."""
    last = {one["name"]: one["fields"] for one in instructions}
    assert last["COPY"]["SourcePaths"] == [last["COPY"]["DestPath"]]  # the environment stays where it was made
    variables = {each["Key"]: each["Value"].replace("$PATH", path) for each in last["ENV"]["Env"]}
    for command in (["mkdir", "-p", SERVICE_ACCOUNT], ["mount", "-t", "tmpfs", "tmpfs", SERVICE_ACCOUNT]):
        assert made.run(command, "/", {"PATH": "/usr/bin:/bin:/usr/sbin:/sbin"}).returncode == 0  # a cluster mounts it
    made.outside("mount", "-o", "remount,ro", made.root)
    entry = tuple(last["ENTRYPOINT"]["CmdLine"])
    return Image(made, entry, last["USER"]["User"], last["WORKDIR"]["Path"], variables)


def test_nothing_can_be_written_and_nobody_is_root(image: Image) -> None:
    image.machine.outside("test", "-x", image.machine.root / image.entry[0].lstrip("/"))
    for user, words in (("0:0", "Read-only"), (image.user, "Read-only")):
        done = image.machine.run(["touch", "/opt/kubectl-llmfit/new"], "/", {"PATH": "/usr/bin:/bin"}, user)
        assert done.returncode != 0
        assert words in done.stderr
    assert "HOME" not in image.variables


def test_its_program_is_the_checkouts(image: Image) -> None:
    done = image.run("version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"kubectl-llmfit {VERSION} ")


def test_it_claims_and_checks_without_a_network_a_home_or_a_place_to_write(image: Image) -> None:
    done = image.run("claim", MODEL)
    assert done.returncode == 0, done.stderr
    (claim,) = yaml.safe_load_all(done.stdout)
    assert claim["kind"] == "ResourceClaim"
    answer = image.run("check-nodes", MODEL, "--snapshot", "-", stdin=SNAPSHOT.read_text("utf-8"))
    assert (answer.returncode, "Fits" in answer.stdout) == (0, True), answer.stderr


def test_outside_a_cluster_and_without_a_kubeconfig_it_says_so(image: Image) -> None:
    done = image.run("check-nodes", MODEL)
    assert (done.returncode, done.stdout) == (4, "")
    assert "Traceback" not in done.stderr


def test_the_job_gets_its_answer_from_the_cluster_with_its_account_and_role(
    image: Image, control_plane: ControlPlane, tmp_path: Path
) -> None:
    """What a kubelet does: the account's token and the cluster's certificate are mounted, the Job's words are run."""
    objects = {one["kind"]: one for one in yaml.safe_load_all((ROOT / "examples" / "job.yaml").read_text("utf-8"))}
    administrator = [str(control_plane.kubectl), "--kubeconfig", str(control_plane.kubeconfig()), "-n", "default"]

    def kubectl(*arguments: str) -> str:
        done = subprocess.run([*administrator, *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    kubectl("apply", "--filename", str(ROOT / "examples" / "job.yaml"))
    account = objects["ServiceAccount"]["metadata"]["name"]
    config = json.loads(kubectl("config", "view", "--raw", "--flatten", "-o", "json"))
    certificate = base64.b64decode(config["clusters"][0]["cluster"]["certificate-authority-data"]).decode("ascii")
    token = kubectl("create", "token", account).strip()
    for name, text in (("token", token), ("ca.crt", certificate), ("namespace", "default")):
        image.machine.write(f"{SERVICE_ACCOUNT}/{name}", text)
    server = {"KUBERNETES_SERVICE_HOST": "127.0.0.1", "KUBERNETES_SERVICE_PORT": str(control_plane.port)}
    (container,) = objects["Job"]["spec"]["template"]["spec"]["containers"]
    client = control_plane.client()
    with Cluster(client).holding(WORLD):
        done = image.run(*container["args"], network=True, **server)
        rows = {line.split()[0]: line.split()[1] for line in done.stdout.splitlines()[1:]}
        assert (done.returncode, rows) == (0, {"gpu-a": "Fits", "gpu-b": "InUse", "gpu-c": "NoFit"}), done.stderr
        refused = image.run(*container["args"], "--min-memory", "4Ti", network=True, **server)
        assert refused.returncode == 1
        kubectl("delete", "clusterrolebinding", objects["ClusterRoleBinding"]["metadata"]["name"])
        forbidden = image.run("devices", network=True, **server)
        assert (forbidden.returncode, "Forbidden" in forbidden.stderr) == (4, True), forbidden.stderr
    client.close()
