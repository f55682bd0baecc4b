"""The user's own models, merged the way the llmfit 1.1.17 program merges them.

Facts, all observed on that program:

* The file is the value of ``LLMFIT_CUSTOM_MODELS`` whenever that variable is set, even to nothing or to a file that
  does not exist (then there are simply no custom models; ``~`` is not expanded). Otherwise it is
  ``llmfit/custom_models.json`` in the user's data folder: ``$XDG_DATA_HOME`` if that is an absolute path, else
  ``$HOME/.local/share`` (Linux; ``~/Library/Application Support`` on macOS, ``%APPDATA%`` on Windows).
* It holds a JSON list of entries as ``llmfit list --json`` prints them. name, provider, parameter_count, min_ram_gb,
  recommended_ram_gb, quantization, context_length and use_case must be there; the rest may be missing. A missing
  format is gguf; a missing parameters_raw stays missing, and the size is then read from parameter_count.
* An entry replaces every catalogue entry of the same *slug*: what follows the last slash, in lower case, without
  ``-``, ``_`` and ``.``. So ``me/Qwen3-8B`` hides ``Qwen/Qwen3-8B`` (and the exact name ``Qwen/Qwen3-8B`` is no longer
  known). Of two custom entries with the same slug the first counts. All others are added.
* A file that cannot be read, or that is wrong anywhere, is left out as a whole, with one warning on stderr.

``hf_models_cache.json`` of ``llmfit update`` lies in the same folder; it is no part of ``llmfit list`` nor of this.
Where this reads a file differently from the program, ``entries`` says so.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from ..errors import UsageError
from ..files import STDIN
from .dump import read_models
from .store import MemoryStore, slug_of

VARIABLE = "LLMFIT_CUSTOM_MODELS"
FILE_NAME = "custom_models.json"


def read_overlay(environ: Mapping[str, str]) -> tuple[MemoryStore | None, tuple[str, ...]]:
    """Return the user's own models, if there are any, and the warnings that reading them gave."""
    path = overlay_path(environ)
    if not path or not os.path.exists(path):
        return None, ()
    if path == STDIN:
        path = os.path.join(os.curdir, path)  # a file of that name, as for llmfit
    try:
        models = read_models(path, FILE_NAME)
    except UsageError as error:
        return None, (f"skipping custom models: {error.message}",)
    first_of_slug = {slug_of(model.name): model for model in reversed(models)}
    kept = [model for model in models if first_of_slug[slug_of(model.name)] is model]
    return (MemoryStore(FILE_NAME, kept) if kept else None), ()


def overlay_path(environ: Mapping[str, str], platform: str = sys.platform) -> str | None:
    """Return where llmfit looks for the user's models; None where it has nowhere to look."""
    if VARIABLE in environ:
        return environ[VARIABLE]
    folder = _data_folder(environ, platform)
    return os.path.join(folder, "llmfit", FILE_NAME) if folder else None


def _data_folder(environ: Mapping[str, str], platform: str) -> str | None:
    if platform == "win32":
        return environ.get("APPDATA")
    home = environ.get("HOME") or os.path.expanduser("~")
    if platform == "darwin":
        return os.path.join(home, "Library", "Application Support")
    data_home = environ.get("XDG_DATA_HOME", "")
    return data_home if os.path.isabs(data_home) else os.path.join(home, ".local", "share")
