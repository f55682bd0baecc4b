"""The API server's own rules for claims that a person hands over, in its own words.

So that a claim is refused here, with the field, before anything is asked of a cluster. Follows
``pkg/apis/resource/validation/validation.go`` of Kubernetes 1.37.2; whether CEL compiles is not checked here.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from ..escapes import as_json
from .claims import exact_part, union_problem
from .names import (
    dns_label_error,
    dns_subdomain_error,
    driver_name_error,
    full_name_error,
    label_key_error,
    label_value_error,
)
from .raw import V1, Raw, ReadError, version_of

__all__ = ["dns_label_error", "dns_subdomain_error", "validate_claim", "validate_claim_spec"]

# Limits of k8s.io/api/resource/v1.
_MAX_REQUESTS: Final = 32
_MAX_CONSTRAINTS: Final = 32
_MAX_CONFIGS: Final = 32
_MAX_SELECTORS: Final = 32
_MAX_ALTERNATIVES: Final = 8
_MAX_EXPRESSION_BYTES: Final = 10 * 1024
_MAX_PARAMETERS_BYTES: Final = 10 * 1024
_MAX_ANNOTATIONS_BYTES: Final = 256 * 1024

_MODES: Final = ("All", "ExactCount")
_OPERATORS: Final = ("Equal", "Exists")
_EFFECTS: Final = ("NoExecute", "NoSchedule", "None")

Rule = Callable[[str], str | None]


def validate_claim(raw: Mapping[str, object]) -> list[str]:
    """What the API server would say against a ResourceClaim or ResourceClaimTemplate; empty when nothing.

    Checks metadata.name, metadata.namespace and the spec. A wrong type is the only message, as in the API.
    """
    is_template = raw.get("kind") == "ResourceClaimTemplate"
    try:
        root = Raw.root(raw, "ResourceClaimTemplate" if is_template else "ResourceClaim")
        version = version_of(root)
        spec = root.required_child("spec")
        if is_template:
            spec = spec.required_child("spec")
        return [*_metadata(root.child("metadata") or Raw(root.label, "metadata", {})), *_spec(spec, version)]
    except ReadError as error:
        return [error.message]


def validate_claim_spec(spec: Mapping[str, object], api_version: str = V1, path: str = "spec") -> list[str]:
    """What the API server would say against the spec of a claim of ``api_version``, which stands at ``path``."""
    try:
        return list(_spec(Raw("ResourceClaim", path, spec), api_version))
    except ReadError as error:
        return [error.message]


def _metadata(metadata: Raw) -> Iterator[str]:
    name, prefix = metadata.text("name"), metadata.text("generateName")
    if not name and not prefix:
        yield f"{metadata.at('name')}: Required value: name or generateName is required"
    yield from _follows(_prefix_error, metadata, "generateName") if prefix else ()
    yield from _follows(dns_subdomain_error, metadata, "name") if name else ()
    yield from _follows(dns_label_error, metadata, "namespace") if metadata.text("namespace") else ()
    yield from _labels(metadata)
    yield from _annotations(metadata)


def _prefix_error(prefix: str) -> str | None:
    """A prefix may end in a dash, since something follows (maskTrailingDash)."""
    return dns_subdomain_error(f"{prefix[:-1]}a" if prefix.endswith("-") else prefix)


def _labels(metadata: Raw) -> Iterator[str]:
    """ValidateLabels of apimachinery."""
    for key, value in metadata.text_map("labels").items():
        for rule, text in ((label_key_error, key), (label_value_error, value)):
            problem = rule(text)
            if problem:
                yield f"{metadata.at('labels')}: Invalid value: {as_json(text)}: {problem}"


def _annotations(metadata: Raw) -> Iterator[str]:
    """ValidateAnnotations of apimachinery: the case of a key does not matter."""
    annotations = metadata.text_map("annotations")
    for key in annotations:
        problem = label_key_error(key.lower())
        if problem:
            yield f"{metadata.at('annotations')}: Invalid value: {as_json(key)}: {problem}"
    size = sum(len(text.encode(errors="replace")) for pair in annotations.items() for text in pair)
    if size > _MAX_ANNOTATIONS_BYTES:
        yield f"{metadata.at('annotations')}: Too long: may not be more than {_MAX_ANNOTATIONS_BYTES} bytes"


def _spec(spec: Raw, version: str) -> Iterator[str]:
    devices = spec.child("devices") or Raw(spec.label, spec.at("devices"), {})
    requests = devices.children("requests")
    yield from _at_most(_MAX_REQUESTS, devices, "requests")
    yield from _unique(requests)
    for request in requests:
        yield from _request(request, version)
    names = frozenset(_reference_names(requests))
    yield from _at_most(_MAX_CONSTRAINTS, devices, "constraints")
    for constraint in devices.children("constraints"):
        yield from _references(constraint, names)
        yield from _constrained_attribute(constraint)
    yield from _at_most(_MAX_CONFIGS, devices, "config")
    for config in devices.children("config"):
        yield from _references(config, names)
        yield from _opaque(config)


def _request(request: Raw, version: str) -> Iterator[str]:
    yield from _follows(dns_label_error, request, "name")
    problem = union_problem(request, version)
    if problem:
        yield f"{request.path}: {problem}"
        return
    exact = exact_part(request, version)
    if exact is not None:
        yield from _device_request(exact)
        return
    alternatives = request.children("firstAvailable")
    yield from _at_most(_MAX_ALTERNATIVES, request, "firstAvailable")
    yield from _unique(alternatives)
    for alternative in alternatives:
        yield from _follows(dns_label_error, alternative, "name")
        yield from _device_request(alternative)
        if alternative.has("adminAccess"):  # kubectl's strict reading refuses the field, which the type does not have
            yield f"{alternative.at('adminAccess')}: an alternative cannot have admin access"


def _device_request(raw: Raw) -> Iterator[str]:
    if raw.text("deviceClassName"):
        yield from _follows(dns_subdomain_error, raw, "deviceClassName")
    else:
        yield f"{raw.at('deviceClassName')}: Required value"
    yield from _at_most(_MAX_SELECTORS, raw, "selectors")
    for selector in raw.children("selectors"):
        yield from _selector(selector)
    yield from _mode_and_count(raw)
    for toleration in raw.children("tolerations"):
        yield from _toleration(toleration)
    capacity = raw.child("capacity")
    if capacity:
        capacity.quantity_map("requests")  # raises for what is no quantity


def _selector(selector: Raw) -> Iterator[str]:
    cel = selector.child("cel")
    if cel is None:
        yield f"{selector.at('cel')}: Required value"
        return
    expression = cel.text("expression") or ""
    if len(expression.encode(errors="replace")) > _MAX_EXPRESSION_BYTES:
        yield f"{cel.at('expression')}: Too long: may not be more than {_MAX_EXPRESSION_BYTES} bytes"


def _mode_and_count(raw: Raw) -> Iterator[str]:
    mode, count = raw.text("allocationMode") or "ExactCount", raw.integer("count") or 0
    if mode == "All" and count != 0:
        rule = "must not be specified when allocationMode is 'All'"
        yield f"{raw.at('count')}: Invalid value: {count}: {rule}"
    if mode == "ExactCount" and count < 0:
        yield f"{raw.at('count')}: Invalid value: {count}: must be greater than zero"
    yield from _one_of(_MODES, raw, "allocationMode", mode)


def _toleration(raw: Raw) -> Iterator[str]:
    raw.integer("tolerationSeconds")  # raises for what is no number
    yield from _follows(label_key_error, raw, "key") if raw.text("key") else ()
    operator, value, effect = raw.text("operator") or "Equal", raw.text("value"), raw.text("effect")
    yield from _one_of(_OPERATORS, raw, "operator", operator)
    if operator == "Exists" and value:
        yield f"{raw.at('value')}: Invalid value: {as_json(value)}: must be empty for operator `Exists`"
    if operator == "Equal" and value:
        yield from _follows(label_value_error, raw, "value")
    yield from _one_of(_EFFECTS, raw, "effect", effect) if effect else ()


def _constrained_attribute(constraint: Raw) -> Iterator[str]:
    kinds = [name for name in ("matchAttribute", "distinctAttribute") if constraint.has(name)]
    for name in kinds:
        yield from _follows(full_name_error, constraint, name)
    if not kinds:
        yield f'{constraint.path}: Required value: exactly one of "matchAttribute" or "distinctAttribute" is required'


def _opaque(config: Raw) -> Iterator[str]:
    """A configuration names its driver; the parameters are that driver's."""
    opaque = config.child("opaque")
    if opaque is None:
        yield f"{config.at('opaque')}: Required value"
        return
    if opaque.text("driver"):
        yield from _follows(driver_name_error, opaque, "driver")
    else:
        yield f"{opaque.at('driver')}: Required value"
    yield from _parameters(opaque)


def _parameters(opaque: Raw) -> Iterator[str]:
    """validateRawExtension: some JSON object that is not too long."""
    value, path = opaque.fields.get("parameters"), opaque.at("parameters")
    if value is None:
        yield f"{path}: Required value"
    elif len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()) > _MAX_PARAMETERS_BYTES:
        yield f"{path}: Too long: may not be more than {_MAX_PARAMETERS_BYTES} bytes"
    elif not isinstance(value, Mapping):
        yield f'{path}: Invalid value: "<value omitted>": must be a valid JSON object'


def _references(raw: Raw, names: frozenset[str]) -> Iterator[str]:
    """The requests a constraint or a configuration names, each once and each a request or ``request/alternative``."""
    yield from _at_most(_MAX_REQUESTS, raw, "requests")
    references = raw.texts("requests")
    for index, name in enumerate(references):
        if name not in names:
            rule = (
                "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
            )
            yield f"{raw.at('requests')}[{index}]: Invalid value: {as_json(name)}: {rule}"
    yield from _duplicates(references, raw.at("requests"))


def _reference_names(requests: Iterable[Raw]) -> Iterator[str]:
    for request in requests:
        name = request.text("name") or ""
        yield name
        for alternative in request.children("firstAvailable"):
            yield f"{name}/{alternative.text('name') or ''}"


def _unique(items: tuple[Raw, ...]) -> Iterator[str]:
    """Requests or alternatives whose name another has already."""
    if items:
        yield from _duplicates([item.text("name") or "" for item in items], items[0].path.rpartition("[")[0])


def _duplicates(names: Iterable[str], path: str) -> Iterator[str]:
    seen: Counter[str] = Counter()
    for index, name in enumerate(names):
        if seen[name]:
            yield f"{path}[{index}]: Duplicate value: {as_json(name)}"
        seen[name] += 1


def _at_most(limit: int, raw: Raw, name: str) -> Iterator[str]:
    value = raw.fields.get(name)
    if isinstance(value, list) and len(value) > limit:
        yield f"{raw.at(name)}: Too many: {len(value)}: must have at most {limit} items"


def _one_of(choices: tuple[str, ...], raw: Raw, name: str, value: str) -> Iterator[str]:
    if value not in choices:
        supported = ", ".join(map(as_json, choices))
        yield f"{raw.at(name)}: Unsupported value: {as_json(value)}: supported values: {supported}"


def _follows(rule: Rule, raw: Raw, name: str) -> Iterator[str]:
    value = raw.text(name) or ""
    problem = rule(value)
    if problem:
        yield f"{raw.at(name)}: Invalid value: {as_json(value)}: {problem}"
