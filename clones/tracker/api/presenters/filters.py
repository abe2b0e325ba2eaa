"""Saved filters as the API shows them: alone, and in lists whose parts are asked for."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import Any, Final
from urllib.parse import quote

from django.db.models import QuerySet

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import group_ref, user_ref
from clones.tracker.api.presenters.shares import WITH, seen_spaces, share_bodies
from clones.tracker.domain.filters import KIND
from clones.tracker.models import Favourite, Filter, Subscription, User
from clones.tracker.queries.shared_users import shared_users
from clones.tracker.queries.sharing import editable_filters

Json = dict[str, Any]
# Parts that are asked for, with the first and the last of a range where one is given.
Wanted = dict[str, tuple[str | None, str | None]]
EXPANDABLE: Final = (
    "description",
    "owner",
    "jql",
    "viewUrl",
    "searchUrl",
    "favourite",
    "favouritedCount",
    "sharePermissions",
    "editPermissions",
    "isWritable",
    "approximateLastUsed",
    "subscriptions",
)
MOST_USERS: Final = 1000
_RANGE: Final = re.compile(r"(sharedUsers|subscriptions)(?:\[(\d{1,9}):(\d{1,9})\])?")


def with_parts(rows: QuerySet[Filter]) -> QuerySet[Filter]:
    """Return filters with what they are shown with."""
    return rows.select_related("owner").prefetch_related(*WITH)


def filter_bodies(
    filters: Sequence[Filter], show: Show, expand: Collection[str] = ()
) -> list[Json]:
    """Return whole filters. `expand` has `sharedUsers` and `subscriptions`, with ranges of them."""
    wanted: Wanted = {}
    for found in map(_RANGE.search, expand):
        if found is not None:
            wanted[found[1]] = (found[2], found[3])
    around = _Around(filters, show)
    if "sharedUsers" in wanted:
        around.users = shared_users(filters)
    return [_whole(row, show, around, wanted) for row in filters]


def filter_details(filters: Sequence[Filter], show: Show, expand: Collection[str]) -> list[Json]:
    """Return filters as their list shows them: with the parts that are asked for."""
    around = _Around(filters, show)
    writable = set[int]()
    if "isWritable" in expand:
        mine = editable_filters(show.reader).filter(id__in=[row.id for row in filters])
        writable = set(mine.values_list("id", flat=True))
    found = []
    for row in filters:
        parts = _parts(row, show, around)
        parts["isWritable"] = row.id in writable
        parts["subscriptions"] = [_subscription(one, show) for one in around.subscriptions[row.id]]
        shown = {name: parts[name] for name in EXPANDABLE if name in expand and name in parts}
        body: Json = {"self": show.url(f"filter/{row.id}"), "id": str(row.id), "name": row.name}
        found.append(body | {"expand": ",".join(EXPANDABLE)} | shown)
    return found


class _Around:
    """What filters are shown with and is not theirs, read for all of them."""

    def __init__(self, filters: Sequence[Filter], show: Show) -> None:
        ids = [row.id for row in filters]
        stars = Favourite.objects.filter(kind=KIND, entity__in=ids).values_list("entity", "user")
        pairs = list(stars)
        self.stars = Counter(entity for entity, _ in pairs)
        mine = None if show.reader.user is None else show.reader.user.id
        self.starred = {entity for entity, user in pairs if user == mine}
        self.seen = seen_spaces([share for row in filters for share in row.shares.all()], show)
        self.users: dict[int, list[User]] = {}  # where they are asked for
        self.subscriptions: dict[int, list[Subscription]] = defaultdict(list)
        rows = Subscription.objects.filter(filter__in=ids).select_related("user", "group")
        for row in rows.order_by("id"):
            self.subscriptions[row.filter_id].append(row)


def _parts(row: Filter, show: Show, around: _Around) -> Json:
    shares = list(row.shares.all())
    return {
        "description": row.description,
        "owner": user_ref(row.owner, show),
        "jql": row.jql,
        "viewUrl": show.at(f"/issues/?filter={row.id}"),
        "searchUrl": show.url(f"search?jql={quote(row.jql, safe='')}"),
        "favourite": row.id in around.starred,
        "favouritedCount": around.stars[row.id],
        "sharePermissions": share_bodies(shares, show, around.seen, edit=False),
        "editPermissions": share_bodies(shares, show, around.seen, edit=True),
        "approximateLastUsed": show.when(row.last_used),
    }


def _whole(row: Filter, show: Show, around: _Around, wanted: Wanted) -> Json:
    show.note(row, "detail")
    rows = around.subscriptions[row.id]
    told = rows if "subscriptions" in wanted else []
    found: Json = {
        "self": show.url(f"filter/{row.id}"),
        "id": str(row.id),
        "name": row.name,
        **_parts(row, show, around),
        "subscriptions": _list([_subscription(one, show) for one in told], len(rows), 0),
    }
    if "sharedUsers" in wanted:
        first, last = wanted["sharedUsers"]
        start, end = int(first or 1) - 1, int(last or MOST_USERS)
        start = max(start, 0)
        users = around.users[row.id]
        most = min(max(end - start, 0), MOST_USERS)
        shown = [user_ref(user, show) for user in users[start : start + most]]
        found["sharedUsers"] = _list(shown, len(users), start)
    else:
        found["sharedUsers"] = _list([], 0, 0)  # they are not counted until they are asked for
    return found


def _list(items: Sequence[Any], size: int, start: int) -> Json:
    return {
        "size": size,
        "items": list(items),
        "max-results": MOST_USERS,
        "start-index": start,
        "end-index": start + len(items) - 1 if items else start,
    }


def _subscription(row: Subscription, show: Show) -> Json:
    found: Json = {"id": row.id, "user": user_ref(row.user, show)}
    return found if row.group is None else found | {"group": group_ref(row.group, show)}
