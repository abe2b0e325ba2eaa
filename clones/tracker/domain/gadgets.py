"""Gadgets of dashboards: each stands in a row of a column, and columns have no gaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from clones.core.digits import is_digits
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.properties import forget_properties, set_properties, values_of
from clones.tracker.models import Dashboard, Gadget
from clones.tracker.rules.gadgets import COLOURS, MOST_GADGETS, kind_of

KIND: Final = "dashboarditem"
GADGET_GONE: Final = "The dashboard gadget was not found."
FULL: Final = (
    "Cannot add another gadget. The maximum number of gadgets the dashboard can hold has been "
    "reached."
)
NO_ROW: Final = (
    "The gadget cannot be placed in the selected row. The selected row does not exist on the "
    "dashboard."
)
NO_COLUMN: Final = (
    "The gadget cannot be placed in the selected column. The selected column does not exist on the "
    "dashboard."
)
TOO_DEEP: Final = (
    "The JSON data provided for the property has too many levels. It must be an object with all "
    "keys and values as strings."
)


@dataclass(frozen=True, slots=True)
class GridCell:
    """A row of a column; both count from 0."""

    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Settings:
    """What a gadget is, or is to become; None for what is not said."""

    module_key: str | None = None
    uri: str | None = None
    title: str | None = None
    color: str | None = None
    place: GridCell | None = None
    unchecked: bool = False


def find_gadget(dashboard: Dashboard, id: str | int) -> Gadget:
    """Return a gadget of a dashboard.

    Raises:
        NotFound: there is none.
    """
    digits = str(id)
    found: Gadget | None = None
    if is_digits(digits):
        found = Gadget.objects.filter(dashboard=dashboard, id=int(digits)).first()
    if found is None:
        raise NotFound(GADGET_GONE)
    return found


def add_gadget(dashboard: Dashboard, given: Settings) -> Gadget:
    """Put a gadget on a dashboard that the caller may change: at the top unless it says where.

    Raises:
        Invalid: there is no such gadget, colour or place, or the dashboard is full.
    """
    title = _checked_kind(given)
    rows = _columns(dashboard)
    if sum(map(len, rows)) >= MOST_GADGETS:
        raise Invalid(FULL)
    place = given.place or GridCell(0, 0)
    _hold(place, rows)
    found = Gadget(
        id=next_id(Gadget),
        dashboard=dashboard,
        module_key=given.module_key,
        uri=None if given.uri is None else given.uri.removeprefix("/"),
        title=given.title if given.title is not None else title,
        color=_colour(given.color) or "blue",
        row=place.row,
        column=place.column,
    )
    rows[place.column].insert(place.row, found)
    found.save(force_insert=True)
    _settle(rows)
    return found


def update_gadget(gadget: Gadget, given: Settings) -> None:
    """Change what a gadget is called, its colour and its place.

    Raises:
        Invalid: there is no such colour or place.
    """
    colour = _colour(given.color)
    rows = _columns(gadget.dashboard)
    for column in rows:
        column[:] = [one for one in column if one.id != gadget.id]
    place = given.place or GridCell(gadget.row, min(gadget.column, len(rows) - 1))
    if given.place is not None:
        _hold(place, rows)
    gadget.title = gadget.title if given.title is None else given.title
    gadget.color = colour or gadget.color
    gadget.save(update_fields=["title", "color"])
    rows[place.column].insert(place.row, gadget)
    _settle(rows)


def remove_gadget(gadget: Gadget) -> None:
    """Take a gadget from its dashboard; those below it move up."""
    dashboard = gadget.dashboard
    forget_properties(KIND, [str(gadget.id)])
    gadget.delete()
    _settle(_columns(dashboard))


def copy_gadgets(source: Dashboard, target: Dashboard) -> None:
    """Put copies of a dashboard's gadgets, with their settings, on another one."""
    rows = list(Gadget.objects.filter(dashboard=source).order_by("id"))
    kept = values_of(KIND, [str(row.id) for row in rows])
    for row in rows:
        settings = kept.get(str(row.id), {})
        row.pk, row.dashboard = next_id(Gadget), target
        row.save(force_insert=True)
        set_properties(KIND, str(row.pk), settings)


def check_config(gadget: Gadget, key: str, value: Any) -> None:
    """Hold the settings of an old gadget to texts by name.

    Raises:
        Invalid: they are anything else.
    """
    kind = kind_of(gadget.module_key, gadget.uri) or gadget
    if kind.uri is None or kind.module_key is not None or key != "config":
        return
    flat = isinstance(value, dict) and all(isinstance(one, str) for one in value.values())
    if not flat:
        raise Invalid(TOO_DEEP)


def _checked_kind(given: Settings) -> str:
    """Return the usual title of the gadget that is meant."""
    if given.module_key is None and given.uri is None:
        raise Invalid("Either the uri or the moduleKey of the gadget must be provided.")
    if given.module_key is not None and given.uri is not None:
        raise Invalid("The uri and the moduleKey of a gadget cannot be provided together.")
    kind = kind_of(given.module_key, given.uri)
    if kind is None and not given.unchecked:
        raise Invalid("The gadget with the given uri or moduleKey does not exist.")
    return kind.title if kind is not None else ""


def _colour(name: str | None) -> str | None:
    if name is not None and name not in COLOURS:
        raise Invalid(f"The color '{name}' is invalid. Valid colors are: {', '.join(COLOURS)}.")
    return name


def _columns(dashboard: Dashboard) -> list[list[Gadget]]:
    """Return the gadgets of each column, from its top."""
    found: list[list[Gadget]] = [[] for _ in dashboard.layout]
    for gadget in Gadget.objects.filter(dashboard=dashboard).order_by("row", "id"):
        found[min(gadget.column, len(found) - 1)].append(gadget)
    return found


def _hold(place: GridCell, rows: Sequence[Sequence[Gadget]]) -> None:
    if not 0 <= place.column < len(rows):
        raise Invalid(NO_COLUMN)
    if not 0 <= place.row <= len(rows[place.column]):
        raise Invalid(NO_ROW)


def _settle(rows: Sequence[Sequence[Gadget]]) -> None:
    """Write the places of gadgets as they stand."""
    for at, column in enumerate(rows):
        for row, gadget in enumerate(column):
            if (gadget.row, gadget.column) != (row, at):
                gadget.row, gadget.column = row, at
                gadget.save(update_fields=["row", "column"])
