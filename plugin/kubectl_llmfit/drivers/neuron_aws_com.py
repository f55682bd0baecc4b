"""The neuron.aws.com driver (aws-neuron/aws-neuron-sdk: deploy/eks/dra.rst)."""

from __future__ import annotations

from .profile import DriverClass, Profile

PROFILE = Profile(
    name="neuron.aws.com",
    classes=(DriverClass("neuron.aws.com"),),
    accelerator=True,
    refusal="devices of neuron.aws.com publish no memory, no memoryBandwidthGBs and no healthy attribute",
    kind_attribute="resourceType",
    accelerator_kinds=frozenset({"neuron_device"}),
    extended_resources=(
        "aws.amazon.com/neuron",
        "aws.amazon.com/neurondevice",
        "aws.amazon.com/neuroncore",
    ),
)
