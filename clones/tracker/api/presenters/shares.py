"""With whom filters and dashboards are shared, as the API shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import group_ref, project_ref, user_ref
from clones.tracker.models import Project, Share, User

Json = dict[str, Any]
# What shares are shown with: for `prefetch_related`.
WITH: Final = tuple(
    f"shares__{name}" for name in ("project", "project__category", "role", "group", "user")
)
_BARE: Final = ("self", "accountId", "avatarUrls", "displayName", "active")


def bare_user(user: User | None, show: Show) -> Json | None:
    """Return a user as shares and dashboards show them: without their address."""
    found = user_ref(user, show)
    return None if found is None else {name: found[name] for name in _BARE}


def share_body(share: Share, show: Show, seen: set[int]) -> Json:
    """Return a share. `seen` are the spaces that the reader sees: others are not told."""
    found: Json = {"id": share.id}
    if share.project is None:
        found["type"] = share.type
        if share.group is not None:
            found["group"] = group_ref(share.group, show)
        elif share.user is not None:
            found["user"] = bare_user(share.user, show)
        return found
    if share.project_id not in seen:
        return found | {"type": "project-unknown"}
    # A role's share is one of its space for the vendor.
    found |= {"type": "project", "project": project_ref(share.project, show)}
    if share.role is not None:
        role = share.role
        found["role"] = {
            "self": show.url(f"project/{share.project_id}/role/{role.id}"),
            "name": role.name,
            "id": role.id,
            "description": role.description,
        }
    return found


def seen_spaces(shares: Iterable[Share], show: Show) -> set[int]:
    """Return which of the spaces of some shares the reader sees."""
    wanted = {share.project_id for share in shares if share.project_id is not None}
    if not wanted:
        return set()
    from_all: set[int] = show.reader.spaces_with("BROWSE_PROJECTS")
    live = Project.objects.filter(id__in=wanted & from_all, deleted_at=None)
    return set(live.values_list("id", flat=True))


def share_bodies(shares: Iterable[Share], show: Show, seen: set[int], *, edit: bool) -> list[Json]:
    """Return the shares of one kind, by id."""
    mine = sorted((one for one in shares if one.edit is edit), key=lambda one: one.id)
    return [share_body(share, show, seen) for share in mine]
