"""YAML text to plain values, read as Kubernetes reads it; never anything but dicts, lists and scalars.

Owns the YAML dialect (sigs.k8s.io/yaml: YAML 1.1 booleans, decimal and prefixed integers, no timestamps, no
base-60 numbers) and the defences of a reader of other people's files: duplicate keys, cycles, alias
bombs (libyaml itself stops at deep nesting). PyYAML's safe loader is adjusted, not replaced: by itself it keeps the
last of two equal keys, makes dates of text and base-60 numbers of ``12:30``. Must not know any Kubernetes kind.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import cache
from typing import Any

# More nodes than this, counting an aliased node each time it is used, is an alias bomb. An answer of
# 5,000 nodes with 8 devices of 14 attributes has some 4 million.
_MOST_NODES = 50_000_000
_BOOLEANS = {"y": True, "yes": True, "true": True, "on": True, "n": False, "no": False, "false": False, "off": False}
_CASES = "|".join(f"{word}|{word.capitalize()}|{word.upper()}" for word in _BOOLEANS)


class YamlError(ValueError):
    """The text is no YAML that Kubernetes would take; ``line`` counts from 1, when it is known."""

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(problem if line is None else f"line {line}: {problem}")
        self.problem = problem
        self.line = line


def load_all(text: str) -> list[Any]:
    """The documents of ``text``, empty ones left out. Raises ``YamlError``."""
    import yaml

    try:
        documents = [document for document in yaml.load_all(text, _loader()) if document is not None]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "not readable"
        raise YamlError(problem, None if mark is None else mark.line + 1) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise YamlError(" ".join(str(error).split())) from error
    if "*" in text and "&" in text:
        _refuse_alias_bombs(documents)
    return documents


def _refuse_alias_bombs(documents: list[Any]) -> None:
    sizes: dict[int, int] = {}
    open_nodes: set[int] = set()

    def size(value: Any) -> int:
        if not isinstance(value, dict | list):
            return 1
        known = sizes.get(id(value))
        if known is not None:
            return known
        if id(value) in open_nodes:
            raise YamlError("an alias contains itself")
        open_nodes.add(id(value))
        total = 1 + sum(size(item) for item in (value.values() if isinstance(value, dict) else value))
        open_nodes.discard(id(value))
        sizes[id(value)] = total
        return total

    if sum(size(document) for document in documents) > _MOST_NODES:
        raise YamlError("excessive aliasing")


@cache
def _loader() -> Any:
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc] # the base is chosen at run time
        """The safe loader with Kubernetes' scalars."""

        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - yaml's own class attribute

    add = Loader.add_implicit_resolver
    add("tag:yaml.org,2002:bool", re.compile(f"^(?:{_CASES})$"), list("yYnNtTfFoO"))
    add("tag:yaml.org,2002:null", re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""])
    add("tag:yaml.org,2002:merge", re.compile(r"^<<$"), ["<"])
    add(
        "tag:yaml.org,2002:int",
        re.compile(r"^[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0o?[0-7_]+|[0-9][0-9_]*)$"),
        list("-+0123456789"),
    )
    add(
        "tag:yaml.org,2002:float",
        re.compile(r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$"),
        list("-+.0123456789"),
    )
    Loader.add_constructor("tag:yaml.org,2002:bool", lambda _, node: _BOOLEANS[node.value.lower()])
    Loader.add_constructor("tag:yaml.org,2002:int", lambda _, node: _integer(node.value))
    Loader.add_constructor("tag:yaml.org,2002:float", lambda _, node: float(node.value))
    Loader.add_constructor("tag:yaml.org,2002:timestamp", lambda _, node: node.value)
    Loader.add_constructor("tag:yaml.org,2002:map", _mapping)
    return Loader


def _integer(text: str) -> int | str:
    digits = text.replace("_", "")
    sign = -1 if digits.startswith("-") else 1
    digits = digits.lstrip("+-")
    for prefix, base in (("0b", 2), ("0x", 16), ("0o", 8)):
        if digits.startswith(prefix):
            return sign * int(digits[2:], base)
    octal = len(digits) > 1 and digits.startswith("0") and not set(digits) & set("89")
    return sign * int(digits, 8 if octal else 10)


def _mapping(loader: Any, node: Any) -> dict[str, Any]:
    """A mapping with string keys (as JSON has them), duplicates refused."""
    import yaml

    explicit = {id(key) for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"}
    loader.flatten_mapping(node)
    result: dict[str, Any] = {}
    written: set[str] = set()
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, Hashable) or not isinstance(key, str | int | float):
            raise yaml.constructor.ConstructorError(None, None, "a key that is no string", key_node.start_mark)
        name = str(key).lower() if isinstance(key, bool) else str(key)
        if id(key_node) in explicit:
            if name in written:
                raise yaml.constructor.ConstructorError(
                    None, None, f'key "{name}" already set in map', key_node.start_mark
                )
            written.add(name)
        result[name] = loader.construct_object(value_node, deep=True)
    return result
