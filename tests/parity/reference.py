"""The program that sizes are compared with: the pinned ``llmfit``, run as a process with nothing of this user's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

PROGRAM = Path(sys.executable).with_name("llmfit")


@dataclass(frozen=True, slots=True)
class Flags:
    """One command line of ``llmfit claim``; None leaves a flag out."""

    model: str
    min_tps: float | None = None
    efficiency: int | None = None
    quant: str | None = None
    name: str | None = None
    device_class: str | None = None
    template: bool = False

    def words(self) -> list[str]:
        """The flags as typed, without the model."""
        given = (
            ("--min-tps", self.min_tps),
            ("--efficiency", self.efficiency),
            ("--quant", self.quant),
            ("--name", self.name),
            ("--device-class", self.device_class),
        )
        words = [word for flag, value in given if value is not None for word in (flag, str(value))]
        return [*words, "--template"] if self.template else words


def run(*words: str, custom_models: Path | None = None) -> str:
    """What the program prints on stdout; RuntimeError with its stderr when it fails.

    ``custom_models``: a file of the user's own models, merged into the catalogue.
    """
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LLMFIT")}
    if custom_models is not None:
        environment["LLMFIT_CUSTOM_MODELS"] = str(custom_models)
    done = subprocess.run(
        [str(PROGRAM), *words],
        env={**environment, "HOME": _empty_home()},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise RuntimeError(f"llmfit {' '.join(words)}: exit {done.returncode}: {done.stderr.strip()}")
    return done.stdout


@cache
def entries() -> list[dict[str, Any]]:
    """The whole catalogue."""
    return list(json.loads(run("list", "--json")))


def summary(flags: Flags, custom_models: Path | None = None) -> dict[str, Any]:
    """What ``llmfit claim --json`` says."""
    words = "claim", "--json", *flags.words(), "--", flags.model
    return dict(json.loads(run(*words, custom_models=custom_models)))


def manifest(flags: Flags) -> dict[str, Any]:
    """The manifest that ``llmfit claim`` prints."""
    text = run("claim", *flags.words(), "--", flags.model)
    return dict(yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


@cache
def _empty_home() -> str:
    return tempfile.mkdtemp(prefix="llmfit-home-")
