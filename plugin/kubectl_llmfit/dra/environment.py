"""The variable ``device``: what a selector can read of a device, and selectors evaluated on it.

Rules: Kubernetes 1.37 dynamic-resource-allocation ``cel/compile.go`` (newCompiler, DeviceMatches) and
``cel/errors.go`` (EnhanceRuntimeError). The only file that builds a CEL environment.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cache

from ..api.values import DeviceShape
from ..cel import (
    ANY,
    BOOL,
    DYN,
    QUANTITY,
    STRING,
    CelCompileError,
    CelRuntimeError,
    DefaultMap,
    Environment,
    Extent,
    MapType,
    NoTimeZonesError,
    ObjectType,
    PartResult,
    Program,
)
from ..errors import CannotTellError
from .readings import Reading, domain_and_name, readings

KEY_HINT = (
    ". consider using CEL optional chaining (.? followed by orValue())"
    " or guarding the check with has() for optional fields"
)
_NO_ENTRIES: Mapping[str, object] = {}

# The API's greatest sizes (k8s.io/api/resource/v1: DriverNameMaxLength, DeviceMaxDomainLength, DeviceMaxIDLength,
# DeviceAttributeMaxValueLength, ResourceSliceMaxAttributesAndCapacitiesPerDevice), where newCompiler declares them.
_DOMAIN, _NAME, _ENTRIES = Extent(63), Extent(32), 32
_ATTRIBUTES = Extent(_ENTRIES, keys=_NAME, elements=Extent(64), open_fields=True)
_CAPACITY = Extent(_ENTRIES, keys=_NAME, elements=Extent())
_EXTENT = Extent(
    fields={
        "driver": Extent(63),
        "allowMultipleAllocations": Extent(1),
        "attributes": Extent(_ENTRIES, keys=_DOMAIN, elements=_ATTRIBUTES),
        "capacity": Extent(_ENTRIES, keys=_DOMAIN, elements=_CAPACITY),
    }
)


class SelectorError(Exception):
    """A selector that does not compile or raises; ``str()`` is the scheduler's text from ``CEL … error`` on.

    ``runtime`` tells an evaluation on one device from a text that fails on every device.
    """

    def __init__(self, message: str, runtime: bool) -> None:
        super().__init__(message)
        self.runtime = runtime


class Selector:
    """One compiled expression over ``device``.

    ``program`` is None and ``compile_error`` says why where the text does not compile; evaluating it raises.
    Results are remembered by the values of what the expression can read, so equal devices cost one evaluation.
    CannotTellError where the text names a time zone and this machine knows none (constants are evaluated at once).
    """

    def __init__(self, text: str, stored: bool) -> None:
        self.text = text
        self.program: Program | None = None
        self.compile_error: CelCompileError | None = None
        self._of_driver: dict[str, tuple[tuple[Reading, ...], dict[Hashable, bool | SelectorError]]] = {}
        try:
            self.program = _environment(stored).compile(text)
        except CelCompileError as error:
            self.compile_error = error
        except NoTimeZonesError as error:
            raise _no_zones(text, error) from error

    def matches(self, driver: str, shape: DeviceShape) -> bool:
        """Whether the device passes; SelectorError where the scheduler's DeviceMatches fails.

        CannotTellError where the selector names a time zone and this machine knows none.
        """
        if shape.unreadable and self.program is not None:
            raise SelectorError(_unreadable(shape), runtime=True)
        known = self._of_driver.get(driver)
        if known is None:
            paths = self.program.reads if self.program is not None else ()
            known = self._of_driver[driver] = readings(paths, driver), {}
        reads, results = known
        key = tuple([read(shape) for read in reads])
        result = results.get(key)
        if result is None:
            result = results[key] = self._evaluate(driver, shape)
        if isinstance(result, SelectorError):
            raise result
        return result

    def explain(self, driver: str, shape: DeviceShape) -> tuple[PartResult, ...]:
        """Each top-level ``&&`` part with its own result and operands; empty where the text does not compile.

        Also where a part that decides nothing names a time zone that this machine does not know.
        """
        if self.program is None or shape.unreadable:
            return ()
        try:
            return self.program.explain({"device": device_values(driver, shape)})
        except NoTimeZonesError:
            return ()

    def _evaluate(self, driver: str, shape: DeviceShape) -> bool | SelectorError:
        if self.program is None:
            return SelectorError(f"CEL compile error: {self._compile_text()}", runtime=False)
        try:
            return self.program.matches({"device": device_values(driver, shape)})
        except CelRuntimeError as error:
            return SelectorError(f"CEL runtime error: {_with_hint(str(error))}", runtime=True)
        except NoTimeZonesError as error:
            raise _no_zones(self.text, error) from error

    def _compile_text(self) -> str:
        text = str(self.compile_error)
        return f"compilation failed: {text}" if text.startswith("ERROR:") else text


def _no_zones(text: str, error: NoTimeZonesError) -> CannotTellError:
    hint = "install the machine's tzdata, or the Python package of that name"
    return CannotTellError(f"selector {text!r}: {error}", hint)


@cache
def selector(text: str, stored: bool) -> Selector:
    """The selector for a text, compiled once; CannotTellError as ``Selector``.

    ``stored`` chooses the environment: true as the scheduler compiles what the cluster holds, false as the API
    server compiles what it is given.
    """
    return Selector(text, stored)


def device_values(driver: str, shape: DeviceShape) -> Mapping[str, object]:
    """The value of ``device``: bare attribute and capacity names belong to the driver's domain.

    An unknown domain reads as an empty map although ``in`` says that it is not there (mapper.Find).
    """
    return {
        "driver": driver,
        "allowMultipleAllocations": shape.allow_multiple_allocations,
        "attributes": _by_domain(driver, shape.attributes.items()),
        "capacity": _by_domain(driver, ((name, c.value) for name, c in shape.capacity.items())),
    }


@cache
def _environment(stored: bool) -> Environment:
    """Consumable capacity on, list attributes off: the default gates of 1.37.

    A stored expression sees attributes as dyn, a new one as any: only the former's may be iterated over.
    """
    value = DYN if stored else ANY
    device = ObjectType(
        "kubernetes.DRADevice",
        {
            "driver": STRING,
            "allowMultipleAllocations": BOOL,
            "attributes": MapType(STRING, MapType(STRING, value)),
            "capacity": MapType(STRING, MapType(STRING, QUANTITY)),
        },
    )
    return Environment({"device": device}, stored=stored, extents={"device": _EXTENT})


def _by_domain(driver: str, entries: Iterable[tuple[str, object]]) -> DefaultMap:
    """A name that is published both bare and with the driver's domain counts with its domain.

    In the scheduler chance decides which of the two it is.
    """
    domains: dict[str, dict[str, object]] = {}
    for name, value in sorted(entries, key=lambda entry: "/" in entry[0]):
        domain, identifier = domain_and_name(name, driver)
        domains.setdefault(domain, {})[identifier] = value
    return DefaultMap(domains, _NO_ENTRIES)


def _unreadable(shape: DeviceShape) -> str:
    return f"CEL runtime error: attribute {shape.unreadable[0]}: unsupported attribute value"


def _with_hint(message: str) -> str:
    """Source: EnhanceRuntimeError."""
    return message + KEY_HINT if "no such key:" in message else message
