"""Document → template → YAML text → read back → must equal the document. The only importer of jinja2.

Templates arrange; they never compute, and nothing they print is believed: text that reads as anything but the
document is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import UsageError
from ..escapes import escaped, harmless, is_plain
from .bounds import TooMuchError, bounded
from .finder import LARGEST_TEXT, Finder, own_folders, own_template, words_of
from .readback import Difference, ReadbackError, check_nodes, difference
from .selectors import AND

if TYPE_CHECKING:
    from jinja2 import BaseLoader, Environment, Template

LINE_LENGTH = 110
_BREAKS = (("', '", 2), (" || ", 3))  # where a long line may end, and the place in it of the blank that the end is
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def render(
    document: dict[str, Any],
    header: Sequence[str] = (),
    template_dirs: Sequence[str | Path] = (),
) -> str:
    """``document`` as YAML text under the comment lines ``header``, by the template of its kind and version.

    Templates are looked for in ``template_dirs`` first, then among the program's own. Raises UsageError, which
    names the template's file, when a user's template fails or its text does not read as ``document``.
    """
    name = template_name(document)
    finder = Finder(template_dirs)
    environment = _environment(finder)
    try:
        with bounded() if finder.directories else nullcontext():
            # a copy: what a template may do to it must not reach the comparison
            text = environment.get_template(name).render(document=deepcopy(document), header=tuple(header))
            problem = _problem(text, document)
    except TooMuchError as error:
        raise UsageError(f"template {finder.blame(name)}: {error}") from error
    except UsageError:
        raise
    except Exception as error:  # a template may raise anything at all
        raise UsageError(f"template {finder.place(error, name)}: {words_of(error)}") from error
    if problem:
        raise UsageError(f"template {finder.blame(name)}: {problem}")
    return text


def template_name(document: dict[str, Any]) -> str:
    """The file name of a document's template: one per kind, and one for the older export."""
    version = str(document["apiVersion"]).rpartition("/")[2]
    suffix = f"-{version}" if version == "v1alpha2" else ""
    return f"{str(document['kind']).lower()}{suffix}.yaml.j2"


def _problem(text: str, document: dict[str, Any]) -> str | None:
    """What is wrong with rendered text, in words."""
    if len(text) > LARGEST_TEXT:
        return f"renders more than {LARGEST_TEXT} characters"
    control = next((each for each in set(text) - {"\n"} if harmless(each) != each), None)
    if control:
        return f"renders a control character {control!a}"
    if not text.endswith("\n"):
        return "renders no newline at the end"
    try:
        found = difference(document, _read_back(text))
    except ReadbackError as error:
        return f"renders no valid YAML: {error}"
    return None if found is None else _difference_words(found)


def _read_back(text: str) -> object:
    """The one document in ``text``; ReadbackError for anything else."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    try:
        node = loader.get_single_node()
        if node is None:
            raise ReadbackError("no document")
        check_nodes(node)
        document: object = loader.construct_document(node)
    except yaml.YAMLError as error:
        raise ReadbackError(" ".join(str(error).split())) from error
    else:
        return document
    finally:
        loader.dispose()


def _difference_words(found: Difference) -> str:
    return f"renders something else than the document: {found.path}: want {found.wanted}, got {found.got}"


def _scalar(value: object) -> str:
    """``value`` as a YAML scalar: an int or bool as it is, a string plain or in double quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    text = str(value)
    return text if is_plain(text) else f'"{"".join(_SHORT_ESCAPES.get(each) or escaped(each) for each in text)}"'


def _conditions(expression: str) -> Iterator[str]:
    """The lines of a folded block: one condition each, ``&&`` at the end of all but the last, long ones wrapped."""
    *first, last = expression.split(AND)
    for condition in first:
        yield from _wrapped(f"{condition}{AND.rstrip()}")
    yield from _wrapped(last)


def _wrapped(line: str) -> Iterator[str]:
    """``line`` in pieces that join with one blank, broken between the members of lists and after ``||``."""
    while len(line) > LINE_LENGTH:
        place = max(line.rfind(sign, 1, LINE_LENGTH) + blank for sign, blank in _BREAKS)
        if place <= max(blank for _, blank in _BREAKS):
            break
        yield line[:place]
        line = line[place + 1 :]
    yield line


def compiled_sources() -> dict[str, str]:
    """The program's own templates as Python modules, by the names of their files: a wheel carries them ready made.

    The package that they make is read by ``_compiled``; ``hatch_build.py`` writes it.
    """
    from jinja2.bccache import bc_version

    environment = _environment(Finder([]))
    names = sorted({file.name for folder in own_folders() if folder.is_dir() for file in folder.iterdir()})
    modules = {name: f"template_{number}" for number, name in enumerate(names)}
    table = "".join(f"    {name!r}: {module},\n" for name, module in modules.items())
    found = {"__init__.py": _TABLE.format(modules=", ".join(modules.values()), version=bc_version, table=table)}
    for name, module in modules.items():
        source = own_template(name)
        assert source is not None
        found[f"{module}.py"] = environment.compile(source[0], name, name, raw=True, defer_init=True) + "\n"
    return found


_TABLE = """from . import {modules}

JINJA_CODE = {version}
TEMPLATES = {{
{table}}}
"""


def _compiled() -> BaseLoader | None:
    """The templates that came compiled with the wheel; None in a checkout, or for another jinja2 than made them."""
    from importlib import import_module

    try:
        compiled = import_module(f"{__package__.partition('.')[0]}.compiled")  # named in packaging/frozen.spec too
    except ModuleNotFoundError:
        return None
    from jinja2 import BaseLoader, TemplateNotFound
    from jinja2.bccache import bc_version

    class Compiled(BaseLoader):
        def load(self, environment: Environment, name: str, globals: Any = None) -> Template:
            if name not in compiled.TEMPLATES:
                raise TemplateNotFound(name)
            made = environment.template_class.from_module_dict
            return made(environment, vars(compiled.TEMPLATES[name]), environment.make_globals(globals))

    return Compiled() if bc_version == compiled.JINJA_CODE else None


def _environment(finder: Finder) -> Environment:
    from jinja2 import FunctionLoader, StrictUndefined

    # a user's templates may come from anywhere: they get no way out of the document
    environment = _environment_class(sandboxed=bool(finder.directories))(
        loader=(None if finder.directories else _compiled()) or FunctionLoader(finder.load),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # YAML, not HTML; ``scalar`` quotes
    )
    environment.filters.update(scalar=_scalar, conditions=_conditions)
    return environment


def _environment_class(*, sandboxed: bool) -> type[Environment]:
    if sandboxed:
        from jinja2.sandbox import ImmutableSandboxedEnvironment

        return ImmutableSandboxedEnvironment
    from jinja2 import Environment

    return Environment
