"""Issues one by one: making, reading, changing, assigning and deleting them."""

from __future__ import annotations

from typing import Any, Final

from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList
from clones.tracker.api.errors import envelope
from clones.tracker.api.issue_bodies import IssueWrite, read_edit, read_new_issue
from clones.tracker.api.operations import Body, Query, actor, flag, operation, show, version
from clones.tracker.api.presenters.createmeta import present_edit_meta
from clones.tracker.api.presenters.issues import present_issue
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.fieldset import fields_of
from clones.tracker.domain.issues.creating import create_issue
from clones.tracker.domain.issues.deleting import delete_issue
from clones.tracker.domain.issues.editing import (
    assign_issue,
    edit_issue,
    is_editable,
    require_edit,
)
from clones.tracker.domain.issues.resolving import AUTOMATIC
from clones.tracker.domain.issues.viewing import view_issue
from clones.tracker.models import Issue, User
from clones.tracker.queries.rights import Rights, find_issue

Json = dict[str, Any]
NOTHING: Final = "one of 'fields' or 'update' required"
NO_OVERRIDE: Final = "You do not have permission to override screen security or editable flag."


class CreateQuery(Query):
    """Whether creating an issue adds it to the caller's history."""

    updateHistory: str | None = None


class IssueQuery(Query):
    """The fields, expansions and properties of an issue to show."""

    fields: CommaList[str] | None = None
    fieldsByKeys: str | None = None
    expand: CommaList[str] = []
    properties: CommaList[str] = []
    updateHistory: str | None = None
    failFast: str | None = None


class EditQuery(Query):
    """Whether an edit is notified of, overrides screens or locks, and returns the issue."""

    notifyUsers: str | None = None
    overrideScreenSecurity: str | None = None
    overrideEditableFlag: str | None = None
    returnIssue: str | None = None
    expand: CommaList[str] = []


class DeleteQuery(Query):
    """Whether an issue's subtasks are deleted with it."""

    deleteSubtasks: str | None = None


class AssigneeBody(Body):
    """The account id of an issue's new assignee; null: nobody, "-1": the default."""

    accountId: str | None = None
    name: str | None = None
    key: str | None = None


def created_issue(issue: Issue, call: Call, *, moved: bool) -> Json:
    """Return a new issue as the vendor names it."""
    at = show(call)
    at.note(issue, "detail")
    found: Json = {"id": str(issue.id), "key": issue.key, "self": at.url(f"issue/{issue.id}")}
    if moved:
        found["transition"] = {"status": 200, "errorCollection": envelope([])}
    return found


@operation(
    "createIssue",
    "POST",
    "/rest/api/3/issue",
    summary="Make an issue or a sub-task.",
    query=CreateQuery,
    body=IssueWrite,
    status=201,
)
def create(call: Call) -> Json:
    """Make an issue."""
    rights = actor(call)
    new = read_new_issue(call.body, actor=rights, version=version(call))
    issue = create_issue(
        new.project,
        new.issue_type,
        new.planned,
        actor=rights,
        transition=new.transition,
        properties=new.properties,
    )
    if flag(call.query.updateHistory) and rights.user is not None:
        view_issue(issue, rights.user)
    return created_issue(issue, call, moved=new.transition is not None)


@operation(
    "getIssue",
    "GET",
    "/rest/api/3/issue/{issueIdOrKey}",
    summary="Show an issue: all of it, or some of its fields.",
    query=IssueQuery,
    access="anyone",
)
def get(call: Call) -> Json:
    """Show an issue."""
    query: IssueQuery = call.query
    issue = find_issue(actor(call), call.path["issueIdOrKey"])
    user = actor(call).user
    if flag(query.updateHistory) and user is not None:
        # Reading writes nothing: that somebody looked is kept after the answer, as of a page.
        call.request.led_to.append(lambda: view_issue(issue, user))
    fields = query.fields or None
    return present_issue(issue, fields, show(call), query.expand, properties=query.properties)


@operation(
    "editIssue",
    "PUT",
    "/rest/api/3/issue/{issueIdOrKey}",
    summary="Change the fields of an issue; comment, log work and link with it.",
    query=EditQuery,
    body=IssueWrite,
    access="anyone",
    status=204,
)
def edit(call: Call) -> Json | Reply | None:
    """Change an issue."""
    query, body, rights = call.query, call.body, actor(call)
    issue = find_issue(rights, call.path["issueIdOrKey"])
    if not body.says_anything:
        raise Invalid(NOTHING)
    screened = not _overrides(query, rights)
    if not flag(query.overrideEditableFlag):
        require_edit(issue, rights)
    planned = read_edit(body, issue, actor=rights, version=version(call), screened=screened)
    edit_issue(
        issue,
        planned,
        actor=rights,
        metadata=body.historyMetadata or None,
        properties=body.properties or [],
        notify=_notifies(query.notifyUsers, issue, rights),
        trusted=True,  # `require_edit` has seen to it
    )
    if flag(query.returnIssue):
        fresh = find_issue(rights, issue.id)
        return Reply(present_issue(fresh, None, show(call), query.expand), 200)
    return None


def _overrides(query: Any, rights: Rights) -> bool:
    """Tell whether screens do not count: only apps that administer the site may ask for that.

    Raises:
        Forbidden: somebody else asks.
    """
    asked = flag(query.overrideScreenSecurity), flag(query.overrideEditableFlag)
    is_app = rights.user is not None and rights.user.account_type == "app" and rights.is_admin
    if any(asked) and not is_app:
        raise Forbidden(NO_OVERRIDE)
    return asked[0]


def _notifies(text: str | None, issue: Issue, rights: Rights) -> bool:
    """Tell whether people are told: only admins of site or space can keep a change quiet."""
    quiet = text is not None and not flag(text)
    able = rights.is_admin or rights.may("ADMINISTER_PROJECTS", issue.project)
    return not (quiet and able)


@operation(
    "deleteIssue",
    "DELETE",
    "/rest/api/3/issue/{issueIdOrKey}",
    summary="Delete an issue, with its sub-tasks if that is asked for.",
    query=DeleteQuery,
    access="anyone",
    status=204,
)
def delete(call: Call) -> None:
    """Delete an issue."""
    rights = actor(call)
    issue = find_issue(rights, call.path["issueIdOrKey"])
    delete_issue(issue, actor=rights, delete_subtasks=flag(call.query.deleteSubtasks))


@operation(
    "assignIssue",
    "PUT",
    "/rest/api/3/issue/{issueIdOrKey}/assignee",
    summary="Give an issue to somebody, to nobody, or to whom its space names.",
    body=AssigneeBody,
    access="anyone",
    status=204,
)
def assign(call: Call) -> None:
    """Assign an issue."""
    rights = actor(call)
    issue = find_issue(rights, call.path["issueIdOrKey"])
    assign_issue(issue, _assignee(call.body), actor=rights)


def _assignee(body: AssigneeBody) -> User | str | None:
    """Return who is named.

    Raises:
        Invalid: nobody or several are, or the account is unknown.
    """
    said = body.model_fields_set
    if len(said) != 1:
        raise Invalid("One of 'accountId', 'name' or 'key' must be provided.")
    named = getattr(body, next(iter(said)))
    if named is None or named == AUTOMATIC:
        return AUTOMATIC if named else None
    found = User.objects.filter(account_id=named).first() if "accountId" in said else None
    if found is None:
        raise Invalid(fields={"assignee": f"User '{named}' does not exist."})
    return found


@operation(
    "getEditIssueMeta",
    "GET",
    "/rest/api/3/issue/{issueIdOrKey}/editmeta",
    summary="Tell which fields of an issue its reader can change, and to what.",
    query=EditQuery,
    access="anyone",
)
def edit_meta(call: Call) -> Json:
    """Tell what can be changed."""
    rights = actor(call)
    issue = find_issue(rights, call.path["issueIdOrKey"])
    screened = not _overrides(call.query, rights)
    editable = flag(call.query.overrideEditableFlag) or is_editable(issue)
    if not editable or not rights.may_on("EDIT_ISSUES", issue):
        return {"fields": {}}
    fieldset = fields_of(issue.project, issue.issue_type)
    screen = None if screened else fieldset.fields
    return {"fields": present_edit_meta(issue, fieldset, show(call), screen=screen)}
