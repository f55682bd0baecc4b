"""Rows become kubectl's plain table. The only importer of tabulate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..escapes import harmless

NONE = "<none>"
UNKNOWN = "<unknown>"
_GAP = "   "  # kubectl's tab writer pads by three


def render_table(headers: Sequence[str], rows: Iterable[Sequence[str | None]], no_headers: bool = False) -> str:
    """A table that ends with a newline; "" when there is nothing to print.

    Headers are printed upper-case, None and "" as ``<none>``; no cell can add a line, a terminal escape or
    reorder its text.
    """
    import tabulate

    # The headers go in as a row: tabulate would pad them by two more.
    cells = [] if no_headers else [[header.upper() for header in headers]]
    cells.extend([_cell(value) for value in row] for row in rows)
    line = tabulate.DataRow("", _GAP, "")
    plain = tabulate.TableFormat(None, None, None, None, line, line, 0, None)
    text = tabulate.tabulate(cells, tablefmt=plain, disable_numparse=True, stralign="left")
    return "".join(f"{row.rstrip()}\n" for row in text.splitlines())


def _cell(value: str | None) -> str:
    return harmless(value) if value else NONE
