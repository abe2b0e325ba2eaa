"""From reductions of the parser to nodes: one method for each rule of the grammar."""

from __future__ import annotations

from typing import Any, Final, TypeAlias, cast

from lark import Token, Transformer

from clones.crm.rules.soql import nodes as n
from clones.crm.rules.soql import words
from clones.crm.rules.soql.dates import DATE_FUNCTIONS
from clones.crm.rules.soql.errors import malformed, unexpected
from clones.crm.rules.soql.lexer import span_of
from clones.crm.rules.soql.moments import read_date, read_datetime, read_time

_Children: TypeAlias = list[Any]
LARGEST: Final = 2**31 - 1  # of LIMIT and OFFSET
_DIGITS: Final = 10  # of numbers that may be no larger
# Which functions may stand within a function, besides fields.
_WITHIN: Final[dict[str, frozenset[words.Kind]]] = {
    "FORMAT": frozenset({"aggregate", "money", "date"}),
    **dict.fromkeys(DATE_FUNCTIONS, frozenset[words.Kind]({"zone"})),
}
# These mean nothing by themselves.
_INNER: Final = frozenset({"zone", "place"})
_UNITS: Final = frozenset({"mi", "km"})


class QueryBuilder(Transformer[Token, Any]):
    """Make nodes bottom up as the parser reduces: the text says how deep they are, not the stack.

    Raises:
        SoqlError: a part is none after all, from any method.
    """

    # -- names and functions ----------------------------------------------------------------

    def path(self, children: _Children) -> n.FieldPath:
        """Make a path of a dotted name."""
        return n.FieldPath(tuple(children[0].split(".")), span_of(children[0]))

    object = path

    def arguments(self, children: _Children) -> _Children:
        """Keep the arguments of a call together."""
        return children

    def call(self, children: _Children) -> n.FunctionCall:
        """Make a call, of a function that there is, with as many arguments as it takes."""
        token, arguments = children
        arguments = tuple(arguments or ())
        at = span_of(token)
        function = words.FUNCTIONS.get(token.lower())
        if function is None:
            raise unexpected("(", _after(at))
        if not function.fewest <= len(arguments) <= function.most:
            raise unexpected("," if len(arguments) > function.most else ")", _after(at))
        for position, argument in enumerate(arguments):
            _require_argument(function, position, argument)
        return n.FunctionCall(function.name, arguments, at)

    def operand(self, children: _Children) -> n.Operand:
        """Return what is compared, sorted or grouped by."""
        found = cast("n.Operand", children[0])
        if isinstance(found, n.FunctionCall) and words.kind_of(found.name) in {*_INNER, "all"}:
            raise unexpected("(", _after(found.span))
        return found

    # -- values -----------------------------------------------------------------------------

    def string(self, children: _Children) -> n.StringValue:
        """Make a text of what stands between quotes."""
        return n.StringValue(str(children[0]), span_of(children[0]))

    def number(self, children: _Children) -> n.NumberValue:
        """Make a number of digits."""
        return n.NumberValue(str(children[0]), span_of(children[0]))

    def currency(self, children: _Children) -> n.CurrencyValue:
        """Make an amount of a currency's code and digits."""
        token = children[0]
        return n.CurrencyValue(token[:3].upper(), str(token[3:]), span_of(token))

    def date(self, children: _Children) -> n.DateValue:
        """Make a day."""
        value = n.DateValue(str(children[0]), span_of(children[0]))
        read_date(value)
        return value

    def datetime(self, children: _Children) -> n.DateTimeValue:
        """Make a moment."""
        value = n.DateTimeValue(str(children[0]), span_of(children[0]))
        read_datetime(value)
        return value

    def time(self, children: _Children) -> n.TimeValue:
        """Make a time of day."""
        value = n.TimeValue(str(children[0]), span_of(children[0]))
        read_time(value)
        return value

    def boolean(self, children: _Children) -> n.BooleanValue:
        """Make TRUE or FALSE."""
        return n.BooleanValue(children[0].upper() == "TRUE", span_of(children[0]))

    def null(self, children: _Children) -> n.NullValue:
        """Make NULL."""
        return n.NullValue(span_of(children[0]))

    def date_literal(self, children: _Children) -> n.DateLiteral:
        """Make a named stretch of time."""
        name, _, number = children[0].upper().partition(":")
        count = int(number[:_DIGITS]) if number else None
        return n.DateLiteral(name, count, span_of(children[0]))

    # -- conditions -------------------------------------------------------------------------

    def comparison(self, children: _Children) -> n.Comparison:
        """Make a comparison with one value."""
        left, operator, value = children
        if operator.type == "LIKE" and not isinstance(value, n.StringValue):
            raise unexpected(value.text, value.span)
        return n.Comparison(left, cast("n.Operator", operator.upper()), value)

    def values(self, children: _Children) -> tuple[n.LiteralValue, ...]:
        """Keep the values of a list together."""
        return tuple(children)

    def in_list(self, children: _Children) -> n.InList:
        """Make IN with a list."""
        return n.InList(children[0], children[1])

    def not_in_list(self, children: _Children) -> n.InList:
        """Make NOT IN with a list."""
        return n.InList(children[0], children[1], negated=True)

    def inner(self, children: _Children) -> n.InnerSelect:
        """Make the query of a semi-join."""
        operand, source, where = children
        return n.InnerSelect(operand, source, where, operand.span)

    def semi_join(self, children: _Children) -> n.SemiJoin:
        """Make IN with a query."""
        return n.SemiJoin(children[0], children[1])

    def anti_join(self, children: _Children) -> n.SemiJoin:
        """Make NOT IN with a query."""
        return n.SemiJoin(children[0], children[1], negated=True)

    def includes(self, children: _Children) -> n.SelectionTest:
        """Make INCLUDES."""
        return n.SelectionTest(children[0], children[1])

    def excludes(self, children: _Children) -> n.SelectionTest:
        """Make EXCLUDES."""
        return n.SelectionTest(children[0], children[1], negated=True)

    def all_of(self, children: _Children) -> n.AllOf:
        """Make AND."""
        return n.AllOf(tuple(children))

    def any_of(self, children: _Children) -> n.AnyOf:
        """Make OR."""
        return n.AnyOf(tuple(children))

    def negation(self, children: _Children) -> n.Negation:
        """Make NOT."""
        return n.Negation(children[0])

    def where(self, children: _Children) -> n.Condition:
        """Return the condition of WHERE, or of HAVING."""
        return cast("n.Condition", children[0])

    having = where
    within = where

    # -- what is selected -------------------------------------------------------------------

    def selected_field(self, children: _Children) -> n.SelectedField:
        """Make a field of the SELECT list."""
        return n.SelectedField(children[0], _text(children[1]))

    def selected_call(self, children: _Children) -> n.SelectedCall | n.SelectedGroup:
        """Make a function of the SELECT list, or FIELDS()."""
        call, alias = children
        if words.kind_of(call.name) in _INNER:
            raise unexpected("(", _after(call.span))
        if call.name != "FIELDS":
            return n.SelectedCall(call, _text(alias))
        argument = call.arguments[0]
        group = argument.text.upper() if isinstance(argument, n.FieldPath) else ""
        if group not in {"ALL", "STANDARD", "CUSTOM"}:
            raise malformed(
                "The SOQL FIELDS function only supports arguments of (all), (custom), (standard); "
                f"({group.lower()}) is not supported.",
                call.span,
            )
        return n.SelectedGroup(cast("n.FieldGroup", group), call.span)

    def child(self, children: _Children) -> n.ChildSelect:
        """Make a subquery for children."""
        return n.ChildSelect(children[0])

    def paths(self, children: _Children) -> tuple[n.FieldPath, ...]:
        """Keep the fields of a branch together."""
        return tuple(children)

    otherwise = where

    def branch(self, children: _Children) -> n.TypeBranch:
        """Make WHEN of TYPEOF."""
        return n.TypeBranch(children[0], children[1])

    def branches(self, children: _Children) -> tuple[n.TypeBranch, ...]:
        """Keep the branches of TYPEOF together."""
        return tuple(children)

    def type_of(self, children: _Children) -> n.TypeOf:
        """Make TYPEOF."""
        path, branches, otherwise = children
        return n.TypeOf(path, branches, otherwise or ())

    def items(self, children: _Children) -> tuple[n.SelectItem, ...]:
        """Keep what is selected together."""
        return tuple(children)

    # -- clauses ----------------------------------------------------------------------------

    def source(self, children: _Children) -> n.Source:
        """Make what FROM names."""
        return n.Source(children[0], _text(children[1]))

    def sources(self, children: _Children) -> tuple[n.Source, ...]:
        """Keep the sources together."""
        return tuple(children)

    def scope(self, children: _Children) -> str:
        """Return the word after USING SCOPE."""
        return str(children[0])

    def category(self, children: _Children) -> n.DataCategory:
        """Make one filter by data category."""
        group, selector, *categories = (str(child) for child in children)
        return n.DataCategory(
            group, cast("n.CategorySelector", selector.upper()), tuple(categories)
        )

    def categories(self, children: _Children) -> tuple[n.DataCategory, ...]:
        """Keep the data categories together."""
        return tuple(children)

    def keys(self, children: _Children) -> tuple[n.Operand, ...]:
        """Keep the keys of GROUP BY together."""
        return tuple(children)

    def group_by(self, children: _Children) -> n.GroupBy:
        """Make GROUP BY with HAVING."""
        *kind, keys, having = children
        word = kind[0].lower() if kind and kind[0] is not None else "plain"
        return n.GroupBy(keys, cast("n.Grouping", word), having)

    def order_item(self, children: _Children) -> n.OrderItem:
        """Make one key of ORDER BY."""
        key, direction, nulls = children
        return n.OrderItem(
            key,
            descending=direction is not None and direction.upper() == "DESC",
            nulls=None if nulls is None else nulls.upper(),
        )

    def order_by(self, children: _Children) -> tuple[n.OrderItem, ...]:
        """Keep the keys of ORDER BY together."""
        return tuple(children)

    def limit(self, children: _Children) -> int:
        """Return the number of LIMIT, or of OFFSET."""
        token = children[0]
        number = int(token) if len(token) <= _DIGITS else LARGEST + 1
        if number > LARGEST:
            raise unexpected(str(token), span_of(token))
        return number

    offset = limit

    def all_rows(self, children: _Children) -> None:
        """Refuse ALL ROWS, which is for Apex alone."""
        raise malformed("ALL ROWS not allowed in this context")

    def purposes(self, children: _Children) -> tuple[str, ...]:
        """Return the words after FOR, in upper case."""
        return tuple(child.upper() for child in children)

    updates = purposes

    def query(self, children: _Children) -> n.Query:
        """Make a whole query."""
        select, sources, scope, where, within, group_by, order_by = children[:7]
        limit, offset, _, purposes, updates = children[7:]
        return n.Query(
            select, sources, scope, where,
            security_enforced=isinstance(within, Token),
            data_categories=within if isinstance(within, tuple) else (),
            group_by=group_by, order_by=order_by or (), limit=limit, offset=offset,
            purposes=purposes, updates=updates or (),
        )  # fmt: skip

    def child_query(self, children: _Children) -> n.Query:
        """Make a subquery for children."""
        select, sources, where, order_by, limit, offset, purposes, updates = children
        return n.Query(
            select, sources, where=where, order_by=order_by or (), limit=limit, offset=offset,
            purposes=purposes, updates=updates or (),
        )  # fmt: skip


def _text(token: Token | None) -> str | None:
    return None if token is None else str(token)


def _after(at: n.TextSpan) -> n.TextSpan:
    """Return the place right after another, of one character."""
    return n.TextSpan(at.end, at.end + 1, at.row, at.column + at.end - at.start)


def _require_argument(function: words.SoqlFunction, position: int, argument: n.Argument) -> None:
    if function.kind == "distance":
        _require_of_distance(position, argument)
        return
    if isinstance(argument, n.FunctionCall):
        if words.kind_of(argument.name) not in _WITHIN.get(function.name, frozenset()):
            raise unexpected("(", _after(argument.span))
        return
    wanted = n.NumberValue if function.kind == "place" else n.FieldPath
    if not isinstance(argument, wanted):
        shown = argument.raw if isinstance(argument, n.StringValue) else argument.text
        raise unexpected(shown, argument.span)


def _require_of_distance(position: int, argument: n.Argument) -> None:
    if position == 2:
        if not isinstance(argument, n.StringValue) or argument.text.lower() not in _UNITS:
            shown = argument.name if isinstance(argument, n.FunctionCall) else argument.text
            raise malformed(f"Invalid distance unit: {shown}. Valid unit: mi, km", argument.span)
        return
    fits = (
        isinstance(argument, n.FieldPath)
        if position == 0
        else isinstance(argument, n.FunctionCall) and argument.name == "GEOLOCATION"
    )
    if not fits:
        shown = argument.name if isinstance(argument, n.FunctionCall) else argument.text
        raise unexpected(shown, argument.span)
