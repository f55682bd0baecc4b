"""From the flags to an ask, and to the claim that is checked: what ``claim`` and ``check-nodes MODEL`` share."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..fit.model import Need
from .options import SizingFlags
from .sizing import size

if TYPE_CHECKING:
    from ..api.values import Claim
    from ..claim.ask import Ask

DEVICE_CLASS_VARIABLE = "KUBECTL_LLMFIT_DEVICE_CLASS"


@dataclass(frozen=True, slots=True)
class Asked:
    """An ask, the claim that another quantisation would make (None where there is none to choose), lines for stderr."""

    ask: "Ask"
    with_quant: "Callable[[str], Claim] | None"
    remarks: tuple[str, ...]


def ask_for(model: str | None, flags: SizingFlags, *, shares: bool = True, **choices: Any) -> Asked:
    """The ask for MODEL or ``--fit``; ``choices`` as ``make_ask``'s. Raises UsageError.

    ``shares``: say that all pods that name a plain claim share its device.
    """
    from ..claim.ask import EXPORT_VERSION
    from ..claim.summary import asking, sharing

    sized = size(model, flags, export=choices.get("api_version") == EXPORT_VERSION)

    def make(need: Need) -> "Ask":
        return _ask(flags, need, **choices)

    ask = make(sized.need)
    shared = sharing(ask) if shares else None
    meant = ask.need.model
    named = [f'"{model}" is {meant}'] if model is not None and model.lower() != meant.lower() else []
    remarks = [*named, *(f"warning: {doubt}" for doubt in (*sized.warnings, *ask.notes)), asking(ask)]
    with_quant = sized.with_quant
    return Asked(
        ask,
        None if with_quant is None else lambda quant: claim_of(make(with_quant(quant))),
        (*remarks, *([shared] if shared else [])),
    )


def claim_of(ask: "Ask") -> "Claim":
    """The very claim that an ask renders, as it is read back."""
    from ..api.claims import read_claim, read_template
    from ..claim.documents import document

    return (read_template if ask.template else read_claim)(document(ask, "v1"))


def _ask(flags: SizingFlags, need: Need, *, api_version: str = "v1", **choices: Any) -> "Ask":
    """The ask, of the class that the flag or the environment names."""
    from ..claim.ask import DEFAULT_CLASS, EXPORT_VERSION, make_ask

    make = partial(make_ask, need, api_version=api_version, **choices)
    variable = os.environ.get(DEVICE_CLASS_VARIABLE)
    if flags.device_class is not None:
        return make(device_class=flags.device_class)
    if not variable or api_version == EXPORT_VERSION:  # the older export knows no classes
        return make(device_class=DEFAULT_CLASS)
    try:
        return make(device_class=variable)
    except UsageError as error:
        raise UsageError(error.message, error.hint or f"{DEVICE_CLASS_VARIABLE} is set to {variable}") from error
