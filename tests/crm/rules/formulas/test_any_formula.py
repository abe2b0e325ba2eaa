"""Whatever a formula says: it has a value of its type, or an error that says what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from clones.crm.rules.formulas import (
    Blanks,
    FieldType,
    Formula,
    FormulaCheckError,
    FormulaError,
    FormulaSyntaxError,
    FormulaValueError,
    Function,
    Kind,
    Place,
    Situation,
    Typed,
    check,
    evaluate,
    field_value,
    fields_named,
    parse,
    print_formula,
)
from clones.crm.rules.formulas import nodes as n
from clones.crm.rules.formulas.functions import FUNCTIONS, OPERATORS
from clones.crm.rules.formulas.numbers import REACH
from tests.crm.rules.formulas.working import FIELDS, NOW, RECORD, reader

TYPES: dict[Kind, Any] = {
    Kind.TEXT: str,
    Kind.PICKLIST: str,
    Kind.MULTIPICKLIST: str,
    Kind.NUMBER: Decimal,
    Kind.BOOLEAN: bool,
    Kind.DATE: date,
    Kind.DATETIME: datetime,
    Kind.TIME: time,
    Kind.GEOLOCATION: tuple,
    Kind.NULL: (),
}
PIECES = [
    *FUNCTIONS, *FIELDS, *sorted({sign for sign, _ in OPERATORS}), "(", ")", "()", ",", " ", "\n",
    "/*", "*/", '"a"', "'b'", '"', "'", "\\", "1", "0.5", "TRUE", "NULL", "NOT", "$", "é", "#",
]  # fmt: skip
SPOKEN = st.lists(st.sampled_from(PIECES), max_size=25).map(" ".join)
TEXTS = st.one_of(
    st.sampled_from(
        ["", " ", "a", "%_", "2024-02-29", "12:00:00.000", "{0}", "(", "$.a", "1e9", "-"]
    ),
    st.text(max_size=12),
)
NUMBERS = st.one_of(
    st.sampled_from(["0", "1", "2.5", "7", "100", "0.0001", "99999999999999999999", "1" * 60]),
    st.decimals(0, 10**20, allow_nan=False, allow_infinity=False, places=3).map(
        lambda number: format(abs(number), "f")
    ),
)
RECORDS = st.fixed_dictionaries(
    {},
    optional={
        "Amount": st.one_of(
            st.none(), st.floats(), st.integers(), st.decimals(allow_nan=False), st.just("?")
        ),
        "Rate": st.one_of(st.none(), st.decimals(-1000, 1000, allow_nan=False)),
        "Name": st.one_of(st.none(), st.text(max_size=40)),
        "Due": st.one_of(st.none(), st.dates()),
        "Made": st.one_of(st.none(), st.datetimes(timezones=st.timezones())),
        "Opens": st.one_of(st.none(), st.times()),
        "Closed": st.one_of(st.none(), st.booleans()),
        "Stage": st.sampled_from([None, "New", "Won", "Else"]),
        "Topics": st.sampled_from([None, "Tea;Milk", ["Tea"], []]),
        "NoAmount": st.just(0),
    },
)
SITUATIONS = st.builds(
    Situation,
    now=st.just(NOW),
    zone=st.timezones(),
    blanks=st.sampled_from(Blanks),
    prior=st.one_of(st.none(), RECORDS.map(reader)),
    is_new=st.booleans(),
)


def _literal(kind: Kind) -> st.SearchStrategy[n.Node]:
    fields = [name for name, field in FIELDS.items() if field.kind is kind and not field.unusable]
    found: list[st.SearchStrategy[Any]] = [st.sampled_from(fields).map(n.FieldReference)]
    if kind is Kind.TEXT:
        found.append(TEXTS.map(n.TextLiteral))
    if kind is Kind.NUMBER:
        found.append(NUMBERS.map(lambda text: n.NumberLiteral(Decimal(text))))
    if kind is Kind.BOOLEAN:
        found.append(st.booleans().map(n.BooleanLiteral))
    if kind not in {Kind.PICKLIST, Kind.MULTIPICKLIST}:
        found.append(st.just(n.NullLiteral()))
    return st.one_of(found)


def _makers() -> dict[Kind, list[tuple[str, bool, Function]]]:
    """Return what gives each type: its name, whether it is a sign before one, and itself."""
    found: dict[Kind, list[tuple[str, bool, Function]]] = {kind: [] for kind in Kind}
    named = [(name, False, function) for name, function in FUNCTIONS.items() if name != "NOT"]
    signs = [(sign, single, function) for (sign, single), function in OPERATORS.items()]
    for name, single, function in [*named, *signs]:
        for own in function.overloads or (function,):
            if own.parameters or name in {"TODAY", "NOW", "TIMENOW", "BR", "PI", "ISNEW"}:
                operands = [Typed(n.NullLiteral(), kinds[0]) for kinds in own.parameters]
                given_ = own.check(own, operands, n.NullLiteral())
                found[given_].append((name, single, own))
    return found


MAKERS = _makers()
GENERIC = ("IF", "CASE", "BLANKVALUE", "NULLVALUE", "IFERROR", "PRIORVALUE")


@st.composite
def typed(draw: st.DrawFn, kind: Kind, depth: int) -> n.Node:
    """Draw a node that most likely passes as one of a type."""
    if depth <= 0 or draw(st.integers(0, 3)) == 0:
        return draw(_literal(kind))
    generic = kind not in {Kind.PICKLIST, Kind.MULTIPICKLIST}
    if not MAKERS[kind] or (generic and draw(st.integers(0, 4)) == 0):
        return draw(_generic(kind, depth)) if generic else draw(_literal(kind))
    name, single, function = draw(st.sampled_from(MAKERS[kind]))
    kinds: Sequence[tuple[Kind, ...]] = function.parameters
    operands = tuple(draw(typed(draw(st.sampled_from(one)), depth - 1)) for one in kinds)
    if function.symbol and name in n.LOGICAL:
        operands += (draw(typed(Kind.BOOLEAN, depth - 1)),)
    if function.symbol and (single or len(operands) > 1):
        return n.Operation(name, operands)  # type: ignore[arg-type] # names of operators
    return n.Call(name, operands)


@st.composite
def _generic(draw: st.DrawFn, kind: Kind, depth: int) -> n.Node:
    def one(of: Kind) -> n.Node:
        return draw(typed(of, depth - 1))

    match draw(st.sampled_from(GENERIC)):
        case "IF":
            return n.Call("IF", (one(Kind.BOOLEAN), one(kind), one(kind)))
        case "CASE":
            subject = draw(st.sampled_from([Kind.NUMBER, Kind.TEXT, Kind.DATE]))
            return n.Call("CASE", (one(subject), one(subject), one(kind), one(kind)))
        case "PRIORVALUE":
            return n.Call("PRIORVALUE", (draw(_literal(kind)),))
        case name:
            return n.Call(name, (one(kind), one(kind)))


ANY_NODE = st.recursive(
    st.one_of(
        TEXTS.map(n.TextLiteral),
        NUMBERS.map(lambda text: n.NumberLiteral(Decimal(text))),
        st.booleans().map(n.BooleanLiteral),
        st.just(n.NullLiteral()),
        st.sampled_from([*FIELDS, "nothing"]).map(n.FieldReference),
    ),
    lambda inner: st.one_of(
        st.builds(
            n.Call,
            st.sampled_from([name for name in FUNCTIONS if name != "NOT"] + ["nope"]),
            st.lists(inner, max_size=4).map(tuple),
        ),
        st.builds(n.Operation, st.sampled_from(["-", "+", "!"]), st.tuples(inner)),
        st.builds(
            n.Operation,
            st.sampled_from(sorted({sign for sign, single in OPERATORS if not single})),
            st.tuples(inner, inner),
        ),
        st.builds(
            n.Operation,
            st.sampled_from(["&&", "||"]),
            st.lists(inner, min_size=3, max_size=4).map(tuple),
        ),
    ),
    max_leaves=12,
)


def attempted(run: Callable[[], Any]) -> Any:
    """Return what a call returns, or its error where that is one of ours."""
    try:
        return run()
    except FormulaError as error:
        return error


def has_a_value_or_an_error(formula: Formula, record: Any, situation: Situation) -> bool:
    """Work a formula out, and tell whether it has a value: that is one of its type."""
    fields = fields_named(FIELDS)
    checked = attempted(lambda: check(formula, returns=None, fields=fields, place=Place.ANYWHERE))
    if isinstance(checked, FormulaError):
        assert isinstance(checked, FormulaCheckError)
        assert checked.text
        return False
    found = attempted(lambda: evaluate(checked, reader(record), situation=situation))
    if isinstance(found, FormulaError):
        assert isinstance(found, FormulaValueError)
        assert found.text
        return False
    kind = checked.root.kind
    assert found is None or isinstance(found, TYPES[kind])
    assert isinstance(found, datetime) == (kind is Kind.DATETIME and found is not None)
    assert found != ""
    if isinstance(found, Decimal):
        assert found.is_finite()
        assert not found or abs(found.adjusted()) <= REACH
    shown = field_value(found, FieldType(kind), zone=situation.zone, scale=2)
    assert (shown is None) <= (found is None or kind is Kind.TEXT)
    if kind is Kind.DATETIME:
        day = attempted(lambda: field_value(found, FieldType(Kind.DATE), zone=situation.zone))
        assert isinstance(day, date | FormulaValueError | None)
    return True


@given(SPOKEN, RECORDS, SITUATIONS)
@example("0 ^ -0", {}, Situation(now=NOW))
@settings(max_examples=200)
def test_any_text_is_worked_out_or_refused(
    text: str, record: dict[str, Any], situation: Situation
) -> None:
    formula = attempted(lambda: parse(text))
    if isinstance(formula, FormulaError):
        assert isinstance(formula, FormulaSyntaxError)
        assert formula.text.startswith("Syntax error.")
        assert formula.at is None or 0 <= formula.at <= len(text)
        return
    has_a_value_or_an_error(formula, record, situation)
    assert parse(print_formula(formula)) == formula


@given(st.text(max_size=60))
def test_any_characters_are_read_or_refused(text: str) -> None:
    formula = attempted(lambda: parse(text))
    if isinstance(formula, FormulaError):
        assert isinstance(formula, FormulaSyntaxError)
    else:
        assert parse(print_formula(formula)) == formula


@given(ANY_NODE, RECORDS, SITUATIONS)
@settings(max_examples=200)
def test_any_nodes_are_printed_and_worked_out_or_refused(
    node: n.Node, record: dict[str, Any], situation: Situation
) -> None:
    text = print_formula(node)
    formula = Formula(node, text)
    assert parse(text) == formula
    has_a_value_or_an_error(formula, record, situation)


@given(
    st.sampled_from(sorted(Kind, key=str)).flatmap(
        lambda kind: _literal(Kind.TEXT) if kind is Kind.NULL else typed(kind, 4)
    ),
    st.one_of(st.just(RECORD), RECORDS),
    SITUATIONS,
)
@settings(max_examples=500)
def test_formulas_of_fitting_types_are_worked_out(
    node: n.Node, record: Any, situation: Situation
) -> None:
    text = print_formula(node)
    has_a_value_or_an_error(Formula(node, text), record, situation)
    assert parse(text).root == node
