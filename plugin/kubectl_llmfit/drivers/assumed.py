"""A node that does not exist yet, as its driver would publish it: a Node and its ResourceSlice, plain objects. Pure."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

from ..errors import UsageError
from .products import MIB, Product, ProductTable, covers, values_of
from .profile import CapacityMemory, HealthAttribute, HealthMode, Identity, NameForm, Profile
from .registry import PROFILES

Object = dict[str, Any]
MOST_DEVICES = 128  # k8s.io/api/resource/v1: ResourceSliceMaxDevices
ANNOTATION = "llmfit.ai/assumed"
"""On the objects of a node that was assumed: the text it was made from."""

_SPEC = re.compile(r"(?:(?P<count>\d{1,9})\s*[x×]\s+)?(?P<product>\S.*)", re.IGNORECASE)
_MOST_NAMED = 5


def assumed_node(text: str, table: ProductTable, taken: frozenset[str] = frozenset()) -> list[Object]:
    """The Node and the ResourceSlice of ``8x NVIDIA H100 80GB HBM3``: so many whole devices of that product.

    The product is named as its driver or the table names it. Each device has the least memory that is published
    of it. ``taken`` are names of nodes that exist. Raises UsageError for an unknown product (with the nearest
    names), one without memory, and a number that no slice holds.
    """
    found = _parsed(text)
    count = int(found["count"] or 1)
    if not 1 <= count <= MOST_DEVICES:
        raise UsageError(f'--assume "{text}": a node publishes from 1 to {MOST_DEVICES} devices')
    profile, product = _find(found["product"], table, text)
    name = _node_name(found["product"], taken)
    devices = [_device(profile, product, found["product"], index) for index in range(count)]
    metadata = {"annotations": {ANNOTATION: text}}
    node = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name}, **metadata},
        "spec": {},
        "status": {"conditions": [{"type": "Ready", "status": "True"}]},
    }
    pool = {"name": name, "generation": 1, "resourceSliceCount": 1}
    spec = {"driver": profile.name, "nodeName": name, "pool": pool, "devices": devices}
    resource_slice = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": f"{name}-{profile.name}", **metadata},
        "spec": spec,
    }
    return [node, resource_slice]


def meant_product(text: str, table: ProductTable) -> str | None:
    """The product that is meant where ``text`` names it only in part: ``H100 SXM5 94GB`` for ``8x H100``.

    Raises UsageError as ``assumed_node`` does.
    """
    wanted = _parsed(text)["product"]
    profile, product = _find(wanted, table, text)
    return None if _is_called(product, profile, wanted) else product.product


def _parsed(text: str) -> re.Match[str]:
    found = _SPEC.fullmatch(text.strip())
    if found is None:
        raise UsageError(f'--assume "{text}": must be a number and a product, as in "8x NVIDIA H100 80GB HBM3"')
    return found


def _find(wanted: str, table: ProductTable, text: str) -> tuple[Profile, Product]:
    """The product of that name and the first driver that publishes it."""
    known = [(product, profile) for product in table.products if (profile := _profile_of(product)) is not None]
    found = [(profile, product) for product, profile in known if _is_called(product, profile, wanted)]
    found = found or [(profile, product) for product, profile in known if _ends_with(product, wanted)]
    exact = [each for each in found if each[1].product.lower() == wanted.lower()]
    if len(found) > 1 and len(exact) != 1:
        choices = ", ".join(product.product for _, product in found)
        raise UsageError(f'--assume "{text}": {len(found)} products have this name: name one of {choices}')
    if not found:
        names = [name for product, _ in known for name in (*product.names, product.product)]
        near = get_close_matches(wanted, names, _MOST_NAMED, 0.5)
        hint = f"the nearest are {', '.join(near)}" if near else "see the product table, or add it with --accelerators"
        raise UsageError(f'--assume "{text}": no such product in the product table', hint)
    profile, product = (exact or found)[0]
    if _by_family(profile) and not _is_in_family(product, profile, wanted):
        family = f"{values_of(product, profile.identities[0])[0]}…"
        raise UsageError(f'--assume "{text}": devices say their instance type, not the product: name one, {family}')
    if product.publishes_memory and product.least_mib() is None:
        raise UsageError(f'--assume "{text}": the memory of {product.product} is not known: add it with --accelerators')
    return profile, product


def _profile_of(product: Product) -> Profile | None:
    return next((profile for profile in PROFILES if profile.specimen and covers(profile, product)), None)


def _is_called(product: Product, profile: Profile, wanted: str) -> bool:
    """Whether the product is called so by its driver or by the table."""
    names = {name.lower() for name in (*product.names, product.product)}
    values = {value for identity in profile.identities for value in values_of(product, identity)}
    return wanted.lower() in names or wanted in values or _is_in_family(product, profile, wanted)


def _ends_with(product: Product, wanted: str) -> bool:
    """Whether a name is ``wanted`` after the maker's words: ``MI300X`` of ``AMD Instinct MI300X``."""
    return any(name.replace("_", " ").lower().endswith(f" {wanted.lower()}") for name in product.names)


def _by_family(profile: Profile) -> bool:
    return any(identity.form is NameForm.PREFIX for identity in profile.identities)


def _is_in_family(product: Product, profile: Profile, wanted: str) -> bool:
    """Whether ``wanted`` is a member of one of the product's families of names: ``trn2.48xlarge`` of ``trn2.*``."""
    families = (value for i in profile.identities if i.form is NameForm.PREFIX for value in values_of(product, i))
    return any(wanted.startswith(family) and "*" not in wanted and wanted != family for family in families)


def _device(profile: Profile, product: Product, wanted: str, index: int) -> Object:
    specimen = profile.specimen
    if specimen is None:
        raise AssertionError("chosen because it has one")
    pci_id = f"0x{product.pci_ids[0].partition(':')[2]}" if product.pci_ids else "0x0000"
    attributes: Object = {name: _attribute(value) for name, value in specimen.attributes}
    attributes |= {i.attribute: _attribute(_value(product, i, wanted)) for i in profile.identities}
    if profile.health.default is HealthMode.ATTRIBUTE:
        attributes |= dict([_healthy(profile.health.attributes[0])])
    device: Object = {
        "name": specimen.name.format(index=index, bus=f"{index + 1:02x}", pci_id=pci_id),
        "attributes": attributes,
    }
    least = product.least_mib(profile.assumed_share)
    if profile.memory and product.publishes_memory and least is not None:
        memory = profile.memory[0]
        if isinstance(memory, CapacityMemory):
            device["capacity"] = {memory.name: {"value": f"{least}Mi"}}
        else:
            attributes[memory.name] = {"int": least * MIB // memory.unit_bytes}
    return device


def _value(product: Product, identity: Identity, wanted: str) -> str:
    """What the identity attribute says: for a family of names the one that was asked for, else the product's own."""
    values = values_of(product, identity)
    if identity.form is NameForm.PREFIX:
        return wanted
    if identity.form is NameForm.UNDERSCORES:
        return next((value for value in values if value in product.names), values[0])  # seen so before a rule's guess
    return values[0] if values else product.names[0]


def _healthy(attribute: HealthAttribute) -> tuple[str, Object]:
    return attribute.name, {"string": attribute.healthy[0]} if attribute.healthy else {"bool": True}


def _attribute(value: str | int) -> Object:
    return {"int": value} if isinstance(value, int) else {"string": value}


def _node_name(product: str, taken: frozenset[str]) -> str:
    base = re.sub(r"[^a-z0-9]+", "-", f"assumed {product}".lower()).strip("-")
    number = 2
    name = base
    while name in taken:
        name = f"{base}-{number}"
        number += 1
    return name
