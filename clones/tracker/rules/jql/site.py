"""What a query is read against: the viewer's site, as the caller knows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Protocol
from zoneinfo import ZoneInfo

from clones.tracker.rules.jql.catalogue import CLONED, FieldType


@dataclass(frozen=True, slots=True)
class SiteField:
    """A custom field of the site: its number, name, and the key of its type."""

    number: int
    name: str
    type: str


@dataclass(frozen=True, slots=True)
class ResolvedField:
    """The field that a name in a query stands for.

    `key` is the system field's, or `customfield_N`. `typed` is the name as the query has it, which
    messages repeat. `numbers` are the custom fields that are meant: several where names are alike.
    """

    key: str
    typed: str
    type: FieldType
    numbers: tuple[int, ...] = ()
    property: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who asks, when, and by which calendar.

    Args:
        account_id: None for somebody who did not sign in.
        now: an aware time.
        zone: whose days and months are meant.
        first_weekday: 0 for Monday to 6 for Sunday.
        hours_per_day, days_per_week: of work, in which durations count.
        products: the products that the site has.
        login, previous_login: when the viewer's sessions began; None where there was none.
    """

    account_id: str | None
    now: datetime
    zone: ZoneInfo
    first_weekday: int = 6
    hours_per_day: float = 8
    days_per_week: float = 5
    products: frozenset[str] = field(default=CLONED)
    login: datetime | None = None
    previous_login: datetime | None = None


# Kinds of things that a site is asked for by name.
THINGS: Final = frozenset(
    {
        "category", "component", "filter", "group", "issue", "issue type", "level", "link type",
        "option", "organization", "permission", "priority", "project", "project type",
        "request type", "resolution", "role", "security level", "sprint", "status",
        "status category", "team", "user", "version",
    }
)  # fmt: skip


class SiteView(Protocol):
    """What the viewer can see. Nothing here raises; names are matched without regard to case.

    `kind` is one of `THINGS`. Ids are texts, as the API shows them.
    """

    @property
    def viewer(self) -> Viewer:
        """Who asks."""
        ...

    def custom_fields(self) -> Sequence[SiteField]:
        """Return the custom fields that the viewer can see, by number."""
        ...

    def expect(self, wanted: Mapping[str, frozenset[str]]) -> None:
        """Hear which texts will be asked for, by kind: once for a query, before all else.

        A site in a database fetches them together, whatever their number.
        """
        ...

    def named(self, kind: str, text: str, field: ResolvedField | None) -> Sequence[str]:
        """Return the ids of what is called so: by name, by key (project, issue), by id (user).

        Several things may have one name (versions of two projects). `field` says whose options or
        sprints are meant, None in arguments of functions.
        """
        ...

    def identified(self, kind: str, id: str, field: ResolvedField | None) -> bool:
        """Tell whether there is something with this id."""
        ...
