"""The ask: one need as one claim. A value, and the only function that makes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..drivers.asking import Floor
from ..drivers.llmfit_ai import PROFILE as LLMFIT_AI
from ..drivers.products import ProductTable
from ..drivers.profile import SelectorNames
from ..errors import UsageError
from ..escapes import one_line
from ..fit.model import Need
from ..fit.modelfit import CATALOGUE_NAME, NAME
from .annotations import annotations_of
from .names import CLAIM_SUFFIX, FIT_SUFFIX, checked_class, checked_name, checked_namespace, claim_name
from .selectors import selector

DEFAULT_CLASS = "llmfit.ai"
REQUEST_NAME = "model"

API_VERSIONS = ("v1", "v1beta2", "v1beta1", "v1alpha2")
EXPORT_VERSION = "v1alpha2"
"""The older export: never served by any API server, for those who read it."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A need as a claim: one request for one device.

    ``api_version`` is one of ``API_VERSIONS``; ``template`` makes it a ResourceClaimTemplate; ``expression`` is the CEL
    selector on one line; ``annotations`` go on the metadata of the claim or template, never inside its spec;
    ``notes`` are sentences for a person (stderr).
    """

    name: str
    need: Need
    expression: str
    device_class: str = DEFAULT_CLASS
    namespace: str | None = None
    template: bool = False
    api_version: str = "v1"
    request: str = REQUEST_NAME
    annotations: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """ResourceClaim or ResourceClaimTemplate."""
        return "ResourceClaimTemplate" if self.template else "ResourceClaim"


def make_ask(
    need: Need,
    *,
    name: str | None = None,
    namespace: str | None = None,
    device_class: str = DEFAULT_CLASS,
    template: bool = False,
    api_version: str = "v1",
) -> Ask:
    """The ask for ``need``.

    ``name`` None makes one from the model's name. Raises UsageError for a name, namespace or class that the API would
    refuse, for a class of a driver that cannot be asked for yet, and for an export that has not its figures.
    """
    checked_api_version(api_version)
    if api_version == EXPORT_VERSION:
        _check_export(need, device_class, template=template)
    suffix = CLAIM_SUFFIX if need.estimator in (NAME, CATALOGUE_NAME) else FIT_SUFFIX
    names = _selector_names(checked_class(device_class))
    return Ask(
        name=claim_name(need.model, suffix) if name is None else checked_name(name),
        need=need,
        expression=selector(
            LLMFIT_AI,
            LLMFIT_AI.find_class(device_class),
            Floor(need.memory_bytes, need.bandwidth_gbs),
            ProductTable(()),
            memory_text=need.memory,
        ),
        device_class=device_class,
        namespace=None if namespace is None else checked_namespace(namespace),
        template=template,
        api_version=api_version,
        annotations=annotations_of(need),
        notes=_notes(device_class, names, need),
    )


def checked_api_version(version: str) -> str:
    """``version`` if claims can be written in it, else UsageError."""
    if version not in API_VERSIONS:
        known = ", ".join(API_VERSIONS)
        raise UsageError(f'invalid value "{one_line(version)}" for --api-version: must be one of {known}')
    return version


def _selector_names(device_class: str) -> SelectorNames:
    """The names to ask in: those of the class's driver, llmfit.ai's for a class that no driver ships."""
    if LLMFIT_AI.find_class(device_class) is None:
        from ..drivers.registry import profile_of_class  # twenty modules, not needed for the driver's own classes

        profile = profile_of_class(device_class)
        if profile is not None:
            raise UsageError(
                f"device class {device_class} of driver {profile.name} is not supported yet: {profile.refusal}"
            )
    if LLMFIT_AI.selector_names is None:
        raise AssertionError("the llmfit.ai profile has selector names")
    return LLMFIT_AI.selector_names


def _check_export(need: Need, device_class: str, *, template: bool) -> None:
    flag = f"--api-version {EXPORT_VERSION}"
    if template:
        raise UsageError(f"{flag} writes a ResourceClaim: it cannot be used with --template")
    if device_class != DEFAULT_CLASS:
        raise UsageError(f"{flag} knows no device classes: it cannot be used with --device-class")
    if need.bandwidth_gbs is not None:
        raise UsageError(f"{flag} has no place for a bandwidth")
    if need.gpu_memory_gb is None or need.system_memory_gb is None:
        raise UsageError(f"{flag} needs figures for system memory and device memory")


def _notes(device_class: str, names: SelectorNames, need: Need) -> tuple[str, ...]:
    found = LLMFIT_AI.find_class(device_class)
    if found is None:
        return (
            f"no known driver ships device class {device_class}: "
            f"the selector asks in the names of {LLMFIT_AI.name}, whose devices it must select",
        )
    asked = [names.memory_capacity]
    if need.bandwidth_gbs is not None:
        asked.append(names.bandwidth_attribute)
    missing = [name for name in asked if name in found.lacks]
    if not missing:
        return ()
    return (f"devices of class {device_class} publish no {' and no '.join(missing)}: none can satisfy this claim",)
