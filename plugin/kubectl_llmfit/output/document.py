"""Plain documents (dicts, lists, scalars) become JSON or YAML text that ends with a newline."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from ..escapes import harmless, is_plain

_SURROGATE = re.compile("[\ud800-\udfff]")  # lone ones: no YAML can hold them, Go reads U+FFFD
_UNFOLDED = 1 << 30  # columns: long strings stay on their line


def to_text(document: object, form: str) -> str:
    """The document in the form that ``-o`` names: ``json`` or ``yaml``."""
    return to_json(document) if form == "json" else to_yaml(document)


def to_json(document: object) -> str:
    """JSON indented by four, as kubectl prints it."""
    text = json.dumps(document, indent=4, ensure_ascii=False, allow_nan=False)
    return _escape_strings(text)


def to_yaml(document: object) -> str:
    """YAML in the document's own order; a string is quoted unless every reader takes it for one."""
    import yaml

    text = yaml.dump(
        document,
        Dumper=_dumper(),
        sort_keys=False,
        default_flow_style=False,
        allow_unicode=True,
        width=_UNFOLDED,
    )
    return _escape_strings(str(text))


def _escape_strings(text: str) -> str:
    """Both syntaxes keep such characters inside double quotes only, where ``\\uXXXX`` is an escape of theirs."""
    return "".join(f"{harmless(line)}\n" for line in text.rstrip("\n").split("\n"))


@cache
def _dumper() -> type[Any]:
    import yaml

    base: type[Any] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)

    class Dumper(base):  # type: ignore[misc]  # the C dumper is there or not, at run time
        def ignore_aliases(self, _data: object) -> bool:
            return True

    def represent(dumper: Any, text: str) -> Any:
        held = _SURROGATE.sub("\ufffd", text)
        return dumper.represent_scalar("tag:yaml.org,2002:str", held, style=None if is_plain(text) else '"')

    Dumper.add_representer(str, represent)
    return Dumper
