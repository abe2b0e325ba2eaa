"""Spaces, their components, versions and categories, as the API shows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from clones.core import clock
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.kinds import issue_type_body
from clones.tracker.api.presenters.refs import avatar_urls, category_ref, user_ref
from clones.tracker.domain.administration import runs_project
from clones.tracker.domain.components import default_assignee
from clones.tracker.domain.project_removal import RETENTION
from clones.tracker.domain.properties import values_of
from clones.tracker.domain.space_roles import role_name, roles_of
from clones.tracker.domain.versions import is_overdue
from clones.tracker.models import (
    Component,
    PermissionGrant,
    Project,
    Version,
    VersionWork,
)
from clones.tracker.queries.kinds import types_of_projects
from clones.tracker.queries.projects import components_of, statuses_of_versions, versions_of
from clones.tracker.queries.rights import BROWSE
from clones.tracker.rules.project_templates import Feature

Json = dict[str, Any]
EXPANDS: Final = "description,lead,issueTypes,url,projectKeys,permissions,insight"
# The states of issues in a version, by the category of their status.
STATES: Final = {"new": "toDo", "undefined": "toDo", "indeterminate": "inProgress", "done": "done"}


def present_projects(
    projects: Sequence[Project],
    show: Show,
    expand: frozenset[str] = frozenset(),
    properties: Sequence[str] = (),
) -> list[Json]:
    """Return spaces of a list; `expand` brings what of them is not shown by itself."""
    kept: Mapping[str, Json] = {}
    if properties:
        kept = values_of("project", [str(project.id) for project in projects], properties)
    types = types_of_projects(projects) if "issueTypes" in expand else {}
    open_schemes = _open_schemes(projects)
    found = []
    for project in projects:
        show.note(project)
        body = _common(project, show, open_schemes)
        if project.category is not None:
            body["projectCategory"] = category_ref(project.category, show)
        body["properties"] = kept.get(str(project.id), {})
        body |= _expanded(project, show, expand)
        if "issueTypes" in expand:
            body["issueTypes"] = [issue_type_body(kind, show) for kind in types[project.id]]
        found.append(body)
    return found


def _open_schemes(projects: Sequence[Project]) -> set[int]:
    """Return the permission schemes by which everybody on the site sees spaces."""
    schemes = {project.permission_scheme_id for project in projects}
    grants = PermissionGrant.objects.filter(scheme__in=schemes, permission=BROWSE)
    everybody = grants.filter(holder_type__in=["anyone", "applicationRole"])
    return set(everybody.values_list("scheme_id", flat=True))


def _common(project: Project, show: Show, open_schemes: set[int]) -> Json:
    body: Json = {
        "expand": EXPANDS,
        "self": show.url(f"project/{project.id}"),
        "id": str(project.id),
        "key": project.key,
        "name": project.name,
        "avatarUrls": avatar_urls("project", project.avatar_id, show),
        "projectTypeKey": project.type,
        "simplified": project.simplified,
        "style": project.style,
        "isPrivate": project.permission_scheme_id not in open_schemes,
    }
    if project.simplified:
        body["uuid"] = project.uuid
    return body | _put_away(project, show)


def _put_away(project: Project, show: Show) -> Json:
    body: Json = {}
    if project.archived_at is not None:
        body |= {"archived": True, "archivedDate": show.when(project.archived_at)}
        body["archivedBy"] = user_ref(project.archived_by, show)
    if project.deleted_at is not None:
        body |= {"deleted": True, "deletedDate": show.when(project.deleted_at)}
        body["deletedBy"] = user_ref(project.deleted_by, show)
        body["retentionTillDate"] = show.when(project.deleted_at + RETENTION)
    return {name: value for name, value in body.items() if value is not None}


def _expanded(project: Project, show: Show, expand: frozenset[str]) -> Json:
    body: Json = {}
    if "description" in expand:
        body["description"] = project.description
    if "lead" in expand:
        body["lead"] = user_ref(project.lead, show)
    if "url" in expand and project.url:
        body["url"] = project.url
    if "projectKeys" in expand:
        body["projectKeys"] = [project.key, *(row.key for row in project.former_keys.all())]
    if "permissions" in expand:
        body["permissions"] = {"canEdit": runs_project(show.reader, project)}
    count = getattr(project, "issue_count", None)
    if "insight" in expand and count is not None:
        body["insight"] = {"totalIssueCount": count}
        last = getattr(project, "last_update", None)
        if last is not None:
            body["insight"]["lastIssueUpdateTime"] = show.when(last)
    return body


def present_project(
    project: Project,
    show: Show,
    expand: frozenset[str] = frozenset(),
    properties: Sequence[str] = (),
) -> Json:
    """Return one space with its components, types, versions and roles."""
    show.note(project, "detail")
    body = present_projects([project], show, expand | {"issueTypes", "lead", "description"})[0]
    kept = values_of("project", [str(project.id)], properties) if properties else {}
    components = [component_body(one, show) for one in components_of(project)]
    for component in components:
        component.pop("issueCount", None)
    if project.url:
        body["url"] = project.url
    if project.sender_email is not None:
        body["email"] = project.sender_email
    return body | {
        "components": components,
        "assigneeType": project.assignee_type,
        "versions": present_versions(list(versions_of(project)), show),
        "roles": role_urls(project, show),
        "properties": kept.get(str(project.id), {}),
    }


def role_urls(project: Project, show: Show) -> dict[str, str]:
    """Return the addresses of a space's roles, by their names."""
    return {
        role_name(role, project): show.url(f"project/{project.id}/role/{role.id}")
        for role in roles_of(project)
    }


# Components


def component_body(component: Component, show: Show) -> Json:
    """Return a component, with the count of its issues where that was read."""
    project = component.project
    kind, assignee = default_assignee(component)
    body: Json = {
        "self": show.url(f"component/{component.id}"),
        "id": str(component.id),
        "name": component.name,
        "description": component.description,
        "assigneeType": component.assignee_type,
        "realAssigneeType": kind,
        "isAssigneeTypeValid": kind == component.assignee_type,
        "project": project.key,
        "projectId": project.id,
    }
    nominal = component.lead if component.assignee_type == "COMPONENT_LEAD" else assignee
    for name, user in (
        ("lead", component.lead),
        ("assignee", nominal),
        ("realAssignee", assignee),
    ):
        if user is not None:
            body[name] = user_ref(user, show)
    if hasattr(component, "issue_count"):
        body["issueCount"] = component.issue_count
    return body


# Versions


def present_versions(
    versions: Sequence[Version], show: Show, expand: frozenset[str] = frozenset()
) -> list[Json]:
    """Return versions; `expand` is issuesstatus, operations, driver, approvers."""
    today = clock.now().astimezone(show.reader.zone).date()
    counts: dict[int, dict[str, int]] = {}
    if "issuesstatus" in expand:
        counts = statuses_of_versions([version.id for version in versions], show.reader)
    found = []
    for version in versions:
        body = _version(version, show, today)
        if "issuesstatus" in expand:
            body["issuesStatusForFixVersion"] = _states(counts[version.id])
        if "operations" in expand:
            body["operations"] = []
        if "driver" in expand and version.driver is not None:
            body["driver"] = version.driver.account_id
        if "approvers" in expand:
            body["approvers"] = []
        found.append(body)
    return found


def _states(counts: Mapping[str, int]) -> Json:
    found: dict[str, int] = defaultdict(int)
    for category, count in counts.items():
        found[STATES[category]] += count
    return {name: found[name] for name in ("unmapped", "toDo", "inProgress", "done")}


def _version(version: Version, show: Show, today: date) -> Json:
    body: Json = {"self": show.url(f"version/{version.id}"), "id": str(version.id)}
    if version.description:
        body["description"] = version.description
    body |= {"name": version.name, "archived": version.archived, "released": version.released}
    if version.start_date is not None:
        body["startDate"] = version.start_date.isoformat()
        body["userStartDate"] = f"{version.start_date:%d/%b/%y}"
    if version.release_date is not None:
        body["releaseDate"] = version.release_date.isoformat()
        body["userReleaseDate"] = f"{version.release_date:%d/%b/%y}"
        if not version.released:
            body["overdue"] = is_overdue(version, today)
    body["projectId"] = version.project_id
    return body


def present_work(work: VersionWork) -> Json:
    """Return work that belongs to a version."""
    body: Json = {"relatedWorkId": work.uuid, "category": work.category}
    if work.title:
        body["title"] = work.title
    if work.url is not None:
        body["url"] = work.url
    if work.issue is not None:
        body["issueId"] = work.issue
    return body


# Features


def present_feature(feature: Feature, project: Project, show: Show) -> Json:
    """Return a feature of a space."""
    return {
        "projectId": project.id,
        "state": project.features.get(feature.key, "DISABLED"),
        "toggleLocked": feature.locked,
        "feature": feature.key,
        "prerequisites": list(feature.needs),
        "localisedName": feature.name,
        "localisedDescription": feature.about,
        "imageUri": show.at(f"/images/features/{feature.key}.svg"),
    }
