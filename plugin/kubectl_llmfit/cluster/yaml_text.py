"""YAML text to plain values, read as Kubernetes reads it; never anything but dicts, lists and scalars.

Owns the YAML dialect (sigs.k8s.io/yaml over go.yaml.in/yaml/v2, resolve.go: YAML 1.1 booleans, decimal and prefixed
integers, a number beyond its type a float or a text, no timestamps, no base-60 numbers) and the defences of a reader
of other people's files: duplicate keys, cycles, bombs of aliases and of merge keys, deep nesting, sheer size. PyYAML's
safe loader is adjusted, not replaced: by itself it keeps the last of two equal keys, makes dates of text and base-60
numbers of ``12:30``, sets and bytes of tags. Must not know any Kubernetes kind.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable
from functools import cache
from typing import Any

LARGEST_YAML = 32 << 20
"""Characters: reading YAML takes 50 to 160 times its size in memory, JSON a tenth of that."""
# More nodes than this, counting an aliased node each time it is used, is an alias bomb. An answer of
# 5,000 nodes with 8 devices of 14 attributes has some 4 million.
_MOST_NODES = 50_000_000
_MOST_MERGED = 1_000_000  # keys that merge keys bring in
_BOOLEANS = {"y": True, "yes": True, "true": True, "on": True, "n": False, "no": False, "false": False, "off": False}
_CASES = "|".join(f"{word}|{word.capitalize()}|{word.upper()}" for word in _BOOLEANS)
_INTEGERS = range(-(1 << 63), 1 << 64)  # int64 and uint64
_TAG = "tag:yaml.org,2002:"


class YamlError(ValueError):
    """The text is no YAML that Kubernetes would take; ``line`` counts from 1, when it is known."""

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(problem if line is None else f"line {line}: {problem}")
        self.problem = problem
        self.line = line


def load_all(text: str) -> list[Any]:
    """The documents of ``text``, empty ones left out. Raises ``YamlError``."""
    import yaml

    if len(text) > LARGEST_YAML:
        raise YamlError(f"more than {LARGEST_YAML >> 20} MiB of YAML: JSON may be larger (kubectl get -o json)")
    try:
        documents = [document for document in yaml.load_all(text, _loader()) if document is not None]
        if "*" in text and "&" in text:
            _refuse_alias_bombs(documents)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "not readable"
        raise YamlError(problem, None if mark is None else mark.line + 1) from error
    except yaml.reader.ReaderError as error:
        line = text.encode("utf-8", "surrogatepass")[: error.position].count(b"\n") + 1
        raise YamlError("a control character", line) from error
    except RecursionError as error:
        raise YamlError("nested too deeply") from error
    except yaml.YAMLError as error:
        raise YamlError(" ".join(str(error).split())) from error
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
        """The safe loader with Kubernetes' scalars and nothing else."""

        yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - yaml's own class attribute
        yaml_constructors: dict[str | None, Any] = {
            f"{_TAG}{name}": base.yaml_constructors[f"{_TAG}{name}"] for name in ("null", "str", "seq")
        } | {None: base.yaml_constructors[None]}
        merged = 0

        def flatten_mapping(self, node: Any) -> None:
            """Take in what merge keys name; the first to name a key has it, but for the mapping's own."""
            merges = [value for key, value in node.value if key.tag == f"{_TAG}merge"]
            if not merges:
                return
            own = [pair for pair in node.value if pair[0].tag != f"{_TAG}merge"]
            node.value = own  # should it be merged into itself
            found: dict[Hashable, Any] = {}
            for source in reversed([each for value in merges for each in _sources(value)]):
                self.flatten_mapping(source)
                self.merged += len(source.value)
                if self.merged > _MOST_MERGED:
                    raise _refusal("excessive aliasing", node)
                found |= {key.value if key.id == "scalar" else id(key): (key, value) for key, value in source.value}
            node.value = [*found.values(), *own]

    add = Loader.add_implicit_resolver
    add(f"{_TAG}bool", re.compile(f"^(?:{_CASES})$"), list("yYnNtTfFoO"))
    add(f"{_TAG}null", re.compile(r"^(?:~|null|Null|NULL|)$"), ["~", "n", "N", ""])
    add(f"{_TAG}merge", re.compile(r"^<<$"), ["<"])
    add(
        f"{_TAG}int",
        re.compile(r"^[-+]?(?:0b[01_]+|0x[0-9a-fA-F_]+|0o?[0-7_]+|[0-9][0-9_]*)$"),
        list("-+0123456789"),
    )
    add(
        f"{_TAG}float",
        re.compile(r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$"),
        list("-+.0123456789"),
    )
    readers: dict[str, Callable[[str], Any]] = {
        "bool": lambda text: _BOOLEANS[text.lower()],
        "int": _integer,
        "float": _float,
        "timestamp": str,
    }
    for name, read in readers.items():
        Loader.add_constructor(f"{_TAG}{name}", _scalar(name, read))
    Loader.add_constructor(f"{_TAG}map", _mapping)
    return Loader


def _scalar(name: str, read: Callable[[str], Any]) -> Callable[[Any, Any], Any]:
    """The constructor of a kind of scalar; a tag may have given it any text."""

    def construct(loader: Any, node: Any) -> Any:
        text = loader.construct_scalar(node)
        try:
            return read(text)
        except (KeyError, ValueError):
            raise _refusal(f"no {name}", node) from None

    return construct


def _integer(text: str) -> int | float | str:
    """An integer; beyond 64 bits a float if it is decimal, else the text."""
    digits = text.replace("_", "")
    if len(digits) > len("-0b") + 64:  # too long for every base, unless it begins with zeros: no number is written so
        return _float(digits) if digits.lstrip("+-").isdecimal() else text
    sign = -1 if digits.startswith("-") else 1
    digits = digits.lstrip("+-")
    base = {"0b": 2, "0x": 16, "0o": 8}.get(digits[:2])
    if base is None:
        octal = len(digits) > 1 and digits.startswith("0") and not set(digits) & set("89")
        value = sign * int(digits, 8 if octal else 10)
    else:
        value = sign * int(digits[2:], base)
    if value in _INTEGERS:
        return value
    return _float(text) if base is None else text


def _float(text: str) -> float | str:
    """A float; beyond 64 bits the text."""
    value = float(text)
    return value if math.isfinite(value) else text


def _mapping(loader: Any, node: Any) -> dict[str, Any]:
    """A mapping with string keys (as JSON has them), duplicates refused."""
    if node.id != "mapping":
        raise _refusal("no map", node)
    explicit = {id(key) for key, _ in node.value if key.tag != f"{_TAG}merge"}
    loader.flatten_mapping(node)
    result: dict[str, Any] = {}
    written: set[str] = set()
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, str | int | float):
            raise _refusal("a key that is no string", key_node)
        name = str(key).lower() if isinstance(key, bool) else str(key)
        if id(key_node) in explicit:
            if name in written:
                raise _refusal(f'key "{name}" already set in map', key_node)
            written.add(name)
        result[name] = loader.construct_object(value_node, deep=True)
    return result


def _sources(node: Any) -> list[Any]:
    """The mappings that the value of a merge key names."""
    found = node.value if node.id == "sequence" else [node]
    for source in found:
        if source.id != "mapping":
            raise _refusal("a merge key takes a map, or a list of maps", source)
    return list(found)


def _refusal(problem: str, node: Any) -> Exception:
    import yaml

    return yaml.constructor.ConstructorError(None, None, problem, node.start_mark)
