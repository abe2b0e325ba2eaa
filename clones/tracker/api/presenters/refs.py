"""The short forms of records that stand in others: people, spaces, statuses, types..."""

from __future__ import annotations

from typing import Any, Final

from clones.tracker.api.presenters.context import Show
from clones.tracker.models import (
    Component,
    Group,
    IssueType,
    Priority,
    Project,
    ProjectCategory,
    Resolution,
    Status,
    User,
    Version,
)

Json = dict[str, Any]
SIZES: Final = {"48x48": "", "24x24": "small", "16x16": "xsmall", "32x32": "medium"}
# The four categories of statuses, which no site can change: id, key, colour, name.
CATEGORIES: Final[dict[str, tuple[int, str, str]]] = {
    "undefined": (1, "medium-gray", "No Category"),
    "new": (2, "blue-gray", "To Do"),
    "indeterminate": (4, "yellow", "In Progress"),
    "done": (3, "green", "Done"),
}


def avatar_urls(kind: str, id: int | str, show: Show) -> Json:
    """Return the addresses of a picture in its four sizes."""
    address = show.at(f"/rest/api/{show.version}/universal_avatar/view/type/{kind}/avatar/{id}")
    return {size: f"{address}?size={name}" if name else address for size, name in SIZES.items()}


def user_ref(user: User | None, show: Show) -> Json | None:
    """Return a user as other records show them."""
    if user is None:
        return None
    found: Json = {"self": show.url(f"user?accountId={user.account_id}")}
    found["accountId"] = user.account_id
    if user.email is not None and show.reader.sees_email_of(user):
        found["emailAddress"] = user.email
    return found | {
        "avatarUrls": avatar_urls("user", user.account_id, show),
        "displayName": user.display_name,
        "active": user.active,
        "timeZone": user.time_zone,
        "accountType": user.account_type,
    }


def group_ref(group: Group | None, show: Show) -> Json | None:
    """Return a group as other records show it."""
    if group is None:
        return None
    address = show.url(f"group?groupId={group.uuid}")
    return {"name": group.name, "groupId": group.uuid, "self": address}


def category_ref(category: ProjectCategory | None, show: Show) -> Json | None:
    """Return a category of spaces as spaces show it."""
    if category is None:
        return None
    return {
        "self": show.url(f"projectCategory/{category.id}"),
        "id": str(category.id),
        "name": category.name,
        "description": category.description,
    }


def project_ref(project: Project | None, show: Show) -> Json | None:
    """Return a space as issues show it."""
    if project is None:
        return None
    found: Json = {
        "self": show.url(f"project/{project.id}"),
        "id": str(project.id),
        "key": project.key,
        "name": project.name,
        "projectTypeKey": project.type,
        "simplified": project.simplified,
        "avatarUrls": avatar_urls("project", project.avatar_id, show),
    }
    if project.category_id is not None:
        found["projectCategory"] = category_ref(project.category, show)
    return found


def status_category_ref(key: str, show: Show) -> Json:
    """Return a category of statuses, by its key."""
    id, colour, name = CATEGORIES[key]
    return {
        "self": show.url(f"statuscategory/{id}"),
        "id": id,
        "key": key,
        "colorName": colour,
        "name": name,
    }


def status_ref(status: Status | None, show: Show) -> Json | None:
    """Return a status as issues show it."""
    if status is None:
        return None
    return {
        "self": show.url(f"status/{status.id}"),
        "description": status.description,
        "iconUrl": show.at("/images/icons/statuses/generic.png"),
        "name": status.name,
        "id": str(status.id),
        "statusCategory": status_category_ref(status.category, show),
    }


def priority_ref(priority: Priority | None, show: Show) -> Json | None:
    """Return a priority as issues show it."""
    if priority is None:
        return None
    return {
        "self": show.url(f"priority/{priority.id}"),
        "iconUrl": icon_url(priority, show),
        "name": priority.name,
        "id": str(priority.id),
    }


def icon_url(priority: Priority, show: Show) -> str:
    """Return the address of a priority's icon."""
    icon = priority.icon or f"/images/icons/priorities/{priority.name.lower()}.svg"
    return icon if "://" in icon else show.at(icon)


def resolution_ref(resolution: Resolution | None, show: Show) -> Json | None:
    """Return a resolution as issues show it."""
    if resolution is None:
        return None
    return {
        "self": show.url(f"resolution/{resolution.id}"),
        "id": str(resolution.id),
        "description": resolution.description,
        "name": resolution.name,
    }


def issue_type_ref(kind: IssueType | None, show: Show) -> Json | None:
    """Return a type of issues as issues show it."""
    if kind is None:
        return None
    return {
        "self": show.url(f"issuetype/{kind.id}"),
        "id": str(kind.id),
        "description": kind.description,
        "iconUrl": avatar_urls("issuetype", kind.avatar_id, show)["32x32"],
        "name": kind.name,
        "subtask": kind.subtask,
        "avatarId": kind.avatar_id,
        "hierarchyLevel": kind.hierarchy_level,
    }


def component_ref(component: Component | None, show: Show) -> Json | None:
    """Return a component as issues show it."""
    if component is None:
        return None
    found: Json = {"self": show.url(f"component/{component.id}"), "id": str(component.id)}
    found["name"] = component.name
    if component.description:
        found["description"] = component.description
    return found


def version_ref(version: Version | None, show: Show) -> Json | None:
    """Return a version as issues show it."""
    if version is None:
        return None
    found: Json = {"self": show.url(f"version/{version.id}"), "id": str(version.id)}
    if version.description:
        found["description"] = version.description
    found |= {"name": version.name, "archived": version.archived, "released": version.released}
    if version.release_date is not None:
        found["releaseDate"] = version.release_date.isoformat()
    return found
