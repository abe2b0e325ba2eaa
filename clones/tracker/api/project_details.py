"""What belongs to a space: statuses, hierarchy, sender, features, properties, types."""

from __future__ import annotations

import base64
from collections import defaultdict
from typing import Any, Final

from pydantic import Field

from clones.core.digits import is_digits
from clones.core.operations import Call, Reply
from clones.tracker.api import entity_properties
from clones.tracker.api.operations import Body, actor, operation, show
from clones.tracker.api.presenters.projects import present_feature
from clones.tracker.api.presenters.refs import status_ref
from clones.tracker.api.projects import ONE, PATH, project_of
from clones.tracker.domain import projects
from clones.tracker.domain.administration import runs_project
from clones.tracker.domain.errors import Forbidden, NotFound
from clones.tracker.models import Project
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.workflows import statuses_by_type
from clones.tracker.rules.pictures import colour_of
from clones.tracker.rules.project_templates import TYPES, features_of

Json = dict[str, Any]
LEVELS: Final = {1: "Epic", 0: "Base", -1: "Subtask"}
PROPERTIES: Final = ONE + "/properties"
PROPERTY: Final = PROPERTIES + "/{propertyKey}"


class FeatureBody(Body):
    """The state of a space's feature: enabled or disabled."""

    state: str | None = None


class EmailBody(Body):
    """The address from which a space's mail is sent."""

    address: str | None = Field(None, alias="emailAddress")


@operation(
    "getAllStatuses",
    "GET",
    ONE + "/statuses",
    summary="List the statuses of a space's issues, by their types.",
    access="anyone",
)
def list_statuses(call: Call) -> list[Json]:
    """List a space's statuses by type."""
    project, reading = project_of(call), show(call)
    types = types_of(project)
    statuses = statuses_by_type(project, types)
    return [
        {
            "self": reading.url(f"issuetype/{kind.id}"),
            "id": str(kind.id),
            "name": kind.name,
            "subtask": kind.subtask,
            "statuses": [status_ref(status, reading) for status in statuses[kind.id]],
        }
        for kind in types
    ]


@operation(
    "getHierarchy",
    "GET",
    PATH + "/{projectId}/hierarchy",
    summary="List the types of a team-managed space by the level on which they are.",
)
def show_hierarchy(call: Call) -> Json:
    """Show the levels of a team-managed space's types."""
    project = _by_id(call)
    if not project.simplified:
        raise NotFound(f"Project with id '{project.id}' is not simplified.")
    levels: dict[int, list[Json]] = defaultdict(list)
    for kind in types_of(project):
        body = {"id": kind.id, "name": kind.name, "avatarId": kind.avatar_id}
        levels[kind.hierarchy_level].append(body)
    return {
        "projectId": project.id,
        "hierarchy": [
            {"level": level, "name": LEVELS.get(level, str(level)), "issueTypes": levels[level]}
            for level in sorted(levels, key=lambda level: (level != 0, -level))
        ],
    }


def _by_id(call: Call) -> Project:
    text = call.path["projectId"]
    if not is_digits(text):
        raise NotFound(f"No project could be found with id '{text}'.")
    return project_of(call, "projectId")


@operation(
    "getProjectEmail",
    "GET",
    PATH + "/{projectId}/email",
    summary="Show the address from which a space's mail is sent.",
)
def show_email(call: Call) -> Json:
    """Show a space's sender."""
    return {"emailAddress": _by_id(call).sender_email or DEFAULT_SENDER}


DEFAULT_SENDER: Final = "jira@site.example"


@operation(
    "updateProjectEmail",
    "PUT",
    PATH + "/{projectId}/email",
    summary="Set the address from which a space's mail is sent.",
    body=EmailBody,
    status=204,
)
def set_email(call: Call) -> None:
    """Set a space's sender."""
    projects.set_sender(_by_id(call), call.body.address, actor=actor(call))


# Features


def _features(call: Call, project: Project) -> Json:
    features = features_of(project.type, project.style)
    return {"features": [present_feature(one, project, show(call)) for one in features]}


@operation(
    "getFeaturesForProject", "GET", ONE + "/features", summary="List the features of a space."
)
def list_features(call: Call) -> Json:
    """List a space's features."""
    return _features(call, project_of(call))


@operation(
    "toggleFeatureForProject",
    "PUT",
    ONE + "/features/{featureKey}",
    summary="Show or hide a feature of a space.",
    body=FeatureBody,
)
def toggle_feature(call: Call) -> Json:
    """Show or hide a feature."""
    project = project_of(call)
    key, state = call.path["featureKey"], call.body.state or ""
    projects.set_feature(project, key, state, actor=actor(call))
    return _features(call, project)


# Properties


def _entity(call: Call, *, to_write: bool = False) -> str:
    project, reader = project_of(call), actor(call)
    if to_write and not runs_project(reader, project):
        raise Forbidden("You do not have permission to edit the properties of this project.")
    return str(project.id)


@operation(
    "getProjectPropertyKeys",
    "GET",
    PROPERTIES,
    summary="List the keys of a space's properties.",
    access="anyone",
)
def list_keys(call: Call) -> Json:
    """List the keys of a space's properties."""
    entity = _entity(call)
    address = show(call).url(f"project/{entity}/properties")
    return entity_properties.keys_of("project", entity, address)


@operation(
    "getProjectProperty",
    "GET",
    PROPERTY,
    summary="Show a property of a space.",
    access="anyone",
)
def show_property(call: Call) -> Json:
    """Show a property of a space."""
    return entity_properties.value_of("project", _entity(call), call.path["propertyKey"])


@operation(
    "setProjectProperty",
    "PUT",
    PROPERTY,
    summary="Set a property of a space.",
    access="anyone",
    raw_body=True,
)
def set_property(call: Call) -> Reply:
    """Set a property of a space."""
    entity = _entity(call, to_write=True)
    return entity_properties.keep("project", entity, call.path["propertyKey"], call.body)


@operation(
    "deleteProjectProperty",
    "DELETE",
    PROPERTY,
    summary="Remove a property of a space.",
    access="anyone",
    status=204,
)
def delete_property(call: Call) -> Reply:
    """Remove a property of a space."""
    entity = _entity(call, to_write=True)
    return entity_properties.drop("project", entity, call.path["propertyKey"])


# Types of spaces


def _type(key: str) -> Json:
    if key not in TYPES:
        raise NotFound(f"The project type '{key}' was not found.")
    name, colour = TYPES[key]
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
        f'<rect width="32" height="32" rx="4" fill="{colour_of(key)}"/></svg>'
    )
    return {
        "key": key,
        "formattedKey": name,
        "descriptionI18nKey": f"jira.project.type.{key}.description",
        "icon": base64.b64encode(drawing.encode()).decode(),
        "color": colour,
    }


@operation(
    "getAllProjectTypes",
    "GET",
    PATH + "/type",
    summary="List the types of spaces.",
    access="anyone",
)
def list_types(call: Call) -> list[Json]:
    """List the types of spaces."""
    return [_type(key) for key in TYPES]


@operation(
    "getAllAccessibleProjectTypes",
    "GET",
    PATH + "/type/accessible",
    summary="List the types of spaces that the site has a licence for.",
)
def list_accessible_types(call: Call) -> list[Json]:
    """List the types of spaces; the site has all."""
    return [_type(key) for key in TYPES]


@operation(
    "getProjectTypeByKey",
    "GET",
    PATH + "/type/{projectTypeKey}",
    summary="Show a type of spaces.",
    access="anyone",
)
def show_type(call: Call) -> Json:
    """Show a type of spaces."""
    return _type(call.path["projectTypeKey"])


@operation(
    "getAccessibleProjectTypeByKey",
    "GET",
    PATH + "/type/{projectTypeKey}/accessible",
    summary="Show a type of spaces if the caller has a product for it.",
)
def show_accessible_type(call: Call) -> Json:
    """Show a type of spaces that the caller can use."""
    key = call.path["projectTypeKey"]
    products = {"software": "jira-software", "service_desk": "jira-servicedesk"}
    found = _type(key)
    if not actor(call).has_product(products.get(key)):
        raise NotFound(f"The project type '{key}' was not found.")
    return found
