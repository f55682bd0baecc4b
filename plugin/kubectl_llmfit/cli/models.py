"""``kubectl llmfit models``: search the catalogue, see what it knows of a model."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from ..console import Result, say, warn
from ..errors import UsageError
from .options import choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..fit.model import Model

FORMATS = ("table", "wide", "json", "yaml", "name")


@dataclass(frozen=True, slots=True)
class ModelsFlags:
    """Flags of ``models``."""

    query: Annotated[str | None, Argument(metavar="QUERY", help="Words of the name, or a whole name")] = None
    output: Annotated[str, Option("-o", "--output", metavar="FORMAT", help=f"One of {', '.join(FORMATS)}")] = "table"
    limit: Annotated[int, Option("--limit", metavar="N", help="Show at most N models; 0 shows all")] = 20
    no_headers: Annotated[bool, Option("--no-headers", help="Print no headers")] = False
    catalog: Annotated[
        str | None,
        Option("--catalog", metavar="FILE", help="Read this 'llmfit list --json' output; - is stdin"),
    ] = None


def models(flags: ModelsFlags) -> Result:
    """Search the catalogue; original publishers and models with GGUF files come first."""
    from ..catalog import open_catalog

    output = choice("--output", flags.output, FORMATS)
    if flags.limit < 0:
        raise UsageError(f"invalid --limit {flags.limit}: must be 0 or more")
    catalog = open_catalog(flags.catalog)
    for warning in catalog.warnings:
        warn(warning)
    found = catalog.search(flags.query or "", flags.limit + 1 if flags.limit else None)
    if not found:
        say(f'No models found for "{flags.query}"')
        return Result("" if output in ("table", "wide", "name") else _document([], output))
    if flags.limit and len(found) > flags.limit:
        found = found[: flags.limit]
        say(f"showing the first {flags.limit}: --limit 0 shows all")
    return Result(_text(found, output, flags.no_headers))


def _text(found: "Sequence[Model]", output: str, no_headers: bool) -> str:
    if output == "name":
        return "".join(f"{model.name}\n" for model in found)
    if output in ("json", "yaml"):
        return _document(found, output)
    from ..output.table import render_table

    headers, rows = _rows(found, wide=output == "wide")
    return render_table(headers, rows, no_headers)


def _document(found: "Sequence[Model]", output: str) -> str:
    from ..output.document import to_text

    document: dict[str, Any] = {
        "apiVersion": "kubectl-llmfit/v1alpha1",
        "kind": "ModelList",
        "items": [_item(model) for model in found],
    }
    return to_text(document, output)


def _item(model: "Model") -> dict[str, Any]:
    fields = asdict(model)
    unknown = fields.pop("unknown")
    return {**fields, **unknown}


def _rows(found: "Sequence[Model]", wide: bool) -> tuple[list[str], list[list[str | None]]]:
    """A row a model; the need is the reference estimator's at its defaults, none where it cannot be counted."""
    headers = ["NAME", "PARAMETERS", "QUANT", "MEMORY", "BANDWIDTH", "CONTEXT", "GGUF"]
    headers += ["RELEASED", "ARCHITECTURE", "USE", "SOURCE"] if wide else []
    rows: list[list[str | None]] = []
    for model in found:
        row = [
            model.name,
            model.parameter_count,
            model.quantization,
            *_need(model),
            str(model.context_length) if model.context_length else None,
            str(len(model.gguf_sources)) if model.gguf_sources else None,
        ]
        if wide:
            row += [model.release_date, model.architecture, model.use_case, model.source]
        rows.append(row)
    return headers, rows


def _need(model: "Model") -> tuple[str | None, str | None]:
    from ..fit.llmfit import estimate
    from ..fit.model import Target

    try:
        need = estimate(model, Target())
    except UsageError:
        return None, None
    return need.memory, f"{need.bandwidth_gbs}GB/s"
