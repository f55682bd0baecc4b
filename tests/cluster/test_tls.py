"""TLS as kubectl has it, where Python by itself has it otherwise."""

from __future__ import annotations

import base64
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from fakes import worlds
from fakes.api_server import CERTIFICATE, FOLDER, KEY, FakeServer
from kubectl_llmfit.cluster import tls
from kubectl_llmfit.cluster.connection import Connection, ConnectionOptions, connect
from kubectl_llmfit.errors import ClusterError

LEAF, INTERMEDIATE, ENCRYPTED = FOLDER / "leaf.crt", FOLDER / "intermediate.crt", FOLDER / "encrypted.key"


def data(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()


def to(path: Path) -> Connection:
    return connect(ConnectionOptions(kubeconfig=str(path)), environ={})


def refusal(path: Path) -> str:
    with pytest.raises(ClusterError) as caught:
        to(path).get("/version")
    assert "\n" not in caught.value.message
    return caught.value.message


def test_an_authority_without_a_key_identifier_is_trusted(kubeconfig: Any) -> None:
    """Python 3.13 by itself says: Missing Authority Key Identifier."""
    with FakeServer(worlds.answers(), certificate=LEAF) as server:
        assert to(kubeconfig(server.url, cluster={"certificate-authority": str(INTERMEDIATE)})).get("/version")


def test_strict_checks_are_off_whatever_python_turns_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from urllib3.util import ssl_

    make = ssl_.create_urllib3_context

    def strict(**settings: Any) -> Any:
        context = make(**settings)
        context.verify_flags |= tls.ssl.VERIFY_X509_STRICT
        return context

    monkeypatch.setattr(ssl_, "create_urllib3_context", strict)
    context = tls.client_context({"certificate-authority": str(CERTIFICATE)}, {})
    assert not context.verify_flags & tls.ssl.VERIFY_X509_STRICT
    assert context.verify_mode is tls.ssl.CERT_REQUIRED
    assert context.check_hostname


def test_an_intermediate_authority_alone_is_trusted_as_in_go(kubeconfig: Any) -> None:
    with FakeServer(worlds.answers(), certificate=LEAF) as server:
        authority = {"certificate-authority": None, "certificate-authority-data": data(INTERMEDIATE)}
        assert to(kubeconfig(server.url, cluster=authority)).get("/version")


def test_another_authority_is_not(kubeconfig: Any) -> None:
    with FakeServer(worlds.answers(), certificate=LEAF) as server:
        words = refusal(kubeconfig(server.url))
    assert words.endswith("x509: certificate signed by unknown authority")


def test_text_around_the_certificates_of_an_authority_is_passed_over(kubeconfig: Any, server: FakeServer) -> None:
    bundle = base64.b64encode("# Füße\n".encode() + CERTIFICATE.read_bytes() + b"\nend").decode()
    authority = {"certificate-authority": None, "certificate-authority-data": bundle}
    assert to(kubeconfig(server.url, cluster=authority)).get("/version")


def test_an_encrypted_key_is_refused_and_nobody_is_asked_for_a_password(kubeconfig: Any, server: FakeServer) -> None:
    user = {"client-certificate": str(CERTIFICATE), "client-key": str(ENCRYPTED)}
    assert refusal(kubeconfig(server.url, user)) == "tls: failed to parse private key: it is encrypted"
    assert server.requests == []


def test_a_key_of_another_certificate_is_refused(kubeconfig: Any, server: FakeServer) -> None:
    user = {"client-certificate": str(INTERMEDIATE), "client-key": str(KEY)}
    assert refusal(kubeconfig(server.url, user)) == "tls: private key does not match public key"


def test_a_key_that_is_none_is_refused_without_its_text(kubeconfig: Any, server: FakeServer) -> None:
    junk = base64.b64encode(b"-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n").decode()
    user = {"client-certificate-data": data(CERTIFICATE), "client-key-data": junk}
    words = refusal(kubeconfig(server.url, user))
    assert words == "tls: failed to parse the certificate or its key"


@pytest.mark.parametrize("in_memory", [True, False])
def test_a_key_of_the_kubeconfig_is_never_left_in_a_file(
    kubeconfig: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_memory: bool
) -> None:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    if not in_memory:
        monkeypatch.delattr(os, "memfd_create", raising=False)
    elif not hasattr(os, "memfd_create"):
        pytest.skip("this system has no files in memory")
    else:
        folder.chmod(0o500)
    with FakeServer(worlds.answers(), client_certificates=True) as strict:
        user = {"client-certificate-data": data(CERTIFICATE), "client-key-data": data(KEY)}
        assert to(kubeconfig(strict.url, user)).get("/version")
    assert list(folder.iterdir()) == []


def test_authorities_and_the_insecure_flag_contradict_each_other(kubeconfig: Any, server: FakeServer) -> None:
    path = kubeconfig(server.url, cluster={"insecure-skip-tls-verify": True})
    assert refusal(path) == "specifying a root certificates file with the insecure flag is not allowed"
