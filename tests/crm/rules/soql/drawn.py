"""Queries drawn at random: by the grammar (most find no such field), and over the small org."""

from __future__ import annotations

from typing import TypeVar, get_args

from hypothesis import strategies as st

from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql.strings import encoded
from clones.crm.rules.soql.words import COUNTED_LITERALS, FUNCTIONS, PLAIN_LITERALS
from tests.crm.rules.soql.memory import CHILDREN, ORG

# Words that are keywords at some place, and names at others.
ODD_NAMES = [
    "Name", "Id", "Group__c", "Type", "Format", "Data", "View", "All", "At", "Rows", "Cube",
    "Today", "Find", "Scope", "ns__Custom__c", "_x", "Last_Name",
]  # fmt: skip
FIELDS = sorted({field.name for name in ORG.objects for field in ORG.fields(name)})
PARENTS = [
    "Account",
    "Owner",
    "Parent",
    "What",
    "Who",
    "ReportsTo",
    "CreatedBy",
    "Contact",
    "Nobody",
]
CHILD_NAMES = sorted({name for names in CHILDREN.values() for name in names})
T = TypeVar("T")


def brief(strategy: st.SearchStrategy[T]) -> st.SearchStrategy[T]:
    """Return a strategy that is shown by a word: of all these together, pages would be shown."""

    @st.composite
    def drawn(draw: st.DrawFn) -> T:
        return draw(strategy)

    return drawn()


ALIASES = st.sampled_from(["n", "x1", "shown", "Total"])

names = st.sampled_from([*ODD_NAMES, *FIELDS])
paths = st.builds(
    lambda parents, name: n.FieldPath((*parents, name)),
    st.lists(st.sampled_from(PARENTS), max_size=2),
    names,
)
strings = st.one_of(
    st.text(max_size=6).filter(lambda text: "\x00" not in text).map(encoded),
    st.sampled_from(["a%", "_b", r"50\%", r"\_", r"\u0041", "001000000000001", "a;b", ""]),
).map(n.StringValue)
literals: st.SearchStrategy[n.LiteralValue] = st.one_of(
    strings,
    st.sampled_from(["0", "-1", "5", "1.50", "+3", "99999999999999999999"]).map(n.NumberValue),
    st.builds(n.CurrencyValue, st.sampled_from(["USD", "EUR"]), st.sampled_from(["5000", "-1.5"])),
    st.sampled_from(["2026-11-30", "1700-01-01", "4000-12-31"]).map(n.DateValue),
    st.sampled_from(["2026-11-30T10:00:00Z", "2026-01-01t00:00:00.000+0100"]).map(n.DateTimeValue),
    st.sampled_from(["10:00:00Z", "23:59:59.999Z"]).map(n.TimeValue),
    st.booleans().map(n.BooleanValue),
    st.just(n.NullValue()),
    st.sampled_from(sorted(PLAIN_LITERALS)).map(n.DateLiteral),
    st.builds(n.DateLiteral, st.sampled_from(sorted(COUNTED_LITERALS)), st.integers(0, 10**9)),
)


def _calls(kinds: set[str]) -> st.SearchStrategy[n.FunctionCall]:
    known = [found for found in FUNCTIONS.values() if found.kind in kinds]
    return st.builds(
        lambda function, path: n.FunctionCall(function.name, (path,)), st.sampled_from(known), paths
    )


distances = st.builds(
    lambda path, unit: n.FunctionCall(
        "DISTANCE",
        (
            path,
            n.FunctionCall("GEOLOCATION", (n.NumberValue("37.7"), n.NumberValue("-122"))),
            n.StringValue(unit),
        ),
    ),
    paths,
    st.sampled_from(["mi", "km", "KM"]),
)
zoned = st.builds(
    lambda path: n.FunctionCall("CALENDAR_YEAR", (n.FunctionCall("convertTimezone", (path,)),)),
    paths,
)
calls = st.one_of(_calls({"aggregate", "date", "shown", "money", "grouping"}), distances, zoned)
operands: st.SearchStrategy[n.Operand] = brief(st.one_of(paths, paths, calls))
lists = brief(st.lists(literals, min_size=1, max_size=3).map(tuple))
sources = st.builds(
    n.Source,
    st.sampled_from([*ORG.objects, "Nothing"]).map(lambda name: n.FieldPath((name,))),
    st.one_of(st.none(), ALIASES),
)


def _comparison(left: n.Operand, operator: n.Operator, value: n.LiteralValue) -> n.Comparison:
    if operator == "LIKE" and not isinstance(value, n.StringValue):
        operator = "="
    return n.Comparison(left, operator, value)


comparisons = brief(
    st.builds(_comparison, operands, st.sampled_from(get_args(n.Operator)), literals)
)
singles: st.SearchStrategy[n.Condition] = st.one_of(
    comparisons,
    comparisons,
    st.builds(n.InList, operands, lists, st.booleans()),
    st.builds(n.SelectionTest, operands, lists, st.booleans()),
)


def _joined(parts: st.SearchStrategy[n.Condition]) -> st.SearchStrategy[n.Condition]:
    several = st.lists(parts, min_size=2, max_size=3).map(tuple)
    return st.one_of(several.map(n.AllOf), several.map(n.AnyOf), parts.map(n.Negation))


plain_conditions = brief(st.recursive(singles, _joined, max_leaves=5))
inner_selects = brief(
    st.builds(n.InnerSelect, operands, sources, st.one_of(st.none(), plain_conditions))
)
conditions = st.recursive(
    st.one_of(singles, st.builds(n.SemiJoin, operands, inner_selects, st.booleans())),
    _joined,
    max_leaves=5,
)
orders = st.lists(
    st.builds(n.OrderItem, operands, st.booleans(), st.sampled_from([None, "FIRST", "LAST"])),
    max_size=2,
).map(tuple)
numbers = st.one_of(st.none(), st.integers(0, 3000))
type_ofs = st.builds(
    n.TypeOf,
    st.sampled_from(["What", "Who", "Owner", "Account"]).map(lambda name: n.FieldPath((name,))),
    st.lists(
        st.builds(
            n.TypeBranch,
            st.sampled_from(list(ORG.objects)).map(lambda name: n.FieldPath((name,))),
            st.lists(paths, min_size=1, max_size=2).map(tuple),
        ),
        min_size=1,
        max_size=2,
    ).map(tuple),
    st.one_of(st.just(()), st.lists(paths, min_size=1, max_size=2).map(tuple)),
)
plain_items: st.SearchStrategy[n.SelectItem] = st.one_of(
    st.builds(n.SelectedField, paths, st.one_of(st.none(), st.none(), ALIASES)),
    st.builds(n.SelectedCall, calls, st.one_of(st.none(), ALIASES)),
    st.sampled_from(get_args(n.FieldGroup)).map(n.SelectedGroup),
    type_ofs,
)
children = st.builds(
    lambda select, name, where, order_by, limit, offset: n.ChildSelect(
        n.Query(
            select,
            (n.Source(n.FieldPath((name,))),),
            where=where,
            order_by=order_by,
            limit=limit,
            offset=offset,
        )
    ),
    st.lists(plain_items, min_size=1, max_size=2).map(tuple),
    st.sampled_from([*CHILD_NAMES, "Nothing"]),
    st.one_of(st.none(), plain_conditions),
    orders,
    numbers,
    numbers,
)
groups = st.builds(
    n.GroupBy,
    st.lists(operands, min_size=1, max_size=3).map(tuple),
    st.sampled_from(get_args(n.Grouping)),
    st.one_of(st.none(), plain_conditions),
)
queries = st.builds(
    n.Query,
    brief(
        st.lists(st.one_of(plain_items, plain_items, children), min_size=1, max_size=3).map(tuple)
    ),
    sources.map(lambda source: (source,)),
    st.sampled_from([None, "mine", "everything"]),
    brief(st.one_of(st.none(), conditions)),
    st.booleans(),
    st.just(()),
    brief(st.one_of(st.none(), st.none(), groups)),
    orders,
    numbers,
    numbers,
    st.sampled_from([(), ("VIEW",), ("VIEW", "REFERENCE"), ("UPDATE",)]),
    st.sampled_from([(), ("TRACKING",), ("VIEWSTAT", "TRACKING")]),
)
