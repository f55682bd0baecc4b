"""Where expressions are compiled: variables, functions, limits.

Owns the way from text to program. Must not know what the variables mean.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from functools import cache, partial
from typing import Final

from . import operators as op
from .ast import Call, Ident, Node, walk
from .checker import check
from .cost_bound import is_hopeless, may_exceed
from .cost_estimate import estimate
from .cost_extent import Extent
from .cost_planner import MeteredPlanner
from .cost_range import MAX_COST
from .errors import CelCompileError
from .evaluate import Planner
from .explain import make_part
from .functions import Declarations
from .libraries import functions
from .logic import flatten
from .parser import parse
from .program import Code, Program, without_end
from .recursion import SHALLOW, deep_recursion, no_collection
from .source import Source
from .text import characters, encoded
from .types import ANY, BOOL, DYN, Type
from .validate import validate

# k8s.io/api/resource/v1: CELSelectorExpressionMaxLength, in bytes.
MAX_NEW_BYTES: Final = 10 * 1024
# cel-go parser.go: expressionSizeCodePointLimit.
MAX_CODE_POINTS: Final = 100_000


class Environment:
    """Compiles expressions over ``variables`` (name to type).

    ``stored=False`` is Kubernetes 1.37's environment for new expressions, True the one for stored
    expressions, which the scheduler uses: it knows more functions, has no limit of 10 KiB and none for the
    estimated cost. ``extents`` has the greatest sizes of the variables, for that estimate: what it does not tell
    can be of any size. Without it, or when not ``limited``, no estimate is too high.
    """

    def __init__(
        self,
        variables: Mapping[str, Type],
        stored: bool = False,
        extents: Mapping[str, Extent] | None = None,
        limited: bool = True,
    ) -> None:
        self._declarations = Declarations(dict(variables), functions(stored))
        self._stored = stored
        self._extents = extents or {}
        self._limited = limited and not stored and extents is not None
        self._results: tuple[Type, ...] = (BOOL, DYN) if stored else (BOOL, ANY)

    def compile(self, text: str, expect_bool: bool = True) -> Program:
        """A program; CelCompileError, in Kubernetes' words, when the text is no valid expression.

        ``expect_bool``: the result must be a bool, or of the type of a value whose type is unknown (any; in
        stored expressions dyn), as selectors must.
        """
        text = characters(text)
        self._check_size(text)
        source = Source(text)
        with deep_recursion(), no_collection() if len(text) > MAX_NEW_BYTES else nullcontext():
            root = parse(source)
            source.check()
            assert root is not None
            check(root, source, self._declarations)
            source.check()
            validate(root, source)
            source.check()
            if expect_bool and root.type not in self._results:
                message = f"must evaluate to bool or the unknown type, not {root.type.declared()}"
                raise CelCompileError(message, message)
            program = self._program(text, root)
        if self._limited and program.max_cost > MAX_COST:
            message = "too complex, exceeds cost limit"
            raise CelCompileError(message, message)
        return program

    def _check_size(self, text: str) -> None:
        if not self._stored and len(encoded(text)) > MAX_NEW_BYTES:
            message = f"Too long: may not be more than {MAX_NEW_BYTES} bytes"
            raise CelCompileError(message, message)
        if len(text) > MAX_CODE_POINTS:
            size = f"size: {len(text)}, limit {MAX_CODE_POINTS}"
            message = f"expression code point size exceeds limit: {size}"
            raise CelCompileError(f"ERROR: <input>:-1:0: {message}", message)

    def _program(self, text: str, root: Node) -> Program:
        @cache
        def _max_cost() -> int:
            return estimate(root, self._extents).most

        # Working out that counting is not needed takes longer than counting does where there is so much.
        is_metered = len(text) > MAX_NEW_BYTES or may_exceed(root, _max_cost())
        plain = None if is_metered else self._code(text, root, Planner(self._declarations.functions))
        return Program(text, root, _max_cost, plain, partial(self._metered_code, text, root))

    def _metered_code(self, text: str, root: Node) -> Code:
        code = self._code(text, root, MeteredPlanner(self._declarations.functions))
        return without_end(code) if is_hopeless(root) else code

    def _code(self, text: str, root: Node, planner: Planner) -> Code:
        used = {node.name.removeprefix(".") for node in walk(root) if isinstance(node, Ident) and node.is_global}
        names = [name for name in self._declarations.variables if name in used]
        planner.claim_variables(names)
        run = planner.plan(root).run
        operands = flatten(root) if isinstance(root, Call) and root.function == op.LOGICAL_AND else [root]
        parts = tuple(make_part(text[node.start : node.end], node, planner.plans) for node in operands)
        is_metered = isinstance(planner, MeteredPlanner)
        locals_ = planner.scopes.size - len(names)
        # Code that counts takes several Python calls for each node.
        deep = is_metered or _height(root) > SHALLOW
        return Code(run, parts, tuple(names), locals_, deep, is_metered)


def _height(root: Node) -> int:
    """How many nodes stand above one another, at most."""
    heights: dict[int, int] = {}
    pending = [root]
    while pending:
        node = pending[-1]
        below = [child for child in node.children() if id(child) not in heights]
        if below:
            pending.extend(below)
            continue
        heights[id(node)] = 1 + max((heights[id(child)] for child in node.children()), default=0)
        pending.pop()
    return heights[id(root)]
