"""A query as a user asks it: read, resolved for that user and moment, run page by page."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Protocol
from zoneinfo import ZoneInfo

from clones.core import clock
from clones.core.ids import base62_text
from clones.core.state import read_state
from clones.crm.errors import CrmError
from clones.crm.models import QueryCursor, rows_of
from clones.crm.queries.schema import org_schema
from clones.crm.queries.soql.answers import Page, TooManyGroups, run
from clones.crm.queries.soql.schema import QuerySchema
from clones.crm.queries.soql.statements import Asker
from clones.crm.queries.soql.tableless import tableless_rows
from clones.crm.rules.organization import ORGANIZATION_ID
from clones.crm.rules.record_ids import long_id
from clones.crm.rules.schema import OrgSchema
from clones.crm.rules.soql import Calendar, Plan, QueryContext, SoqlError, parse, resolve

SUNDAY, MONDAY = 6, 0


@dataclass(frozen=True, slots=True)
class Question:
    """A query of a user, ready to be run."""

    text: str
    plan: Plan
    asker: Asker

    def page(self, root: str, *, start: int = 0, size: int = 2000) -> Page:
        """Return the records from a place on; `root` is the address of the API's version.

        Raises:
            CrmError: a grouped query has more rows than one answer takes.
        """
        try:
            return run(self.plan, self.asker, root, start=start, size=size)
        except TooManyGroups:
            raise CrmError(
                "Aggregate query does not support queryMore(), use LIMIT to restrict the results"
                " to a single batch",
                code="EXCEEDED_ID_LIMIT",
            ) from None


def ask(text: str, *, user: str, version: float, with_deleted: bool = False) -> Question:
    """Return a query of a user (by id), read as it is meant at this moment.

    Raises:
        CrmError: it is no query, or names what is not there.
    """
    schema = org_schema()
    context = context_of(user, schema, version)
    try:
        plan = resolve(parse(text), context)
        rows = tableless_rows(plan, schema, context.calendar, user)
    except SoqlError as error:
        raise CrmError(error.message, code=error.code) from error
    return Question(text, plan, Asker(user, schema, context.calendar, with_deleted, rows))


def context_of(user: str, schema: OrgSchema, version: float) -> QueryContext:
    """Return what the texts of a user (by id) are read against at this moment."""
    return QueryContext(schema=QuerySchema(schema), calendar=calendar_of(user), version=version)


def calendar_of(user: str) -> Calendar:
    """Return what dates mean to a user (by id): zone, first day of the week, fiscal year."""
    who = rows_of("User").filter(Id=user).values("TimeZoneSidKey", "LocaleSidKey").first() or {}
    start = (
        rows_of("Organization")
        .filter(Id=ORGANIZATION_ID)
        .values_list("FiscalYearStartMonth", flat=True)
        .first()
    )
    country = str(who.get("LocaleSidKey") or "en_US").rpartition("_")[2]
    return Calendar(
        now=clock.now(),
        zone=ZoneInfo(who.get("TimeZoneSidKey") or "UTC"),
        first_weekday=SUNDAY if country in ("US", "CA", "MX", "JP", "IL") else MONDAY,
        fiscal_start=start or 1,
    )


class QueryWithAsker(Protocol):
    """A query that was asked: its text, and who asks it."""

    @property
    def text(self) -> str:
        """The query."""

    @property
    def asker(self) -> Asker:
        """Who asks it."""


def cursor_of(question: QueryWithAsker) -> QueryCursor:
    """Return the row by which the next pages of a query are found, not kept yet.

    The same query of the same user at the same moment has the same.
    """
    asker, now = question.asker, clock.now()
    material = f"{read_state().seed}|{asker.user}|{asker.with_deleted}|{now}|{question.text}"
    number = int.from_bytes(hashlib.blake2b(material.encode(), digest_size=8).digest())
    return QueryCursor(
        id=long_id("01g" + base62_text(number % 62**9, 12)),
        user=asker.user,
        query=question.text,
        with_deleted=asker.with_deleted,
        created_at=now,
    )


def keep_cursor(cursor: QueryCursor) -> None:
    """Keep a cursor, unless it is kept already."""
    if not QueryCursor.objects.filter(id=cursor.id).exists():
        cursor.save(force_insert=True)
