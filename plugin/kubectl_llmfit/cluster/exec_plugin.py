"""Credential plugins (kubeconfig ``exec``), run as client-go runs them.

The Python client logs a failing plugin and goes on without credentials, decides about prompts by stdout (a
pipe in ``… | kubectl apply``) and swallows the plugin's stderr; here a failure is an error, stdin decides, and
stderr is the plugin's own. Rules: client-go 0.37, plugin/pkg/client/auth/exec. Never shows what a plugin
printed on stdout: that is the secret.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..errors import ClusterError
from ..files import LARGEST_FILE

_VERSIONS = ("client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1")
_LARGEST_OUTPUT = 1 << 20
_CLUSTER_FIELDS = ("server", "tls-server-name", "insecure-skip-tls-verify", "proxy-url", "disable-compression")


@dataclass(frozen=True, slots=True)
class ExecCredential:
    """What a plugin returned; ``expires_at`` None means until it is refused."""

    token: str | None
    certificate: str | None
    key: str | None
    expires_at: datetime | None


def run_exec_plugin(plugin: Mapping[str, Any], cluster: Mapping[str, Any], user_name: str) -> ExecCredential:
    """Run the plugin of a kubeconfig user and read its ExecCredential.

    ``cluster`` is handed over when ``provideClusterInfo`` is set. Raises ClusterError in client-go's words.
    """
    api_version = str(plugin.get("apiVersion") or "")
    command = str(plugin.get("command") or "")
    if not command:
        raise ClusterError(f"command must be specified for {user_name} to use exec authentication plugin")
    if api_version not in _VERSIONS:
        raise ClusterError(f'exec plugin: invalid apiVersion "{api_version}"')
    interactive = _is_interactive(plugin, api_version, user_name)
    spec: dict[str, Any] = {"interactive": interactive}
    if plugin.get("provideClusterInfo"):
        spec["cluster"] = _cluster_info(cluster)
    request = {"kind": "ExecCredential", "apiVersion": api_version, "spec": spec}
    environment = dict(os.environ)
    environment.update(_environment(plugin, user_name))
    environment["KUBERNETES_EXEC_INFO"] = json.dumps(request)
    given = plugin.get("args") or []
    if not isinstance(given, list):
        raise ClusterError(f"args of the exec authentication plugin of {user_name} must be a list")
    arguments = [command, *(str(argument) for argument in given)]
    return _credential(_run(arguments, environment, interactive, plugin.get("installHint")), api_version)


def _environment(plugin: Mapping[str, Any], user_name: str) -> dict[str, str]:
    items = plugin.get("env") or []
    if not isinstance(items, list) or not all(isinstance(item, dict) and item.get("name") for item in items):
        raise ClusterError(f"env variable name must be specified for {user_name} to use exec authentication plugin")
    return {str(item["name"]): str(item.get("value", "")) for item in items}


def _is_interactive(plugin: Mapping[str, Any], api_version: str, user_name: str) -> bool:
    mode = plugin.get("interactiveMode")
    if mode is None and api_version == _VERSIONS[1]:
        mode = "IfAvailable"
    if mode not in ("Never", "IfAvailable", "Always"):
        problem = "must be specified" if mode is None else f"is invalid ({mode})"
        raise ClusterError(f"interactiveMode {problem} for {user_name} to use exec authentication plugin")
    terminal = sys.stdin is not None and sys.stdin.isatty()
    if mode == "Always" and not terminal:
        raise _failure("exec plugin cannot support interactive mode: standard input is not a terminal")
    return terminal and mode != "Never"


def _run(arguments: list[str], environment: Mapping[str, str], interactive: bool, install_hint: object) -> bytes:
    try:
        status, output = _outcome(arguments, environment, None if interactive else subprocess.DEVNULL)
    except (FileNotFoundError, PermissionError, NotADirectoryError) as error:
        hint = " ".join(str(install_hint).split()) if install_hint else None
        raise _failure(f"exec: executable {arguments[0]} not found", hint) from error
    except (OSError, ValueError) as error:
        raise _failure(f"exec: {error}") from error
    if status != 0:
        raise _failure(f"exec: executable {arguments[0]} failed with exit code {status}")
    return output


def _outcome(arguments: list[str], environment: Mapping[str, str], stdin: int | None) -> tuple[int, bytes]:
    """Exit status and output of a program, which is ended when it prints without end."""
    with subprocess.Popen(arguments, env=dict(environment), stdin=stdin, stdout=subprocess.PIPE) as process:
        try:
            output = process.stdout.read(_LARGEST_OUTPUT + 1) if process.stdout else b""
        except BaseException:
            process.kill()
            raise
        if len(output) > _LARGEST_OUTPUT:
            process.kill()
            raise _failure(f"exec: executable {arguments[0]} printed more than {_LARGEST_OUTPUT} bytes")
    return process.returncode, output


def _credential(output: bytes, api_version: str) -> ExecCredential:
    try:
        document = json.loads(output)
    except (ValueError, RecursionError):
        raise _failure("decoding stdout: the plugin printed no JSON object") from None
    if not isinstance(document, dict) or document.get("kind") != "ExecCredential":
        raise _failure("decoding stdout: the plugin printed no ExecCredential")
    returned = document.get("apiVersion")
    if returned != api_version:
        raise _failure(
            f"exec plugin is configured to use API version {api_version}, plugin returned version {returned}"
        )
    status = document.get("status")
    if not isinstance(status, dict):
        raise _failure("exec plugin didn't return a status field")
    token, certificate, key = (status.get(name) or None for name in ("token", "clientCertificateData", "clientKeyData"))
    if not (token or certificate or key):
        raise _failure("exec plugin didn't return a token or cert/key pair")
    if bool(certificate) != bool(key):
        raise _failure("exec plugin returned only certificate or key, not both")
    return ExecCredential(token, certificate, key, _expiry(status.get("expirationTimestamp")))


def _expiry(text: object) -> datetime | None:
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError as error:
        raise _failure(f'decoding stdout: expirationTimestamp "{text}" is no RFC 3339 time') from error
    if moment.tzinfo is None:
        raise _failure(f'decoding stdout: expirationTimestamp "{text}" is no RFC 3339 time')
    return moment


def _cluster_info(cluster: Mapping[str, Any]) -> dict[str, Any]:
    info = {key: cluster[key] for key in _CLUSTER_FIELDS if cluster.get(key)}
    if cluster.get("certificate-authority-data"):
        info["certificate-authority-data"] = cluster["certificate-authority-data"]
    elif cluster.get("certificate-authority"):
        try:
            with open(cluster["certificate-authority"], "rb") as stream:
                info["certificate-authority-data"] = base64.b64encode(stream.read(LARGEST_FILE)).decode("ascii")
        except OSError as error:
            raise ClusterError(
                f"unable to read certificate-authority {cluster['certificate-authority']}: {error.strerror}"
            ) from error
    for extension in cluster.get("extensions") or []:
        if isinstance(extension, dict) and extension.get("name") == "client.authentication.k8s.io/exec":
            info["config"] = extension.get("extension")
    return info


def _failure(message: str, hint: str | None = None) -> ClusterError:
    return ClusterError(f"Unable to connect to the server: getting credentials: {message}", hint)
