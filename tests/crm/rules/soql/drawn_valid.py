"""Queries over the small org, drawn at random, that an org would run."""

from __future__ import annotations

from typing import Literal, get_args

from hypothesis import strategies as st

from clones.crm.rules.soql import SchemaField
from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql.dates import DATE_FUNCTIONS
from clones.crm.rules.soql.values import NUMBERS, PLACES
from tests.crm.rules.soql.memory import CHILDREN, ORG

ID = n.StringValue("001000000000001")
TODAY = n.DateLiteral("TODAY")
WEEKS = n.DateLiteral("LAST_N_WEEKS", 3)
EQUAL: list[n.Operator] = ["=", "!="]
ORDERED: list[n.Operator] = [*EQUAL, "<", "<=", ">", ">="]
Typed = tuple[n.FieldPath, SchemaField]


def values_of(type_: str) -> list[n.LiteralValue]:
    """Return values that a field of a type is compared with."""
    found: dict[str, list[n.LiteralValue]] = {
        "boolean": [n.BooleanValue(value=True), n.BooleanValue(value=False)],
        "date": [n.DateValue("2026-02-28"), TODAY, WEEKS],
        "datetime": [n.DateTimeValue("2026-02-28T10:00:00Z"), TODAY, WEEKS],
        "time": [n.TimeValue("10:00:00Z")],
        "id": [ID],
        "reference": [ID],
    }
    if type_ in NUMBERS:
        return [n.NumberValue("5"), n.NumberValue("-1.5")]
    return found.get(type_, [n.StringValue("a"), n.StringValue("a;b"), n.StringValue(r"it\'s")])


@st.composite
def fields(draw: st.DrawFn, of: str, flag: str = "") -> Typed:
    """Draw a field of an object, or of one of its parents, that has a flag."""
    known = [field for field in ORG.fields(of) if not flag or getattr(field, flag)]
    field = draw(st.sampled_from(known))
    target = field.reference_to[0] if field.reference_to else ""
    if field.polymorphic or not target or not draw(st.booleans()):
        return n.FieldPath((field.name,)), field
    of_parent = [found for found in ORG.fields(target) if not flag or getattr(found, flag)]
    inner = draw(st.sampled_from(of_parent))
    return n.FieldPath((field.relationship_name or "", inner.name)), inner


@st.composite
def single_conditions(draw: st.DrawFn, of: str) -> n.Condition:
    """Draw a condition on one field of an object."""
    path, field = draw(fields(of, "filterable"))
    if field.type in PLACES:
        return n.Comparison(n.FieldPath(("Id",)), "=", ID)
    values = values_of(field.type)
    listed = tuple(draw(st.lists(st.sampled_from(values), min_size=1, max_size=2)))
    if field.type == "multipicklist" and draw(st.booleans()):
        return n.SelectionTest(path, listed, draw(st.booleans()))
    if draw(st.booleans()):
        return n.InList(path, (*listed, n.NullValue()), draw(st.booleans()))
    if field.type in DATE_FUNCTIONS["DAY_IN_WEEK"].takes and draw(st.booleans()):
        call = n.FunctionCall("DAY_IN_WEEK", (path,))
        return n.Comparison(call, ">", n.NumberValue("1"))
    if field.type in {"string", "picklist"} and draw(st.booleans()):
        return n.Comparison(path, "LIKE", n.StringValue("A%_"))
    operators = EQUAL if field.type in {"boolean", "multipicklist"} else ORDERED
    return n.Comparison(path, draw(st.sampled_from(operators)), listed[0])


@st.composite
def conditions(draw: st.DrawFn, of: str) -> n.Condition | None:
    """Draw a WHERE clause, or none."""
    number = draw(st.integers(0, 3))
    parts = [draw(single_conditions(of)) for _ in range(number)]
    if of == "Account" and draw(st.booleans()):
        inner = n.InnerSelect(
            n.FieldPath(("AccountId",)),
            n.Source(n.FieldPath(("Contact",))),
            draw(single_conditions("Contact")),
        )
        join = n.SemiJoin(n.FieldPath(("Id",)), inner, draw(st.booleans()))
        return n.AllOf((join, *parts)) if parts else join
    if len(parts) < 2:
        singles: list[n.Condition] = [*parts, *map(n.Negation, parts)]
        return draw(st.sampled_from(singles)) if parts else None
    return n.AllOf(tuple(parts)) if draw(st.booleans()) else n.AnyOf(tuple(parts))


@st.composite
def orders(draw: st.DrawFn, of: str) -> tuple[n.OrderItem, ...]:
    """Draw keys of ORDER BY."""
    paths = draw(st.lists(fields(of, "sortable"), max_size=2))
    places: list[Literal["FIRST", "LAST"] | None] = [None, "FIRST", "LAST"]
    nulls = draw(st.sampled_from(places))
    return tuple(n.OrderItem(path, draw(st.booleans()), nulls) for path, _ in paths)


def distinct(drawn: list[Typed]) -> list[n.FieldPath]:
    """Return the paths, each once."""
    return list(dict.fromkeys(path for path, _ in drawn))


@st.composite
def record_queries(draw: st.DrawFn, of: str = "", source: str = "") -> n.Query:
    """Draw a query for records of an object, or of children by a relationship."""
    name = of or draw(st.sampled_from([found for found in ORG.objects if found != DOCUMENT_LINK]))
    paths = distinct(draw(st.lists(fields(name), min_size=1, max_size=4)))
    select: list[n.SelectItem] = [n.SelectedField(path) for path in paths]
    related = CHILDREN.get(name, {})
    if related and not of and draw(st.booleans()):
        child = draw(st.sampled_from(sorted(related)))
        select.append(n.ChildSelect(draw(record_queries(related[child][0], child))))
    return n.Query(
        tuple(select),
        (n.Source(n.FieldPath((source or name,))),),
        where=draw(conditions(name)),
        order_by=draw(orders(name)),
        limit=draw(st.one_of(st.none(), st.integers(0, 10**6))),
        offset=None if of else draw(st.one_of(st.none(), st.integers(0, 2000))),
    )


DOCUMENT_LINK = "ContentDocumentLink"


@st.composite
def group_queries(draw: st.DrawFn) -> n.Query:
    """Draw a grouped query."""
    name = draw(st.sampled_from(["Account", "Contact", "Opportunity", "Lead", "Case"]))
    keys = distinct(draw(st.lists(fields(name, "groupable"), max_size=3)))
    keys = [path for path in keys if path.names != ("Id",)]
    counted = n.FunctionCall("COUNT", (n.FieldPath(("Id",)),))
    select: list[n.SelectItem] = [
        *(n.SelectedField(path, f"k{number}") for number, path in enumerate(keys)),
        n.SelectedCall(counted, draw(st.sampled_from([None, "total"]))),
    ]
    having = draw(st.sampled_from([None, n.Comparison(counted, ">", n.NumberValue("1"))]))
    kind = draw(st.sampled_from(get_args(n.Grouping)))
    return n.Query(
        tuple(select),
        (n.Source(n.FieldPath((name,)), "a"),),
        where=draw(conditions(name)),
        group_by=n.GroupBy(tuple(keys), kind, having) if keys else None,
        order_by=(n.OrderItem(counted, descending=True),) if draw(st.booleans()) else (),
    )
