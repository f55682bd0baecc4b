"""TLS as kubectl has it: which authorities are trusted, which name the server must have, which certificate is shown.

Python reads a client's certificate and key from files only; those of a kubeconfig are handed over in memory where
the system can (Linux), else through a file that only this user may read and that is gone at once. Never shows a key.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import ssl
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, NoReturn

from ..errors import ClusterError
from ..escapes import spaced
from ..files import LARGEST_FILE

# Debian, Fedora, openSUSE, OpenELEC, RHEL 7, Alpine (Go 1.26: crypto/x509/root_linux.go).
_AUTHORITIES_FILES = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/tls/cacert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem",
)
_CERTIFICATE = re.compile(b"-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----")


def client_context(cluster: Mapping[str, Any], user: Mapping[str, Any]) -> ssl.SSLContext:
    """The TLS settings for a cluster entry and a user entry. Raises ClusterError in kubectl's words.

    As Go has it, and OpenSSL by itself has not: an authority needs no key identifier (VERIFY_X509_STRICT is off), and
    any certificate among the authorities is trusted, an intermediate one too (X509_PARTIAL_CHAIN).
    """
    from urllib3.util.ssl_ import create_urllib3_context

    insecure = bool(cluster.get("insecure-skip-tls-verify"))
    context: ssl.SSLContext = create_urllib3_context(cert_reqs=ssl.CERT_NONE if insecure else ssl.CERT_REQUIRED)
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    authorities = _contents(cluster, "certificate-authority")
    if authorities is not None:
        if insecure:
            raise ClusterError("specifying a root certificates file with the insecure flag is not allowed")
        trust(context, authorities)
    elif not insecure:
        trust_system(context)
    _show_certificate(context, user)
    return context


def trust(context: ssl.SSLContext, authorities: bytes) -> None:
    """Trust the PEM certificates in ``authorities`` and no others. Raises ClusterError where there are none."""
    found = b"\n".join(_CERTIFICATE.findall(authorities))
    try:
        context.load_verify_locations(cadata=found.decode("ascii"))
    except (ssl.SSLError, ValueError) as error:
        raise ClusterError("unable to load root certificates: unable to parse bytes as PEM block") from error


def trust_system(context: ssl.SSLContext) -> None:
    """Trust the system's authorities: OpenSSL's own or SSL_CERT_FILE, else where Go, and so kubectl, looks.

    OpenSSL knows one place, compiled in: a folder on Debian, and in a frozen program that of the machine it was
    built on.
    """
    context.load_default_certs()
    file = ssl.get_default_verify_paths().cafile or next(filter(os.path.isfile, _AUTHORITIES_FILES), None)
    if file:
        context.load_verify_locations(file)


def decoded(text: object, field: str) -> bytes:
    """The bytes of a base64 field of a kubeconfig. Raises ClusterError that names the field."""
    try:
        return base64.b64decode("".join(str(text).split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ClusterError(f"{field} of the kubeconfig is no base64 text") from error


def _show_certificate(context: ssl.SSLContext, user: Mapping[str, Any]) -> None:
    certificate, key = _contents(user, "client-certificate"), _contents(user, "client-key")
    if certificate is None or key is None:
        return
    if b"-----BEGIN" not in certificate:
        raise ClusterError("tls: failed to find any PEM data in certificate input")
    if b"-----BEGIN" not in key:
        raise ClusterError("tls: failed to find any PEM data in key input")
    try:
        with _file_of(certificate) as certificate_file, _file_of(key) as key_file:
            context.load_cert_chain(certificate_file, key_file, password=_no_password)
    except _EncryptedKeyError as error:
        raise ClusterError("tls: failed to parse private key: it is encrypted") from error
    except ssl.SSLError as error:
        mismatch = "KEY_VALUES_MISMATCH" in str(error)
        words = "private key does not match public key" if mismatch else "failed to parse the certificate or its key"
        raise ClusterError(f"tls: {words}") from error
    except OSError as error:
        raise ClusterError(f"the client certificate cannot be handed to OpenSSL: {error.strerror}") from error


class _EncryptedKeyError(Exception):
    """A key that needs a password; without this OpenSSL would ask for one at the terminal."""


def _no_password() -> NoReturn:
    raise _EncryptedKeyError


def _contents(entry: Mapping[str, Any], field: str) -> bytes | None:
    """What ``field-data`` holds, else the file that ``field`` names; None for neither."""
    if entry.get(f"{field}-data"):
        return decoded(entry[f"{field}-data"], f"{field}-data")
    path = entry.get(field)
    if not path:
        return None
    try:
        with open(path, "rb") as stream:
            return stream.read(LARGEST_FILE)
    except OSError as error:
        raise ClusterError(f"unable to read {field} {spaced(str(path))}: {error.strerror}") from error


@contextmanager
def _file_of(contents: bytes) -> Iterator[str]:
    """A path that reads as ``contents`` while the block lasts."""
    with ExitStack() as stack:
        if hasattr(os, "memfd_create") and os.path.isdir("/proc/self/fd"):
            stream = stack.enter_context(os.fdopen(os.memfd_create("credential"), "wb"))
            path = f"/proc/self/fd/{stream.fileno()}"
        else:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            path = os.path.join(folder, "credential")
            stream = stack.enter_context(open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb"))
        stream.write(contents)
        stream.flush()
        yield path
