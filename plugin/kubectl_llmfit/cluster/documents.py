"""Files of Kubernetes objects: YAML or JSON, one or several documents, Lists flattened.

Owns reading other people's files safely. Must not know what an object means; every failure is one line that
names the file, and the line in it where there is one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from ..errors import LlmfitError, UsageError
from ..escapes import spaced
from ..files import LARGEST_SNAPSHOT, display_name, json_decoder, json_problem, read_text
from .yaml_text import YamlError, load_all

Document = dict[str, Any]

# An answer of 5,000 nodes with 8 devices of 14 attributes has some 4 million; each takes up to 80 bytes.
_MOST_VALUES = 50_000_000
_JSON = re.compile(r"\s*[{\[]")
_BETWEEN = re.compile(r"(?:\s+|---)*")


def load_documents(path: str, stdin: BinaryIO | None = None) -> list[Document]:
    """The objects of the file ``path`` (``-``: of ``stdin``), Lists taken apart, in their order.

    Each has an apiVersion and a kind. Raises UsageError.
    """
    name = display_name(path)
    text = read_text(path, stdin, LARGEST_SNAPSHOT)
    objects = [one for document in _parse(text, name) for one in _flatten(document, name)]
    if not objects:
        raise UsageError(f"{name}: no objects in it")
    return objects


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Put the file's name in front of what is wrong with an object of it; objects may be nested to any depth."""
    try:
        yield
    except RecursionError as error:
        raise UsageError(f"{name}: nested too deeply") from error
    except LlmfitError as error:
        raise UsageError(f"{name}: {error.message}", error.hint) from error


def _parse(text: str, name: str) -> list[Any]:
    if _JSON.match(text):
        if text.count(",") + text.count(":") > _MOST_VALUES:
            raise UsageError(f"{name}: more than {_MOST_VALUES} values")
        try:
            return list(_json_documents(text))
        except RecursionError as error:
            raise UsageError(f"{name}: nested too deeply") from error
        except json.JSONDecodeError as error:
            documents = _yaml_in_braces(text)
            if documents is None:
                raise UsageError(f"{name}: line {error.lineno}: not complete JSON ({error.msg})") from error
            return documents
        except ValueError as error:
            raise UsageError(f"{name}: {spaced(json_problem(error))}") from error
    try:
        return load_all(text)
    except YamlError as error:
        raise UsageError(f"{name}: {spaced(str(error))}") from error


def _json_documents(text: str) -> Iterator[Any]:
    """One JSON document, or several one after the other (with YAML's ``---`` between them, if at all)."""
    decoder = json_decoder()
    position = 0
    while True:
        between = _BETWEEN.match(text, position)
        position = between.end() if between else position
        if position >= len(text):
            return
        document, position = decoder.raw_decode(text, position)
        yield document


def _yaml_in_braces(text: str) -> list[Any] | None:
    """YAML may begin with a brace too; a big text that does is JSON broken off."""
    if len(text) > 1 << 20:
        return None
    try:
        return load_all(text)
    except YamlError:
        return None


def _flatten(document: Any, name: str) -> Iterator[Document]:
    """The objects of a document; the items of a typed list get the kind that it leaves out."""
    kind, version = _kind_and_version(document, name)
    if not (kind.endswith("List") and "items" in document):
        yield document
        return
    items = document["items"]
    if items is not None and not isinstance(items, list):
        raise UsageError(f"{name}: the items of a {kind} are no list")
    for item in items or []:
        typed = kind != "List" and isinstance(item, dict)
        head = {"apiVersion": version, "kind": kind.removesuffix("List")}
        yield from _flatten({**head, **item} if typed else item, name)


def _kind_and_version(document: Any, name: str) -> tuple[str, str]:
    if not isinstance(document, dict):
        raise UsageError(f"{name}: not a Kubernetes object but {_type_name(document)}")
    kind, version = document.get("kind"), document.get("apiVersion")
    if not isinstance(kind, str) or not kind or not isinstance(version, str) or not version:
        raise UsageError(f"{name}: an object without {'apiVersion' if kind else 'kind'}")
    return kind, version


def _type_name(value: Any) -> str:
    names = {str: "a string", bool: "a boolean", int: "a number", float: "a number", list: "a list", type(None): "null"}
    return names.get(type(value), "something else")
