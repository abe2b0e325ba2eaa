"""What the settings of a board say beside its columns: lanes, cards, working days.

They are kept as JSON in `Board.settings`; a part that is not there is as on a new board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

DAYS: Final = (
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
)
USUAL_DAYS: Final = DAYS[:5]
# What cards can be coloured by.
COLOURED_BY: Final = ("none", "issuetype", "priority", "assignee", "custom")
# The colours that there are for cards; pages have a class for each.
COLOURS: Final = {
    "color_1": "Purple",
    "color_2": "Blue",
    "color_3": "Green",
    "color_4": "Teal",
    "color_5": "Yellow",
    "color_6": "Orange",
    "color_7": "Gray",
    "color_8": "Magenta",
    "color_9": "Red",
    "color_10": "Lime",
}
FIELDS_ON_CARDS: Final = 3
PLACES: Final = ("board", "backlog")


@dataclass(frozen=True, slots=True)
class QueryLane:
    """A swimlane by a query: `id` is unique on its board."""

    id: int
    name: str
    jql: str
    description: str = ""

    def stored(self) -> dict[str, Any]:
        """Return it as settings keep it."""
        return {
            "id": self.id,
            "name": self.name,
            "jql": self.jql,
            "description": self.description,
        }


@dataclass(frozen=True, slots=True)
class ColourQuery:
    """A colour of the cards that a query finds."""

    id: int
    colour: str
    jql: str

    def stored(self) -> dict[str, Any]:
        """Return it as settings keep it."""
        return {"id": self.id, "color": self.colour, "jql": self.jql}


@dataclass(frozen=True, slots=True)
class CardColours:
    """What cards are coloured by, the colours by key, and those by query."""

    by: str
    colours: Mapping[str, str]
    queries: tuple[ColourQuery, ...]


@dataclass(frozen=True, slots=True)
class WorkingDays:
    """The days on which a team works: numbers of days from Monday, and days off."""

    zone: str
    days: frozenset[int]
    off: frozenset[date]

    def works_on(self, day: date) -> bool:
        """Tell whether the team works on a day."""
        return day.weekday() in self.days and day not in self.off


Settings = Mapping[str, Any]


def lanes_of(settings: Settings) -> tuple[QueryLane, ...]:
    """Return a board's swimlanes by query, in their order."""
    return tuple(
        QueryLane(one["id"], one["name"], one["jql"], one.get("description", ""))
        for one in settings.get("swimlanes", ())
    )


def card_fields(settings: Settings, place: str) -> tuple[str, ...]:
    """Return the further fields that cards show in a place: board or backlog."""
    return tuple(settings.get("cardLayout", {}).get(place, ()))


def card_colours(settings: Settings) -> CardColours:
    """Return what a board's cards are coloured by."""
    stored = settings.get("cardColors", {})
    queries = tuple(
        ColourQuery(one["id"], one["color"], one["jql"]) for one in stored.get("queries", ())
    )
    return CardColours(stored.get("by", "none"), dict(stored.get("colors", {})), queries)


def working_days(settings: Settings) -> WorkingDays:
    """Return the days on which a board's team works; by itself Monday to Friday, in UTC."""
    stored = settings.get("workingDays", {})
    names = stored.get("days", USUAL_DAYS)
    return WorkingDays(
        stored.get("timeZone", "UTC"),
        frozenset(DAYS.index(name) for name in names),
        frozenset(date.fromisoformat(text) for text in stored.get("nonWorkingDays", ())),
    )
