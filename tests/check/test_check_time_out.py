"""Where the scheduler's own search takes longer than the scheduler waits, a "no" of one node may fail the pod."""

from __future__ import annotations

from check.check_worlds import GPU_CLASS, LLMFIT_CLASS, allocated, ask, by_name, check, claim_of, gpu, on, world
from kubectl_llmfit.api.values import ClusterState, DeviceClass
from kubectl_llmfit.check.choice import Choice
from kubectl_llmfit.check.notes import MAY_TIME_OUT
from kubectl_llmfit.check.values import Answer, Verdict
from kubectl_llmfit.check.verdicts import answer
from kubectl_llmfit.errors import ExitCode
from kubectl_llmfit.output.check_table import summary_line

NICS = DeviceClass("nic.llmfit.ai", ("device.attributes['llmfit.ai'].kind == 'nic'",))
NICS_FIRST = claim_of("pair", ask("vfs", device_class=NICS.name, count=8), ask("gpu", device_class=GPU_CLASS.name))
GPU_FIRST = claim_of("pair", ask("gpu", device_class=GPU_CLASS.name), ask("vfs", device_class=NICS.name, count=8))


def two_nodes(nics: int) -> ClusterState:
    """Node a, whose one GPU is held, and node b, where it is free."""
    devices = [gpu("gpu-0"), *(gpu(f"nic-{index}", kind="nic") for index in range(nics))]
    classes = (LLMFIT_CLASS, GPU_CLASS, NICS)
    return world(on("a", *devices), on("b", *devices), classes=classes, claims=(allocated("llama", "a", "gpu-0"),))


def test_a_node_that_cannot_be_refused_in_time_makes_the_answer_open() -> None:
    checked = check(two_nodes(32), NICS_FIRST)
    refused, free = by_name(checked)["a"], by_name(checked)["b"]
    assert (refused.verdict, refused.scheduler, refused.may_time_out) == (Verdict.IN_USE, "Refuses", True)
    assert refused.reason == f"request gpu: held by team-a/llama; {MAY_TIME_OUT}"
    assert (free.verdict, free.may_time_out) == (Verdict.FITS, False)
    assert (checked.summary.verdict, answer(checked)) == (Answer.CANNOT_TELL, ExitCode.CANNOT_TELL)
    assert summary_line(checked) == (
        "CannotTell: 1 of 2 nodes fits (1 in use; on 1 the scheduler may time out, which fails the whole pod)"
    )


def test_fewer_combinations_are_refused_in_time() -> None:
    checked = check(two_nodes(20), NICS_FIRST)
    assert (checked.summary.verdict, checked.summary.may_time_out) == (Answer.YES, 0)


def test_the_scarce_request_first_leaves_nothing_to_combine() -> None:
    assert check(two_nodes(32), GPU_FIRST).summary.verdict is Answer.YES


def test_a_node_that_was_not_asked_about_may_fail_the_pod_too() -> None:
    checked = check(two_nodes(32), NICS_FIRST, choice=Choice(names=("b",)))
    assert (checked.summary.verdict, checked.summary.may_time_out) == (Answer.CANNOT_TELL, 0)
    assert [(each.node, each.message) for each in checked.summary.may_fail_elsewhere] == [("a", MAY_TIME_OUT)]
    assert summary_line(checked) == ("CannotTell: 1 of 1 node fits (a, not asked about, may fail the whole pod)")


def test_a_fit_that_is_found_late_says_so_in_a_note() -> None:
    # The GPU is the first of its class: all combinations of eight that hold it fail before.
    devices = [gpu(f"gpu-{index:02}", first=index == 0) for index in range(32)]
    late = claim_of("pair", ask("any", count=8), ask("first", "device.attributes['llmfit.ai'].first"))
    checked = check(world(on("a", *devices)), late)
    node = by_name(checked)["a"]
    assert (node.verdict, node.reason, node.notes) == (Verdict.FITS, None, (MAY_TIME_OUT,))
    assert checked.summary.verdict is Answer.CANNOT_TELL


def test_one_device_more_than_there_are_is_searched_for_in_all_subsets() -> None:
    devices = [gpu(f"gpu-{index:02}") for index in range(24)]
    checked = check(world(on("a", *devices)), claim_of("many", ask("any", count=25)))
    assert checked.summary.verdict is Answer.CANNOT_TELL
