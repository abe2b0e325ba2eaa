"""How many tickets views hold, and which, by statements made once for like conditions.

An agent's page asks all of their views at once, and most of what that took was making their SQL.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from clones.core.shapes import QueryContext, Shapes, counted_keys
from clones.helpdesk import queries
from clones.helpdesk.models import Ticket, User, View
from clones.helpdesk.queries import views
from clones.helpdesk.queries.conditions import Asker

_SHAPES = Shapes()


@dataclass(frozen=True, slots=True)
class ViewKeys:
    """The numbers of a view's tickets as somebody sees them, in an order."""

    view: View
    access: views.ViewAccess
    order: views.Order = ()

    def part(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the numbers from `start` to before `end`, each with how many there are in all."""
        if not self.access.sees_all_of(self.view):
            rows = views.in_order(self.access.tickets(self.view), self.order)
            return list(counted_keys(rows)[start:end])
        shape = repr(self.view.conditions), self.order
        return _SHAPES.part(shape, self._sorted, self._asking, start, end)

    def count(self) -> int:
        """Return how many there are."""
        if not self.access.sees_all_of(self.view):
            return self.access.tickets(self.view).count()
        return _SHAPES.count(repr(self.view.conditions), self._rows, self._asking)

    @property
    def _asking(self) -> QueryContext:
        return QueryContext(self.access.now, self.access.actor.id)

    def _rows(self, now: datetime, actor: int) -> QuerySet[Ticket]:
        asker = User(id=actor, role="agent")
        return views.tickets_meeting(self.view, queries.visible_tickets(asker), Asker(now, asker))

    def _sorted(self, now: datetime, actor: int) -> QuerySet[Ticket]:
        return views.in_order(self._rows(now, actor), self.order)


def view_keys(
    view: View, access: views.ViewAccess, *, sort_by: str | None, descending: bool | None
) -> ViewKeys:
    """Return the numbers of a view's tickets, sorted as it says or otherwise."""
    return ViewKeys(view, access, views.order_of(view, sort_by=sort_by, descending=descending))


def view_counts(among: Iterable[View], access: views.ViewAccess) -> dict[int, int]:
    """Return how many tickets somebody sees in each of some views, by the views' ids."""
    return {view.id: ViewKeys(view, access).count() for view in among}
