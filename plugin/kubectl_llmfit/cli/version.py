"""``kubectl llmfit version``: the tool's version and the data's."""

from dataclasses import dataclass
from typing import Annotated

from typer import Option

from .. import __version__
from ..console import Result
from ..version import REFERENCE_VERSION, text
from .options import choice

FORMATS = ("text", "json", "yaml")


@dataclass(frozen=True, slots=True)
class VersionFlags:
    """Flags of ``version``."""

    output: Annotated[str, Option("-o", "--output", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}")] = "text"


def version(flags: VersionFlags) -> Result:
    """Print the version of the tool and of the reference rules it follows."""
    output = choice("--output", flags.output, FORMATS)
    if output == "text":
        return Result(text())
    from ..output.document import to_text

    document = {"version": __version__, "estimator": {"llmfit": REFERENCE_VERSION}}
    return Result(to_text(document, output))
