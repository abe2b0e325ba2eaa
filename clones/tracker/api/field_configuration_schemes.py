"""Schemes of field configurations: which one counts for which type of a space."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import F, QuerySet
from pydantic import Field

from clones.core import resources
from clones.core.operations import Call
from clones.core.operations.inputs import CommaList
from clones.tracker.api.admin_lists import AdminBody, Id, IdQuery, project_of
from clones.tracker.api.operations import Query, actor, operation
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.fields import configuration_scheme_body
from clones.tracker.api.resources import PAGED, by_id, register_resource
from clones.tracker.domain import field_configurations as configurations
from clones.tracker.models import (
    FieldConfigurationScheme,
    FieldConfigurationSchemeItem,
    Project,
)

PATH = "/rest/api/3/fieldconfigurationscheme"


class MappingQuery(Query):
    """Filter of field configuration mappings: the ids of their schemes."""

    schemes: CommaList[Id] | None = Field(None, alias="fieldConfigurationSchemeId")


class ProjectsQuery(Query):
    """Filter of field configuration schemes: the spaces that use them."""

    projects: CommaList[Id] = Field(alias="projectId")


class Assignment(AdminBody):
    """The field configuration scheme of a space; null: the default configuration."""

    scheme: str | None = Field(None, alias="fieldConfigurationSchemeId")
    project: str = Field(alias="projectId")


class Mapping(AdminBody):
    """An issue type, or `default`, and its field configuration."""

    type: str = Field(alias="issueTypeId")
    configuration: str = Field(alias="fieldConfigurationId")


class Mappings(AdminBody):
    """Issue types and their field configurations, for a scheme."""

    mappings: list[Mapping]


class TypeIds(AdminBody):
    """The ids of issue types to take out of a field configuration scheme."""

    types: list[str] = Field([], alias="issueTypeIds")


SCHEMES: Final = resources.ResourceApi(
    resource=configurations.FIELD_CONFIGURATION_SCHEME,
    path=PATH,
    one="/{id}",
    find=by_id(configurations.FIELD_CONFIGURATION_SCHEME, configurations.SCHEME_GONE),
    present=lambda scheme, _: configuration_scheme_body(scheme),
    body="SchemeWrite",
    about="The attributes of a field configuration scheme that can be set.",
    reads="admin",
)


def _wanted_schemes(call: Call) -> QuerySet[FieldConfigurationScheme]:
    rows = configurations.FIELD_CONFIGURATION_SCHEME.rows()
    return rows.filter(id__in=call.query.id) if call.query.id else rows


register_resource(
    SCHEMES,
    resources.lists(
        "getAllFieldConfigurationSchemes",
        "List the schemes of field configurations.",
        query=IdQuery,
        rows=_wanted_schemes,
        manner=PAGED,
    ),
    resources.creates("createFieldConfigurationScheme", "Make a scheme of field configurations."),
    resources.updates(
        "updateFieldConfigurationScheme",
        "Change the name and description of a scheme.",
        status=204,
    ),
    resources.deletes("deleteFieldConfigurationScheme", "Remove a scheme that no space uses."),
    module=__name__,
)


@operation(
    "getFieldConfigurationSchemeMappings",
    "GET",
    PATH + "/mapping",
    summary="List which configuration counts for which type, scheme by scheme.",
    query=MappingQuery,
    access="admin",
)
def list_mappings(call: Call) -> dict[str, Any]:
    """List the configurations of types; of all others under `default`."""
    rows = FieldConfigurationSchemeItem.objects.all()
    if call.query.schemes:
        rows = rows.filter(scheme__in=call.query.schemes)
    ordered = rows.order_by("scheme_id", F("issue_type").asc(nulls_last=True), "id")
    return page_bean(
        call,
        ordered,
        lambda found: [
            {
                "fieldConfigurationSchemeId": str(item.scheme_id),
                "issueTypeId": "default" if item.issue_type_id is None else str(item.issue_type_id),
                "fieldConfigurationId": str(item.configuration_id),
            }
            for item in found
        ],
    )


@operation(
    "getFieldConfigurationSchemeProjectMapping",
    "GET",
    PATH + "/project",
    summary="List the schemes of spaces.",
    query=ProjectsQuery,
    access="admin",
)
def list_projects(call: Call) -> dict[str, Any]:
    """List schemes with the spaces that use them; first those that use none."""
    wanted = Project.objects.filter(
        id__in=call.query.projects, style="classic", deleted_at=None
    ).order_by(F("field_scheme").asc(nulls_first=True), "id")
    found: dict[int | None, dict[str, Any]] = {}
    for project in wanted.select_related("field_scheme"):
        entry = found.setdefault(project.field_scheme_id, {"projectIds": []})
        if project.field_scheme is not None:
            entry["fieldConfigurationScheme"] = configuration_scheme_body(project.field_scheme)
        entry["projectIds"].append(str(project.id))
    return page_bean(call, list(found.values()), list)


@operation(
    "assignFieldConfigurationSchemeToProject",
    "PUT",
    PATH + "/project",
    summary="Let a space use a scheme of field configurations.",
    body=Assignment,
    access="admin",
    status=204,
)
def assign_scheme(call: Call) -> None:
    """Let a space use a scheme, or none."""
    given: Assignment = call.body
    scheme = None if given.scheme is None else SCHEMES.of_key(given.scheme)
    configurations.assign_scheme(scheme, project_of(given.project), actor=actor(call))


@operation(
    "setFieldConfigurationSchemeMapping",
    "PUT",
    PATH + "/{id}/mapping",
    summary="Say which configuration counts for which type.",
    body=Mappings,
    access="admin",
    status=204,
)
def set_mappings(call: Call) -> None:
    """Set the configurations of types."""
    given: Mappings = call.body
    pairs = [(one.type, one.configuration) for one in given.mappings]
    configurations.set_mappings(SCHEMES.record(call), pairs, actor=actor(call))


@operation(
    "removeIssueTypesFromGlobalFieldConfigurationScheme",
    "POST",
    PATH + "/{id}/mapping/delete",
    summary="Take types out of a scheme.",
    body=TypeIds,
    access="admin",
    status=204,
)
def remove_mappings(call: Call) -> None:
    """Take types out of a scheme."""
    configurations.remove_mappings(SCHEMES.record(call), call.body.types, actor=actor(call))
