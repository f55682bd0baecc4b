"""What becomes of a new claim whose fields belong to features that are off: the API server drops them.

What is left may be a weaker claim, which it stores without a word, or one that it refuses. A claim that was stored
while the feature was on keeps its fields, and the scheduler has rules of its own for them (``rule_values``).

Source: Kubernetes 1.37 ``pkg/api/resourceclaimspec`` DropDisabledFields; 1.34 ``registry/resource/resourceclaim``.
Tolerations are dropped as well, but then no scheduler looks at the taints either.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from ..api.values import Claim, Constraint, DeviceRequest, Request
from ..errors import UsageError
from .occupancy import claim_label
from .rules import Rules

_DERIVED: Final = ".derivedAttributes"


@dataclass(frozen=True, slots=True)
class Created:
    """A claim as it is stored, and a sentence for each thing that was dropped."""

    claim: Claim
    dropped: tuple[str, ...]


def as_created(claim: Claim, rules: Rules) -> Created:
    """What an API server with these gates stores. Raises UsageError where it refuses what is left."""
    return _Dropping(claim, rules).created()


class _Dropping:
    """One claim on its way into the API server."""

    def __init__(self, claim: Claim, rules: Rules) -> None:
        self._claim, self._rules, self._gates = claim, rules, rules.gates
        self._label = f"claim {claim_label(claim)}"
        self._dropped: list[str] = []

    def created(self) -> Created:
        spec = self._claim.spec
        requests = tuple(map(self._request, spec.requests))
        constraints = tuple(self._constraint(number, one) for number, one in enumerate(spec.constraints))
        unknown = tuple(filter(self._stays, spec.unknown_fields))
        changed = replace(spec, requests=requests, constraints=constraints, unknown_fields=unknown)
        return Created(replace(self._claim, spec=changed), tuple(self._dropped))

    def _request(self, request: Request) -> Request:
        where = f"request {request.name}"
        if request.prioritized and not self._gates.prioritized_list:
            raise self._refusal(where, "firstAvailable", "DRAPrioritizedList")
        alternatives = (self._device_request(where, one) for one in request.alternatives)
        return replace(request, alternatives=tuple(alternatives))

    def _device_request(self, where: str, request: DeviceRequest) -> DeviceRequest:
        if request.admin_access and not self._gates.admin_access:
            self._drop(where, "adminAccess", "DRAAdminAccess")
            request = replace(request, admin_access=False)
        if request.capacity and not self._gates.consumable_capacity:
            self._drop(where, "capacity", "DRAConsumableCapacity")
            request = replace(request, capacity={})
        return request

    def _constraint(self, number: int, constraint: Constraint) -> Constraint:
        """1.34 means to drop distinctAttribute too, but changes only a copy."""
        drops = not self._gates.consumable_capacity and self._rules.version != "1.34"
        if constraint.distinct_attribute is None or not drops:
            return constraint
        where = f"constraint #{number}"
        if constraint.match_attribute is None:
            raise self._refusal(where, "distinctAttribute", "DRAConsumableCapacity")
        self._drop(where, "distinctAttribute", "DRAConsumableCapacity")
        return replace(constraint, distinct_attribute=None)

    def _stays(self, field: str) -> bool:
        if not field.endswith(_DERIVED) or self._gates.derived_attributes:
            return True
        self._drop(field.removesuffix(_DERIVED), _DERIVED[1:], "DRADerivedAttributes")
        return False

    def _drop(self, where: str, field: str, gate: str) -> None:
        self._dropped.append(f"the API server drops {field} of {self._label}: {where}, since {gate} is off")

    def _refusal(self, where: str, field: str, gate: str) -> UsageError:
        return UsageError(
            f"{self._label}: {where}: the API server drops {field}, since {gate} is off, and refuses what is left"
        )
