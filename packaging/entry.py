"""What the frozen program runs first."""

from __future__ import annotations

import os

from kubectl_llmfit.__main__ import main


def restore_library_path() -> None:
    """Give credential plugins the user's own libraries.

    PyInstaller's loader puts the program's libraries in front and keeps the user's value under another name;
    this process has read the variable already.
    """
    users = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    os.environ.pop("LD_LIBRARY_PATH", None)
    if users is not None:
        os.environ["LD_LIBRARY_PATH"] = users


restore_library_path()
main()
