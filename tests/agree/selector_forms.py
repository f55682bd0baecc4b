"""Selectors as people write them, with something unexpected grafted in now and then.

Owns the forms and their mixture with grown expressions.
"""

from __future__ import annotations

import re

from agree.expressions import Expressions
from agree.literals import ATTRIBUTES, CAPACITIES, DOMAINS, INTS, QUANTITIES, REGEXES, TEXTS, VERSIONS
from agree.pieces import Piece, leaf, separated
from kubectl_llmfit.cel import BOOL, DYN, INT, QUANTITY, STRING

_FORMS = """
device.driver == {text}
{attribute} == {text}
{attribute} != {text}
{attribute} >= {int}
{attribute} < {int}
{attribute} == {int}
{attribute} == true
{attribute}
!{attribute}
{name} in {attributes}
{domain} in device.attributes
has({attributes}.{field})
{name} in {capacities}
{name} in {attributes} && {attribute} >= {int}
{capacity}.compareTo(quantity({quantity})) >= 0
{capacity}.isGreaterThan(quantity({quantity}))
{capacity} >= quantity({quantity})
{capacity} == quantity({quantity})
quantity({quantity}).isLessThan({capacity})
{attribute}.isGreaterThan(semver({version}))
{attribute}.compareTo(semver({version})) < 0
{attribute} == semver({version})
{attribute} == {version}
{attribute}.major() >= {int}
{attribute}.matches({regex})
{attribute}.startsWith({text})
{attribute}.contains({text})
{attribute} in [{text}, {text}]
{text} in {attribute}
{attributes}.?{field}.orValue({int}) >= {int}
{attributes}.?{field}.hasValue()
{attributes}[?{name}].orValue({text}) == {text}
device.attributes[?{domain}].?{field}.orValue(false)
{attribute}.exists(x, x == {text})
{attribute}.all(x, x > {int})
{attributes}.exists(k, k == {name})
{attributes}.all(k, v, k != {name} || v == {int})
cel.bind(d, {attributes}, d.{field} == {text} && d.{field} > {int})
device.allowMultipleAllocations
{attribute} + {int} == {int}
{attribute} / {int} > {attribute}
size({attribute}) > {int}
string({attribute}) == {text}
int({attribute}) > {int}
type({attribute}) == type({int})
{attribute}.lowerAscii() == {text}
""".strip().splitlines()
_POOLS = {
    "text": (TEXTS, STRING),
    "int": (INTS, INT),
    "quantity": (QUANTITIES, STRING),
    "version": (VERSIONS, STRING),
    "regex": (REGEXES, STRING),
    "name": (tuple(f"'{name}'" for name in ATTRIBUTES), STRING),
    "domain": (tuple(f"'{name}'" for name in DOMAINS), STRING),
    "attribute": (tuple(f"device.attributes['{d}'].{name}" for d in DOMAINS for name in ATTRIBUTES), DYN),
    "capacity": (tuple(f"device.capacity['{d}'].{name}" for d in DOMAINS for name in CAPACITIES), QUANTITY),
    "attributes": (tuple(f"device.attributes['{d}']" for d in DOMAINS), DYN),
    "capacities": (tuple(f"device.capacity['{d}']" for d in DOMAINS), DYN),
}
_HOLE = re.compile(r"\{(\w+)\}")


def selector(expressions: Expressions) -> Piece:
    """One to four conditions, mostly joined by ``&&``."""
    draw = expressions.draw
    conditions = [_condition(expressions) for _ in range(draw.choice((1, 1, 2, 3, 4)))]
    if len(conditions) == 1:
        return conditions[0]
    return Piece(tuple(separated([c.operand() for c in conditions], draw.choice((" && ", " && ", " || ")))), atom=False)


def _condition(expressions: Expressions) -> Piece:
    draw = expressions.draw
    if draw.random() < 0.08:
        return expressions.grow(BOOL, 2)
    parts: list[str | Piece] = []
    for place, text in enumerate(_HOLE.split(draw.choice(_FORMS))):
        parts.append(_filled(text, expressions) if place % 2 else text)
    return Piece(tuple(parts), atom=False)


def _filled(hole: str, expressions: Expressions) -> Piece:
    draw = expressions.draw
    if hole == "field":
        return leaf(draw.choice(ATTRIBUTES))
    pool, type_ = _POOLS[hole]
    if draw.random() < 0.06:
        return expressions.grow(type_, 1).operand()
    text = draw.choice(pool)
    return leaf(f"({text})" if text.startswith("-") else text)
