"""An ask as the plain document of each API version. No text, no I/O."""

from __future__ import annotations

from typing import Any

from ..errors import UsageError
from ..fit.units import plain_number
from .alternatives import Alternative
from .ask import EXPORT_VERSION, Ask, checked_api_version

GROUP = "resource.k8s.io"
_EXPORT_CLASS = "gpu-memory-class"


def document(ask: Ask, api_version: str | None = None) -> dict[str, Any]:
    """The ResourceClaim or ResourceClaimTemplate of ``ask`` (``api_version`` None: the ask's own).

    ``v1`` and ``v1beta2`` nest what is asked under ``exactly``, ``v1beta1`` does not (k8s.io/api resource types);
    several alternatives are ``firstAvailable`` in each. ``v1alpha2`` is the older export, which no API server serves.
    """
    version = checked_api_version((api_version or ask.api_version).removeprefix(f"{GROUP}/"))
    spec = _export_spec(ask) if version == EXPORT_VERSION else _spec(ask, version)
    return {
        "apiVersion": f"{GROUP}/{version}",
        "kind": ask.kind,
        "metadata": _metadata(ask),
        "spec": {"spec": spec} if ask.template else spec,
    }


def object_name(ask: Ask) -> str:
    """What ``-o name`` prints, as kubectl does: ``resourceclaim.resource.k8s.io/NAME``."""
    return f"{ask.kind.lower()}.{GROUP}/{ask.name}"


def _metadata(ask: Ask) -> dict[str, Any]:
    metadata: dict[str, Any] = {"name": ask.name}
    if ask.namespace is not None:
        metadata["namespace"] = ask.namespace
    if ask.annotations:
        metadata["annotations"] = dict(ask.annotations)
    return metadata


def _spec(ask: Ask, version: str) -> dict[str, Any]:
    if len(ask.alternatives) > 1:
        named = [{"name": each.name, **_wanted(each)} for each in ask.alternatives]
        return {"devices": {"requests": [{"name": ask.request, "firstAvailable": named}]}}
    wanted = _wanted(ask.alternatives[0])
    request = {"name": ask.request, **wanted} if version == "v1beta1" else {"name": ask.request, "exactly": wanted}
    return {"devices": {"requests": [request]}}


def _wanted(alternative: Alternative) -> dict[str, Any]:
    """What one alternative asks for; what is the API's default is left out."""
    wanted: dict[str, Any] = {
        "deviceClassName": alternative.device_class,
        "selectors": [{"cel": {"expression": alternative.expression}}],
    }
    if alternative.profile.allocation_mode != "ExactCount":
        wanted["allocationMode"] = alternative.profile.allocation_mode
    if alternative.capacity:
        wanted["capacity"] = {"requests": dict(alternative.capacity)}
    return wanted


def _export_spec(ask: Ask) -> dict[str, Any]:
    system, device = ask.need.system_memory_gb, ask.need.gpu_memory_gb
    if system is None or device is None:
        raise UsageError(f"--api-version {EXPORT_VERSION} needs figures for system memory and device memory")
    return {
        "resourceClassName": _EXPORT_CLASS,
        "resources": {"memory": f"{plain_number(system)}Gi", "gpu.memory": f"{plain_number(device)}Gi"},
    }
