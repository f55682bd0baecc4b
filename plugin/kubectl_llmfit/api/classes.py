"""DeviceClasses of every served version."""

from __future__ import annotations

from typing import Final

from .claims import read_selectors, unknown_in_selectors
from .raw import Raw, version_of
from .values import DeviceClass

# DeviceClassSpec of k8s.io/api/resource/v1 0.37; configuration is for drivers.
_KNOWN_FIELDS: Final = frozenset(("selectors", "config", "extendedResourceName"))


def read_class(raw: object) -> DeviceClass:
    """A DeviceClass. ReadError names the field that is not as the API says."""
    root = Raw.root(raw, "DeviceClass")
    version_of(root)
    spec = root.child("spec") or Raw(root.label, "spec", {})
    return DeviceClass(
        name=root.required_child("metadata").required_text("name"),
        selectors=read_selectors(spec),
        extended_resource_name=spec.text("extendedResourceName") or None,
        unknown_fields=(*spec.unknown(_KNOWN_FIELDS), *unknown_in_selectors(spec)),
    )
