"""From what the scheduler would do to a verdict: the decision tables, and the answer of a whole check."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..dra.answer import DeviceTest, Match, NodeAnswer, Outcome
from ..errors import ExitCode
from .values import Answer, NodeCheck, Verdict

_EXIT_CODES = {Answer.YES: ExitCode.OK, Answer.NO: ExitCode.NO, Answer.CANNOT_TELL: ExitCode.CANNOT_TELL}


@dataclass(frozen=True, slots=True)
class Judged:
    """A node's verdict.

    ``doubt`` says what an Unknown would need. ``may_fail``: the node may fail the pod all the same, since an Unknown
    does not exclude it or the scheduler may time out.
    """

    verdict: Verdict
    doubt: str | None = None
    may_fail: bool = False


@dataclass(frozen=True, slots=True)
class DeviceView:
    """A device as one request sees it.

    A request for all devices looks at held ones too, one with admin access also takes them. ``beyond``: it has too
    little of something whoever holds what; ``used``: it has too little left. ``accounted``: what others hold of it
    counts for admin access, too.
    """

    test: DeviceTest
    looks_at_held: bool
    takes_held: bool
    beyond: bool = False
    used: bool = False
    accounted: bool = False

    @property
    def could_take(self) -> bool:
        """Whether the request would take the device were nothing held."""
        return self.test.match is Match.SELECTABLE and not self.test.tainted and not self.beyond

    @property
    def needs_holders(self) -> bool:
        """Whether it matters who holds what."""
        return not self.takes_held or self.accounted


def judge(answer: NodeAnswer, if_free: NodeAnswer | None, nodes_unread: str | None) -> Judged:
    """The verdict of one node.

    ``if_free`` is the answer were nothing held, for a node that refuses. ``nodes_unread`` says why nodes could not
    be read: one that a slice names may then be cordoned or gone.
    """
    judged = _judge(answer, if_free, nodes_unread)
    return replace(judged, may_fail=True) if answer.may_time_out else judged


def _judge(answer: NodeAnswer, if_free: NodeAnswer | None, nodes_unread: str | None) -> Judged:
    if answer.outcome is Outcome.UNKNOWN:
        return Judged(Verdict.UNKNOWN, answer.message, answer.may_fail)
    if answer.outcome is Outcome.REFUSES:
        if if_free is None:
            return Judged(Verdict.NO_FIT)
        if if_free.outcome is Outcome.UNKNOWN:
            return Judged(Verdict.UNKNOWN, if_free.message)  # whether in use or no fit
        return Judged(Verdict.IN_USE if if_free.outcome is Outcome.ALLOCATES else Verdict.NO_FIT)
    fails = answer.outcome is Outcome.FAILS
    if nodes_unread is not None:
        return Judged(Verdict.UNKNOWN, f"may be cordoned or gone: {nodes_unread}", fails)
    return Judged(Verdict.ERROR if fails else Verdict.FITS)


def judge_device(views: Sequence[DeviceView], *, held: bool, holders_unread: bool, node_unread: bool) -> Verdict:
    """The verdict of one device alone, over all requests; a device that nobody is known to hold may be held."""
    reached = [view for view in views if view.looks_at_held or not held]
    if any(view.test.error for view in reached):
        unsure = node_unread or (holders_unread and not all(view.looks_at_held for view in reached))
        return Verdict.UNKNOWN if unsure else Verdict.ERROR
    usable = [view for view in views if view.could_take]
    known = [view for view in usable if view.test.doubt is None]
    taken = [view for view in known if (view.takes_held or not held) and not view.used]
    if taken:
        unsure = node_unread or (holders_unread and all(view.needs_holders for view in taken))
        return Verdict.UNKNOWN if unsure else Verdict.FITS
    if known:
        return Verdict.IN_USE
    doubted = usable or any(view.test.match is Match.NOT_KNOWN for view in views)
    return Verdict.UNKNOWN if doubted else Verdict.NO_FIT


def decide(candidates: Iterable[tuple[Judged, bool]], *, all_nodes_known: bool) -> Answer:
    """The check's answer from its candidates' verdicts, each with whether the node was asked about.

    One node that fails the pod decides, wherever it is; then one that may; only then does a fit count. Without
    the list of nodes there may be some that no slice names.
    """
    judged = list(candidates)
    if any(one.verdict is Verdict.ERROR for one, _ in judged):
        return Answer.NO
    if any(one.may_fail for one, _ in judged):
        return Answer.CANNOT_TELL
    asked_about = {one.verdict for one, chosen in judged if chosen}
    if Verdict.FITS in asked_about:
        return Answer.YES
    if Verdict.UNKNOWN in asked_about or not all_nodes_known:
        return Answer.CANNOT_TELL
    return Answer.NO


def answer(check: NodeCheck) -> ExitCode:
    """The exit code that says the check's answer."""
    return _EXIT_CODES[check.summary.verdict]
