"""How the programs of the test control plane are set: arguments, configuration files, keys. Starts nothing."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"
ADMIN = "admin"


def token_line(item: tuple[str, str]) -> str:
    """One line of a static token file: token, user name, user id, groups."""
    user, token = item
    return f'{token},{user},{user},"{"system:masters" if user == ADMIN else ""}"\n'


def etcd_arguments(folder: Path, port: int, peer_port: int) -> list[str]:
    """One member that keeps nothing safe: its data lives as long as the test run."""
    url, peer_url = f"http://{HOST}:{port}", f"http://{HOST}:{peer_port}"
    return [
        f"--data-dir={folder}",
        f"--listen-client-urls={url}",
        f"--advertise-client-urls={url}",
        f"--listen-peer-urls={peer_url}",
        f"--initial-advertise-peer-urls={peer_url}",
        f"--initial-cluster=default={peer_url}",
        "--unsafe-no-fsync",
        "--log-level=warn",
    ]


def apiserver_arguments(folder: Path, etcd_port: int, port: int) -> list[str]:
    """Every version of resource.k8s.io it can serve; RBAC; users by the token file in ``folder``."""
    key = folder / "service-account.key"
    return [
        f"--etcd-servers=http://{HOST}:{etcd_port}",
        f"--secure-port={port}",
        f"--bind-address={HOST}",
        f"--cert-dir={folder}",
        f"--service-account-issuer=https://{HOST}",
        f"--service-account-key-file={key}",
        f"--service-account-signing-key-file={key}",
        "--service-cluster-ip-range=10.0.0.0/16",
        f"--token-auth-file={folder / 'tokens.csv'}",
        "--authorization-mode=RBAC",
        # nobody here creates service accounts or takes the not-ready taint away again
        "--disable-admission-plugins=ServiceAccount,TaintNodesByCondition",
        "--endpoint-reconciler-type=none",
        "--runtime-config=resource.k8s.io/v1beta2=true,resource.k8s.io/v1beta1=true",
    ]


def scheduler_configuration(kubeconfig: Path) -> Mapping[str, Any]:
    """The default profile, one node at a time."""
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "clientConnection": {"kubeconfig": str(kubeconfig), "qps": 1000, "burst": 1000},
        "leaderElection": {"leaderElect": False},
        "parallelism": 1,  # every node is looked at, one after the other: the same answer every time
        "percentageOfNodesToScore": 100,
    }


def kubeconfig(user: str, token: str, url: str, certificate: Path) -> Mapping[str, Any]:
    """A kubeconfig with one context, which logs in as ``user``."""
    cluster = {"server": url, "certificate-authority": str(certificate)}
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "current-context": "plane",
        "clusters": [{"name": "plane", "cluster": cluster}],
        "users": [{"name": user, "user": {"token": token}}],
        "contexts": [{"name": "plane", "context": {"cluster": "plane", "user": user}}],
    }


def ec_private_key() -> str:
    """A P-256 key for service account tokens, as PEM (RFC 5915, without the optional public key)."""
    scalar = bytes([secrets.randbelow(0x7F) + 1]) + secrets.token_bytes(31)  # below the order of the curve
    prime256v1 = bytes.fromhex("a00a06082a8648ce3d030107")
    body = b"\x02\x01\x01" + b"\x04\x20" + scalar + prime256v1
    text = base64.b64encode(b"\x30" + bytes([len(body)]) + body).decode()
    return f"-----BEGIN EC PRIVATE KEY-----\n{text[:64]}\n{text[64:]}\n-----END EC PRIVATE KEY-----\n"
