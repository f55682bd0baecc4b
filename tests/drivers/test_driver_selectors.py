"""The selector of each driver on what that driver publishes: the devices that pass are the right ones and no other."""

from __future__ import annotations

import pytest

from drivers.published import QUESTIONS, Question, contents, device_classes, slices
from kubectl_llmfit.api.devices import Interner
from kubectl_llmfit.api.slices import read_slice
from kubectl_llmfit.dra.environment import selector
from kubectl_llmfit.drivers.registry import PROFILES


def passing(question: Question) -> dict[str, tuple[str, ...]]:
    """The devices of each node that class and claim select and no taint keeps."""
    class_texts = {each["metadata"]["name"]: each["spec"]["selectors"] for each in device_classes(question.driver)}
    texts = [text["cel"]["expression"] for text in class_texts[question.device_class]] + [question.selector]
    ruled_out = {
        (rule["spec"]["deviceSelector"]["pool"], rule["spec"]["deviceSelector"]["device"])
        for rule in contents(question.driver).get("rules", ())
    }
    found: dict[str, tuple[str, ...]] = {}  # of a pool's slices only one has devices
    for raw in slices(question.driver):
        read = read_slice(raw, Interner())
        names = tuple(
            device.name
            for device in read.devices
            if all(taint.effect == "None" for taint in device.shape.taints)
            and (read.pool, device.name) not in ruled_out
            and all(selector(text, True).matches(question.driver, device.shape) for text in texts)
        )
        if names:
            found[read.pool] = names
    return found


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_the_right_devices_pass_and_no_other(question: Question) -> None:
    wanted = {node: names + question.also.get(node, ()) for node, names in question.takes.items()}
    assert passing(question) == wanted


def test_every_driver_that_can_be_asked_has_a_world() -> None:
    asked = {profile.name for profile in PROFILES if profile.inexpressible is None}
    assert asked - {"npu.project-hami.io"} == {question.driver for question in QUESTIONS}  # an older name of ascend's
