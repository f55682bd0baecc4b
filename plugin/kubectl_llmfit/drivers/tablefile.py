"""Reads a product table: the built-in one and a user's own, CSV of the same columns. Pure."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NoReturn

from ..errors import UsageError
from .products import Partition, Product

REQUIRED = ("vendor", "driver_product_names", "memory_gib", "memory_bandwidth_gb_s")
OPTIONAL = (
    *("product", "pci_ids", "published_memory_mib", "memory_slices", "mig_profiles", "confidence", "source", "notes"),
)
IGNORED = ("llmfit_gb_s", "fp16_dense_tflops", "fp16_basis")
"""Columns that such files have and that nothing reads."""

UNPUBLISHED = "none"
"""In published_memory_mib: the driver leaves this product's memory out."""

VENDORS = (
    *("NVIDIA", "AMD", "Intel", "Google", "AWS", "FuriosaAI", "Rebellions", "Tenstorrent", "Huawei", "Hygon"),
    *("IBM", "example"),
)
_MIG_PROFILE = re.compile(r"(\d{1,2}g\.(\d{1,4})gb(?:[+-][a-z.]+)*)(?:=(\d{1,7}))?")
"""Names as in NVIDIA's MIG user guide and mig-parted: 1g.5gb, 1g.5gb+me, 1g.24gb+gfx, 1g.24gb+me.all, 1g.24gb-me."""

MAX_NAME_BYTES = 64  # k8s.io/api/resource/v1: DeviceAttributeMaxValueLength
MAX_GIB = 1 << 20
MAX_GBS = 1_000_000
MAX_SLICES = 64
MAX_DIGITS = 20


def read_table(text: str, file: str) -> tuple[Product, ...]:
    """The products of a CSV text; ``file`` names it in errors and rows.

    ``vendor``, ``driver_product_names`` (separated by `` | ``), ``memory_gib`` and ``memory_bandwidth_gb_s``
    must be there, the other columns may. An empty cell is an unknown figure. Raises UsageError with the line.
    """
    reader = csv.DictReader(text.removeprefix("\ufeff").splitlines(keepends=True), strict=True)
    try:
        _check_columns(reader.fieldnames or (), file)
        return tuple(_rows(reader, file))
    except csv.Error as error:
        raise UsageError(f"{file}: line {reader.reader.line_num}: {error}") from error


def _check_columns(columns: object, file: str) -> None:
    names = list(columns)  # type: ignore[call-overload]  # a sequence of texts
    missing = [name for name in REQUIRED if name not in names]
    if missing:
        raise UsageError(f"{file}: line 1: no column {missing[0]}: a product table has {', '.join(REQUIRED)}")
    unknown = [name for name in names if name not in {*REQUIRED, *OPTIONAL, *IGNORED}]
    if unknown:
        raise UsageError(
            f'{file}: line 1: unknown column "{unknown[0]}": must be one of {", ".join(REQUIRED + OPTIONAL)}'
        )


def _rows(reader: csv.DictReader[str], file: str) -> Iterator[Product]:
    for cells in reader:
        yield _Row(cells, file, reader.line_num).product()


class _Row:
    """One line of a table on its way to a Product."""

    def __init__(self, cells: Mapping[str, str], file: str, line: int) -> None:
        if None in cells or None in cells.values():
            raise UsageError(f"{file}: line {line}: has not as many cells as line 1")
        self._cells = {name: cell.strip() for name, cell in cells.items()}
        self._file, self._line = file, line

    def product(self) -> Product:
        """The row, checked."""
        names = self._names()
        memory_gib = self._number("memory_gib", MAX_GIB)
        memory_mib = None if memory_gib is None else int(memory_gib * 1024)
        published = self._published(memory_mib)
        slices = self._number("memory_slices", MAX_SLICES)
        return Product(
            vendor=self._vendor(),
            product=self._cell("product") or names[0],
            names=names,
            pci_ids=self._pci_ids(),
            memory_mib=memory_mib,
            published_mib=published or (),
            publishes_memory=published is not None,
            bandwidth_gbs=self._number("memory_bandwidth_gb_s", MAX_GBS),
            memory_slices=None if slices is None else self._whole("memory_slices", slices),
            partitions=tuple(self._partitions()),
            confidence=self._cell("confidence"),
            source=self._cell("source"),
            notes=self._cell("notes"),
            file=self._file,
            line=self._line,
        )

    def _cell(self, column: str) -> str:
        return self._cells.get(column, "")

    def _fail(self, column: str, rule: str) -> NoReturn:
        raise UsageError(f'{self._file}: line {self._line}: {column} "{self._cell(column)}": {rule}')

    def _vendor(self) -> str:
        wanted = self._cell("vendor").lower()
        found = next((vendor for vendor in VENDORS if vendor.lower() == wanted), None)
        return found or self._fail("vendor", f"must be one of {', '.join(VENDORS)}")

    def _names(self) -> tuple[str, ...]:
        names = tuple(name.strip() for name in self._cell("driver_product_names").split(" | "))
        for name in names:
            if not name or not name.isprintable() or any(sign in name for sign in "'\"\\"):
                self._fail("driver_product_names", "must be names as the driver publishes them, separated by ' | '")
            if len(name.encode()) > MAX_NAME_BYTES:
                self._fail("driver_product_names", f"no device publishes a name of more than {MAX_NAME_BYTES} bytes")
        return names

    def _pci_ids(self) -> tuple[str, ...]:
        ids = tuple(filter(None, self._cell("pci_ids").lower().split("|")))
        if not all(_is_pci_id(each) for each in ids):
            self._fail("pci_ids", "must be like 10de:2330, separated by |")
        return ids

    def _number(self, column: str, most: int) -> int | Fraction | None:
        text = self._cell(column)
        if not text:
            return None
        if not text.replace(".", "", 1).isdecimal() or not text.isascii() or len(text) > MAX_DIGITS:
            self._fail(column, "must be a number such as 80 or 716.8")
        value = int(text) if text.isdecimal() else Fraction(text.removesuffix("."))
        if not 0 < value <= most:
            self._fail(column, f"must be more than 0 and at most {most}")
        return value

    def _whole(self, column: str, value: int | Fraction) -> int:
        if value.denominator != 1 or value.numerator & (value.numerator - 1):
            self._fail(column, "must be 1, 2, 4, 8 or another power of two")
        return int(value)

    def _partitions(self) -> Iterator[Partition]:
        """MIG profiles, each with what a slice publishes after = where that is known: ``1g.5gb=4864,2g.10gb``.

        What other vendors' rows say there is for people.
        """
        if self._vendor() != "NVIDIA":
            return
        for text in filter(None, self._cell("mig_profiles").split(",")):
            found = _MIG_PROFILE.fullmatch(text.strip())
            if found is None:
                self._fail("mig_profiles", "must be MIG profiles such as 1g.5gb or 1g.5gb+me=4864, separated by commas")
            name, gigabytes, mib = found.groups()
            yield Partition(name, int(gigabytes), None if mib is None else int(mib))

    def _published(self, memory_mib: int | None) -> tuple[int, ...] | None:
        """Published totals in MiB; None where the driver leaves the memory out."""
        text = self._cell("published_memory_mib")
        if text == UNPUBLISHED:
            return None
        parts = tuple(filter(None, text.split("|")))
        if not all(part.isdecimal() and part.isascii() for part in parts):
            self._fail("published_memory_mib", f"must be whole MiB, separated by |, or {UNPUBLISHED}")
        totals = tuple(map(int, parts))
        if any(not 0 < total <= (memory_mib or MAX_GIB * 1024) for total in totals):
            self._fail("published_memory_mib", "a device publishes more than 0 and no more than its memory_gib")
        return totals


def _is_pci_id(text: str) -> bool:
    vendor, colon, device = text.partition(":")
    return bool(colon) and all(len(part) == 4 and set(part) <= set("0123456789abcdef") for part in (vendor, device))
