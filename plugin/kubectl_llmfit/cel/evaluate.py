"""Syntax tree to closures, compiled once per expression.

Owns how each kind of node is evaluated: logic that absorbs errors, calls, aggregates, what is worked out
beforehand (cel-go: interpreter/planner.go, interpretable.go, decorators.go). Must not type-check.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from . import operators as op
from .aggregates import aggregate, list_of, list_with_optionals, map_of, message_of
from .ast import (
    Call,
    Comprehension,
    Ident,
    ListLiteral,
    Literal,
    MapLiteral,
    MessageLiteral,
    Node,
    Select,
    qualified_name,
)
from .attributes import plan_chain
from .equality import equal
from .errors import CelRuntimeError, PanicError
from .folds import LOOPS, Scopes, plan_fold, refuse_type_variable
from .functions import Function, Implementation
from .libraries.regex import PREPARED
from .libraries.standard import CONVERSIONS
from .logic import all_of, alternative, any_of, choice, flatten
from .measured import measuring
from .membership import plan_membership
from .plan import Frame, Plan, Run, constant_plan, program_error
from .types import NAMED_TYPES, Type, unwrap_optional
from .values import Optional


class Planner:
    """Makes code for the nodes of one tree. ``variables`` are the frame slots that come from outside."""

    # Whether calls whose arguments are known are made when planning; Kubernetes does so with conversions only.
    folds_calls = True

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self.functions = functions
        self.plans: dict[int, Plan] = {}
        self.variables: dict[str, int] = {}
        self.scopes = Scopes()

    def claim_variables(self, names: list[str]) -> None:
        """Give the variables that the tree uses the first slots."""
        self.variables = {name: index for index, name in enumerate(names)}
        self.scopes.reserve(len(names))

    def plan(self, node: Node) -> Plan:
        """Code for a node; CelCompileError for what Kubernetes refuses when planning."""
        known = self.plans.get(id(node))
        if known is None:
            known = self.plans[id(node)] = self._plan(node)
        return known

    def _plan(self, node: Node) -> Plan:
        match node:
            case Literal():
                return constant_plan(node.value)
            case Ident() | Select() if node.constant is not None:
                return _named_constant(node, node.constant)
            case Ident():
                return self._ident(node)
            case Select():
                return self._chain(node)
            case Call():
                return self._call(node)
            case ListLiteral():
                return self._list(node)
            case MapLiteral():
                return self._map(node)
            case Comprehension():
                return self._fold(node)
            case MessageLiteral():
                return self._message(node)
        raise TypeError(f"cannot evaluate {type(node).__name__}")

    def _ident(self, node: Ident) -> Plan:
        if not node.is_global:
            refuse_type_variable(node.name, node.type)
            reader = self.scopes.reader(node.name)
            return Plan(_renewed(reader) if node.type.is_dyn or unwrap_optional(node.type)[1] else reader)
        slot = self.variables[node.name.removeprefix(".")]
        return Plan(lambda frame: frame[slot])

    def _call(self, node: Call) -> Plan:
        match node.function:
            case op.INDEX | op.OPTIONAL_INDEX | op.OPTIONAL_SELECT:
                return self._chain(node)
            case op.LOGICAL_AND | op.LOGICAL_OR:
                return self._logical(node)
            case op.CONDITIONAL:
                return choice(self.plan(node.args[0]).run, *map(self._branch, node.args[1:]))
            case op.EQUALS | op.NOT_EQUALS:
                return self._equality(node, _same if node.function == op.EQUALS else _different)
            case "or" | "orValue" if node.target is not None and len(node.args) == 1:
                return alternative(node.function, self.plan(node.target).run, self.plan(node.args[0]).run)
        plans = [self.plan(child) for child in node.children()]
        if node.function in PREPARED and plans[1].constant and isinstance(plans[1].value, str):
            return self._with_pattern(node, plans, _prepared(node.function, plans[1].value))
        if node.function == op.IN and node.overloads == ("in_list",) and plans[1].constant:
            shortcut = plan_membership(plans[0], plans[1].value)
            if shortcut is not None:
                return shortcut
        return self._function_call(node, plans)

    def _chain(self, node: Select | Call) -> Plan:
        return plan_chain(node, self.plan)

    def _fold(self, node: Comprehension) -> Plan:
        return plan_fold(node, self.plan, self.scopes, LOOPS)

    def _equality(self, node: Call, test: Implementation) -> Plan:
        return Plan(_binary(test, *(self.plan(argument).run for argument in node.args)))

    def _with_pattern(self, _node: Call, plans: list[Plan], search: Implementation) -> Plan:
        """A search for a constant pattern, which is the second of the arguments."""
        return Plan(_invoke(search, [plan.run for plan in (plans[0], *plans[2:])]))

    def _branch(self, node: Node) -> Run:
        """What a conditional chooses."""
        if isinstance(node, Select) and node.test_only:
            self.plans[id(node)] = plan_chain(node, self.plan, is_branch=True)
        return self.plan(node).run

    def _function_call(self, node: Call, plans: list[Plan]) -> Plan:
        function = self.functions[node.function]
        implementation = function.implementation(node.overloads)
        runs = [plan.run for plan in plans]
        measured = function.measured(node.overloads)
        plan = Plan(_invoke(implementation, runs) if measured is None else measuring(implementation, runs, *measured))
        converts = node.function in CONVERSIONS and len(plans) == 1 and plans[0].constant
        if plans and all(plan.known for plan in plans) and (converts or self.folds_calls):
            try:
                value = plan.run([])
                # A new one each time: as the key of a map it equals itself alone.
                is_new = isinstance(value, list | Mapping | Optional) and not converts
                return plan if is_new else constant_plan(value, converts)
            except PanicError:
                pass
            except CelRuntimeError as error:
                if converts:
                    raise program_error(error) from None
        return self._called(node, plans, plan)

    def _called(self, _node: Call, _plans: list[Plan], plan: Plan) -> Plan:
        return plan

    def _logical(self, node: Call) -> Plan:
        terms = [self.plan(term).run for term in flatten(node)]
        return Plan(all_of(terms) if node.function == op.LOGICAL_AND else any_of(terms))

    def _list(self, node: ListLiteral) -> Plan:
        plans = [self.plan(element) for element in node.elements]
        run = list_with_optionals(plans, node.optional) if any(node.optional) else list_of(plans)
        return aggregate(run, plans)

    def _map(self, node: MapLiteral) -> Plan:
        entries = [(self.plan(entry.key), self.plan(entry.value), entry.optional) for entry in node.entries]
        runs = [(key.run, value.run, optional) for key, value, optional in entries]
        return aggregate(map_of(runs), [plan for key, value, _ in entries for plan in (key, value)])

    def _message(self, node: MessageLiteral) -> Plan:
        entries = [(entry.name, self.plan(entry.value).run, entry.optional) for entry in node.entries]
        return Plan(message_of(node.name, entries))


def _renewed(reader: Run) -> Run:
    """Reading an optional makes a new one, which as the key of a map is another (attributes.go: OptionalOf)."""

    def _read(frame: Frame) -> object:
        value = reader(frame)
        return Optional(value.value) if type(value) is Optional and value.present else value

    return _read


def _named_constant(node: Ident | Select, constant: Type | int) -> Plan:
    """A type or number written by its name. Types of variables can be named, and most messages, but are no values."""
    name = (qualified_name(node) or "").removeprefix(".")
    if isinstance(constant, Type) and name not in NAMED_TYPES:
        raise program_error(f"reference to undefined type: {name}")
    return constant_plan(constant)


def _same(left: object, right: object) -> object:
    return left == right if type(left) is str and type(right) is str else equal(left, right)


def _different(left: object, right: object) -> object:
    """What is not equal, values that cannot be compared included (interpretable.go: evalNe)."""
    try:
        return not equal(left, right)
    except CelRuntimeError:
        return True


def _prepared(function: str, pattern: str) -> Implementation:
    """A pattern known beforehand is compiled beforehand, and refused beforehand."""
    try:
        return PREPARED[function](pattern)
    except CelRuntimeError as error:
        raise program_error(error) from None


def _invoke(implementation: Implementation, arguments: list[Run]) -> Run:
    if len(arguments) == 1:
        only = arguments[0]
        return lambda frame: implementation(only(frame))
    if len(arguments) == 2:
        return _binary(implementation, *arguments)

    def _run(frame: Frame) -> object:
        return implementation(*[argument(frame) for argument in arguments])

    return _run


def _binary(implementation: Implementation, first: Run, second: Run) -> Run:
    def _run(frame: Frame) -> object:
        try:
            left = first(frame)
        except CelRuntimeError:
            # Kubernetes evaluates the other side all the same, and may panic there.
            with suppress(CelRuntimeError):
                second(frame)
            raise
        return implementation(left, second(frame))

    return _run
