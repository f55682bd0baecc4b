"""Which devices and nodes a check is about."""

from __future__ import annotations

from collections.abc import Iterable

from ..api.values import Claim, Node
from ..drivers.registry import is_accelerator_resource


def class_names(claims: Iterable[Claim]) -> tuple[str, ...]:
    """The device classes that the claims name, each once, in order."""
    names = (a.device_class_name for claim in claims for request in claim.spec.requests for a in request.alternatives)
    return tuple(dict.fromkeys(names))


def device_plugin_offers(node: Node) -> tuple[str, ...]:
    """``nvidia.com/gpu: 8`` for each accelerator that the node offers through a device plugin: a GPU node's look."""
    return tuple(
        f"{name}: {amount}"
        for name, amount in sorted(node.extended_resources.items())
        if amount.sign > 0 and is_accelerator_resource(name)
    )
