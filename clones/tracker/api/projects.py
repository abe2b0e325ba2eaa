"""Spaces: making, finding, changing and putting them away."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Q, QuerySet
from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList, Digits
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import actor, flag, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.projects import present_project, present_projects
from clones.tracker.api.query_params import ExpandQuery, PagedQuery, is_given
from clones.tracker.api.task_replies import task_reply
from clones.tracker.domain import project_removal, projects
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.projects import NOBODY, Schemes
from clones.tracker.models import (
    FieldConfigurationScheme,
    IssueTypeScheme,
    IssueTypeScreenScheme,
    NotificationScheme,
    PermissionScheme,
    Project,
    ProjectCategory,
    SecurityScheme,
    User,
    WorkflowScheme,
)
from clones.tracker.queries.projects import (
    ORDERS,
    find_put_away,
    ordered,
    recent_projects,
    seen_projects,
    shown,
    with_insight,
    with_property,
)
from clones.tracker.queries.rights import Rights, find_project

Json = dict[str, Any]
PATH: Final = "/rest/api/3/project"
ONE: Final = PATH + "/{projectIdOrKey}"
RECENT: Final = 20
MOST_NAMED: Final = 50
_SCHEMES: Final[dict[str, tuple[str, Any]]] = {
    "permission": ("permissionScheme", PermissionScheme),
    "notification": ("notificationScheme", NotificationScheme),
    "security": ("issueSecurityScheme", SecurityScheme),
    "issue_type": ("issueTypeScheme", IssueTypeScheme),
    "screen": ("issueTypeScreenScheme", IssueTypeScreenScheme),
    "field": ("fieldConfigurationScheme", FieldConfigurationScheme),
    "workflow": ("workflowScheme", WorkflowScheme),
}


class ProjectQuery(ExpandQuery):
    """The expansions and properties of a space to show."""

    properties: CommaList[str] = []


class AllQuery(ProjectQuery):
    """Whether all spaces are listed or those looked at last, with expansions."""

    recent: int | None = None


class SearchQuery(PagedQuery, ProjectQuery):
    """Filters, order, paging and expansions of a search of spaces."""

    order: str | None = Field(None, alias="orderBy")
    ids: CommaList[Digits] = Field([], alias="id")
    keys: CommaList[str] = []
    text: str | None = Field(None, alias="query")
    types: CommaList[str] = Field([], alias="typeKey")
    category: CommaList[Digits] = Field([], alias="categoryId")
    action: str | None = None
    status: CommaList[str] = []
    property: str | None = Field(None, alias="propertyQuery")


class DeleteQuery(ProjectQuery):
    """Whether a deleted space goes to the trash or for good."""

    undo: str | None = Field(None, alias="enableUndo")


class ProjectBody(AdminBody):
    """The attributes of a space that can be set: name, key, lead, schemes."""

    key: str | None = None
    name: str | None = None
    description: str | None = None
    lead: str | None = Field(None, alias="leadAccountId")
    old_lead: str | None = Field(None, alias="lead")
    url: str | None = None
    assignee_type: str | None = Field(None, alias="assigneeType")
    avatar: int | None = Field(None, alias="avatarId")
    category: int | None = Field(None, alias="categoryId")
    permission: int | None = Field(None, alias="permissionScheme")
    notification: int | None = Field(None, alias="notificationScheme")
    security: int | None = Field(None, alias="issueSecurityScheme")


class NewProject(ProjectBody):
    """A space to create, with its template and schemes."""

    type: str | None = Field(None, alias="projectTypeKey")
    template: str | None = Field(None, alias="projectTemplateKey")
    issue_type: int | None = Field(None, alias="issueTypeScheme")
    screen: int | None = Field(None, alias="issueTypeScreenScheme")
    field: int | None = Field(None, alias="fieldConfigurationScheme")
    workflow: int | None = Field(None, alias="workflowScheme")


class ProjectChange(ProjectBody):
    """The attributes of a space to change."""

    released: list[str] | None = Field(None, alias="releasedProjectKeys")


def project_of(call: Call, name: str = "projectIdOrKey") -> Project:
    """Return the space that a path names, if the caller sees it."""
    return find_project(actor(call), call.path[name])


def _one(model: Any, key: int | None, field: str) -> Any:
    """Return the row of a key that a body gives; none of -1 or nothing.

    Raises:
        Invalid: there is none, under the field's name.
    """
    if key is None or key == -1:
        return None
    found = model.objects.filter(id=key).first()
    if found is None:
        raise Invalid(fields={field: f"The {field} with id '{key}' does not exist."})
    return found


def _lead(given: ProjectBody) -> User | None:
    text = given.lead or given.old_lead
    if given.lead and given.old_lead:
        raise Invalid(fields={"projectLead": "Only one of lead and leadAccountId may be given."})
    return User.objects.filter(account_id=text).first() if text else None


@operation(
    "createProject",
    "POST",
    PATH,
    summary="Make a space from a template.",
    body=NewProject,
    status=201,
)
def create_project(call: Call) -> Json:
    """Make a space."""
    given: NewProject = call.body
    lead = _lead(given)
    schemes = {
        name: _one(model, getattr(given, name), field) for name, (field, model) in _SCHEMES.items()
    }
    made = projects.create_project(
        given.key or "",
        given.name or "",
        actor=actor(call),
        lead=lead or NOBODY,
        type=given.type,
        template=given.template,
        description=given.description or "",
        url=given.url or "",
        assignee_type=given.assignee_type,
        avatar_id=given.avatar,
        category=_one(ProjectCategory, given.category, "categoryId"),
        schemes=Schemes(**schemes),
    )
    return {"self": show(call).url(f"project/{made.id}"), "id": made.id, "key": made.key}


@operation(
    "getAllProjects",
    "GET",
    PATH,
    summary="List the spaces that the caller sees.",
    query=AllQuery,
    access="anyone",
)
def list_projects(call: Call) -> list[Json]:
    """List the live spaces that the caller sees."""
    asked = call.query
    if asked.recent is not None and actor(call).user is not None:
        return _recent(call, min(max(asked.recent, 0), RECENT))
    expand = frozenset(asked.expand)
    rows = _prepared(seen_projects(actor(call)), expand)
    return present_projects(list(rows), show(call), expand, call.query.properties)


def _prepared(rows: QuerySet[Project], expand: frozenset[str]) -> QuerySet[Project]:
    return shown(with_insight(rows) if "insight" in expand else rows)


def _recent(call: Call, count: int) -> list[Json]:
    expand = frozenset(call.query.expand)
    rows = _prepared(recent_projects(actor(call), count), expand)
    return present_projects(list(rows), show(call), expand, call.query.properties)


@operation(
    "getRecent",
    "GET",
    PATH + "/recent",
    summary="List the spaces in which the caller looked at issues last.",
    query=ProjectQuery,
    access="anyone",
)
def list_recent(call: Call) -> list[Json]:
    """List up to twenty spaces that the caller looked at last."""
    return [] if actor(call).user is None else _recent(call, RECENT)


@operation(
    "searchProjects",
    "GET",
    PATH + "/search",
    summary="Find spaces.",
    query=SearchQuery,
    access="anyone",
)
def search_projects(call: Call) -> Json:
    """Find spaces that the caller sees."""
    asked, reader = call.query, actor(call)
    expand = frozenset(asked.expand)
    rows = seen_projects(reader, asked.status or ["live"])
    rows = _of_action(rows, reader, asked.action or "view")
    rows = _matching(call, rows)
    name = (asked.order or "").lstrip("+- ")
    if name in ("issueCount", "lastIssueUpdatedTime"):
        rows = with_insight(rows)
        expand_now = expand - {"insight"}
    else:
        expand_now = expand
    rows = ordered(_prepared(rows, expand_now), (asked.order or "").strip(), ORDERS)
    properties = call.query.properties
    return page_bean(
        call, rows, lambda found: present_projects(found, show(call), expand, properties)
    )


def _of_action(rows: QuerySet[Project], reader: Rights, action: str) -> QuerySet[Project]:
    match action:
        case "view":
            return rows
        case "browse":
            return rows.filter(id__in=sorted(reader.projects_with("BROWSE_PROJECTS")))
        case "edit":
            if reader.is_admin:
                return rows
            return rows.filter(id__in=sorted(reader.projects_with("ADMINISTER_PROJECTS")))
        case "create":
            return rows.filter(id__in=sorted(reader.projects_with("CREATE_ISSUES")))
    raise Invalid(f"The action '{action}' is not valid.")


def _matching(call: Call, rows: QuerySet[Project]) -> QuerySet[Project]:
    asked = call.query
    wanted, keys = set(asked.ids), set(asked.keys)
    if len(wanted) > MOST_NAMED or len(keys) > MOST_NAMED:
        raise Invalid(f"Up to {MOST_NAMED} projects can be named.")
    if wanted:
        rows = rows.filter(id__in=wanted)
    if keys:
        rows = rows.filter(key__in=keys)
    if is_given(asked.text):
        rows = rows.filter(Q(key__icontains=asked.text) | Q(name__icontains=asked.text))
    if asked.types:
        rows = rows.filter(type__in=asked.types)
    if is_given(asked.property):
        rows = rows.filter(with_property(asked.property))
    if asked.category:
        rows = rows.filter(category__in=asked.category)
    return rows


@operation("getProject", "GET", ONE, summary="Show a space.", query=ProjectQuery, access="anyone")
def show_project(call: Call) -> Json:
    """Show a space; to admins those in the trash, too."""
    found = find_project(actor(call), call.path["projectIdOrKey"], deleted=True)
    return _shown(call, found)


def _shown(call: Call, project: Project) -> Json:
    asked = call.query or ExpandQuery()
    expand = frozenset(asked.expand)
    row = _prepared(Project.objects.filter(id=project.id), expand).get()
    return present_project(row, show(call), expand, getattr(asked, "properties", ()))


@operation(
    "updateProject",
    "PUT",
    ONE,
    summary="Change a space: its name, key, lead, schemes...",
    query=ExpandQuery,
    body=ProjectChange,
)
def update_project(call: Call) -> Json:
    """Change a space."""
    given: ProjectChange = call.body
    project = project_of(call)
    names = ("key", "name", "description", "url", "assignee_type")
    changes: Json = {
        name: getattr(given, name) for name in names if getattr(given, name) is not None
    }
    if given.lead or given.old_lead:
        changes["lead"] = _lead(given)
    if given.avatar is not None:
        changes["avatar_id"] = given.avatar
    if given.category is not None:
        changes["category"] = _one(ProjectCategory, given.category, "categoryId")
    for name in ("permission", "notification", "security"):
        key = getattr(given, name)
        if key is not None:
            field, model = _SCHEMES[name]
            changes[f"{name}_scheme"] = _one(model, key, field)
    if given.released is not None:
        changes["released_keys"] = given.released
    return _shown(call, projects.update_project(project, changes, actor=actor(call)))


@operation(
    "deleteProject",
    "DELETE",
    ONE,
    summary="Put a space into the trash, or remove it for good.",
    query=DeleteQuery,
    status=204,
)
def delete_project(call: Call) -> None:
    """Put a space into the trash; without undo it is gone."""
    found = find_project(actor(call), call.path["projectIdOrKey"], deleted=True)
    if flag(call.query.undo, default=True):
        project_removal.trash_project(found, actor=actor(call))
    else:
        project_removal.delete_project(found, actor=actor(call))


@operation(
    "deleteProjectAsynchronously",
    "POST",
    ONE + "/delete",
    summary="Remove a space for good: a task.",
    status=303,
)
def delete_later(call: Call) -> Reply:
    """Begin to remove a space."""
    found = find_project(actor(call), call.path["projectIdOrKey"], deleted=True)
    return task_reply(call, project_removal.begin_deletion(found, actor=actor(call)))


@operation(
    "archiveProject",
    "POST",
    ONE + "/archive",
    summary="Put a space into the archive.",
    status=204,
)
def archive_project(call: Call) -> None:
    """Archive a space."""
    project_removal.archive_project(project_of(call), actor=actor(call))


@operation("restore", "POST", ONE + "/restore", summary="Bring a space back from trash or archive.")
def restore_project(call: Call) -> Json:
    """Bring a space back."""
    found = find_put_away(actor(call), call.path["projectIdOrKey"])
    return _shown(call, project_removal.restore_project(found, actor=actor(call)))
