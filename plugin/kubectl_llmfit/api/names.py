"""The API's rules for names, keys and label values, with its own words for what breaks them.

Source: ``k8s.io/apimachinery/pkg/api/validate/content`` 0.37 (dns.go, kube.go, identifier.go). Every function
returns None for a value that passes, else one line. Lengths are in bytes of UTF-8.
"""

from __future__ import annotations

import re
from typing import Final

_LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN: Final = rf"{_LABEL}(\.{_LABEL})*"
_KEY_NAME: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL_VALUE: Final = f"({_KEY_NAME})?"
_C_IDENTIFIER: Final = "[A-Za-z_][A-Za-z0-9_]*"

_LABEL_MAX_BYTES: Final = 63
_SUBDOMAIN_MAX_BYTES: Final = 253
# DeviceMaxDomainLength and DeviceMaxIDLength of k8s.io/api/resource/v1.
_DOMAIN_MAX_BYTES: Final = 63
_IDENTIFIER_MAX_BYTES: Final = 32

_EDGES: Final = "and must start and end with an alphanumeric character"
_LABEL_RULE: Final = (
    f"a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', {_EDGES} "
    f"(e.g. 'my-name',  or '123-abc', regex used for validation is '{_LABEL}')"
)
_SUBDOMAIN_RULE: Final = (
    f"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', {_EDGES} "
    f"(e.g. 'example.com', regex used for validation is '{_SUBDOMAIN}')"
)
_KEY_NAME_RULE: Final = (
    f"must consist of alphanumeric characters, '-', '_' or '.', {_EDGES} "
    f"(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '{_KEY_NAME}')"
)
_LABEL_VALUE_RULE: Final = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    f"{_EDGES} (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '{_LABEL_VALUE}')"
)
_C_IDENTIFIER_RULE: Final = (
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric "
    f"characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '{_C_IDENTIFIER}')"
)


def dns_label_error(value: str) -> str | None:
    """Why ``value`` is no DNS label (namespaces, requests, devices)."""
    problems = _too_long(value, _LABEL_MAX_BYTES)
    if not re.fullmatch(_LABEL, value):
        dotted = re.fullmatch(_SUBDOMAIN, value)
        problems.append("must not contain dots" if dotted else _LABEL_RULE)
    return _joined(problems)


def dns_subdomain_error(value: str) -> str | None:
    """Why ``value`` is no DNS subdomain (names of objects and of device classes)."""
    problems = _too_long(value, _SUBDOMAIN_MAX_BYTES)
    if not re.fullmatch(_SUBDOMAIN, value):
        problems.append(_SUBDOMAIN_RULE)
    return _joined(problems)


def label_key_error(value: str) -> str | None:
    """Why ``value`` is no label key: an optional DNS subdomain and a slash, and a name."""
    prefix, slash, name = value.rpartition("/")
    if "/" in prefix:
        rule = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        return f"a valid label key {_KEY_NAME_RULE} {rule}"
    problems: list[str] = []
    if slash:
        problem = dns_subdomain_error(prefix) if prefix else "must be non-empty"
        problems += [f"prefix part {problem}"] if problem else []
    if not name:
        problems.append("name part must be non-empty")
    problems += [f"name part {problem}" for problem in _too_long(name, _LABEL_MAX_BYTES)]
    if name and not re.fullmatch(_KEY_NAME, name):
        problems.append(f"name part {_KEY_NAME_RULE}")
    return _joined(problems)


def label_value_error(value: str) -> str | None:
    """Why ``value`` is no label value."""
    problems = _too_long(value, _LABEL_MAX_BYTES)
    if not re.fullmatch(_LABEL_VALUE, value):
        problems.append(_LABEL_VALUE_RULE)
    return _joined(problems)


def qualified_name_error(value: str) -> str | None:
    """Why ``value`` cannot name an attribute or a capacity: an optional domain and a slash, and a C identifier.

    A name with more than one slash passes, as in the API (validateQualifiedName of pkg/apis/resource).
    """
    parts = value.split("/")
    if len(parts) > 2:
        return None
    problems: list[str] = []
    if len(parts) == 2:
        problems += (
            [f"prefix: {problem}" for problem in _domain_problems(parts[0])]
            if parts[0]
            else ["the domain must not be empty"]
        )
        problems += [] if parts[1] else ["the name must not be empty"]
    if parts[-1] or len(parts) == 1:
        problems += _too_long(parts[-1], _IDENTIFIER_MAX_BYTES)
        problems += [] if re.fullmatch(_C_IDENTIFIER, parts[-1]) else [_C_IDENTIFIER_RULE]
    return _joined(problems)


def full_name_error(value: str) -> str | None:
    """Why ``value`` cannot name an attribute in a constraint, where the domain is not optional."""
    if "/" not in value:
        return "a fully qualified name must be a domain and a name separated by a slash"
    return qualified_name_error(value)


def driver_name_error(value: str) -> str | None:
    """Why ``value`` is no driver's name: a DNS subdomain, but for upper case letters (ValidateCSIDriverName)."""
    return _joined(_domain_problems(value.lower()))


def _domain_problems(value: str) -> list[str]:
    problems = _too_long(value, _DOMAIN_MAX_BYTES)
    if not re.fullmatch(_SUBDOMAIN, value):
        problems.append(_SUBDOMAIN_RULE)
    return problems


def _too_long(value: str, limit: int) -> list[str]:
    return [f"must be no more than {limit} characters"] if len(value.encode(errors="replace")) > limit else []


def _joined(problems: list[str]) -> str | None:
    return ", ".join(problems) if problems else None
