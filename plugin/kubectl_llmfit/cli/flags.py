"""How a command says which flags it takes: frozen dataclasses of flags, made into Typer's parameters.

A command function takes one such dataclass per group of flags (``flags: ClaimFlags, connection:
ConnectionFlags``); ``command`` gives Typer a function with a parameter per field and hands the built
dataclasses on.
"""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Annotated, Any, get_type_hints

from typer import Option

VERBOSITY = inspect.Parameter(  # read by ``main``, accepted by every command
    "verbosity",
    inspect.Parameter.KEYWORD_ONLY,
    default=0,
    annotation=Annotated[int, Option("-v", "--v", metavar="LEVEL", hidden=True)],
)


def command(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function for Typer with one parameter per flag of each dataclass that ``function`` takes."""
    hints = get_type_hints(function, include_extras=True)
    hints.pop("return", None)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    parameters = [
        _parameter(field, get_type_hints(kind, include_extras=True)[field.name])
        for kind in groups.values()
        for field in fields(kind)
    ]
    parameters.append(VERBOSITY)

    def run(**values: Any) -> Any:
        built = {
            name: kind(**{field.name: values[field.name] for field in fields(kind)}) for name, kind in groups.items()
        }
        return function(**built)

    run.__name__ = function.__name__
    run.__doc__ = function.__doc__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what Typer reads
    return run


def _parameter(field: "Field[Any]", annotation: Any) -> inspect.Parameter:
    if field.default_factory is not MISSING:
        default = field.default_factory()
    else:
        default = inspect.Parameter.empty if field.default is MISSING else field.default
    return inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
