"""Versions of spaces, and the work that belongs to them."""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Final

from django.db.models import Count, Q
from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import Query, actor, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.projects import present_versions, present_work
from clones.tracker.api.projects import ONE, project_of
from clones.tracker.api.query_params import ExpandQuery, PagedQuery, is_given
from clones.tracker.domain import versions
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.version_replacing import TYPES
from clones.tracker.models import FieldValue, Issue, IssueVersion, User, Version, VersionWork
from clones.tracker.queries.people import find_user
from clones.tracker.queries.projects import find_version, ordered, versions_of
from clones.tracker.queries.rights import find_project

Json = dict[str, Any]
PATH: Final = "/rest/api/3/version"
VERSION: Final = PATH + "/{id}"
ORDERS: Final = {
    "name": ("name",),
    "description": ("description",),
    "sequence": ("position",),
    "startDate": ("start_date",),
    "releaseDate": ("release_date",),
}
STATUSES: Final = {
    "released": Q(released=True, archived=False),
    "unreleased": Q(released=False, archived=False),
    "archived": Q(archived=True),
}


class ListQuery(PagedQuery, ExpandQuery):
    """Filters, order, paging and expansions of a space's versions."""

    order: str | None = Field(None, alias="orderBy")
    text: str | None = Field(None, alias="query")
    status: CommaList[str] = []


class DeleteQuery(Query):
    """The versions that issues get in place of one that is deleted."""

    fix: str | None = Field(None, alias="moveFixIssuesTo")
    affected: str | None = Field(None, alias="moveAffectedIssuesTo")


class VersionBody(AdminBody):
    """The attributes of a version that can be set."""

    name: str | None = None
    description: str | None = None
    project: str | None = None
    project_id: str | None = Field(None, alias="projectId")
    start: str | None = Field(None, alias="startDate")
    release: str | None = Field(None, alias="releaseDate")
    released: bool | None = None
    archived: bool | None = None
    driver: str | None = None
    unfixed_to: str | None = Field(None, alias="moveUnfixedIssuesTo")
    expand: CommaList[str] = []


class MoveBody(AdminBody):
    """The new place of a version among its space's."""

    after: str | None = None
    position: str | None = None


class FieldReplacement(AdminBody):
    """A custom field, and the version that it gets in place of one that is deleted."""

    field: int = Field(alias="customFieldId")
    to: int | None = Field(None, alias="moveTo")


class ReplaceBody(AdminBody):
    """The versions that issues' fields get in place of one that is deleted."""

    fix: str | None = Field(None, alias="moveFixIssuesTo")
    affected: str | None = Field(None, alias="moveAffectedIssuesTo")
    fields: list[FieldReplacement] | None = Field(None, alias="customFieldReplacementList")


class WorkBody(AdminBody):
    """Related work of a version: its category, title and address."""

    id: str | None = Field(None, alias="relatedWorkId")
    category: str
    title: str | None = None
    url: str | None = None


def _version(call: Call, name: str = "id") -> Version:
    return find_version(actor(call), call.path[name])


def _shown(call: Call, version: Version) -> Json:
    asked = call.body if isinstance(call.body, VersionBody) else call.query
    expand = frozenset(getattr(asked, "expand", ()))
    show(call).note(version, "detail")
    return present_versions([version], show(call), expand)[0]


def _day(text: str | None, field: str) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise Invalid(fields={field: "The date must be of the form yyyy-MM-dd."}) from error


def _changes(given: VersionBody) -> Json:
    names = ("name", "description", "released", "archived")
    found: Json = {name: getattr(given, name) for name in names if name in given.model_fields_set}
    if "start" in given.model_fields_set:
        found["start_date"] = _day(given.start, "startDate")
    if "release" in given.model_fields_set:
        found["release_date"] = _day(given.release, "releaseDate")
    if "driver" in given.model_fields_set:
        found["driver"] = _driver(given.driver)
    return found


def _driver(account: str | None) -> User | None:
    return find_user(account) if account else None


def _named(call: Call, text: str | None) -> Version | None:
    """Return the version that an id, or the address of one, names."""
    if not text:
        return None
    found = re.search(r"(\d+)/?$", text)
    return find_version(actor(call), found.group(1) if found else text)


@operation(
    "createVersion",
    "POST",
    PATH,
    summary="Make a version of a space.",
    body=VersionBody,
    access="anyone",
    status=201,
)
def create_version(call: Call) -> Json:
    """Make a version."""
    given = call.body
    wanted = given.project_id or given.project
    if not wanted:
        raise Invalid(fields={"projectId": "The project must be specified."})
    project = find_project(actor(call), wanted)
    return _shown(call, versions.create_version(project, _changes(given), actor=actor(call)))


@operation(
    "getVersion",
    "GET",
    VERSION,
    summary="Show a version.",
    query=ExpandQuery,
    access="anyone",
)
def show_version(call: Call) -> Json:
    """Show a version."""
    return _shown(call, _version(call))


@operation(
    "updateVersion",
    "PUT",
    VERSION,
    summary="Change a version, or release it.",
    body=VersionBody,
    access="anyone",
)
def update_version(call: Call) -> Json:
    """Change a version."""
    given = call.body
    changed = versions.update_version(
        _version(call),
        _changes(given),
        actor=actor(call),
        move_unfixed_to=_named(call, given.unfixed_to),
    )
    return _shown(call, changed)


@operation(
    "deleteVersion",
    "DELETE",
    VERSION,
    summary="Remove a version; its issues get others, or none.",
    query=DeleteQuery,
    access="anyone",
    status=204,
)
def delete_version(call: Call) -> None:
    """Remove a version."""
    asked = call.query
    versions.delete_version(
        _version(call),
        actor=actor(call),
        fix_to=_named(call, asked.fix),
        affected_to=_named(call, asked.affected),
    )


@operation(
    "deleteAndReplaceVersion",
    "POST",
    VERSION + "/removeAndSwap",
    summary="Remove a version; issues get others in its place, in custom fields too.",
    body=ReplaceBody,
    access="anyone",
    status=204,
)
def replace_version(call: Call) -> None:
    """Remove a version and put others in its place."""
    given = call.body
    versions.delete_version(
        _version(call),
        actor=actor(call),
        fix_to=_named(call, given.fix),
        affected_to=_named(call, given.affected),
        fields_to={
            one.field: _named(call, None if one.to is None else str(one.to))
            for one in given.fields or ()
        },
    )


@operation(
    "mergeVersions",
    "PUT",
    VERSION + "/mergeto/{moveIssuesTo}",
    summary="Remove a version and put another in its place.",
    access="anyone",
    status=204,
)
def merge_versions(call: Call) -> None:
    """Merge a version into another."""
    other = _version(call, "moveIssuesTo")
    versions.delete_version(_version(call), actor=actor(call), fix_to=other, affected_to=other)


@operation(
    "moveVersion",
    "POST",
    VERSION + "/move",
    summary="Move a version within its space's list.",
    body=MoveBody,
    access="anyone",
)
def move_version(call: Call) -> Json:
    """Move a version."""
    given = call.body
    version = _version(call)
    versions.require_one_place(after=given.after, position=given.position)
    after = _named(call, given.after)
    moved = versions.move_version(version, after=after, position=given.position, actor=actor(call))
    return _shown(call, moved)


# Lists and counts


@operation(
    "getProjectVersionsPaginated",
    "GET",
    ONE + "/version",
    summary="List the versions of a space, page by page.",
    query=ListQuery,
    access="anyone",
)
def list_versions(call: Call) -> Json:
    """List a space's versions."""
    asked = call.query
    rows = versions_of(project_of(call))
    if is_given(asked.text):
        rows = rows.filter(Q(name__icontains=asked.text) | Q(description__icontains=asked.text))
    wanted = asked.status
    if wanted:
        unknown = [name for name in wanted if name not in STATUSES]
        if unknown:
            raise Invalid(f"The version status '{unknown[0]}' is not valid.")
        among = Q(pk__in=[])
        for name in wanted:
            among |= STATUSES[name]
        rows = rows.filter(among)
    rows = ordered(rows, (asked.order or "").strip(), ORDERS)
    expand = frozenset(asked.expand)
    return page_bean(call, rows, lambda found: present_versions(found, show(call), expand))


@operation(
    "getProjectVersions",
    "GET",
    ONE + "/versions",
    summary="List the versions of a space.",
    query=ExpandQuery,
    access="anyone",
)
def list_all(call: Call) -> list[Json]:
    """List all versions of a space."""
    rows = list(versions_of(project_of(call)))
    return present_versions(rows, show(call), frozenset(call.query.expand))


@operation(
    "getVersionRelatedIssues",
    "GET",
    VERSION + "/relatedIssueCounts",
    summary="Count the issues that have a version.",
    access="anyone",
)
def count_issues(call: Call) -> Json:
    """Count the issues that have a version, by field."""
    version = _version(call)
    kinds = IssueVersion.objects.filter(version=version).order_by().values_list("kind")
    counts = dict(kinds.annotate(count=Count("id")))
    values = FieldValue.objects.filter(field__type__in=TYPES, other=version.id)
    usage = (
        values.order_by("field_id")
        .values_list("field_id", "field__name")
        .annotate(count=Count("issue", distinct=True))
    )
    return {
        "self": show(call).url(f"version/{version.id}"),
        "issuesFixedCount": counts.get("fix", 0),
        "issuesAffectedCount": counts.get("affects", 0),
        "issueCountWithCustomFieldsShowingVersion": values.values("issue").distinct().count(),
        "customFieldUsage": [
            {"fieldName": name, "customFieldId": field, "issueCountWithVersionInCustomField": count}
            for field, name, count in usage
        ],
    }


@operation(
    "getVersionUnresolvedIssues",
    "GET",
    VERSION + "/unresolvedIssueCount",
    summary="Count the issues of a version that are not resolved.",
    access="anyone",
)
def count_unresolved(call: Call) -> Json:
    """Count a version's issues, and those that are not resolved."""
    version = _version(call)
    issues = Issue.objects.filter(version_links__version=version, version_links__kind="fix")
    return {
        "self": show(call).url(f"version/{version.id}"),
        "issuesUnresolvedCount": issues.filter(resolution=None).count(),
        "issuesCount": issues.count(),
    }


# Work that belongs to a version


@operation(
    "getRelatedWork",
    "GET",
    VERSION + "/relatedwork",
    summary="List the work that belongs to a version.",
    access="anyone",
)
def list_work(call: Call) -> list[Json]:
    """List the work of a version."""
    return [present_work(one) for one in _version(call).related_work.order_by("id")]


@operation(
    "createRelatedWork",
    "POST",
    VERSION + "/relatedwork",
    summary="Tie work elsewhere to a version.",
    body=WorkBody,
    access="anyone",
    status=201,
)
def create_work(call: Call) -> Json:
    """Tie work to a version."""
    given = call.body
    made = versions.create_work(
        _version(call),
        category=given.category,
        title=given.title or "",
        url=given.url,
        actor=actor(call),
    )
    return present_work(made)


def _work(call: Call, version: Version, uuid: str | None) -> VersionWork:
    found = version.related_work.filter(uuid=uuid or "").first()
    if found is None:
        raise NotFound(f"Could not find related work with id '{uuid}'")
    found.version = version
    return found


@operation(
    "updateRelatedWork",
    "PUT",
    VERSION + "/relatedwork",
    summary="Change work that belongs to a version.",
    body=WorkBody,
    access="anyone",
)
def update_work(call: Call) -> Json:
    """Change work of a version."""
    given = call.body
    changed = versions.update_work(
        _work(call, _version(call), given.id),
        category=given.category,
        title=given.title or "",
        url=given.url,
        actor=actor(call),
    )
    return present_work(changed)


@operation(
    "deleteRelatedWork",
    "DELETE",
    PATH + "/{versionId}/relatedwork/{relatedWorkId}",
    summary="Untie work from a version.",
    access="anyone",
    status=204,
)
def delete_work(call: Call) -> Reply:
    """Untie work from a version."""
    version = _version(call, "versionId")
    versions.delete_work(_work(call, version, call.path["relatedWorkId"]), actor=actor(call))
    return Reply(None, 204)
