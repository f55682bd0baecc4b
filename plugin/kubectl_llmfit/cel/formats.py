"""Kubernetes' named formats: what a DNS label, a label value, a UUID and the like look like.

Owns the formats with Kubernetes' words for what is wrong (apiserver 0.37: pkg/cel/library/format.go; apimachinery:
pkg/util/validation and pkg/api/validate/content; kube-openapi: strfmt). Must not know functions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from .text import encoded
from .timestamp import days_in_month
from .url import UrlError, check_request_uri

_LABEL: Final = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN: Final = rf"{_LABEL}(\.{_LABEL})*"
_OLD_LABEL: Final = "[a-z]([-a-z0-9]*[a-z0-9])?"
_KEY: Final = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_VALUE: Final = f"({_KEY})?"
_LABEL_WORDS: Final = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end "
    "with an alphanumeric character"
)
_SUBDOMAIN_WORDS: Final = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start "
    "and end with an alphanumeric character"
)
_OLD_LABEL_WORDS: Final = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    "and end with an alphanumeric character"
)
_KEY_WORDS: Final = (
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
)
_VALUE_WORDS: Final = (
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start "
    "and end with an alphanumeric character"
)
_UUID: Final = re.compile("[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
_BASE64: Final = re.compile("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})")
_DATE: Final = re.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME: Final = re.compile("([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))")

Faults = list[object]


@dataclass(frozen=True, slots=True, eq=False)
class NamedFormat:
    """A format. ``faults`` says what is wrong with a text; nothing when it fits.

    ``regex_size`` is the length of a pattern for it, by which Kubernetes reckons what a check costs.
    """

    name: str
    faults: Callable[[str], Faults]
    regex_size: int

    def __str__(self) -> str:
        """As Go prints it, but for where the function lies in memory."""
        return f"{{{self.name} 0x {self.regex_size}}}"


def _too_long(limit: int, unit: str = "characters") -> str:
    return f"must be no more than {limit} {unit}"


def _misfit(words: str, pattern: str, *examples: str) -> str:
    shown = " or ".join(f"'{example}', " for example in examples)
    return f"{words} (e.g. {shown}regex used for validation is '{pattern}')"


def _size(text: str) -> int:
    return len(encoded(text))


def _subdomain(text: str, unit: str = "characters") -> Faults:
    faults: Faults = [_too_long(253, unit)] if _size(text) > 253 else []
    if not re.fullmatch(_SUBDOMAIN, text):
        faults.append(_misfit(_SUBDOMAIN_WORDS, _SUBDOMAIN, "example.com"))
    return faults


def _label(text: str) -> Faults:
    faults: Faults = [_too_long(63)] if _size(text) > 63 else []
    if not re.fullmatch(_LABEL, text):
        is_subdomain = re.fullmatch(_SUBDOMAIN, text) is not None
        faults.append("must not contain dots" if is_subdomain else _misfit(_LABEL_WORDS, _LABEL, "my-name", "123-abc"))
    return faults


def _old_label(text: str) -> Faults:
    faults: Faults = [_too_long(63)] if _size(text) > 63 else []
    if not re.fullmatch(_OLD_LABEL, text):
        faults.append(_misfit(_OLD_LABEL_WORDS, _OLD_LABEL, "my-name", "abc-123"))
    return faults


def _prefix(check: Callable[[str], Faults]) -> Callable[[str], Faults]:
    """The check for what a name begins with, where a dash at the end is fine."""

    def _run(text: str) -> Faults:
        return check(text[:-2] + "a" if len(text) > 1 and text.endswith("-") else text)

    return _run


def _qualified_name(text: str) -> Faults:
    parts = text.split("/")
    examples = ("MyName", "my.name", "123-abc")
    if len(parts) > 2:
        words = f"a valid label key {_misfit(_KEY_WORDS, _KEY, *examples)}"
        return [f"{words} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"]
    faults: Faults = []
    if len(parts) == 2:
        found = _subdomain(parts[0], "bytes") if parts[0] else ["must be non-empty"]
        faults += [f"prefix part {fault}" for fault in found]
    name = parts[-1]
    if not name:
        faults.append("name part must be non-empty")
    elif _size(name) > 63:
        faults.append(f"name part {_too_long(63, 'bytes')}")
    if not re.fullmatch(_KEY, name):
        faults.append(f"name part {_misfit(_KEY_WORDS, _KEY, *examples)}")
    return faults


def _label_value(text: str) -> Faults:
    faults: Faults = [_too_long(63, "bytes")] if _size(text) > 63 else []
    if not re.fullmatch(_VALUE, text):
        faults.append(_misfit(_VALUE_WORDS, _VALUE, "MyValue", "my_value", "12345"))
    return faults


def _uri(text: str) -> Faults:
    try:
        check_request_uri(text)
    except UrlError as error:
        return [str(error)]
    return []


def _is_date(text: str) -> bool:
    match = _DATE.fullmatch(text)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    return 1 <= month <= 12 and 1 <= day <= days_in_month(year, month)


def _is_datetime(text: str) -> bool:
    """A date, a ``t``, and a time; what follows a second ``t`` is not looked at."""
    parts = text.lower().split("t")
    if len(parts) < 2 or not _is_date(parts[0]):
        return False
    match = _TIME.fullmatch(parts[1])
    return match is not None and match[1] <= "23" and match[2] <= "59" and match[3] <= "59"


def _either(fits: Callable[[str], object], words: str) -> Callable[[str], Faults]:
    return lambda text: [] if fits(text) else [words]


# By the name that expressions use.
FORMATS: Final = {
    "dns1123Label": NamedFormat("DNS1123Label", _label, 30),
    "dns1123Subdomain": NamedFormat("DNS1123Subdomain", _subdomain, 60),
    "dns1035Label": NamedFormat("DNS1035Label", _old_label, 30),
    "qualifiedName": NamedFormat("QualifiedName", _qualified_name, 60),
    "dns1123LabelPrefix": NamedFormat("DNS1123LabelPrefix", _prefix(_label), 30),
    "dns1123SubdomainPrefix": NamedFormat("DNS1123SubdomainPrefix", _prefix(_subdomain), 60),
    "dns1035LabelPrefix": NamedFormat("DNS1035LabelPrefix", _prefix(_old_label), 30),
    "labelValue": NamedFormat("LabelValue", _label_value, 40),
    "uri": NamedFormat("URI", _uri, 1103),
    "uuid": NamedFormat("uuid", _either(_UUID.fullmatch, "does not match the UUID format"), 70),
    "byte": NamedFormat("byte", _either(_BASE64.fullmatch, "invalid base64"), 84),
    "date": NamedFormat("date", _either(_is_date, "invalid date"), 71),
    "datetime": NamedFormat("datetime", _either(_is_datetime, "invalid datetime"), 71),
}
