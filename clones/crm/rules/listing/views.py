"""A list view: whose records, by what conditions, in which columns, in what order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.crm.rules.layouts import layout_of
from clones.crm.rules.listing.filters import Filter, condition_text, logic_text
from clones.crm.rules.listing.paths import field_at
from clones.crm.rules.schema import SObject

EVERYTHING, MINE, RECENT, QUEUE = "everything", "mine", "mru", "queue"
# Columns that a page needs and does not show.
HIDDEN: Final = ("Id", "CreatedDate", "LastModifiedDate", "SystemModstamp")


@dataclass(frozen=True, slots=True)
class ListView:
    """What a list view shows.

    Args:
        scope: whose records: everything, mine, mru (seen lately), queue.
        filters: conditions on the records; `logic` joins them by their numbers.
        columns: paths of the fields that are shown.
        order: paths to sort by, each with whether it ascends.
        queue: the id of the queue whose records are meant, in that scope.
        visibility: who sees it: Public or Private.
    """

    scope: str = EVERYTHING
    filters: tuple[Filter, ...] = ()
    logic: str | None = None
    columns: tuple[str, ...] = ()
    order: tuple[tuple[str, bool], ...] = ()
    queue: str | None = None
    visibility: str = "Public"

    def as_json(self) -> dict[str, Any]:
        """Return it as it is kept."""
        return {
            "scope": self.scope,
            "filters": [one.as_json() for one in self.filters],
            "logic": self.logic,
            "columns": list(self.columns),
            "order": [list(one) for one in self.order],
            "queue": self.queue,
            "visibility": self.visibility,
        }

    def hidden(self, of: SObject) -> list[str]:
        """Return the paths that are read and not shown."""
        shown = {one.lower() for one in self.columns}
        return [one for one in HIDDEN if of.field(one) is not None and one.lower() not in shown]

    def sorting(self, of: SObject) -> list[tuple[str, bool]]:
        """Return what it sorts by: its own order, or the first column; ids decide the rest."""
        own = list(self.order)
        if not own:
            first = (field_at(of, path) for path in self.columns)
            own = [
                (path, True)
                for path, field in zip(self.columns, first, strict=True)
                if field is not None and field.sortable
            ][:1]
        return [*(one for one in own if one[0] != "Id"), ("Id", True)]

    def selected(self, of: SObject) -> list[str]:
        """Return what a query selects: the columns, picklists by their labels, the hidden ones."""
        return [select_item(of, path) for path in (*self.columns, *self.hidden(of))]

    def query(self, of: SObject, zone: ZoneInfo, *, more: str = "", ordered: bool = True) -> str:
        """Return the query that finds its records; `more` is a further condition.

        Raises:
            FilterError: a condition cannot be meant.
        """
        where = self.where(of, zone)
        conditions = [f"({one})" for one in (where, more) if one]
        text = f"SELECT {', '.join(self.selected(of))} FROM {of.name}"  # noqa: S608 - SOQL
        if self.scope == MINE and of.field("OwnerId") is not None:
            text += " USING SCOPE mine"
        if conditions:
            text += f" WHERE {' AND '.join(conditions) if len(conditions) > 1 else where or more}"
        if ordered:
            keys = (
                f"{path} {'ASC NULLS FIRST' if ascends else 'DESC NULLS LAST'}"
                for path, ascends in self.sorting(of)
            )
            text += f" ORDER BY {', '.join(keys)}"
        return text

    def where(self, of: SObject, zone: ZoneInfo) -> str:
        """Return the condition on its records, empty where there is none.

        Raises:
            FilterError: a condition cannot be meant.
        """
        rows = [condition_text(of, one, zone) for one in self.filters]
        found = rows[0] if len(rows) == 1 and not self.logic else logic_text(self.logic, rows)
        if self.scope == QUEUE and self.queue and of.field("OwnerId") is not None:
            own = f"OwnerId = '{self.queue}'"
            return f"{own} AND ({found})" if found else own
        return found


def select_item(of: SObject, path: str) -> str:
    """Return what a query selects for a column: the label of a picklist, the field of others."""
    field = field_at(of, path)
    is_labelled = field is not None and field.type in ("picklist", "multipicklist")
    return f"toLabel({path})" if is_labelled else path


def list_view_of(given: Mapping[str, Any], of: SObject) -> ListView:
    """Return the list view that a definition describes; columns of search where it names none."""
    columns: Sequence[str] = given.get("columns") or layout_of(of).search_columns
    return ListView(
        scope=given.get("scope", EVERYTHING),
        filters=tuple(
            Filter(one["field"], one["operation"], one["value"]) for one in given.get("filters", ())
        ),
        logic=given.get("logic"),
        columns=tuple(path for path in columns if field_at(of, path) is not None),
        order=tuple((path, bool(ascends)) for path, ascends in given.get("order", ())),
        queue=given.get("queue"),
        visibility=given.get("visibility", "Public"),
    )
