"""One request against devices: class selectors, then the request's own, the device's node test, its capacities.

Rules: kube-scheduler 1.37, ``structured/internal/incubating`` isSelectable, selectorsMatch, CmpRequestOverCapacity
(as far as it is the same whoever has what of the device) and taintPreventsAllocation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..api.values import Claim, DeviceClass, DeviceRequest, DeviceShape, Request
from ..cel.quantity import Quantity
from .answer import CapacityShortage, DeviceTest, Match, PoolDevice
from .capacity import CapacityError, consumed_capacity
from .environment import KEY_HINT, Selector, SelectorError, selector
from .occupancy import claim_label
from .rules import Rules
from .support import uncommon_rules, unknown_class_fields, unknown_device_fields
from .taints import TaintRules, taint_prevents_allocation

_NOT_NODE = DeviceTest(Match.NOT_NODE)


class Asked:
    """One request, or one alternative of it, ready to be tried on devices.

    ``claim_index`` and ``request_index`` count the claims tried and the claim's requests. ``device_class`` is None
    where classes could not be read: ``class_unread`` says why, or what of the class this program does not know.
    Results are remembered per driver and shape.
    """

    def __init__(
        self,
        claim_index: int,
        claim: Claim,
        request_index: int,
        alternative: DeviceRequest,
        device_class: DeviceClass | None,
        taint_rules: TaintRules,
        rules: Rules,
        classes_unread: str | None = None,
    ) -> None:
        request: Request = claim.spec.requests[request_index]
        self.claim_index = claim_index
        self.claim_label = claim_label(claim)
        self.request_index = request_index
        self.alternative = alternative
        self.request_name = request.name
        self.alternative_name = alternative.name if request.prioritized else None
        self.class_unread = unknown_class_fields(device_class) if device_class else classes_unread
        self.rules = rules
        self._taint_rules = taint_rules
        self._class_selectors = _selectors(
            f"class {alternative.device_class_name}", device_class.selectors if device_class else ()
        )
        self._own_selectors = _selectors(f"claim {self.claim_label}", alternative.selectors)
        self._of_driver: dict[str, dict[DeviceShape, _ShapeTest]] = {}

    @property
    def wants_all(self) -> bool:
        """Whether allocationMode is All."""
        return self.alternative.allocation_mode == "All"

    @property
    def result_name(self) -> str:
        """The request's name in an allocation: ``req``, or ``req/sub`` for an alternative."""
        return f"{self.request_name}/{self.alternative_name}" if self.alternative_name else self.request_name

    def test(self, device: PoolDevice) -> DeviceTest:
        """How the device does for this request, whoever holds it."""
        if device.pool_error is not None and not self.wants_all:
            return DeviceTest(Match.ERROR, error=device.pool_error)
        known = self._shape_test(device)
        if known.error is not None:
            return DeviceTest(Match.ERROR, error=known.error.text(device, self.rules))
        test = known.test
        if test.match is not Match.SELECTABLE:
            return test
        if not device.reachable:
            return _NOT_NODE
        if known.capacity_error is not None:
            return DeviceTest(Match.SELECTABLE, error=self._capacity_error(device, known.capacity_error))
        if device.unknown is not None and not test.opaque:
            return replace(test, doubt=device.unknown, opaque=True)
        if not test.tainted and self._taint_rules:
            tainted, doubt = self._taint_rules.judge(device, self.alternative.tolerations, self.rules)
            return replace(test, tainted=True) if tainted else replace(test, doubt=test.doubt or doubt)
        return test

    def is_tainted(self, device: PoolDevice) -> bool:
        """Whether a taint keeps the device from the request, whether it matches or not."""
        tainted, _ = self._taint_rules.judge(device, self.alternative.tolerations, self.rules)
        return tainted or self._is_tainted(device.shape)

    def consumed(self, device: PoolDevice) -> Mapping[str, Quantity]:
        """What a share of the device takes of its capacities; empty where the device does not do for the request."""
        return self._shape_test(device).consumed

    def _shape_test(self, device: PoolDevice) -> _ShapeTest:
        of_shape = self._of_driver.setdefault(device.id.driver, {})
        known = of_shape.get(device.shape)
        if known is None:
            known = of_shape[device.shape] = self._test_shape(device.id.driver, device.shape)
        return known

    def _test_shape(self, driver: str, shape: DeviceShape) -> _ShapeTest:
        """What is the same for every device of a shape. Class selectors come first and shield the request's."""
        if self.class_unread is not None:
            return _ShapeTest(DeviceTest(Match.NOT_KNOWN, doubt=self.class_unread, opaque=True))
        if shape.binding_conditions and not self.rules.gates.binding_and_status:
            return _ShapeTest(DeviceTest(Match.NOT_BINDING))
        for selectors, no in ((self._class_selectors, Match.NOT_CLASS), (self._own_selectors, Match.NOT_REQUEST)):
            for where, compiled in selectors:
                try:
                    if not self._matches(compiled, driver, shape):
                        return _ShapeTest(DeviceTest(no))
                except SelectorError as error:
                    return _ShapeTest(DeviceTest(Match.ERROR), error=_ShapeError(where, error))
        tainted = self._is_tainted(shape)
        doubt = unknown_device_fields(shape) or uncommon_rules(shape, self.rules)
        test = DeviceTest(Match.SELECTABLE, tainted=tainted, doubt=doubt, opaque=doubt is not None)
        if not self.rules.shares_capacity:
            return _ShapeTest(test)
        try:
            consumed = consumed_capacity(self.alternative.capacity, shape, self.rules)
        except CapacityError as error:
            return _ShapeTest(test, capacity_error=str(error))
        except OverflowError:
            return _ShapeTest(replace(test, doubt="its capacities are beyond what can be counted", opaque=True))
        if isinstance(consumed, CapacityShortage):
            return _ShapeTest(replace(test, capacity=consumed))
        return _ShapeTest(test, consumed=consumed)

    def _is_tainted(self, shape: DeviceShape) -> bool:
        return self.rules.gates.device_taints and taint_prevents_allocation(
            shape.taints, self.alternative.tolerations, every_effect=self.rules.every_taint_blocks
        )

    def _matches(self, compiled: Selector, driver: str, shape: DeviceShape) -> bool:
        """A list among the attributes fails every expression where the scheduler cannot read one."""
        lists = [name for name, value in shape.attributes.items() if isinstance(value, tuple)]
        if lists and compiled.program is not None and not self.rules.reads_list_attributes:
            raise SelectorError(f"CEL runtime error: attribute {lists[0]}: unsupported attribute value", runtime=True)
        return compiled.matches(driver, shape)

    def _capacity_error(self, device: PoolDevice, problem: str) -> str:
        """Source: allocateOne and validateDeviceRequest, which name the device differently."""
        shown = device.id.device if self.wants_all else str(device.id)
        where = f"claim {self.claim_label}, request {self.alternative.name}"
        return f"{where}: checking capacity for device {shown}: {problem}"


@dataclass(frozen=True, slots=True)
class _ShapeError:
    """An error without the device it is about."""

    where: str
    error: SelectorError

    def text(self, device: PoolDevice, rules: Rules) -> str:
        if not rules.cel_errors_name_device:
            return f"{self.where}: {str(self.error).removesuffix(KEY_HINT)}"
        on = f" on device {device.id}" if self.error.runtime else ""
        return f"{self.where}{on}: {self.error}"


@dataclass(frozen=True, slots=True)
class _ShapeTest:
    test: DeviceTest
    error: _ShapeError | None = None
    capacity_error: str | None = None
    consumed: Mapping[str, Quantity] = field(default_factory=dict)


def _selectors(owner: str, texts: tuple[str, ...]) -> tuple[tuple[str, Selector], ...]:
    return tuple((f"{owner}: selector #{i}", selector(text, stored=True)) for i, text in enumerate(texts))
