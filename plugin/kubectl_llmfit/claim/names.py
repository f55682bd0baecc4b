"""Names of claims: made from a model's name, or given and checked by the API's own rules."""

from __future__ import annotations

import re

from ..errors import UsageError
from ..escapes import one_line

CUT = 48
"""Longest stem that is kept whole (llmfit 1.1.17 cuts there, so that models share names)."""

_STEM_WITH_DIGEST = 41
_DIGEST_DIGITS = 6

FIT_SUFFIX = "-fit"
CLAIM_SUFFIX = "-claim"


def claim_name(model: str, suffix: str = FIT_SUFFIX) -> str:
    """The name of the claim for a model: a DNS label of at most 58 characters.

    Up to ``CUT`` characters it is llmfit's; a longer one keeps its head and gets six hex digits of the SHA-256 of
    the exact model name, so that models do not share names. Raises UsageError when nothing of the model's name can
    stand in a claim's.
    """
    stem = re.sub("[^a-z0-9]+", "-", model.lower()).strip("-")
    if not stem:
        raise UsageError(f'no claim name can be made of the model name "{one_line(model)}": give one with --name')
    if len(stem) <= CUT:
        return stem + suffix
    from hashlib import sha256  # 5 ms to load, rarely needed

    digest = sha256(model.encode()).hexdigest()[:_DIGEST_DIGITS]
    return f"{stem[:_STEM_WITH_DIGEST].rstrip('-')}-{digest}{suffix}"


def checked_name(name: str) -> str:
    """``--name`` if the API takes it as metadata.name (a DNS subdomain), else UsageError with the rule."""
    return _checked("--name", name, subdomain=True)


def checked_namespace(namespace: str) -> str:
    """``-n`` if the API takes it as a namespace (a DNS label), else UsageError with the rule."""
    return _checked("--namespace", namespace, subdomain=False)


def checked_class(device_class: str) -> str:
    """``--device-class`` if the API takes it as a DeviceClass name (a DNS subdomain), else UsageError."""
    return _checked("--device-class", device_class, subdomain=True)


def _checked(flag: str, value: str, *, subdomain: bool) -> str:
    from ..api.names import dns_label_error, dns_subdomain_error

    rule = dns_subdomain_error(value) if subdomain else dns_label_error(value)
    if rule:
        raise UsageError(f'invalid value "{one_line(value)}" for {flag}: {rule}')
    return value
