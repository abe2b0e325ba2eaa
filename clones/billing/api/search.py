"""Search: the vendor's query language over what `search_fields` names."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, TypeVar

from django.db.models import Model, Q, QuerySet
from django.db.models.lookups import Exact, IContains, IsNull

from clones.billing.api.expansions import expand
from clones.billing.api.paging import Present
from clones.billing.api.parameters import Searching
from clones.billing.api.presenters.shapes import Body
from clones.billing.api.search_fields import FIELDS, Field
from clones.billing.errors import InvalidPage, UnparsableQuery, UnsearchableField
from clones.billing.rules.search import Clause, parse_query
from clones.core.digits import is_digits, whole_number
from clones.core.json_keys import TextAtKey
from clones.core.operations.paging import part, read_token, write_token

Row = TypeVar("Row", bound=Model)
# The condition of no row.
NOTHING = Q(pk__in=())
LOOKUPS = {">": "gt", "<": "lt", ">=": "gte", "<=": "lte"}


def search_page(
    rows: QuerySet[Row],
    asked: Searching,
    *,
    kind: str,
    url: str,
    present: Present,
) -> Body:
    """Return one page of what a query finds among rows of a kind, newest first.

    Raises:
        UnparsableQuery: the query is none.
        UnsearchableField: it asks for a field, or in a way, that cannot be searched.
        InvalidPage: the page is none of this search.
    """
    query = parse_query(asked.query)
    condition = Q()
    for clause in query.clauses:
        found_by = _condition(clause, FIELDS[kind], kind)
        condition = condition | found_by if query.any else condition & found_by
    found = rows.filter(condition).order_by("-created", "-id")
    start = 0 if asked.page is None else _offset(asked.page)
    shown, more = part(found, start, asked.limit)
    counted = "total_count" in asked.expand
    body: Body = {
        "object": "search_result",
        "data": [present(row, "list") for row in shown],
        "has_more": more,
        "next_page": _page(start + asked.limit) if more else None,
        "url": url,
    }
    if counted:
        body["total_count"] = found.count()
    paths = [path for path in asked.expand if path != "total_count"]
    return expand(body, paths, of=kind, kind="list")


def _condition(clause: Clause, fields: dict[str, Field], kind: str) -> Q:
    field = fields.get(clause.field)
    if field is None or (clause.field == "metadata" and clause.key is None):
        raise UnsearchableField(clause.field, f"{kind}s")
    if clause.field == "metadata":
        found = _metadata(clause)
    elif field.type == "absent":
        found = NOTHING if clause.value is not None else ~NOTHING
    elif clause.value is None:
        found = Q(**{f"{field.path}__isnull": True})
    else:
        found = _comparison(clause, field, f"{kind}s")
    if not clause.negated:
        return found
    if clause.field == "metadata" and clause.value is not None:
        return ~found | _without(str(clause.key))
    return ~found


def _metadata(clause: Clause) -> Q:
    key = str(clause.key)
    if clause.value is None:
        return _without(key)
    if clause.operator not in (":", "~"):
        raise UnparsableQuery(key)
    compare = IContains if clause.operator == "~" else Exact
    return Q(compare(TextAtKey(key, "metadata"), str(clause.value)))


def _without(key: str) -> Q:
    """Return the condition of having no value for a key of the metadata."""
    return Q(IsNull(TextAtKey(key, "metadata"), True))


def _comparison(clause: Clause, field: Field, kind: str) -> Q:
    value: Any = clause.value
    ranged = clause.operator in LOOKUPS
    match field.type:
        case "number" | "time":
            if not _is_number(value) or clause.operator == "~":
                raise UnparsableQuery(str(value))
            return _numeric(clause, field, int(value))
        case "boolean":
            if ranged or clause.operator == "~" or value not in ("true", "false"):
                raise UnparsableQuery(str(value))
            return Q(**{field.path: value == "true"})
        case "recurring":
            if clause.operator != ":" or value not in ("recurring", "one_time"):
                raise UnparsableQuery(str(value))
            return Q(**{f"{field.path}__isnull": value == "one_time"})
        case "token" | "absent":
            if clause.operator != ":":
                raise UnsearchableField(clause.field, kind)
            return Q(**{field.path: str(value)})
        case "text":
            if ranged:
                raise UnsearchableField(clause.field, kind)
            lookup = "icontains" if clause.operator == "~" else "iexact"
            return Q(**{f"{field.path}__{lookup}": str(value)})


def _numeric(clause: Clause, field: Field, number: int) -> Q:
    if field.type == "number":
        lookup = LOOKUPS.get(clause.operator, "exact")
        return Q(**{f"{field.path}__{lookup}": number})
    if not 0 <= number <= 253402300799:
        raise UnparsableQuery(str(number))
    moment = datetime.fromtimestamp(number, UTC)
    end = moment.replace(microsecond=999_999)
    if clause.operator == ":":
        return Q(**{f"{field.path}__gte": moment, f"{field.path}__lte": end})
    bound = end if clause.operator in (">", "<=") else moment
    return Q(**{f"{field.path}__{LOOKUPS[clause.operator]}": bound})


def _is_number(value: Any) -> bool:
    return isinstance(value, int) or (isinstance(value, str) and is_digits(value))


def _page(offset: int) -> str:
    return write_token(f"page:{offset}")


def _offset(page: str) -> int:
    try:
        text = read_token(page)
    except ValueError as error:
        raise InvalidPage(page) from error
    head, _, offset = text.partition(":")
    start = whole_number(offset, digits=9)
    if head != "page" or start is None:
        raise InvalidPage(page)
    return start
