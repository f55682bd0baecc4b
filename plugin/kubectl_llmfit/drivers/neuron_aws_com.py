"""The neuron.aws.com driver (aws-neuron/aws-neuron-sdk: deploy/eks/dra.rst)."""

from __future__ import annotations

from .profile import DriverClass, Health, HealthMode, Identity, NameForm, Profile, Specimen

PROFILE = Profile(
    name="neuron.aws.com",
    classes=(DriverClass("neuron.aws.com"),),
    accelerator=True,
    kind_attribute="resourceType",
    accelerator_kinds=frozenset({"neuron_device"}),
    extended_resources=(
        "aws.amazon.com/neuron",
        "aws.amazon.com/neurondevice",
        "aws.amazon.com/neuroncore",
    ),
    identities=(Identity("instanceType", NameForm.PREFIX),),
    tests=(("resourceType", ("neuron_device",)),),
    vendor="AWS",
    health=Health(
        default=HealthMode.TAINT,
        means="a sick device is tainted (beta of the driver) and so never taken",
        taints=True,
    ),
    specimen=Specimen("neuron-device-{index}", (("resourceType", "neuron_device"),)),
    limits=(
        "No memory is published: an instance family counts with 0.93 of the product table's figure.",
        "Bandwidth comes from the product table by instanceType: a family that is not in it is left out.",
        "Groups of devices and logical cores (LNC) are configuration, not selectors.",
    ),
)
