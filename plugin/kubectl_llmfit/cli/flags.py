"""How a command says which flags it takes: frozen dataclasses of flags, made into Typer's parameters.

A command function takes one such dataclass per group of flags (``flags: ClaimFlags, connection:
ConnectionFlags``); ``command`` gives Typer a function with a parameter per field and hands the built
dataclasses on. Typer passes every value as the text it is; numbers are read here, so that an error names the
flag and the value, and so that Typer need not load pydantic (a third of the time that ``claim`` takes).
"""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Annotated, Any, get_args, get_type_hints

from typer import Option

from ..errors import UsageError

VERBOSITY = inspect.Parameter(  # read by ``main``, accepted by every command
    "verbosity",
    inspect.Parameter.KEYWORD_ONLY,
    default="0",
    annotation=Annotated[str, Option("-v", "--v", metavar="LEVEL", hidden=True)],
)
NUMBERS: dict[type, str] = {float: "a number", int: "a whole number"}


def command(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function for Typer with one parameter per flag of each dataclass that ``function`` takes."""
    hints = get_type_hints(function, include_extras=True)
    hints.pop("return", None)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    flags = {name: [_Flag(field, kind) for field in fields(kind)] for name, kind in groups.items()}
    parameters = [flag.parameter() for group in flags.values() for flag in group] + [VERBOSITY]

    def run(**values: Any) -> Any:
        built = {
            name: kind(**{flag.name: flag.read(values[flag.name]) for flag in flags[name]})
            for name, kind in groups.items()
        }
        return function(**built)

    run.__name__ = function.__name__
    run.__doc__ = function.__doc__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # what Typer reads
    return run


class _Flag:
    """One field of a dataclass of flags: what Typer is told of it, and how its text is read."""

    def __init__(self, field: "Field[Any]", kind: type) -> None:
        self.name = field.name
        self._default = field.default
        self._annotation = get_type_hints(kind, include_extras=True)[field.name]
        self._number = next((number for number in NUMBERS if number in _types(self._annotation)), None)

    def parameter(self) -> inspect.Parameter:
        """Typer's parameter; a number is text to Typer."""
        default, annotation = self._default, self._annotation
        if self._number is not None:
            default = default if default is None else str(default)
            annotation = Annotated[str | None, *annotation.__metadata__]
        return inspect.Parameter(
            self.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if default is MISSING else default,
            annotation=annotation,
        )

    def read(self, value: Any) -> Any:
        """The value of the field. Raises UsageError for text that is no number."""
        if self._number is None or value is None:
            return value
        flag = self._annotation.__metadata__[0].default
        problem = UsageError(f'invalid value "{value}" for {flag}: must be {NUMBERS[self._number]}')
        if "_" in value or not value.isascii():
            raise problem  # Python reads 1_0 and other scripts' digits, nobody else does
        try:
            return self._number(value)
        except ValueError as error:
            raise problem from error


def _types(annotation: Any) -> tuple[Any, ...]:
    """The types of ``Annotated[A | B, …]``."""
    base = get_args(annotation)[0]
    return get_args(base) or (base,)


class AsGiven:
    """Stands in for Typer's coercion of a parameter: every annotation is text, a list of texts, or a flag."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:  # noqa: ARG002 - Typer's signature
        """The value that was parsed."""
        return value


def take_as_given(built: Any) -> None:
    """Keep Typer from making a pydantic adapter for every parameter of a command (typer.core: get_runtime_param)."""
    for parameter in built.params:
        parameter._runtime_param = AsGiven()
