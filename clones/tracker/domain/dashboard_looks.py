"""How dashboards are laid out, and who starred them: what their pages set and no API does."""

from __future__ import annotations

from clones.tracker.domain.dashboards import KIND
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import Dashboard, Favourite, Gadget
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.gadgets import LAYOUTS


def set_layout(dashboard: Dashboard, layout: str) -> None:
    """Lay a dashboard out otherwise, which the caller may change.

    Gadgets of columns that are no more go to the end of the last one.

    Raises:
        Invalid: there is no such layout.
    """
    if layout not in LAYOUTS:
        raise Invalid(f"The layout '{layout}' is invalid.")
    dashboard.layout = layout
    dashboard.save(update_fields=["layout"])
    last = len(layout) - 1
    rows = Gadget.objects.filter(dashboard=dashboard).order_by("column", "row", "id")
    place = 0
    for gadget in rows:
        if gadget.column < last:
            continue
        if (gadget.column, gadget.row) != (last, place):
            gadget.column, gadget.row = last, place
            gadget.save(update_fields=["column", "row"])
        place += 1


def star_dashboard(dashboard: Dashboard, *, actor: Rights) -> None:
    """Add a dashboard to somebody's favourites."""
    rows = Favourite.objects.filter(user=actor.user, kind=KIND)
    if rows.filter(entity=dashboard.id).exists():
        return
    Favourite(
        id=next_id(Favourite),
        user=actor.user,
        kind=KIND,
        entity=dashboard.id,
        position=rows.count(),
    ).save(force_insert=True)


def unstar_dashboard(dashboard: Dashboard, *, actor: Rights) -> None:
    """Take a dashboard from somebody's favourites."""
    Favourite.objects.filter(user=actor.user, kind=KIND, entity=dashboard.id).delete()
