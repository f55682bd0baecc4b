"""From the flags to an ask, and to the claim that is checked: what ``claim`` and ``check-nodes MODEL`` share."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from .options import SizingFlags
from .sizing import size
from .wishes import variable_hint, wishes_of

if TYPE_CHECKING:
    from ..api.values import Claim
    from ..check.subject import Subject
    from ..claim.ask import Ask
    from ..fit.model import Need
    from .classes import Cluster


@dataclass(frozen=True, slots=True)
class Asked:
    """An ask, the claim that another quantisation would make (None where there is none to choose), lines for stderr."""

    ask: "Ask"
    with_quant: "Callable[[str], Claim] | None"
    remarks: tuple[str, ...]


def ask_for(
    model: str | None,
    flags: SizingFlags,
    *,
    shares: bool = True,
    cluster: "Cluster | None" = None,
    auto: "Cluster | None" = None,
    **choices: Any,
) -> Asked:
    """The ask for MODEL or ``--fit``; ``cluster`` and ``auto`` as ``wishes_of``'s, ``choices`` as ``make_ask``'s.

    ``shares``: say that all pods that name a plain claim share its device. Raises UsageError.
    """
    from ..claim.ask import EXPORT_VERSION, make_ask
    from ..claim.summary import asking, sharing

    export = choices.get("api_version") == EXPORT_VERSION
    sized = size(model, flags, export=export)
    try:
        wishes = wishes_of(flags, cluster, export=export, auto=auto)
        ask = make_ask(sized.need, wishes, **choices)
        if wishes.table_name is not None:
            _require_cheap(ask)
    except UsageError as error:
        raise UsageError(error.message, error.hint or variable_hint(flags)) from error
    shared = sharing(ask) if shares else None
    meant = ask.need.model
    named = [f'"{model}" is {meant}'] if model is not None and model.lower() != meant.lower() else []
    remarks = [*named, *(f"warning: {doubt}" for doubt in (*sized.warnings, *ask.notes)), asking(ask)]
    with_quant = sized.with_quant

    def other(need: "Need") -> "Ask":
        return make_ask(need, replace(wishes, smallest_first=False), **choices)  # bands change no answer

    return Asked(
        ask,
        None if with_quant is None else lambda quant: claim_of(other(with_quant(quant))),
        (*remarks, *([shared] if shared else [])),
    )


def require_reachable(ask: "Ask") -> None:
    """Raise UsageError for a claim that, by the product table, no device can satisfy."""
    if not ask.reachable:
        raise UsageError(
            ask.notes[0],
            "--accelerators adds products and figures to the table; a lower --min-tps or another --quant asks for less",
        )


def subject_of(asked: Asked, namespace: str | None = None) -> "Subject":
    """The ask as the subject of a check."""
    from .. import __version__
    from ..check.subject import Subject

    ask = asked.ask
    claim = claim_of(ask)
    return Subject(
        (claim if namespace is None else replace(claim, namespace=namespace),),
        "model",
        ask.need,
        asked.with_quant,
        __version__,
        alternatives=ask.alternatives,
        table=ask.wishes.table,
    )


def claim_of(ask: "Ask") -> "Claim":
    """The very claim that an ask renders, as it is read back."""
    from ..api.claims import read_claim, read_template
    from ..claim.documents import document

    return (read_template if ask.template else read_claim)(document(ask, "v1"))


def _require_cheap(ask: "Ask") -> None:
    """Raise UsageError where a user's own product table makes a selector that the API server refuses."""
    from ..dra.environment import selector

    for alternative in ask.alternatives:
        error = selector(alternative.expression, stored=False).compile_error
        if error is not None:
            raise UsageError(f"--accelerators: the selector for class {alternative.device_class} is refused: {error}")
