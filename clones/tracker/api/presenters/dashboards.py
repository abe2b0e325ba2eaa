"""Dashboards and their gadgets as the API shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any, Final

from django.db.models import QuerySet

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.shares import WITH, bare_user, seen_spaces, share_bodies
from clones.tracker.domain.dashboards import KIND
from clones.tracker.models import Dashboard, Favourite, Gadget
from clones.tracker.queries.sharing import editable_dashboards
from clones.tracker.rules.gadgets import kind_of

Json = dict[str, Any]
# What a list's `expand` asks for, and the keys that it brings.
EXPANDABLE: Final = {
    "description": ("description",),
    "owner": ("owner",),
    "viewUrl": ("view",),
    "favourite": ("isFavourite",),
    "favouritedCount": ("popularity",),
    "sharePermissions": ("sharePermissions",),
    "editPermissions": ("editPermissions",),
    "isWritable": ("isWritable",),
}
_ALWAYS: Final = ("id", "name", "self")


def with_parts(rows: QuerySet[Dashboard]) -> QuerySet[Dashboard]:
    """Return dashboards with what they are shown with."""
    return rows.select_related("owner").prefetch_related(*WITH)


def dashboard_bodies(
    dashboards: Sequence[Dashboard], show: Show, expand: Collection[str] | None = None
) -> list[Json]:
    """Return dashboards; with `expand`, only the parts that are asked for."""
    ids = [row.id for row in dashboards]
    stars = list(Favourite.objects.filter(kind=KIND, entity__in=ids).values_list("entity", "user"))
    counts = Counter(entity for entity, _ in stars)
    mine = None if show.reader.user is None else show.reader.user.id
    starred = {entity for entity, user in stars if user == mine}
    seen = seen_spaces([share for row in dashboards for share in row.shares.all()], show)
    writable = set(editable_dashboards(show.reader).filter(id__in=ids).values_list("id", flat=True))
    found = []
    for row in dashboards:
        shares = list(row.shares.all())
        body: Json = {
            "id": str(row.id),
            "isFavourite": row.id in starred,
            "name": row.name,
            "description": row.description,
            "owner": bare_user(row.owner, show),
            "popularity": counts[row.id],
            "rank": row.rank,
            "self": show.url(f"dashboard/{row.id}"),
            "sharePermissions": share_bodies(shares, show, seen, edit=False),
            "editPermissions": share_bodies(shares, show, seen, edit=True),
            "isWritable": row.id in writable,
            "systemDashboard": row.is_system,
            "view": show.at(f"/secure/Dashboard.jspa?selectPageId={row.id}"),
        }
        if row.owner is None:
            del body["owner"]
        if row.is_system:
            # It is everybody's, whatever its rows say.
            body["sharePermissions"] = [{"type": "global"}]
        if expand is not None:
            names = {key for name in expand for key in EXPANDABLE[name]} | set(_ALWAYS)
            body = {key: value for key, value in body.items() if key in names}
        found.append(body)
    return found


def gadget_body(gadget: Gadget, show: Show) -> Json:
    """Return a gadget, by the name that its kind has: a key, or an address."""
    kind = kind_of(gadget.module_key, gadget.uri) or gadget
    found: Json = {"id": gadget.id}
    if kind.module_key is not None:
        found["moduleKey"] = kind.module_key
    if kind.uri is not None:
        found["uri"] = kind.uri
    return found | {
        "color": gadget.color,
        "position": {"row": gadget.row, "column": gadget.column},
        "title": gadget.title,
    }
