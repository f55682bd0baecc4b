"""One request against devices: class selectors, then the request's own, then the device's node test.

Rules: kube-scheduler 1.37, ``structured/internal/incubating`` isSelectable, selectorsMatch,
CmpRequestOverCapacity (for a device that is not shared) and taintPreventsAllocation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..api.values import Claim, DeviceClass, DeviceRequest, DeviceShape, Request, TaintRule
from .answer import DeviceTest, Match, PoolDevice
from .environment import Selector, SelectorError, selector
from .occupancy import claim_label
from .support import device_doubt, opaque_reason, taint_rule_doubt, unknown_class_fields
from .taints import taint_prevents_allocation, tolerates_everything

_NOT_NODE = DeviceTest(Match.NOT_NODE)


@dataclass(frozen=True, slots=True)
class TaintRules:
    """The DeviceTaintRules of the cluster; ``unread`` says why they could not be read."""

    rules: tuple[TaintRule, ...] = ()
    unread: str | None = None


class Asked:
    """One request, or one alternative of it, ready to be tried on devices.

    ``device_class`` is None where classes could not be read: ``class_unread`` says why, or what of the class this
    program does not know. Results are remembered per driver and shape.
    """

    def __init__(
        self,
        claim_index: int,
        claim: Claim,
        request: Request,
        alternative: DeviceRequest,
        device_class: DeviceClass | None,
        taint_rules: TaintRules,
        classes_unread: str | None = None,
    ) -> None:
        self.claim_index = claim_index
        self.claim_label = claim_label(claim)
        self.alternative = alternative
        self.request_name = request.name
        self.alternative_name = alternative.name if request.prioritized else None
        self.class_unread = unknown_class_fields(device_class) if device_class else classes_unread
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
        of_shape = self._of_driver.setdefault(device.id.driver, {})
        known = of_shape.get(device.shape)
        if known is None:
            known = of_shape[device.shape] = self._test_shape(device.id.driver, device.shape)
        if known.error is not None:
            return DeviceTest(Match.ERROR, error=known.error.text(device))
        test = known.test
        if test.match is Match.SELECTABLE:
            if not device.reachable:
                return _NOT_NODE
            if known.negative_capacity is not None:
                return DeviceTest(Match.SELECTABLE, error=self._capacity_error(device, known.negative_capacity))
            if device.unknown is not None and not test.opaque:
                return replace(test, doubt=device.unknown, opaque=True)
            if test.doubt is None and not test.tainted:
                doubt = self._taint_rule_doubt(device)
                return DeviceTest(Match.SELECTABLE, doubt=doubt) if doubt else test
        return test

    def _test_shape(self, driver: str, shape: DeviceShape) -> _ShapeTest:
        """What is the same for every device of a shape. Class selectors come first and shield the request's."""
        if self.class_unread is not None:
            return _ShapeTest(DeviceTest(Match.NOT_KNOWN, doubt=self.class_unread, opaque=True))
        for selectors, no in ((self._class_selectors, Match.NOT_CLASS), (self._own_selectors, Match.NOT_REQUEST)):
            for where, compiled in selectors:
                try:
                    if not compiled.matches(driver, shape):
                        return _ShapeTest(DeviceTest(no))
                except SelectorError as error:
                    return _ShapeTest(DeviceTest(Match.ERROR), error=_ShapeError(where, error))
        tainted = taint_prevents_allocation(shape.taints, self.alternative.tolerations)
        opaque = opaque_reason(shape)
        doubt = opaque or (None if tainted else device_doubt(shape))
        test = DeviceTest(Match.SELECTABLE, tainted=tainted, doubt=doubt, opaque=opaque is not None)
        return _ShapeTest(test, negative_capacity=_negative_capacity(shape))

    def _taint_rule_doubt(self, device: PoolDevice) -> str | None:
        tolerations = self.alternative.tolerations
        if self._taint_rules.unread is not None and not tolerates_everything(tolerations):
            return f"may be tainted: {self._taint_rules.unread}"
        return taint_rule_doubt(self._taint_rules.rules, device.id, tolerations)

    def _capacity_error(self, device: PoolDevice, name: str) -> str:
        """Source: allocateOne and validateDeviceRequest, which name the device differently."""
        shown = device.id.device if self.wants_all else str(device.id)
        return (
            f"claim {self.claim_label}, request {self.alternative.name}: checking capacity for device {shown}: "
            f'capacity "{name}": capacity value is negative'
        )


@dataclass(frozen=True, slots=True)
class _ShapeError:
    """An error without the device it is about."""

    where: str
    error: SelectorError

    def text(self, device: PoolDevice) -> str:
        on = f" on device {device.id}" if self.error.runtime else ""
        return f"{self.where}{on}: {self.error}"


@dataclass(frozen=True, slots=True)
class _ShapeTest:
    test: DeviceTest
    error: _ShapeError | None = None
    negative_capacity: str | None = None


def _selectors(owner: str, texts: tuple[str, ...]) -> tuple[tuple[str, Selector], ...]:
    return tuple((f"{owner}: selector #{i}", selector(text, stored=True)) for i, text in enumerate(texts))


def _negative_capacity(shape: DeviceShape) -> str | None:
    """A capacity below zero fails every request that gets to the device. Source: errNegativeCapacity."""
    return next((name for name, capacity in shape.capacity.items() if capacity.value.sign < 0), None)
