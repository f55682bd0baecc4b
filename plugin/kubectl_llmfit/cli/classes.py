"""Whose devices the classes of ``--device-class`` select: by their names, by ``--driver``, or as the cluster says."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..errors import CannotTellError, NothingFitsError, UsageError

if TYPE_CHECKING:
    from ..api.values import ClusterState, DeviceClass
    from ..claim.classes import AskedClass
    from ..drivers.profile import Profile

AUTO = "auto"

Cluster = Callable[[], "ClusterState"]
"""Reads what a cluster or snapshot has, its device classes at least."""


def asked_classes(
    names: list[str], driver: str | None, cluster: Cluster | None, auto: Cluster | None
) -> "tuple[AskedClass, ...]":
    """The classes of ``names`` with their drivers, in that order; ``cluster`` and ``auto`` as in ``wishes_of``.

    ``driver`` is --driver. Raises UsageError, and CannotTellError where classes could not be read.
    """
    from ..claim.classes import shipped_class

    if names == [AUTO]:
        if driver is not None:
            raise UsageError(f"--driver says whose class it is: it cannot be used with --device-class {AUTO}")
        return _of_cluster(auto)
    shipped = {name: shipped_class(name) for name in names}
    if driver is not None and all(shipped.values()):
        raise UsageError(f"--driver goes with a class that no known driver ships: {', '.join(names)} needs none")
    return tuple(
        asked for name, known in shipped.items() for asked in ([known] if known else _unknown(name, driver, cluster))
    )


def _of_cluster(auto: Cluster | None) -> "tuple[AskedClass, ...]":
    """The cluster's usable classes. Raises NothingFitsError where it has none."""
    from ..claim.classes import usable_classes

    if auto is None:
        raise AssertionError("every command that takes a class can list those of a cluster")
    state = auto()
    _require_classes(state, f"--device-class {AUTO}")
    found = usable_classes(state.classes)
    if not found:
        known = ", ".join(sorted(each.name for each in state.classes)) or "none at all"
        raise NothingFitsError(
            f"--device-class {AUTO}: no device class selects accelerators of a known driver (there is {known})",
            "'kubectl llmfit drivers' lists the known drivers and their classes",
        )
    return found


def _unknown(name: str, driver: str | None, cluster: Cluster | None) -> "Iterator[AskedClass]":
    """A class that no known driver ships: ``--driver`` or the cluster's class says whose devices it selects."""
    from ..claim.classes import AskedClass, classes_of_driver, drivers_selected

    if driver is not None:
        yield AskedClass(name, _driver(driver))
        return
    if cluster is None:
        raise UsageError(
            f"no known driver ships device class {name}: say whose devices it selects with --driver",
            "check-nodes and claim --apply find the driver in the cluster's class",
        )
    state = cluster()
    _require_classes(state, f"the driver of device class {name} is not known (--driver says it)")
    device_class = next((each for each in state.classes if each.name == name), None)
    if device_class is None:
        from ..claim.classes import DEFAULT

        yield AskedClass(name, DEFAULT.profile)  # the check says that there is no such class, and which there are
        return
    drivers = drivers_selected(device_class.selectors)
    found = classes_of_driver(name, drivers)
    if not found:
        raise UsageError(_unclear(device_class, drivers), "'kubectl llmfit drivers' lists the known drivers")
    yield from found


def _unclear(device_class: "DeviceClass", drivers: tuple[str, ...]) -> str:
    if drivers:
        return (
            f"device class {device_class.name} selects devices of {', '.join(drivers)}, "
            "and what that driver publishes is not known: --driver names another whose names its devices have"
        )
    return f"device class {device_class.name} does not say in its selectors whose devices it selects: --driver says it"


def _driver(name: str) -> "Profile":
    from ..drivers.registry import PROFILES, profile_of_driver

    profile = profile_of_driver(name)
    if profile is None or not profile.accelerator:
        known = ", ".join(each.name for each in PROFILES if each.accelerator and not each.inexpressible)
        raise UsageError(f'invalid value "{name}" for --driver: must be one of {known}')
    return profile


def _require_classes(state: "ClusterState", purpose: str) -> None:
    for unread in state.unread:
        if unread.resource == "deviceclasses":
            raise CannotTellError(f"{purpose}: deviceclasses were not read: {unread.reason}")
