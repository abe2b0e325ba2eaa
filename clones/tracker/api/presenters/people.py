"""Users and groups, as the API shows them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import Any, Final

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import avatar_urls, group_ref, user_ref
from clones.tracker.domain.settings import setting
from clones.tracker.models import Group, User

Json = dict[str, Any]
ROLES: Final = {
    "jira-core": "Jira",
    "jira-software": "Jira Software",
    "jira-servicedesk": "Jira Service Management",
}
SEATS: Final = 35_000


def present_users(users: Sequence[User], show: Show) -> list[Json]:
    """Return users of a list."""
    return [present_user(user, show) for user in users]


def present_user(user: User, show: Show) -> Json:
    """Return a user of a list."""
    found = user_ref(user, show) or {}
    show.note(user)
    if user == show.reader.user:
        found["locale"] = user.locale
    return found


def present_profile(user: User, show: Show, expand: frozenset[str] = frozenset()) -> Json:
    """Return one user with the number of their groups and products; `expand` brings them too."""
    groups = list(Group.objects.filter(members__user=user).order_by("name", "id"))
    show.note(user, "detail")
    held = [
        key
        for key, role in application_roles().items()
        if not {group.uuid for group in groups}.isdisjoint(role["groups"])
    ]
    return {
        **(user_ref(user, show) or {}),
        "locale": user.locale,
        "groups": _wrapped(
            [group_ref(group, show) for group in groups], is_shown="groups" in expand
        ),
        "applicationRoles": _wrapped(
            [{"key": key, "name": ROLES[key]} for key in held],
            is_shown="applicationRoles" in expand,
        ),
        "expand": "groups,applicationRoles",
    }


def _wrapped(items: list[Any], *, is_shown: bool) -> Json:
    return {"size": len(items), "items": items if is_shown else []}


def application_roles() -> dict[str, dict[str, list[str]]]:
    """Return the groups of each product, by the application role's key."""
    found: dict[str, dict[str, list[str]]] = setting("application_roles", {})
    return found


def present_application_role(key: str, groups: dict[str, Group], count: int, show: Show) -> Json:
    """Return a product: who has it by which group, and how many people do."""
    role = application_roles()[key]
    mine = [groups[uuid] for uuid in role["groups"] if uuid in groups]
    default = [groups[uuid] for uuid in role["default"] if uuid in groups]
    return {
        "key": key,
        "name": ROLES[key],
        "groups": [group.name for group in mine],
        "groupDetails": [group_ref(group, show) for group in mine],
        "defaultGroups": [group.name for group in default],
        "defaultGroupsDetails": [group_ref(group, show) for group in default],
        "selectedByDefault": key == "jira-software",
        "defined": True,
        "numberOfSeats": SEATS,
        "remainingSeats": max(0, SEATS - count),
        "userCount": count,
        "userCountDescription": "agents" if key == "jira-servicedesk" else "users",
        "hasUnlimitedSeats": False,
        "platform": key == "jira-core",
    }


def present_group(
    group: Group, show: Show, members: Sequence[User] | None = None, total: int = 0
) -> Json:
    """Return a group; with its first members where they are given."""
    found: Json = {**(group_ref(group, show) or {}), "expand": "users"}
    if members is None:
        found["users"] = {"size": total, "items": [], "max-results": 50}
        found["users"] |= {"start-index": 0, "end-index": 0}
        return found
    found["users"] = {
        "size": total,
        "items": [user_ref(user, show) for user in members],
        "max-results": 50,
        "start-index": 0,
        "end-index": max(0, len(members) - 1),
    }
    return found


def header(shown: int, total: int, of: str) -> str:
    """Return the sentence above a picker's suggestions."""
    return f"Showing {shown} of {total} matching {of}"


def highlighted(text: str, query: str, tag: str, *, anywhere: bool = False) -> str:
    """Return a text as HTML, with what was looked for marked: where words begin, or anywhere."""
    wanted = query.strip()
    if not wanted:
        return escape(text)
    edge = "" if anywhere else r"(?<!\w)"
    parts = re.split(f"({edge}{re.escape(wanted)})", text, flags=re.IGNORECASE)
    return "".join(
        f"<{tag}>{escape(part)}</{tag}>" if part.lower() == wanted.lower() else escape(part)
        for part in parts
    )


def picked_user(user: User, show: Show, query: str, *, with_avatar: bool) -> Json:
    """Return a user as pickers suggest them."""
    html = highlighted(user.display_name, query, "strong")
    if user.email is not None and show.reader.sees_email_of(user):
        html += f" - {highlighted(user.email, query, 'strong')}"
    found: Json = {
        "accountId": user.account_id,
        "accountType": user.account_type,
        "html": html,
        "displayName": user.display_name,
    }
    if with_avatar:
        found["avatarUrl"] = avatar_urls("user", user.account_id, show)["16x16"]
    return found


def picked_group(group: Group, query: str) -> Json:
    """Return a group as pickers suggest it."""
    return {
        "name": group.name,
        "html": highlighted(group.name, query, "b", anywhere=True),
        "labels": [],
        "groupId": group.uuid,
    }
