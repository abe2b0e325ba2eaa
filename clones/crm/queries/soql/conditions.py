"""Conditions of a plan as SQL. A record without a value meets what is said to be not so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from django.db import connection

from clones.core.lookups import LIKE, MATCHES
from clones.core.words import any_case, is_folded_by_engines, other_case
from clones.crm.queries.soql.expressions import expression_sql, is_text
from clones.crm.queries.soql.fragments import EVERYTHING, NOTHING, Sql, joined, listed, parameter
from clones.crm.queries.soql.tables import Tables
from clones.crm.rules.schema import OrgSchema, SObject
from clones.crm.rules.soql.dates import Calendar
from clones.crm.rules.soql.plan import (
    Compare,
    Expression,
    Includes,
    InQuery,
    Like,
    Money,
    OneOf,
    PlanAll,
    PlanAny,
    PlanNode,
    PlanNot,
    PlanValue,
    WholeSelection,
    Within,
)
from clones.crm.rules.soql.strings import Exactly, LikePattern


class Conditions:
    """Turns the conditions on the records of some tables into SQL.

    `shared` says which records of an object an inner query finds, None where all of them.
    """

    def __init__(
        self,
        tables: Tables,
        calendar: Calendar,
        *,
        with_deleted: bool = False,
        shared: Callable[[SObject], Sql | None] = lambda _: None,
    ) -> None:
        self.tables = tables
        self.calendar = calendar
        self.with_deleted = with_deleted
        self.shared = shared

    def sql(self, node: PlanNode) -> Sql:
        """Return a condition that is true or false of each record, never null."""
        return _TURNED[type(node)](self, node)

    def value(self, what: Expression) -> Sql:
        """Return what an expression yields."""
        return expression_sql(what, self.tables, self.calendar)

    def all(self, node: PlanAll) -> Sql:
        """Return that all of some conditions hold."""
        return _bracketed([self.sql(one) for one in node.nodes], " AND ", EVERYTHING)

    def any(self, node: PlanAny) -> Sql:
        """Return that one of some conditions holds."""
        return _bracketed([self.sql(one) for one in node.nodes], " OR ", NOTHING)

    def negation(self, node: PlanNot) -> Sql:
        """Return that a condition does not hold."""
        return Sql("NOT ({})").format(self.sql(node.node))

    def comparison(self, node: Compare) -> Sql:
        """Return how an expression compares with a value."""
        if node.value is None:
            return _filled(self.value(node.left), negated=node.operator == "=")
        if node.operator in ("=", "!="):
            found = self._equal(node.left, node.value)
            return _sure(found, negated=node.operator == "!=")
        left, right = self.value(node.left), parameter(_plain(node.value))
        if isinstance(right, str) and is_text(node.left.type):
            left, right = Sql("UPPER({})").format(left), right.upper()
        return _sure(Sql(f"{{}} {node.operator} {{}}").format(left, Sql("%s", (right,))))

    def within(self, node: Within) -> Sql:
        """Return that a day or moment lies in a stretch of time."""
        return _sure(self._within(node), negated=node.negated)

    def like(self, node: Like) -> Sql:
        """Return that a text has the form of a pattern."""
        return _sure(_like(self.value(node.left), node.pattern), negated=node.negated)

    def one_of(self, node: OneOf) -> Sql:
        """Return that an expression is one of some values."""
        found = [self._within(one) for one in node.stretches]
        values = [one for one in node.values if one is not None]
        if any(one is None for one in node.values):
            found.append(Sql("{} IS NULL").format(self.value(node.left)))
        hard = [one for one in values if isinstance(one, str) and not is_folded_by_engines(one)]
        easy = [one for one in values if one not in hard]
        found += [self._equal(node.left, one) for one in hard]
        if easy:
            left, given = self.value(node.left), [parameter(_plain(one)) for one in easy]
            if is_text(node.left.type):
                left = Sql("UPPER({})").format(left)
                given = [one.upper() if isinstance(one, str) else one for one in given]
            found.append(Sql("{} IN ({})").format(left, listed(given)))
        return _sure(_bracketed(found, " OR ", NOTHING), negated=node.negated)

    def includes(self, node: Includes) -> Sql:
        """Return that all choices of one of some sets are selected."""
        sets = [
            _bracketed([self._selected(node.left, one) for one in choices], " AND ", EVERYTHING)
            for choices in node.choices
        ]
        return _sure(_bracketed(sets, " OR ", NOTHING), negated=node.negated)

    def whole_selection(self, node: WholeSelection) -> Sql:
        """Return that exactly some choices are selected, in whatever order they are kept."""
        left = self.value(node.left)
        wanted = sum(len(one) for one in node.choices) + max(len(node.choices) - 1, 0)
        pieces = [self._selected(node.left, one) for one in node.choices]
        pieces.append(Sql("LENGTH({}) = %s", (wanted,)).format(left))
        return _sure(_bracketed(pieces, " AND ", EVERYTHING), negated=node.negated)

    def in_query(self, node: InQuery) -> Sql:
        """Return that a field has a value that another query finds."""
        tables = Tables(node.query.object, self.tables.schema, self.tables.looker)
        inner = Conditions(tables, self.calendar, with_deleted=self.with_deleted)
        field = tables.column(node.query.field)
        wanted = [Sql("{} IS NOT NULL").format(field)]
        if node.query.where is not None:
            wanted.append(inner.sql(node.query.where))
        if tables.own is not None:
            wanted.append(tables.own)
        if not self.with_deleted and has_deleted(node.query.object, tables.schema):
            wanted.append(not_deleted())
        shared = self.shared(tables.schema.objects[node.query.object])
        if shared is not None:
            wanted.append(shared)
        query = Sql("SELECT {} FROM {} WHERE {}").format(
            field, tables.source, joined(wanted, " AND ")
        )
        left = self.value(node.left)
        found = Sql("{} IN ({})").format(left, query)
        if node.narrowed is None:
            return _sure(found, negated=node.negated)
        of = self.tables.schema.objects[node.narrowed]
        kind = Sql("SUBSTR({}, 1, 3) = %s", (of.prefix,)).format(left)
        return Sql("{} AND {}").format(_sure(kind), _sure(found, negated=node.negated))

    def _equal(self, left: Expression, value: PlanValue) -> Sql:
        given, column = parameter(_plain(value)), self.value(left)
        if not isinstance(given, str) or not is_text(left.type):
            return Sql("{} = %s", (given,)).format(column)
        if is_folded_by_engines(given):
            return Sql("UPPER({}) = %s", (given.upper(),)).format(column)
        return Sql(f"{{}} {MATCHES[connection.vendor]} %s", (f"^{any_case(given)}$",)).format(
            column
        )

    def _within(self, node: Within) -> Sql:
        left = self.value(node.left)
        sides = [(">=", node.start), ("<", node.end)]
        pieces = [
            Sql(f"{{}} {side} %s", (parameter(bound),)).format(left)
            for side, bound in sides
            if bound is not None
        ]
        return _bracketed(pieces, " AND ", Sql("{} IS NOT NULL").format(left))

    def _selected(self, left: Expression, choice: str) -> Sql:
        around = Sql("';' || {} || ';'").format(self.value(left))
        return _like(around, LikePattern(("any", Exactly(f";{choice};"), "any")))


def has_deleted(name: str, schema: OrgSchema) -> bool:
    """Tell whether records of an object go to the recycle bin."""
    of = schema.objects[name]
    return of.field("IsDeleted") is not None


def not_deleted() -> Sql:
    """Return that the record that is asked for does not lie in the recycle bin."""
    return Sql('NOT t0."IsDeleted"')


def _plain(value: PlanValue) -> Any:
    """Return a value without its currency: an organization has one."""
    return value.amount if isinstance(value, Money) else value


def _bracketed(pieces: Sequence[Sql], between: str, otherwise: Sql) -> Sql:
    if not pieces:
        return otherwise
    return pieces[0] if len(pieces) == 1 else Sql("({})").format(joined(pieces, between))


def _filled(what: Sql, *, negated: bool) -> Sql:
    return Sql("{} IS NULL" if negated else "{} IS NOT NULL").format(what)


def _sure(found: Sql, *, negated: bool = False) -> Sql:
    """Return a condition in which null counts as false, or its opposite."""
    sure = Sql("({}) IS TRUE").format(found)
    return Sql("({}) IS NOT TRUE").format(found) if negated else sure


def _like(what: Sql, pattern: LikePattern) -> Sql:
    """Return that a text has the form of a pattern, in whatever case its letters are."""
    texts = "".join(part.text for part in pattern.parts if not isinstance(part, str))
    loose = "".join(
        "_" if not letter.isascii() and other_case(letter) else letter
        for letter in pattern.for_sql()
    )
    vendor = connection.vendor
    found = Sql(rf"{{}} {LIKE[vendor]} %s ESCAPE '\'", (loose,)).format(what)
    if is_folded_by_engines(texts):
        return found
    names = {"any": "(.|\n)*", "one": "(.|\n)"}
    strict = "".join(
        names[part] if isinstance(part, str) else any_case(part.text) for part in pattern.parts
    )
    return Sql(f"({{}} AND {{}} {MATCHES[vendor]} %s)", (f"^{strict}$",)).format(found, what)


_TURNED: Final[dict[type, Callable[[Conditions, Any], Sql]]] = {
    PlanAll: Conditions.all,
    PlanAny: Conditions.any,
    PlanNot: Conditions.negation,
    Compare: Conditions.comparison,
    Within: Conditions.within,
    Like: Conditions.like,
    OneOf: Conditions.one_of,
    Includes: Conditions.includes,
    WholeSelection: Conditions.whole_selection,
    InQuery: Conditions.in_query,
}
