"""DeviceTaintRules of every served version (v1 from Kubernetes 1.37, v1beta2 from 1.36, v1alpha3 before)."""

from __future__ import annotations

from typing import Final

from .claims import read_selectors, unknown_in_selectors
from .nodes import read_taint
from .raw import Raw, version_of
from .values import TaintRule

_KNOWN_SELECTOR_FIELDS: Final = frozenset(("driver", "pool", "device", "deviceClassName", "selectors"))


def read_taint_rule(raw: object) -> TaintRule:
    """A DeviceTaintRule. ReadError names the field that is not as the API says."""
    root = Raw.root(raw, "DeviceTaintRule")
    version_of(root)
    spec = root.required_child("spec")
    selector = spec.child("deviceSelector")
    return TaintRule(
        name=root.required_child("metadata").required_text("name"),
        taint=read_taint(spec.required_child("taint")),
        driver=selector.text("driver") if selector else None,
        pool=selector.text("pool") if selector else None,
        device=selector.text("device") if selector else None,
        selects_any=selector is not None,
        unknown_fields=(*selector.unknown(_KNOWN_SELECTOR_FIELDS), *unknown_in_selectors(selector)) if selector else (),
        device_class_name=selector.text("deviceClassName") if selector else None,
        selectors=read_selectors(selector) if selector else (),
    )
