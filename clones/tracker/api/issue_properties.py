"""What integrations keep with issues: one property of one issue, or of very many by a task."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.tracker.api.entity_properties import keys_of, value_of
from clones.tracker.api.operations import Body, actor, operation, show
from clones.tracker.domain import issue_properties
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.issue_properties import ABSENT, IssueSelection
from clones.tracker.domain.properties import read_value
from clones.tracker.models import Issue, Task
from clones.tracker.queries.rights import find_issue

Json = dict[str, Any]
PATH = "/rest/api/3/issue/{key}/properties"
MANY = "/rest/api/3/issue/properties"


class PropertiesWrite(Body):
    """Properties, and the issues that get them."""

    entitiesIds: list[int] | None = None
    properties: dict[str, Any] | None = None


class IssueWrite(Body):
    """An issue and its properties, of a bulk change."""

    issueID: int
    properties: dict[str, Any]


class PropertiesApart(Body):
    """Issues with the properties of each, of a bulk change."""

    issues: list[IssueWrite]


class PropertyFilter(Body):
    """The issues meant: of these ids, and with a value of a property, any or none."""

    entityIds: list[int] | None = None
    currentValue: Any = None
    hasProperty: bool | None = None


class PropertyWrite(Body):
    """The value of a property to set in bulk, and the filter of the issues."""

    value: Any = None
    expression: str | None = None
    filter: PropertyFilter | None = None


@operation(
    "getIssuePropertyKeys",
    "GET",
    PATH,
    summary="List the keys of an issue's properties.",
    access="anyone",
)
def list_issue_properties(call: Call) -> Json:
    """List the keys."""
    issue = _issue(call)
    return keys_of("issue", str(issue.id), show(call).url(f"issue/{issue.key}/properties"))


@operation(
    "getIssueProperty",
    "GET",
    PATH + "/{property}",
    summary="Show a property of an issue.",
    access="anyone",
)
def show_issue_property(call: Call) -> Json:
    """Show a property."""
    return value_of("issue", str(_issue(call).id), call.path["property"])


@operation(
    "setIssueProperty",
    "PUT",
    PATH + "/{property}",
    summary="Set a property of an issue. The body is its value.",
    raw_body=True,
)
def set_issue_property(call: Call) -> Reply:
    """Set a property: 201 if it is new, else 200."""
    is_new = issue_properties.set_issue_property(
        _issue(call), call.path["property"], read_value(call.body), actor=actor(call)
    )
    return Reply(None, 201 if is_new else 200)


@operation(
    "deleteIssueProperty",
    "DELETE",
    PATH + "/{property}",
    summary="Delete a property of an issue.",
    status=204,
)
def delete_issue_property(call: Call) -> None:
    """Delete a property."""
    key = call.path["property"]
    issue_properties.delete_issue_property(_issue(call), key, actor=actor(call))


@operation(
    "bulkSetIssuesPropertiesList",
    "POST",
    MANY,
    summary="Begin to set properties of many issues.",
    body=PropertiesWrite,
    status=303,
)
def set_for_issues(call: Call) -> Reply:
    """Begin the task, and name its address."""
    task = issue_properties.start_setting(
        call.body.properties or {},
        IssueSelection(ids=call.body.entitiesIds or []),
        actor=actor(call),
    )
    return _see(call, task)


@operation(
    "bulkSetIssuePropertiesByIssue",
    "POST",
    MANY + "/multi",
    summary="Begin to set properties of many issues, of each its own.",
    body=PropertiesApart,
    status=303,
)
def set_apart(call: Call) -> Reply:
    """Begin the task, and name its address."""
    apart = {issue.issueID: issue.properties for issue in call.body.issues}
    return _see(call, issue_properties.start_setting_apart(apart, actor=actor(call)))


@operation(
    "bulkSetIssueProperty",
    "PUT",
    MANY + "/{property}",
    summary="Begin to set one property of many issues.",
    body=PropertyWrite,
    status=303,
)
def set_one_for_issues(call: Call) -> Reply:
    """Begin the task, and name its address. Values that expressions compute are not served."""
    if call.body.expression is not None:
        raise Invalid("Jira expressions are not supported.")
    if "value" not in call.body.model_fields_set:
        raise Invalid("The value of the property must be specified.")
    properties = {call.path["property"]: call.body.value}
    task = issue_properties.start_setting(
        properties, _choice(call.body.filter), actor=actor(call), whole=False
    )
    return _see(call, task)


@operation(
    "bulkDeleteIssueProperty",
    "DELETE",
    MANY + "/{property}",
    summary="Begin to delete one property of many issues.",
    body=PropertyFilter,
    status=303,
)
def delete_for_issues(call: Call) -> Reply:
    """Begin the task, and name its address."""
    choice = _choice(call.body)
    return _see(
        call, issue_properties.start_deleting(call.path["property"], choice, actor=actor(call))
    )


def _issue(call: Call) -> Issue:
    return find_issue(actor(call), call.path["key"])


def _choice(said: PropertyFilter | None) -> IssueSelection:
    if said is None:
        return IssueSelection()
    named = "currentValue" in said.model_fields_set
    return IssueSelection(said.entityIds, said.currentValue if named else ABSENT, said.hasProperty)


def _see(call: Call, task: Task) -> Reply:
    return Reply(None, 303, {"Location": show(call).url(f"task/{task.id}")})
