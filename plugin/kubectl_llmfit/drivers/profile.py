"""What a driver profile is: what one DRA driver publishes and under which names, as data. No profile stands here.

``asking.conditions`` turns a profile and floors into conditions. One example per way to publish (20Gi, 585 GB/s):

* everything published (llmfit.ai): ``memory >= 20Gi``, ``memoryBandwidthGBs >= 585``, ``healthy``.
* memory published, bandwidth by product (gpu.nvidia.com): ``memory >= 20Gi``, ``productName`` one of the names in the
  product table whose bandwidth is at least 585 GB/s. An unknown name fails.
* slices (mig.nvidia.com): the same, each card with the memory from which on a slice has enough memory slices.
* no memory published (gaudi.intel.com): ``model`` one of the names that the table gives both, then ``healthy``.
* memory as an attribute in GiB (ascend.project-hami.io): ``memory >= 20``, or the capacity where there is one.
* nothing that tells (npu.furiosa.ai): ``inexpressible`` says why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from fnmatch import fnmatchcase
from fractions import Fraction
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ..api.values import DeviceShape

ASSUMED_SHARE = Fraction(93, 100)
"""Of its nominal size a card publishes at least this much. Seen: 0.9326 (B300) to 1.0 (A100)."""


class Parts(Enum):
    """Whether the devices of a class are cards, parts of cards, or both."""

    CARDS = "cards"
    SLICES = "slices"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class DriverClass:
    """A DeviceClass that a driver ships.

    ``name`` may hold ``*`` where the driver makes classes at run time. ``kind`` is the value of the profile's kind
    attribute that its selector demands, None when it takes every device. ``lacks`` are names
    of memory and bandwidth that its devices never publish. ``parts`` None: as the profile says. ``refusal``: why
    nothing can be asked of it.
    """

    name: str
    kind: str | None = None
    lacks: tuple[str, ...] = ()
    parts: Parts | None = None
    refusal: str | None = None

    def matches(self, class_name: str) -> bool:
        """Whether ``class_name`` is this class."""
        return class_name == self.name or ("*" in self.name and fnmatchcase(class_name, self.name))


@dataclass(frozen=True, slots=True)
class CapacityMemory:
    """Memory as a capacity in bytes. 0 and absence mean that the driver does not know: they fail every floor."""

    name: str


@dataclass(frozen=True, slots=True)
class AttributeMemory:
    """Memory as an int attribute that counts units of ``unit_bytes``."""

    name: str
    unit_bytes: int


Memory = CapacityMemory | AttributeMemory


class NameForm(Enum):
    """How the names of the product table become values of the identity attribute."""

    EXACT = "as they are"
    UNDERSCORES = "with _ for blanks"
    PREFIX = "up to the *"
    PCI_ID = "the device's PCI id: 0xe211"


@dataclass(frozen=True, slots=True)
class Identity:
    """The attribute that says which product a device is.

    ``without_pci_id``: only for products whose PCI ids are not known.
    """

    attribute: str
    form: NameForm = NameForm.EXACT
    without_pci_id: bool = False


class HealthMode(Enum):
    """What makes a device healthy enough: values of --require-health."""

    ATTRIBUTE = "attribute"
    TAINT = "taint"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class HealthAttribute:
    """An attribute that tells health; ``healthy`` are its good texts, none for a bool."""

    name: str
    healthy: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Health:
    """How a driver tells health.

    A device passes with any one of ``attributes``. ``taints``: sick devices get a taint, so that a claim
    without tolerations never gets one. ``means`` says in words what the default comes to.
    """

    default: HealthMode = HealthMode.NONE
    means: str = "the driver tells nothing of a device's health"
    attributes: tuple[HealthAttribute, ...] = ()
    taints: bool = False

    @property
    def modes(self) -> tuple[HealthMode, ...]:
        """What --require-health can be for this driver."""
        attribute = (HealthMode.ATTRIBUTE,) if self.attributes else ()
        taint = (HealthMode.TAINT,) if self.taints else ()
        return (*attribute, *taint, HealthMode.NONE)


@dataclass(frozen=True, slots=True)
class Partitions:
    """How a driver publishes parts of a card.

    ``kinds`` are the values of the kind attribute that parts have; ``attribute`` holds the partition's own profile
    and ``parent`` names the card; ``mode`` is for devices that are several parts at once. A part's bandwidth is its
    card's times its share of the card's memory.
    """

    kinds: frozenset[str]
    attribute: str | None = None
    parent: str | None = None
    mode: Mode | None = None


@dataclass(frozen=True, slots=True)
class Mode:
    """Devices that stand for all equal parts of a card together, handed out one by one.

    Their capacities are sums over the parts. ``attribute`` says how the card is cut: ``counts`` gives the number of
    parts for each value, ``whole`` is the value for one part.
    """

    attribute: str
    whole: str
    counts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Share:
    """What to request of a device that several claims may share, so that a claim does not take all of it.

    ``memory`` is the capacity that the memory floor is requested of; ``others`` are amounts of further capacities
    whose default would be the whole device. ``always``: every device of the driver is shareable.
    """

    memory: str
    others: tuple[tuple[str, str], ...] = ()
    always: bool = False


@dataclass(frozen=True, slots=True)
class Specimen:
    """What every whole device of a driver publishes beside its product, memory and health, as far as it is known.

    ``name`` holds ``{index}``, ``{bus}`` (two hex digits) or ``{pci_id}`` (``0xe211``).
    """

    name: str
    attributes: tuple[tuple[str, str | int], ...] = ()


@dataclass(frozen=True, slots=True)
class Profile:
    """One driver.

    ``accelerator_kinds`` are the values of ``kind_attribute`` of accelerators; a device without that attribute counts
    when ``accelerator`` is true. ``tests`` are conditions on kind attributes that its own classes do not make:
    attribute, values that pass, and a device without the attribute passes (no test beside a floor for ``bandwidth``).

    ``memory``: a device passes with any one of these; none: the product table's figure counts. ``bandwidth`` is an int
    attribute in GB/s; without it ``identities`` find the product in the table, of ``vendor`` and PCI vendor
    ``pci_vendor``; a device passes with any one of them. ``invents_memory``: a version of the driver publishes a
    made-up size for a card that it cannot read, so that a product smaller than the floor is never listed.

    ``specimen`` is what a device looks like, None where that is not known. ``parts`` is what a class without ``parts``
    of its own selects. ``allocation_mode`` is the claim's. ``limits`` are sentences: what cannot be expressed.
    ``inexpressible`` says why nothing can be asked at all, in words that stand after "device class X:".
    ``extended_resources`` are the names (``*`` and ``?`` as in a shell) under which device plugins offer the
    same hardware.
    """

    name: str
    classes: tuple[DriverClass, ...]
    accelerator: bool
    kind_attribute: str | None = None
    accelerator_kinds: frozenset[str] = field(default_factory=frozenset)
    extended_resources: tuple[str, ...] = ()
    tests: tuple[tuple[str, tuple[str, ...]], ...] = ()
    memory: tuple[Memory, ...] = ()
    assumed_share: Fraction = ASSUMED_SHARE
    invents_memory: bool = False
    bandwidth: str | None = None
    identities: tuple[Identity, ...] = ()
    vendor: str | None = None
    pci_vendor: str | None = None
    health: Health = field(default_factory=Health)
    partitions: Partitions | None = None
    parts: Parts = Parts.CARDS
    share: Share | None = None
    allocation_mode: Literal["ExactCount", "All"] = "ExactCount"
    specimen: Specimen | None = None
    limits: tuple[str, ...] = ()
    inexpressible: str | None = None

    def find_class(self, class_name: str) -> DriverClass | None:
        """This driver's class of that name."""
        return next((entry for entry in self.classes if entry.matches(class_name)), None)

    def published(self, shape: DeviceShape, name: str) -> object:
        """The attribute that a device publishes under its bare or its qualified name; None where it has none."""
        return shape.attributes.get(name, shape.attributes.get(f"{self.name}/{name}"))

    def word_of(self, name: str) -> str | None:
        """What a person calls the attribute or capacity ``name``: memory, bandwidth, health; None for any other."""
        if any(name == memory.name for memory in self.memory):
            return "memory"
        if name == self.bandwidth:
            return "bandwidth"
        return "health" if any(name == attribute.name for attribute in self.health.attributes) else None

    def kind_of(self, shape: DeviceShape) -> str | None:
        """The kind a device publishes, under its bare or its qualified name."""
        value = None if self.kind_attribute is None else self.published(shape, self.kind_attribute)
        return value if isinstance(value, str) else None

    def is_accelerator(self, shape: DeviceShape) -> bool:
        """Whether a device of this driver is an accelerator."""
        kind = self.kind_of(shape)
        if kind is None or not self.accelerator_kinds:
            return self.accelerator
        return kind in self.accelerator_kinds

    def offers(self, resource: str) -> bool:
        """Whether ``resource`` is one of this hardware's extended resources."""
        return any(fnmatchcase(resource, pattern) for pattern in self.extended_resources)
