"""Verdicts and answers follow what the scheduler would do."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kubectl_llmfit.check.values import Answer, Verdict
from kubectl_llmfit.check.verdicts import DeviceView, Judged, decide, judge, judge_device
from kubectl_llmfit.dra.answer import DeviceTest, Match, NodeAnswer, Outcome

ALLOCATES, REFUSES = NodeAnswer(Outcome.ALLOCATES), NodeAnswer(Outcome.REFUSES)
FAILS, UNKNOWN = NodeAnswer(Outcome.FAILS, "boom"), NodeAnswer(Outcome.UNKNOWN, "constraints", may_fail=True)
SELECTABLE = DeviceTest(Match.SELECTABLE)
TAINTED = DeviceTest(Match.SELECTABLE, tainted=True)
DOUBTED = DeviceTest(Match.SELECTABLE, doubt="consumes shared counters")
RAISES = DeviceTest(Match.ERROR, error="no such key: x")
OTHER = DeviceTest(Match.NOT_REQUEST)


@pytest.mark.parametrize(
    ("answer", "if_free", "verdict"),
    [
        (ALLOCATES, None, Verdict.FITS),
        (FAILS, None, Verdict.ERROR),
        (REFUSES, None, Verdict.NO_FIT),
        (REFUSES, ALLOCATES, Verdict.IN_USE),
        (REFUSES, REFUSES, Verdict.NO_FIT),
        (REFUSES, FAILS, Verdict.NO_FIT),
        (UNKNOWN, None, Verdict.UNKNOWN),
    ],
)
def test_a_node(answer: NodeAnswer, if_free: NodeAnswer | None, verdict: Verdict) -> None:
    assert judge(answer, if_free, None).verdict is verdict


@pytest.mark.parametrize(
    ("answer", "verdict", "may_fail"),
    [(ALLOCATES, Verdict.UNKNOWN, False), (FAILS, Verdict.UNKNOWN, True), (REFUSES, Verdict.NO_FIT, False)],
)
def test_a_node_that_could_not_be_read_may_be_cordoned_or_gone(
    answer: NodeAnswer, verdict: Verdict, may_fail: bool
) -> None:
    judged = judge(answer, None, "nodes could not be read (forbidden)")
    assert (judged.verdict, judged.may_fail) == (verdict, may_fail)


def test_a_node_that_refuses_is_open_where_it_is_what_it_would_do_were_nothing_held() -> None:
    assert judge(REFUSES, UNKNOWN, None) == Judged(Verdict.UNKNOWN, "constraints", may_fail=False)


def test_what_is_not_known_says_why_and_whether_it_may_fail() -> None:
    assert judge(UNKNOWN, None, None) == Judged(Verdict.UNKNOWN, "constraints", may_fail=True)


FITS, IN_USE, NO_FIT = Judged(Verdict.FITS), Judged(Verdict.IN_USE), Judged(Verdict.NO_FIT)
ERROR, MAYBE = Judged(Verdict.ERROR), Judged(Verdict.UNKNOWN)
MAY_FAIL = Judged(Verdict.UNKNOWN, may_fail=True)


@pytest.mark.parametrize(
    ("candidates", "answer"),
    [
        ([(FITS, True), (NO_FIT, True)], Answer.YES),
        ([(FITS, True), (MAYBE, True)], Answer.YES),
        ([(FITS, True), (ERROR, True)], Answer.NO),
        ([(FITS, True), (ERROR, False)], Answer.NO),
        ([(MAY_FAIL, True), (ERROR, False)], Answer.NO),
        ([(FITS, True), (MAY_FAIL, True)], Answer.CANNOT_TELL),
        ([(FITS, True), (MAY_FAIL, False)], Answer.CANNOT_TELL),
        ([(NO_FIT, True), (MAYBE, True)], Answer.CANNOT_TELL),
        ([(NO_FIT, True), (MAYBE, False)], Answer.NO),
        ([(NO_FIT, True), (FITS, False)], Answer.NO),
        ([(IN_USE, True)], Answer.NO),
        ([], Answer.NO),
    ],
)
def test_the_answer_of_a_check(candidates: list[tuple[Judged, bool]], answer: Answer) -> None:
    assert decide(candidates, all_nodes_known=True) is answer


def test_no_answer_is_no_while_a_node_may_be_missing() -> None:
    assert decide([(NO_FIT, True)], all_nodes_known=False) is Answer.CANNOT_TELL
    assert decide([], all_nodes_known=False) is Answer.CANNOT_TELL
    assert decide([(ERROR, True)], all_nodes_known=False) is Answer.NO


def one(test: DeviceTest, *, all_devices: bool = False, admin: bool = False) -> list[DeviceView]:
    return [DeviceView(test, looks_at_held=all_devices or admin, takes_held=admin)]


@pytest.mark.parametrize(
    ("views", "held", "verdict"),
    [
        (one(SELECTABLE), False, Verdict.FITS),
        (one(SELECTABLE), True, Verdict.IN_USE),
        (one(SELECTABLE, admin=True), True, Verdict.FITS),
        (one(SELECTABLE, all_devices=True), True, Verdict.IN_USE),
        (one(OTHER), True, Verdict.NO_FIT),
        (one(TAINTED), False, Verdict.NO_FIT),
        (one(DOUBTED), False, Verdict.UNKNOWN),
        (one(RAISES), False, Verdict.ERROR),
        (one(RAISES), True, Verdict.NO_FIT),  # held devices are skipped before their selectors
        (one(RAISES, all_devices=True), True, Verdict.ERROR),
        (one(OTHER) + one(SELECTABLE), False, Verdict.FITS),
        (one(SELECTABLE) + one(RAISES), False, Verdict.ERROR),
        (one(DeviceTest(Match.NOT_KNOWN)), False, Verdict.UNKNOWN),
    ],
)
def test_a_device(views: list[DeviceView], held: bool, verdict: Verdict) -> None:
    assert judge_device(views, held=held, holders_unread=False, node_unread=False) is verdict


@pytest.mark.parametrize(
    ("view", "verdict"),
    [
        (DeviceView(SELECTABLE, False, False, used=True), Verdict.IN_USE),
        (DeviceView(SELECTABLE, False, False, beyond=True), Verdict.NO_FIT),
        (DeviceView(SELECTABLE, True, True, used=True, accounted=True), Verdict.IN_USE),
        (DeviceView(TAINTED, False, False, used=True), Verdict.NO_FIT),
        (DeviceView(DOUBTED, False, False, used=True), Verdict.UNKNOWN),
    ],
)
def test_a_device_of_which_too_little_is_left(view: DeviceView, verdict: Verdict) -> None:
    assert judge_device([view], held=False, holders_unread=False, node_unread=False) is verdict


def test_without_claims_counters_may_be_gone_for_admin_access_too() -> None:
    view = DeviceView(SELECTABLE, True, True, accounted=True)
    assert judge_device([view], held=False, holders_unread=True, node_unread=False) is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("views", "verdict"),
    [
        (one(SELECTABLE), Verdict.UNKNOWN),
        (one(RAISES), Verdict.UNKNOWN),
        (one(OTHER), Verdict.NO_FIT),
        (one(SELECTABLE, admin=True), Verdict.FITS),
        (one(RAISES, all_devices=True), Verdict.ERROR),
    ],
)
def test_without_claims_a_device_may_be_held(views: list[DeviceView], verdict: Verdict) -> None:
    assert judge_device(views, held=False, holders_unread=True, node_unread=False) is verdict


def test_a_node_on_which_the_scheduler_may_time_out_keeps_its_verdict_but_may_fail_the_pod() -> None:
    for answer, if_free, verdict in (
        (ALLOCATES, None, Verdict.FITS),
        (REFUSES, None, Verdict.NO_FIT),
        (REFUSES, ALLOCATES, Verdict.IN_USE),
    ):
        assert judge(replace(answer, may_time_out=True), if_free, None) == Judged(verdict, may_fail=True)


def test_a_fit_does_not_count_where_another_node_may_time_out() -> None:
    late = Judged(Verdict.IN_USE, may_fail=True)
    assert decide([(FITS, True), (late, False)], all_nodes_known=True) is Answer.CANNOT_TELL
    assert decide([(late, True)], all_nodes_known=True) is Answer.CANNOT_TELL
    assert decide([(ERROR, False), (late, True)], all_nodes_known=True) is Answer.NO
