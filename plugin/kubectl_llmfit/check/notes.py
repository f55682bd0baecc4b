"""What somebody should know of a node beside the reason of its verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..api.values import Claim, Node
from ..dra.answer import NodeAnswer, Pool
from ..dra.binding import BINDING_TIMEOUT
from ..dra.taints import BLOCKING_EFFECTS
from .kinds import device_plugin_offers
from .words import listed, one_line, taint_text

MAY_TIME_OUT = "the scheduler may run out of its 10 s here (it tries every combination), and then fails the whole pod"


def notes_on(node: Node, claims: Sequence[Claim], answer: NodeAnswer, reason: str | None) -> tuple[str, ...]:
    """Sentences, none of which ``reason`` already says."""
    return tuple(_notes(node, claims, answer, reason))


def _notes(node: Node, claims: Sequence[Claim], answer: NodeAnswer, reason: str | None) -> Iterator[str]:
    blocking = [taint_text(taint) for taint in node.taints if taint.effect in BLOCKING_EFFECTS]
    if blocking:
        yield f"the pod must tolerate {listed(blocking)}"
    if node.ready is False:
        yield "the node is not ready: its driver may be gone although its devices are still published"
    if answer.may_time_out and reason is None:
        yield MAY_TIME_OUT
    yield from _binding(claims, answer)
    offers = device_plugin_offers(node)
    if answer.pools and offers:
        yield f"also offers {listed(offers)} through a device plugin, whose use is not visible here"
    yield from (text for text in pool_reasons(answer.pools) if reason is None or one_line(text) not in reason)


def _binding(claims: Sequence[Claim], answer: NodeAnswer) -> Iterator[str]:
    """What the pod waits for before it is bound, of the devices that would be taken."""
    waiting = [d for d in answer.allocation if d.binding_conditions and claims[d.claim].allocation is None]
    if waiting:
        conditions = dict.fromkeys(name for device in waiting for name in device.binding_conditions)
        devices = listed(list(dict.fromkeys(device.id.device for device in waiting)))
        minutes = int(BINDING_TIMEOUT.total_seconds()) // 60
        reported = listed(list(conditions))
        yield f"the pod waits until the driver reports {reported} of {devices} ({minutes} minutes at most)"


def pool_reasons(pools: Iterable[Pool]) -> list[str]:
    """What keeps pools from being used, with what to do about it."""
    return [f"{p.reason}: run again" if p.state == "Incomplete" else p.reason for p in pools if p.reason]
