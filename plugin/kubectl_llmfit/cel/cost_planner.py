"""Syntax tree to closures that count what they cost.

Owns what each kind of node is charged and when, to the last unit as Kubernetes does (cel-go:
interpreter/runtimecost.go, Observe); values and errors are those of the plain code. Must not know figures of
functions.
"""

from __future__ import annotations

from collections.abc import Callable

from . import operators as op
from .ast import Call, Comprehension, Ident, ListLiteral, MapLiteral, MessageLiteral, Node, Select
from .attributes import chain_of
from .cost_actual import COSTS_BY_RESULT, MAKERS, CallCost, Values, call_cost, equality_cost, inequality_cost
from .cost_chain import metered_chain, metered_presence
from .cost_folds import METERED_LOOPS
from .cost_meter import MeteredFrame, charged
from .cost_range import NEW_LIST, NEW_MAP, NEW_MESSAGE, READ
from .errors import CelRuntimeError
from .evaluate import Planner
from .folds import plan_fold
from .functions import Implementation
from .measured import take_for
from .plan import Frame, Plan, Run

_COMPARING = frozenset(
    {op.IN, "includes", "indexOf", "lastIndexOf", "distinct", "sets.contains", "sets.intersects", "sets.equivalent"}
)
_CHAINS = frozenset({op.INDEX, op.OPTIONAL_INDEX, op.OPTIONAL_SELECT})


# Bound as functions of any number of arguments: cel-go's ext/strings.go, apiserver's authz.go for two overloads.
_ONE_BY_ONE = (("string_format",), ("pathcheck_check", "resourcecheck_check"))


class MeteredPlanner(Planner):
    """Makes code that runs on a MeteredFrame."""

    folds_calls = False

    def _ident(self, node: Ident) -> Plan:
        return Plan(charged(super()._ident(node).run, READ))

    def _chain(self, node: Select | Call) -> Plan:
        _, base = chain_of(node, self._quiet_plan)
        units = 0 if isinstance(base, Call) and base.function == op.CONDITIONAL else READ
        if isinstance(node, Select) and node.test_only:
            units -= READ
        return Plan(charged(self._reads(node, is_branch=False), units) if units else self._reads(node, is_branch=False))

    def _reads(self, node: Select | Call, is_branch: bool) -> Run:
        """A chain without the unit for itself."""
        steps, base = chain_of(node, self._quiet_plan)
        units = 0 if isinstance(base, Ident) and self._is_hidden(base) else 1
        if isinstance(node, Select) and node.test_only:
            start = metered_chain(self._start(base), steps[:-1], units)
            return metered_presence(start, steps[-1].key, is_branch, units)
        return metered_chain(self._start(base), steps, units)

    def _is_hidden(self, base: Ident) -> bool:
        """``.x`` where a macro's variable is called x: cel-go reads from it outside of what is counted."""
        return base.name.startswith(".") and self.scopes.knows(base.name[1:])

    def _start(self, base: Node) -> Run:
        return self._quiet_plan(base).run if isinstance(base, Ident) else self.plan(base).run

    def _quiet_plan(self, node: Node) -> Plan:
        """Code for a name, a chain or a choice that is part of something else, which has no unit of its own then."""
        if isinstance(node, Ident | Select) and node.constant is not None:
            return self.plan(node)
        if isinstance(node, Ident):
            return super()._ident(node)
        if isinstance(node, Select) or (isinstance(node, Call) and node.function in _CHAINS):
            return Plan(self._reads(node, is_branch=True))
        return self.plan(node)

    def _branch(self, node: Node) -> Run:
        return self._quiet_plan(node).run

    def _fold(self, node: Comprehension) -> Plan:
        return plan_fold(node, self.plan, self.scopes, METERED_LOOPS)

    def _list(self, node: ListLiteral) -> Plan:
        return _making(super()._list(node), NEW_LIST)

    def _map(self, node: MapLiteral) -> Plan:
        return _making(super()._map(node), NEW_MAP)

    def _message(self, node: MessageLiteral) -> Plan:
        return _making(super()._message(node), NEW_MESSAGE)

    def _equality(self, node: Call, test: Implementation) -> Plan:
        cost = equality_cost if node.function == op.EQUALS else inequality_cost
        return Plan(_metered(test, [self.plan(argument).run for argument in node.args], cost, compares=True))

    def _with_pattern(self, node: Call, plans: list[Plan], search: Implementation) -> Plan:
        def _run(text: object, _pattern: object, *more: object) -> object:
            return search(text, *more)

        cost = call_cost(node.function, node.overloads)
        return Plan(_metered(_run, [plan.run for plan in plans], cost, stops=True))

    def _called(self, node: Call, plans: list[Plan], _plan: Plan) -> Plan:
        function = self.functions[node.function]
        implementation = function.implementation(node.overloads)
        measured = function.measured(node.overloads)
        cost = call_cost(node.function, node.overloads)
        if measured is not None:
            cost = _measuring(cost, *measured)
        # Three arguments, or a choice among overloads that each have code of their own, are taken in one by one.
        stops = len(plans) > 2 or (function.run is None and len(node.overloads) != 1) or node.overloads in _ONE_BY_ONE
        makes = MAKERS.get(node.function)
        compares = node.function in _COMPARING
        return Plan(_metered(implementation, [plan.run for plan in plans], cost, stops, makes, compares))


def _making(plan: Plan, units: int) -> Plan:
    """A list or map that is put together at a price; a constant one has none."""
    return plan if plan.known else Plan(charged(plan.run, units))


def _measuring(cost: CallCost, index: int, wanted: type) -> CallCost:
    def _measure(values: Values, result: object) -> int:
        take_for(wanted, values[index])
        return cost(values, result)

    return _measure


def _metered(
    implementation: Implementation,
    arguments: list[Run],
    cost: CallCost,
    stops: bool = False,
    makes: Callable[[Values], int] | None = None,
    compares: bool = False,
) -> Run:
    """Code for a call, which is charged for before it is made where the price does not depend on the result.

    All arguments are evaluated whatever comes of them, and the call is charged for even then. One that ``stops``
    at the first error is free when that is not in the last argument. ``makes``: the size of what is to be made;
    ``compares``: looks into elements of elements.
    """

    by_result = cost in COSTS_BY_RESULT

    def _run(frame: Frame) -> object:
        assert isinstance(frame, MeteredFrame)
        failed: CelRuntimeError | None = None
        values: Values = []
        for argument in arguments:
            try:
                values.append(argument(frame))
            except CelRuntimeError as error:
                failed = failed or error
                values.append(error)
                frame.fail()
                if stops and len(values) < len(arguments):
                    raise
        result: object = failed
        if not by_result:
            frame.charge(cost(values, None))
        if failed is None:
            if makes is not None:
                frame.make(makes(values))
            if compares:
                frame.compare(values)
            try:
                result = implementation(*values)
            except CelRuntimeError as error:
                result = failed = error
                frame.fail()
        if by_result:
            frame.charge(cost(values, result))
        if failed is not None:
            raise failed
        return result

    return _run
