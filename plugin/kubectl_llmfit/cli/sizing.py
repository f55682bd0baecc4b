"""From MODEL or ``--fit`` and the sizing flags to a need: what ``claim`` and ``check-nodes MODEL`` share."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ..console import warn
from ..errors import UsageError
from ..fit.model import Model, Need
from .options import SizingFlags

if TYPE_CHECKING:
    from ..api.values import Claim
    from ..claim.ask import Ask

DEVICE_CLASS_VARIABLE = "KUBECTL_LLMFIT_DEVICE_CLASS"


@dataclass(frozen=True, slots=True)
class Sized:
    """A need, and the same model's need with another quantisation (None where there is none to choose)."""

    need: Need
    with_quant: Callable[[str], Need] | None = None

    def claims(self, make: "Callable[[Need], Ask]") -> "Callable[[str], Claim] | None":
        """For a quantisation, the claim that ``make`` makes of the need with it."""
        with_quant = self.with_quant
        return None if with_quant is None else lambda quant: claim_of(make(with_quant(quant)))


def ask_of(flags: SizingFlags, need: Need, *, api_version: str = "v1", **choices: Any) -> "Ask":
    """The ask for a need, of the class that the flag or the environment names; ``choices`` as ``make_ask``'s."""
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


def claim_of(ask: "Ask") -> "Claim":
    """The very claim that an ask renders, as it is read back."""
    from ..api.claims import read_claim, read_template
    from ..claim.documents import document

    return (read_template if ask.template else read_claim)(document(ask, "v1"))


def size(model: str | None, flags: SizingFlags, *, export: bool = False) -> Sized:
    """The need of MODEL, or of the ModelFit that ``--fit`` names; warnings about the entry go to stderr.

    ``export``: by the catalogue's own memory figures, as the older export wants them. Raises UsageError.
    """
    if (model is None) == (flags.fit is None):
        raise UsageError(
            "MODEL and --fit are two ways to say the same: give one of them"
            if model is not None
            else "MODEL is missing (or --fit, to read a ModelFit)"
        )
    if model is None:
        return Sized(_overridden(_fit_need(flags), flags))
    return _sized(_found(model, flags), flags, export=export)


def _fit_need(flags: SizingFlags) -> Need:
    from ..files import display_name, read_json
    from ..fit.modelfit import need_from_model_fit

    unused = {"--min-tps": flags.min_tps, "--quant": flags.quant, "--efficiency": flags.efficiency}
    unused["--catalog"] = flags.catalog
    given = [flag for flag, value in unused.items() if value is not None]
    if given:
        raise UsageError(f"{given[0]} sizes a MODEL: it cannot be used with --fit, whose figures are final")
    name, document = display_name(str(flags.fit)), read_json(str(flags.fit))
    if not isinstance(document, dict):
        raise UsageError(f"--fit {name}: a ModelFit is one JSON object")
    return need_from_model_fit(document, f"--fit {name}")


def _found(name: str, flags: SizingFlags) -> Model:
    """The catalogue's entry, after what there is to doubt about it was said."""
    from ..catalog import open_catalog
    from ..catalog.trust import warnings_about

    catalog = open_catalog(flags.catalog)
    for warning in catalog.warnings:
        warn(warning)
    model = catalog.find(name)
    for warning in warnings_about(model, flags.quant):
        warn(warning)
    return model


def _sized(model: Model, flags: SizingFlags, *, export: bool) -> Sized:
    from ..fit import DEFAULT_ESTIMATOR, ESTIMATORS
    from ..fit.modelfit import need_of_catalogue
    from ..fit.target import make_target

    wanted = {"min_tps": flags.min_tps, "efficiency_pct": flags.efficiency, "quant": flags.quant}
    target = make_target(**{name: value for name, value in wanted.items() if value is not None})  # type: ignore[arg-type]  # the flags' own types
    estimate = ESTIMATORS[DEFAULT_ESTIMATOR]
    if export:
        return Sized(_overridden(need_of_catalogue(model), flags))
    need = _overridden(estimate(model, target), flags)
    for warning in need.warnings:
        warn(warning)
    return Sized(need, lambda quant: _overridden(estimate(model, replace(target, quant=quant)), flags))


def _overridden(need: Need, flags: SizingFlags) -> Need:
    """The need with the user's own figures in the estimate's place."""
    from ..fit.overrides import with_min_bandwidth, with_min_memory

    if flags.min_memory is not None:
        from ..claim.quantities import parse_memory

        need = with_min_memory(need, *parse_memory(flags.min_memory))
    if flags.min_bandwidth is not None:
        need = with_min_bandwidth(need, flags.min_bandwidth)
    return need
