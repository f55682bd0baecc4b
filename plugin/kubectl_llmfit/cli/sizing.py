"""From MODEL or ``--fit`` and the sizing flags to a need: what ``claim`` and ``check-nodes MODEL`` share."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..errors import UsageError
from .options import SizingFlags

if TYPE_CHECKING:
    from ..fit.model import Need, Target


@dataclass(frozen=True, slots=True)
class Sized:
    """A need, the same model's need with another quantisation (None where there is none to choose), and doubts."""

    need: "Need"
    with_quant: "Callable[[str], Need] | None" = None
    warnings: tuple[str, ...] = ()


def size(model: str | None, flags: SizingFlags, *, export: bool = False) -> Sized:
    """The need of MODEL, or of the ModelFit that ``--fit`` names.

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
    return _sized(model, flags, export=export)


def _fit_need(flags: SizingFlags) -> "Need":
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


def _sized(name: str, flags: SizingFlags, *, export: bool) -> Sized:
    from ..catalog import open_catalog
    from ..catalog.trust import warnings_about
    from ..fit.estimators import DEFAULT_ESTIMATOR, ESTIMATORS
    from ..fit.modelfit import need_of_catalogue

    catalog = open_catalog(flags.catalog)
    model = catalog.find(name)
    doubts = (*catalog.warnings, *warnings_about(model, flags.quant))
    target = _target(flags)
    if export:
        return Sized(_overridden(need_of_catalogue(model), flags), warnings=doubts)
    estimate = ESTIMATORS[DEFAULT_ESTIMATOR]
    need = _overridden(estimate(model, target), flags)
    return Sized(
        need,
        lambda quant: _overridden(estimate(model, replace(target, quant=quant)), flags),
        (*doubts, *need.warnings),
    )


def _target(flags: SizingFlags) -> "Target":
    from ..fit.target import make_target

    wanted = {"min_tps": flags.min_tps, "efficiency_pct": flags.efficiency, "quant": flags.quant}
    return make_target(**{name: value for name, value in wanted.items() if value is not None})  # type: ignore[arg-type]  # the flags' own types


def _overridden(need: "Need", flags: SizingFlags) -> "Need":
    """The need with the user's own figures in the estimate's place."""
    from ..fit.overrides import with_min_bandwidth, with_min_memory

    if flags.min_memory is not None:
        from ..claim.quantities import parse_memory

        need = with_min_memory(need, *parse_memory(flags.min_memory))
    if flags.min_bandwidth is not None:
        need = with_min_bandwidth(need, flags.min_bandwidth)
    return need
