"""Issues many at once: making up to 50, showing up to 100."""

from __future__ import annotations

from typing import Any, Final

from django.db import transaction
from django.db.models import Q
from pydantic import Field

from clones.core.operations import Call, Reply
from clones.tracker.api.errors import envelope
from clones.tracker.api.issue_bodies import IssueWrite, read_new_issue
from clones.tracker.api.issues import created_issue
from clones.tracker.api.operations import Body, actor, operation, show, version
from clones.tracker.api.presenters.issues import ONE, IssueAnswer
from clones.tracker.api.presenters.selection import NAVIGABLE
from clones.tracker.domain.errors import Invalid, TrackerError
from clones.tracker.domain.issues.creating import create_issue
from clones.tracker.domain.issues.named import key_of
from clones.tracker.models import Issue
from clones.tracker.queries.rights import BROWSE, Rights

Json = dict[str, Any]
MOST_NEW: Final = 50
MOST_SHOWN: Final = 100


class IssuesBody(Body):
    """Issues to create in bulk."""

    issueUpdates: list[IssueWrite] = Field(default_factory=list)


class FetchBody(Body):
    """The issues to show in bulk, with their fields, expansions and properties."""

    issueIdsOrKeys: list[str]
    fields: list[str] | None = None
    fieldsByKeys: bool = False
    expand: list[str] = Field(default_factory=list)
    properties: list[str] = Field(default_factory=list)


@operation(
    "createIssues",
    "POST",
    "/rest/api/3/issue/bulk",
    summary="Make several issues; those that are wrong do not keep the others away.",
    body=IssuesBody,
    status=201,
)
def create_several(call: Call) -> Reply:
    """Make several issues."""
    wanted = call.body.issueUpdates
    if not wanted:
        raise Invalid("The issueUpdates must not be empty.")
    if len(wanted) > MOST_NEW:
        raise Invalid(f"Cannot create more than {MOST_NEW} issues at once.")
    issues: list[Json] = []
    errors: list[Json] = []
    for place, body in enumerate(wanted):
        try:
            with transaction.atomic():
                issues.append(_create(call, body))
        except TrackerError as error:
            errors.append(
                {
                    "status": error.status,
                    "elementErrors": envelope(error.messages, error.fields),
                    "failedElementNumber": place,
                }
            )
    return Reply({"issues": issues, "errors": errors}, 201 if issues else 400)


def _create(call: Call, body: IssueWrite) -> Json:
    rights = actor(call)
    new = read_new_issue(body, actor=rights, version=version(call))
    issue = create_issue(
        new.project,
        new.issue_type,
        new.planned,
        actor=rights,
        transition=new.transition,
        properties=new.properties,
    )
    return created_issue(issue, call, moved=new.transition is not None)


def find_issues(rights: Rights, named: list[str]) -> list[Issue]:
    """Return the issues of ids and keys that somebody sees, each once, by id."""
    ids = [key for text in named if (key := key_of(text)) is not None]
    keys = [text.upper() for text in named if key_of(text) is None]
    rows = Issue.objects.select_related("project", "issue_type", "status")
    found = {
        issue.id: issue
        for issue in rows.filter(
            Q(id__in=ids) | Q(key__in=keys) | Q(former_keys__key__in=keys)
        ).order_by("id")
    }
    return [issue for issue in found.values() if rights.may_on(BROWSE, issue)]


@operation(
    "bulkFetchIssues",
    "POST",
    "/rest/api/3/issue/bulkfetch",
    summary="Show up to 100 issues by their ids or keys.",
    body=FetchBody,
    access="anyone",
    writes=False,
)
def fetch_several(call: Call) -> Json:
    """Show several issues; those that are not seen are left out."""
    body: FetchBody = call.body
    if not body.issueIdsOrKeys:
        raise Invalid(fields={"issueIdsOrKeys": "At least one issue id or key is required."})
    if len(body.issueIdsOrKeys) > MOST_SHOWN:
        text = f"The number of issue ids or keys must not exceed {MOST_SHOWN}."
        raise Invalid(fields={"issueIdsOrKeys": text})
    if len(body.properties) > 5:
        raise Invalid(fields={"properties": "At most 5 issue properties can be requested."})
    issues = find_issues(actor(call), body.issueIdsOrKeys)
    answer = IssueAnswer(
        issues,
        body.fields or None,
        show(call),
        [word.strip() for item in body.expand for word in item.split(",")],
        default=NAVIGABLE,
        properties=body.properties,
    )
    return {"issues": answer.issues(ONE), "issueErrors": []}
