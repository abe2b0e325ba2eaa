"""List views with their records: found for a user, and run as one query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clones.crm.errors import CrmError, NotFound
from clones.crm.models import ListViewDefinition, SObjectRow, rows_of
from clones.crm.queries.recent import seen_records
from clones.crm.queries.soql.asking import ask, calendar_of
from clones.crm.rules.listing import FilterError, ListView, list_view_of
from clones.crm.rules.listing.views import RECENT
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.schema import SObject


@dataclass(frozen=True, slots=True)
class FoundView:
    """A list view that a user may see: its record, its object, what it shows."""

    row: SObjectRow
    of: SObject
    shows: ListView
    user: str

    def query(self) -> str:
        """Return the query that finds its records.

        Raises:
            CrmError: it has a condition that cannot be meant any more.
        """
        return self._query()

    def _query(self, more: str = "") -> str:
        try:
            return self.shows.query(self.of, calendar_of(self.user).zone, more=more)
        except FilterError as error:
            raise CrmError(str(error), code="INVALID_QUERY_FILTER_OPERATOR") from error

    def records(
        self, root: str, version: float, *, start: int, size: int, more: str = ""
    ) -> tuple[list[dict[str, Any]], bool]:
        """Return its records from a place on, and whether these are the last.

        `more` is a further condition.

        Raises:
            CrmError: a condition cannot be meant.
        """
        if self.shows.scope != RECENT:
            question = ask(self._query(more), user=self.user, version=version)
            found = question.page(root, start=start, size=size + 1).records
            return found[:size], len(found) <= size
        seen = seen_records(self.user, of=self.of.name)
        if not seen:
            return [], True
        among = "Id IN (" + ", ".join(f"'{id}'" for id in seen) + ")"
        text = self._query(f"{more} AND {among}" if more else among)
        rows = ask(text, user=self.user, version=version).page(root, size=len(seen)).records
        by_id = {one["Id"]: one for one in rows}
        ordered = [by_id[id] for id in seen if id in by_id]
        return ordered[start : start + size], start + size >= len(ordered)


def views_of(of: SObject, *, user: str) -> list[SObjectRow]:
    """Return the records of the list views of an object that a user (by id) may see, by label."""
    rows = list(rows_of("ListView").filter(SobjectType=of.name).order_by("Name", "Id"))
    private = _private({row.Id for row in rows if row.CreatedById != user})
    return [row for row in rows if row.Id not in private]


def find_view(of: SObject, id: str, *, user: str) -> FoundView:
    """Return a list view of an object by its id.

    Raises:
        NotFound: there is none that the user may see.
    """
    return _found(of, rows_of("ListView").filter(SobjectType=of.name, Id=read_id(id) or ""), user)


def find_named_view(of: SObject, name: str, *, user: str) -> FoundView:
    """Return a list view of an object by its API name.

    Raises:
        NotFound: there is none that the user may see.
    """
    rows = rows_of("ListView").filter(SobjectType=of.name, DeveloperName__iexact=name)
    return _found(of, rows.order_by("Id"), user)


def _found(of: SObject, rows: Any, user: str) -> FoundView:
    row: SObjectRow | None = rows.first()
    if row is None:
        raise NotFound
    kept = ListViewDefinition.objects.filter(id=row.Id).values_list("definition", flat=True).first()
    shows = list_view_of(kept or {}, of)
    if shows.visibility == "Private" and row.CreatedById != user:
        raise NotFound
    return FoundView(row, of, shows, user)


def _private(ids: set[str]) -> set[str]:
    rows = ListViewDefinition.objects.filter(id__in=sorted(ids))
    return {
        id
        for id, given in rows.values_list("id", "definition")
        if given.get("visibility") == "Private"
    }
