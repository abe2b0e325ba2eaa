"""Issue security schemes and which spaces use them."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Prefetch, QuerySet
from pydantic import Field

from clones.core import resources
from clones.core.digits import is_digits
from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList, Digits
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import actor, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.access import present_level, present_security_scheme
from clones.tracker.api.query_params import PagedQuery
from clones.tracker.api.resources import id_only, register_resource
from clones.tracker.api.task_replies import task_reply
from clones.tracker.domain import security_schemes
from clones.tracker.domain.administration import runs_project
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.domain.holders import Held, checked_holder
from clones.tracker.domain.security_schemes import LevelDraft, scheme_of
from clones.tracker.models import Project
from clones.tracker.queries.rights import Rights, find_project

Json = dict[str, Any]
PATH: Final = "/rest/api/3/issuesecurityschemes"
OF_PROJECT: Final = "/rest/api/3/project/{projectKeyOrId}"


class MemberBody(AdminBody):
    """A member of an issue security level, who sees its issues: type and parameter."""

    type: str
    parameter: str | None = None


class LevelBody(AdminBody):
    """An issue security level to create: its name, text and members."""

    name: str
    description: str | None = None
    is_default: bool = Field(False, alias="isDefault")
    members: list[MemberBody] | None = None


class SchemeBody(AdminBody):
    """An issue security scheme to create: its name, text and levels."""

    name: str
    description: str | None = None
    levels: list[LevelBody] | None = None


class ChangeBody(AdminBody):
    """An issue security scheme's or level's new name or description."""

    name: str | None = None
    description: str | None = None


class MappingBody(AdminBody):
    """The issue security level that issues get in place of another."""

    old: str | None = Field(alias="oldLevelId")
    new: str | None = Field(alias="newLevelId")


class AssociationBody(AdminBody):
    """The issue security scheme of a space, and what issues' levels become."""

    project: str = Field(alias="projectId")
    scheme: str | None = Field(alias="schemeId")
    mappings: list[MappingBody] | None = Field(None, alias="oldToNewSecurityLevelMappings")


class SearchQuery(PagedQuery):
    """Filters and paging of a search of issue security schemes."""

    ids: CommaList[Digits] = Field([], alias="id")
    projects: CommaList[Digits] = Field([], alias="projectId")


class UsesQuery(PagedQuery):
    """Filters and paging of which spaces use which issue security schemes."""

    schemes: CommaList[Digits] = Field([], alias="issueSecuritySchemeId")
    projects: CommaList[Digits] = Field([], alias="projectId")


def members_of(given: list[MemberBody] | None) -> list[Held]:
    """Return the members that a body names.

    Raises:
        Invalid: one is unknown.
    """
    return [checked_holder(one.type, one.parameter) for one in given or ()]


def levels_of(given: list[LevelBody] | None) -> list[LevelDraft]:
    """Return the levels that a body asks for.

    Raises:
        Invalid: a member is unknown.
    """
    return [
        LevelDraft(one.name, one.description, one.is_default, members_of(one.members))
        for one in given or ()
    ]


def _classic() -> QuerySet[Project]:
    rows = Project.objects.filter(style="classic", deleted_at=None)
    return rows.filter(security_scheme__isnull=False).order_by("id")


def _show(call: Call) -> Json:
    """Show a scheme to admins, and to those who run a space that uses it."""
    reader, scheme = actor(call), SCHEMES.record(call)
    run = scheme.projects.filter(id__in=reader.projects_with("ADMINISTER_PROJECTS"))
    if not reader.is_admin and not run.exists():
        raise Forbidden("You do not have permission to view the issue security scheme.")
    return present_security_scheme(scheme, show(call), list(scheme.levels.order_by("id")))


def _values(given: SchemeBody) -> Json:
    levels = levels_of(given.levels)
    return {"name": given.name, "description": given.description, "levels": levels}


SCHEMES: Final = resources.ResourceApi(
    resource=security_schemes.SECURITY_SCHEME,
    path=PATH,
    one="/{id}",
    find=scheme_of,
    present=present_security_scheme,
)
register_resource(
    SCHEMES,
    resources.lists(
        "getIssueSecuritySchemes",
        "List all issue security schemes.",
        access="admin",
        manner="issueSecuritySchemes",
    ),
    resources.creates(
        "createIssueSecurityScheme",
        "Make an issue security scheme with its levels.",
        body=SchemeBody,
        values=_values,
        present=id_only,
    ),
    resources.shows(
        "getIssueSecurityScheme", "Show an issue security scheme with its levels.", view=_show
    ),
    resources.updates(
        "updateIssueSecurityScheme",
        "Change an issue security scheme's name or description.",
        body=ChangeBody,
        status=204,
    ),
    resources.deletes(
        "deleteSecurityScheme",
        "Remove an issue security scheme that no space uses.",
        path="/{schemeId}",
    ),
    module=__name__,
)


@operation(
    "searchSecuritySchemes",
    "GET",
    PATH + "/search",
    summary="List issue security schemes with the spaces that use them.",
    query=SearchQuery,
    access="admin",
)
def search_schemes(call: Call) -> Json:
    """List schemes with their spaces; only those that are asked for, where some are."""
    wanted, projects = call.query.ids, call.query.projects
    uses = _classic().filter(id__in=projects) if projects else _classic()
    rows = security_schemes.SECURITY_SCHEME.rows()
    if wanted:
        rows = rows.filter(id__in=wanted)
    if projects:
        rows = rows.filter(id__in=uses.order_by().values("security_scheme"))
    rows = rows.prefetch_related(Prefetch("projects", uses, to_attr="uses"))
    return page_bean(call, rows, lambda found: [_with_projects(one, call) for one in found])


def _with_projects(scheme: Any, call: Call) -> Json:
    found = present_security_scheme(scheme, show(call))
    default = found.pop("defaultSecurityLevelId", None)
    if default is not None:
        found["defaultLevel"] = default
    return {**found, "projectIds": [project.id for project in scheme.uses]}


@operation(
    "searchProjectsUsingSecuritySchemes",
    "GET",
    PATH + "/project",
    summary="List which space uses which issue security scheme.",
    query=UsesQuery,
    access="admin",
)
def list_uses(call: Call) -> Json:
    """List which space uses which scheme."""
    schemes = call.query.schemes
    projects = call.query.projects
    rows = _classic()
    if schemes:
        rows = rows.filter(security_scheme__in=schemes)
    if projects:
        rows = rows.filter(id__in=projects)
    return page_bean(
        call,
        rows,
        lambda found: [
            {
                "issueSecuritySchemeId": str(project.security_scheme_id),
                "projectId": str(project.id),
            }
            for project in found
        ],
    )


@operation(
    "associateSchemesToProjects",
    "PUT",
    PATH + "/project",
    summary="Let a space use an issue security scheme: a task.",
    body=AssociationBody,
    access="admin",
    status=303,
)
def associate(call: Call) -> Reply:
    """Begin to let a space use a scheme."""
    given = call.body
    project = find_project(actor(call), given.project)
    scheme = scheme_of(given.scheme) if given.scheme else None
    mappings = {_level(one.old): _level(one.new) for one in given.mappings or ()}
    task = security_schemes.associate_scheme(project, scheme, mappings, actor=actor(call))
    return task_reply(call, task)


def _level(text: str | None) -> int | None:
    if text in (None, "", "-1"):
        return None
    if not is_digits(str(text)):
        raise Invalid(
            f"{text} is not a valid value. The issue security level ID must be a positive integer."
        )
    return int(str(text))


# Spaces


def _needs_running(reader: Rights, project: Project) -> None:
    if not (reader.is_admin or runs_project(reader, project)):
        raise Forbidden("You do not have permission to administer this project.")


@operation(
    "getProjectIssueSecurityScheme",
    "GET",
    OF_PROJECT + "/issuesecuritylevelscheme",
    summary="Show the issue security scheme of a space.",
)
def show_of_project(call: Call) -> Json:
    """Show a space's scheme to those who run it."""
    reader = actor(call)
    project = find_project(reader, call.path["projectKeyOrId"])
    _needs_running(reader, project)
    scheme = project.security_scheme
    if scheme is None:
        raise NotFound("The project has no issue security scheme.")
    return present_security_scheme(scheme, show(call), list(scheme.levels.order_by("id")))


@operation(
    "getSecurityLevelsForProject",
    "GET",
    OF_PROJECT + "/securitylevel",
    summary="List the security levels that the caller may give issues of a space.",
    access="anyone",
)
def list_levels_of_project(call: Call) -> Json:
    """List a space's levels that the caller is a member of, if they may set them."""
    reader = actor(call)
    project = find_project(reader, call.path["projectKeyOrId"])
    if project.security_scheme is None or not reader.may("SET_ISSUE_SECURITY", project):
        return {"levels": []}
    levels = project.security_scheme.levels.order_by("name", "id")
    seen = [level for level in levels if reader.sees_level(level.id, project)]
    return {"levels": [present_level(level, show(call)) for level in seen]}
