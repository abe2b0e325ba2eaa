"""Roles and the schemes of access, as the API shows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final

from clones.core.digits import is_digits
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import avatar_urls, group_ref, user_ref
from clones.tracker.domain.setup.access import ADMINISTRATORS
from clones.tracker.domain.space_roles import role_name
from clones.tracker.models import (
    CustomField,
    Group,
    Notification,
    NotificationScheme,
    PermissionGrant,
    PermissionScheme,
    Project,
    ProjectRole,
    RoleActor,
    SecurityLevel,
    SecurityMember,
    SecurityScheme,
    User,
)
from clones.tracker.rules.notification_events import EVENTS

Json = dict[str, Any]
GRANT_EXPANDS: Final = "user,group,projectRole,field,all"
SCHEME_EXPANDS: Final = "permissions,user,group,projectRole,field,all"
NOTIFICATION_EXPANDS: Final = "notificationSchemeEvents,user,group,projectRole,field,all"


# Roles


def present_role_details(role: ProjectRole, show: Show, project: Project | None) -> Json:
    """Return a role without those who fill it; its address is in a space, if one is given."""
    path = f"role/{role.id}" if project is None else f"project/{project.id}/role/{role.id}"
    return {
        "self": show.url(path),
        "name": role_name(role, project),
        "id": role.id,
        "description": role.description,
        "admin": role.name == ADMINISTRATORS,
        "default": False,
        "roleConfigurable": True,
        "translatedName": role_name(role, project),
        **_scope(project),
    }


def _scope(project: Project | None) -> Json:
    """Return whose a role is: a team-managed space's own, or the site's."""
    if project is None or not project.simplified:
        return {}
    return {"scope": {"type": "PROJECT", "project": {"id": str(project.id)}}}


def present_role(
    role: ProjectRole, actors: Iterable[RoleActor], show: Show, project: Project | None = None
) -> Json:
    """Return a role with those who fill it, by what they are called."""
    path = f"role/{role.id}" if project is None else f"project/{project.id}/role/{role.id}"
    shown = sorted((_actor(row, show) for row in actors), key=_by_name)
    return {
        "self": show.url(path),
        "name": role_name(role, project),
        "id": role.id,
        "description": role.description,
        "actors": shown,
        **_scope(project),
    }


def _by_name(actor: Json) -> tuple[str, int]:
    return actor["displayName"].lower(), actor["id"]


def _actor(row: RoleActor, show: Show) -> Json:
    if row.user is not None:
        return {
            "id": row.id,
            "displayName": row.user.display_name,
            "type": "atlassian-user-role-actor",
            "avatarUrl": avatar_urls("user", row.user.account_id, show)["16x16"],
            "actorUser": {"accountId": row.user.account_id},
        }
    name = row.group.name if row.group is not None else ""
    uuid = row.group.uuid if row.group is not None else ""
    return {
        "id": row.id,
        "displayName": name,
        "type": "atlassian-group-role-actor",
        "name": name,
        "actorGroup": {"name": name, "displayName": name, "groupId": uuid},
    }


# Holders


class HolderNames:
    """The groups, users, roles and fields that holders are, read at once."""

    def __init__(self, holders: Iterable[tuple[str, str | None]]) -> None:
        wanted: dict[str, set[str]] = defaultdict(set)
        for kind, parameter in holders:
            if parameter is not None:
                wanted[kind.lower()].add(parameter)
        uuids, accounts = wanted["group"], wanted["user"]
        roles = {int(text) for text in wanted["projectrole"] if is_digits(text)}
        fields = wanted["usercustomfield"] | wanted["groupcustomfield"]
        numbers = {int(text.removeprefix("customfield_")) for text in fields}
        self.groups = _by(Group.objects.filter(uuid__in=uuids), "uuid") if uuids else {}
        self.users = _by(User.objects.filter(account_id__in=accounts), "account_id")
        self.roles = _by(ProjectRole.objects.filter(id__in=roles), "id") if roles else {}
        self.fields = _by(CustomField.objects.filter(id__in=numbers), "key") if numbers else {}


def _by(rows: Iterable[Any], name: str) -> dict[str, Any]:
    return {str(getattr(row, name)): row for row in rows}


def _details(kind: str, parameter: str | None, named: HolderNames, show: Show) -> tuple[str, Any]:
    """Return under which name a holder's details are shown, and what they are."""
    match kind.lower():
        case "group":
            return "group", group_ref(named.groups.get(str(parameter)), show)
        case "user":
            return "user", user_ref(named.users.get(str(parameter)), show)
        case "projectrole":
            role = named.roles.get(str(parameter))
            return "projectRole", None if role is None else present_role(role, (), show)
        case "usercustomfield" | "groupcustomfield":
            field = named.fields.get(str(parameter))
            return "field", None if field is None else {"id": field.key, "name": field.name}
    return "", None


def present_holder(kind: str, parameter: str | None, named: HolderNames) -> Json:
    """Return a holder: a group by its name and uuid, others by their ids."""
    found: Json = {"type": kind}
    if parameter is None:
        return found
    name = parameter
    if kind == "group" and parameter in named.groups:
        name = named.groups[parameter].name
    expanded = _EXPANDED.get(kind)
    found |= {"parameter": name, "value": parameter}
    if expanded is not None:
        found["expand"] = expanded
    return found


_EXPANDED: Final = {
    "group": "group",
    "user": "user",
    "projectRole": "projectRole",
    "userCustomField": "field",
    "groupCustomField": "field",
}


# Permission schemes


def present_permission_schemes(
    schemes: Sequence[PermissionScheme], show: Show, *, with_grants: bool
) -> list[Json]:
    """Return permission schemes, with their grants if they are asked for."""
    grants: dict[int, list[PermissionGrant]] = defaultdict(list)
    if with_grants:
        rows = PermissionGrant.objects.filter(scheme__in=[scheme.id for scheme in schemes])
        for grant in rows.order_by("id"):
            grants[grant.scheme_id].append(grant)
    named = HolderNames(
        (one.holder_type, one.parameter) for many in grants.values() for one in many
    )
    own = Project.objects.filter(style="next-gen", permission_scheme__in=schemes)
    scopes = dict(own.values_list("permission_scheme_id", "id"))
    found = []
    for scheme in schemes:
        body: Json = {
            "expand": SCHEME_EXPANDS,
            "id": scheme.id,
            "self": show.url(f"permissionscheme/{scheme.id}"),
            "name": scheme.name,
            "description": scheme.description,
        }
        if scheme.id in scopes:
            body["scope"] = {"type": "PROJECT", "project": {"id": str(scopes[scheme.id])}}
        if with_grants:
            body["permissions"] = [_grant(one, named, show) for one in grants[scheme.id]]
        found.append(body)
    return found


def present_grants(grants: Sequence[PermissionGrant], show: Show) -> list[Json]:
    """Return grants of permissions."""
    named = HolderNames((grant.holder_type, grant.parameter) for grant in grants)
    return [_grant(grant, named, show) for grant in grants]


def _grant(grant: PermissionGrant, named: HolderNames, show: Show) -> Json:
    return {
        "id": grant.id,
        "self": show.url(f"permissionscheme/{grant.scheme_id}/permission/{grant.id}"),
        "holder": present_holder(grant.holder_type, grant.parameter, named),
        "permission": grant.permission,
    }


# Notification schemes


def present_notification_schemes(
    schemes: Sequence[NotificationScheme], show: Show, expand: frozenset[str]
) -> list[Json]:
    """Return notification schemes; with any expansion their events and recipients too."""
    told: dict[int, list[Notification]] = defaultdict(list)
    if expand:
        rows = Notification.objects.filter(scheme__in=[scheme.id for scheme in schemes])
        for one in rows.order_by("event", "id"):
            told[one.scheme_id].append(one)
    named = HolderNames((one.type, one.parameter) for many in told.values() for one in many)
    spaces: dict[int, list[int]] = defaultdict(list)
    used = Project.objects.filter(notification_scheme__in=schemes, deleted_at=None)
    for scheme_id, id in used.order_by("id").values_list("notification_scheme_id", "id"):
        spaces[int(scheme_id or 0)].append(id)
    found = []
    for scheme in schemes:
        body: Json = {
            "expand": NOTIFICATION_EXPANDS,
            "id": scheme.id,
            "self": show.url(f"notificationscheme/{scheme.id}"),
            "name": scheme.name,
            "description": scheme.description,
            "projects": spaces[scheme.id],
        }
        if expand:
            body["notificationSchemeEvents"] = _events(told[scheme.id], named, show, expand)
        found.append(body)
    return found


def _events(
    told: Sequence[Notification], named: HolderNames, show: Show, expand: frozenset[str]
) -> list[Json]:
    by_event: dict[int, list[Json]] = {}
    for one in told:
        by_event.setdefault(one.event, []).append(_recipients(one, named, show, expand))
    return [
        {"event": _event(number), "notifications": recipients}
        for number, recipients in by_event.items()
    ]


def _event(number: int) -> Json:
    name, about = EVENTS[number]
    return {"id": number, "name": name, "description": about}


def _recipients(one: Notification, named: HolderNames, show: Show, expand: frozenset[str]) -> Json:
    found: Json = {"id": one.id, "notificationType": one.type}
    if one.parameter is None:
        return found
    name = one.parameter
    if one.type == "Group" and name in named.groups:
        name = named.groups[name].name
    found |= {"parameter": name, "recipient": one.parameter}
    label, details = _details(one.type, one.parameter, named, show)
    if label:
        found["expand"] = label
    if details is not None and ({label, "all"} & expand) and label != "field":
        found[label] = details
    return found


# Issue security


def present_level(level: SecurityLevel, show: Show) -> Json:
    """Return a security level."""
    return {
        "self": show.url(f"securitylevel/{level.id}"),
        "id": str(level.id),
        "description": level.description,
        "name": level.name,
    }


def present_security_scheme(
    scheme: SecurityScheme, show: Show, levels: Sequence[SecurityLevel] | None = None
) -> Json:
    """Return a security scheme; with its levels where they are given."""
    found: Json = {
        "self": show.url(f"issuesecurityschemes/{scheme.id}"),
        "id": scheme.id,
        "name": scheme.name,
        "description": scheme.description,
    }
    if scheme.default_level_id is not None:
        found["defaultSecurityLevelId"] = scheme.default_level_id
    if levels is not None:
        found["levels"] = [present_level(level, show) for level in levels]
    return found


def present_members(members: Sequence[SecurityMember], *, as_numbers: bool) -> list[Json]:
    """Return members of security levels; `as_numbers` for the older list of them."""
    named = HolderNames((member.holder_type, member.parameter) for member in members)
    found = []
    for member in members:
        holder = present_holder(member.holder_type, member.parameter, named)
        body: Json = {"id": str(member.id), "issueSecurityLevelId": str(member.level_id)}
        if as_numbers:
            body = {"id": member.id, "issueSecurityLevelId": member.level_id}
        else:
            body["issueSecuritySchemeId"] = str(member.level.scheme_id)
        found.append({**body, "holder": holder})
    return found
