"""What is kept with things under keys: `issue.property[key].path`, and people's and spaces'.

A path leads to one value, or to a list of which each is one; objects are none. Texts are compared
in any case, numbers as numbers, dates (ISO 8601) by their first 19 characters.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import reduce
from operator import and_, or_
from typing import Any, Final

from django.db.models import BooleanField, CharField, Exists, Expression, F, OuterRef, Q, QuerySet
from django.db.models.functions import Cast

from clones.core.words import any_case
from clones.tracker.models import EntityProperty, User, Vote, Watcher
from clones.tracker.queries.jql.asking import EVERYTHING, PredicateContext, Unasked, issues_of
from clones.tracker.queries.jql.visibility import NOTHING
from clones.tracker.queries.jql.words import pattern_of
from clones.tracker.rules.jql.dates import Stretch
from clones.tracker.rules.jql.plan import Amount, Like, OneOf, Ref, Test
from clones.tracker.rules.jql.site import ResolvedField
from clones.tracker.rules.jql.texts import Term

_DATED: Final = "^[0-9]{4}-[0-9]{2}-[0-9]{2}"
# One value of a JSON column on each engine (both keep JSON as text): its text, its number, and
# whether it is either.
_SQLITE: Final = {
    "there": "j.type IN ('text', 'integer', 'real', 'true', 'false')",
    "text": "CASE WHEN j.type = 'text' THEN j.value WHEN j.type = 'true' THEN 'true'"
    " WHEN j.type = 'false' THEN 'false' END",
    "number": "CASE WHEN j.type IN ('integer', 'real') THEN CAST(j.value AS REAL) END",
    "matches": "REGEXP",
}
_POSTGRES: Final = {
    "there": "jsonb_typeof(j.value) IN ('string', 'number', 'boolean')",
    "text": "CASE WHEN jsonb_typeof(j.value) IN ('string', 'boolean') THEN j.value #>> '{}' END",
    "number": "CASE WHEN jsonb_typeof(j.value) = 'number'"
    " THEN (j.value #>> '{}')::double precision END",
    "matches": "~",
}


class Holds(Expression):
    """Whether a value at a path of a JSON column meets a condition.

    `condition` names `{text}`, `{number}` and `{matches}`, and has a `%s` for each parameter.
    """

    conditional = True

    def __init__(self, path: str, condition: str, *parameters: Any) -> None:
        super().__init__(output_field=BooleanField())
        self.column: Any = F("value")
        self.parts = [part for part in path.split(".") if part]
        self.condition = condition
        self.parameters = list(parameters)

    def get_source_expressions(self) -> list[Any]:
        """Return the column."""
        return [self.column]

    def set_source_expressions(self, exprs: Any) -> None:
        """Take the resolved column."""
        (self.column,) = exprs

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Return the condition in SQLite's words."""
        column, given = compiler.compile(self.column)
        path = "$" + "".join(f'."{part}"' for part in self.parts)
        where = self.condition.format(**_SQLITE)
        return (
            f"(json_type({column}, %s) <> 'object' AND EXISTS(SELECT 1 FROM json_each({column}, %s)"  # noqa: S608 - constants
            f" j WHERE {_SQLITE['there']} AND {where}))"
        ), [*given, path, *given, path, *self.parameters]

    def as_postgresql(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Return the condition in PostgreSQL's words."""
        column, given = compiler.compile(self.column)
        path = "$" + "".join("." + json.dumps(part) for part in self.parts) + "[*]"
        where = self.condition.format(**_POSTGRES)
        return (
            f"EXISTS(SELECT 1 FROM jsonb_path_query(({column})::jsonb, %s::jsonpath) j(value)"  # noqa: S608 - the same
            f" WHERE {_POSTGRES['there']} AND {where})"
        ), [*given, path, *self.parameters]


def _condition(path: str, test: Test, field: ResolvedField) -> Q:
    if re.search(r'["\\]', path):
        return NOTHING  # no engine can be asked for such a key in the same words
    match test:
        case OneOf(items):
            texts = [item.id for item in items if isinstance(item, Ref)]
            return reduce(or_, (_reads(path, f"^{any_case(text)}\\Z") for text in texts), NOTHING)
        case Amount(operator, value):
            return Q(Holds(path, "{number} " + operator + " %s", float(value)))
        case Like(query):
            groups = (reduce(or_, (_term(path, one) for one in group)) for group in query.groups)
            return reduce(and_, groups)
        case Stretch(start, end):
            return _dated(path, start, end)
    raise Unasked(field, test)


def _reads(path: str, pattern: str) -> Q:
    return Q(Holds(path, "{text} {matches} %s", pattern.replace("\\Z", "$")))


def _term(path: str, term: Term) -> Q:
    pattern = pattern_of(term)
    found = EVERYTHING if pattern is None else _reads(path, pattern)
    return ~found if term.negated else found


def _dated(path: str, start: datetime | None, end: datetime | None) -> Q:
    condition, parameters = "{text} {matches} %s", [_DATED]
    for operator, bound in ((">=", start), ("<", end)):
        if bound is not None:
            condition += " AND substr({text} || 'T00:00:00', 1, 19) " + operator + " %s"
            parameters.append(f"{bound.astimezone(UTC):%Y-%m-%dT%H:%M:%S}")
    return Q(Holds(path, condition, *parameters))


@dataclass(frozen=True)
class PropertyPath:
    """A property of a thing that an issue leads to by a column."""

    kind: str
    column: str

    def present(self, field: ResolvedField, asking: PredicateContext) -> Q:
        """Return the condition that there is a value at the path."""
        return self._kept(field, lambda path: Q(Holds(path, "1 = 1")))

    def meets(self, field: ResolvedField, test: Test, asking: PredicateContext) -> Q:
        """Return the condition that a value at the path meets a test."""
        return self._kept(field, lambda path: _condition(path, test, field))

    def _kept(self, field: ResolvedField, condition: Any) -> Q:
        ((key, path),) = field.property
        rows = EntityProperty.objects.filter(condition(path), kind=self.kind, key=key)
        return self._issues(rows)

    def _issues(self, rows: QuerySet[EntityProperty]) -> Q:
        if self.kind == "user":
            people = User.objects.filter(account_id__in=rows.values("entity"))
            return Q(**{f"{self.column}__in": people.values("pk")})
        mine = rows.filter(entity=Cast(OuterRef(self.column), CharField()))
        return Q(Exists(mine))


@dataclass(frozen=True)
class PropertyOfMany(PropertyPath):
    """A property of the people that rows beside an issue name: its voters, its watchers."""

    model: type[Vote | Watcher]

    def _issues(self, rows: QuerySet[EntityProperty]) -> Q:
        people = User.objects.filter(account_id__in=rows.values("entity"))
        return issues_of(self.model.objects.filter(user__in=people.values("pk")))
