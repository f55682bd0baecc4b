"""Which glibc a program needs: the newest version among the symbols that its ELF files import.

Owns just enough of the ELF format for that (System V ABI, and the GNU extension ``.gnu.version_r``): 64-bit
little-endian files, which is what linux/amd64 and linux/arm64 have.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator

_MAGIC = b"\x7fELF\x02\x01"  # 64 bits, little-endian
_VERSIONS_NEEDED = 0x6FFFFFFE  # SHT_GNU_verneed
_SECTION = struct.Struct("<IIQQQQIIQQ")  # Elf64_Shdr
_NEED = struct.Struct("<HHIII")  # Elf64_Verneed: version, count of entries, file, first entry, next
_ENTRY = struct.Struct("<IHHII")  # Elf64_Vernaux: hash, flags, other, name, next
_GLIBC = re.compile(r"GLIBC_(\d+)\.(\d+)(?:\.\d+)?")

Version = tuple[int, int]


def glibc_floor(files: Iterable[bytes]) -> Version | None:
    """The oldest glibc, as (2, 36), under which all of the files load; None when none needs it."""
    return max((version for content in files for version in glibc_versions(content)), default=None)


def glibc_versions(content: bytes) -> Iterator[Version]:
    """Every glibc version whose symbols an ELF file imports; nothing for any other file."""
    for name in _needed(content):
        if found := _GLIBC.fullmatch(name):
            yield int(found[1]), int(found[2])


def _needed(content: bytes) -> Iterator[str]:
    if not content.startswith(_MAGIC):
        return
    (table,) = struct.unpack_from("<Q", content, 0x28)
    size, count = struct.unpack_from("<HH", content, 0x3A)
    sections = [_SECTION.unpack_from(content, table + index * size) for index in range(count)]
    for section in sections:
        kind, offset, link = section[1], section[4], section[6]
        if kind == _VERSIONS_NEEDED:
            yield from _names(content, offset, sections[link][4])


def _names(content: bytes, offset: int, strings: int) -> Iterator[str]:
    """The version names of one ``.gnu.version_r`` section; both of its lists are linked by distances."""
    while True:
        _, count, _, first, further = _NEED.unpack_from(content, offset)
        entry = offset + first
        for _ in range(count):
            *_, name, onward = _ENTRY.unpack_from(content, entry)
            start = strings + name
            yield content[start : content.index(b"\0", start)].decode("ascii")
            entry += onward
        if not further:
            return
        offset += further
