"""Where templates are found: in the user's folders, then among the program's own; and which of them took part."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ..errors import UsageError
from ..escapes import one_line

LARGEST_TEXT = 1 << 20
"""Characters of a template, and of what it renders: etcd takes no object above 1.5 MiB."""


class Finder:
    """Finds templates and remembers which were the user's, so that an error can name the file."""

    def __init__(self, directories: Sequence[str | Path]) -> None:
        for directory in directories:
            if not os.path.isdir(directory):  # nor is "" one, which Path takes for the folder one is in
                raise UsageError(f"--template-dir {str(directory)!r} is no directory")
        self.directories = tuple(map(Path, directories))
        self._files: dict[str, str] = {}
        self._users: list[str] = []

    def load(self, name: str) -> tuple[str, str, Callable[[], bool]] | None:
        """Source, file name and freshness of a template, as jinja2's FunctionLoader wants them."""
        inside = not os.path.isabs(name) and os.pardir not in Path(name).parts  # what lies outside is no template
        found = (self._user_template(name) or own_template(name)) if inside else None
        if found is None:
            return None
        source, file = found
        self._files[file] = name
        return source, file, lambda: True

    def place(self, error: Exception, name: str) -> str:
        """``file:line`` of the template line that ``error`` came from."""
        file, line = getattr(error, "filename", None), getattr(error, "lineno", None)
        if file is None or line is None:
            file, line = self._last_frame(error)
        return one_line(f"{file}:{line}" if file else self.blame(name))

    def blame(self, name: str) -> str:
        """The user's files that took part, else the template itself."""
        return one_line(", ".join(self._users) or name)

    def _last_frame(self, error: Exception) -> tuple[str | None, int | None]:
        place: tuple[str | None, int | None] = (None, None)
        frame = error.__traceback__
        while frame is not None:
            file = frame.tb_frame.f_code.co_filename
            if file in self._files:
                place = (file, frame.tb_lineno)
            frame = frame.tb_next
        return place

    def _user_template(self, name: str) -> tuple[str, str] | None:
        for directory in self.directories:
            path = directory / name
            if not os.path.lexists(path):
                continue
            try:
                source = _user_source(path)
            except (OSError, UnicodeDecodeError) as error:
                raise UsageError(f"template {one_line(str(path))} cannot be read: {words_of(error)}") from error
            self._users.append(str(path))
            return source, str(path)
        return None


def _user_source(path: Path) -> str:
    """Raises OSError, UnicodeDecodeError, and UsageError for what is no file or too large for a template."""
    if (
        path.exists() and not path.is_file() and not path.is_dir()
    ):  # a folder says so itself; a FIFO would be waited for
        raise UsageError(f"template {one_line(str(path))} is no file")
    with open(path, "rb") as stream:
        data = stream.read(LARGEST_TEXT + 1)
    if len(data) > LARGEST_TEXT:
        raise UsageError(f"template {one_line(str(path))} is larger than {LARGEST_TEXT} bytes")
    return data.decode("utf-8")


def own_template(name: str) -> tuple[str, str] | None:
    """Source and file name of one of the program's own templates; None for no such name."""
    for folder in own_folders():
        file = folder / name
        if file.is_file():
            return file.read_text(encoding="utf-8"), str(file)
    return None


def own_folders() -> Iterator[Path]:
    """The packaged templates; in a checkout those beside the package's folder."""
    package = Path(__file__).parents[1]
    yield package / "templates"
    if package.parent.name == "plugin":
        yield package.parents[1] / "templates"


def words_of(error: Exception) -> str:
    """An exception on one line: its type and what it says."""
    return one_line(f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": "))
