"""The ask: one need as one claim. A value, and the only function that makes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..errors import UsageError
from ..escapes import one_line
from ..fit.model import Need
from ..fit.modelfit import CATALOGUE_NAME, NAME
from .alternatives import Alternative, Wishes, make_alternatives, table_for
from .annotations import annotations_of
from .classes import DEFAULT_CLASS
from .doubts import doubts_about
from .names import CLAIM_SUFFIX, FIT_SUFFIX, checked_class, checked_name, checked_namespace, claim_name

REQUEST_NAME = "model"

API_VERSIONS = ("v1", "v1beta2", "v1beta1", "v1alpha2")
EXPORT_VERSION = "v1alpha2"
"""The older export: never served by any API server, for those who read it."""


@dataclass(frozen=True, slots=True)
class Ask:
    """A need as a claim: one request, which any of ``alternatives`` satisfies, the first that can be had.

    ``api_version`` is one of ``API_VERSIONS``; ``template`` makes it a ResourceClaimTemplate; ``annotations`` go on the
    metadata of the claim or template, never inside its spec; ``notes`` are sentences for a person (stderr).
    """

    name: str
    need: Need
    alternatives: tuple[Alternative, ...]
    wishes: Wishes = field(default_factory=Wishes)
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

    @property
    def classes(self) -> tuple[str, ...]:
        """The names of the classes that it asks for, each once."""
        return tuple(dict.fromkeys(alternative.device_class for alternative in self.alternatives))

    @property
    def is_plain(self) -> bool:
        """Whether it is what the program that we follow asks: one llmfit.ai device, chosen by nothing but the need."""
        first, *others = self.alternatives
        return not others and first.profile.name == DEFAULT_CLASS and self.wishes.health is None

    @property
    def reachable(self) -> bool:
        """False where, by the product table, no product has what is asked."""
        return self.alternatives[0].reachable


def make_ask(
    need: Need,
    wishes: Wishes | None = None,
    *,
    name: str | None = None,
    namespace: str | None = None,
    template: bool = False,
    api_version: str = "v1",
) -> Ask:
    """The ask for ``need``; ``wishes`` None: one device of the default class.

    ``name`` None makes one from the model's name. Raises UsageError for a name, namespace or class that the API would
    refuse, for what cannot be asked of a class, and for an export that has not its figures.
    """
    wishes = wishes or Wishes()
    checked_api_version(api_version)
    if api_version == EXPORT_VERSION:
        _check_export(need, wishes, template=template)
    suffix = CLAIM_SUFFIX if need.estimator in (NAME, CATALOGUE_NAME) else FIT_SUFFIX
    for asked in wishes.classes:
        checked_class(asked.name)
    table = wishes.table or table_for(wishes.classes)
    wishes = replace(wishes, table=table)
    alternatives = make_alternatives(need, wishes, table)
    return Ask(
        name=claim_name(need.model, suffix) if name is None else checked_name(name),
        need=need,
        alternatives=alternatives,
        wishes=wishes,
        namespace=None if namespace is None else checked_namespace(namespace),
        template=template,
        api_version=api_version,
        annotations=annotations_of(need, wishes),
        notes=doubts_about(need, wishes, alternatives, table),
    )


def checked_api_version(version: str) -> str:
    """``version`` if claims can be written in it, else UsageError."""
    if version not in API_VERSIONS:
        known = ", ".join(API_VERSIONS)
        raise UsageError(f'invalid value "{one_line(version)}" for --api-version: must be one of {known}')
    return version


def _check_export(need: Need, wishes: Wishes, *, template: bool) -> None:
    flag = f"--api-version {EXPORT_VERSION}"
    if template:
        raise UsageError(f"{flag} writes a ResourceClaim: it cannot be used with --template")
    if [asked.name for asked in wishes.classes] != [DEFAULT_CLASS]:
        raise UsageError(f"{flag} knows no device classes: it cannot be used with --device-class")
    unknown = {
        "--require-health": wishes.health is not None,
        "--smallest-first": wishes.smallest_first,
        "--share": wishes.share,
    }
    for other, given in unknown.items():
        if given:
            raise UsageError(f"{flag} has no place for it: it cannot be used with {other}")
    if need.bandwidth_gbs is not None:
        raise UsageError(f"{flag} has no place for a bandwidth")
    if need.gpu_memory_gb is None or need.system_memory_gb is None:
        raise UsageError(f"{flag} needs figures for system memory and device memory")
