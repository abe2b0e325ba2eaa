"""The pages of the administration that list things, in its frame.

    return admin_view(request, who, ListPage("Resolutions", "resolutions", [Panel(columns, rows)]))

Links to forms open in a dialog.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from django.db.models import Model
from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.lists import Cell, Link, ListPage, note_shown
from clones.tracker.models import Project
from clones.tracker.rules.ordering import FIRST
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.navigation import address_of, label_of
from clones.tracker.web.admin.side import side_of
from clones.tracker.web.shell import page
from clones.tracker.web.vocabulary import say

SPACES_NAMED: Final = 3


def admin_view(request: SandboxRequest, who: Visitor, shown: ListPage) -> HttpResponse:
    """Return a page of the administration."""
    if shown.title == label_of(shown.here):  # else it is a name that somebody gave
        shown = replace(shown, title=say(shown.title))
    note_shown(shown)
    context: dict[str, Any] = {"shown": shown, "groups": side_of(shown.here), "here": shown.here}
    return page(
        request, who, "tracker/admin/page.html", context, title=shown.title, active="settings"
    )


def crumbs_of(here: str, *more: Link) -> list[Link]:
    """Return the way to a page of one thing: the list that it is of."""
    return [Link(say(label_of(here)), address_of(here)), *more]


def spaces_using(column: str, rows: Sequence[Model]) -> dict[int, list[Project]]:
    """Return the spaces that use each of some rows, by its id: `column` is a space's of them."""
    found: dict[int, list[Project]] = {row.pk: [] for row in rows}
    users = Project.objects.filter(**{f"{column}__in": rows}, deleted_at=None)
    for project in users.order_by("id"):
        found[getattr(project, f"{column}_id")].append(project)
    return found


def spaces_cell(projects: Iterable[Project]) -> Cell:
    """Return the spaces that use something: the first by name, and how many more there are."""
    found = sorted(projects, key=lambda one: (one.name.casefold(), one.id))
    links = [Link(one.name, f"/browse/{one.key}") for one in found[:SPACES_NAMED]]
    rest = len(found) - len(links)
    if rest:
        links.append(Link(f"{rest} more"))
    return Cell(links=links) if links else Cell(below="None")


def moving(order: Sequence[int], key: int, way: str) -> dict[str, str | None]:
    """Return where a thing of a list goes that moves up or down: `after`, or `position`."""
    at = order.index(key) + (-1 if way == "up" else 1)
    rest = [one for one in order if one != key]
    at = min(max(at, 0), len(rest))
    if at == 0:
        return {"after": None, "position": FIRST}
    return {"after": str(rest[at - 1]), "position": None}
