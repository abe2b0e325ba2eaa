"""The histories of issues: of one, in pages or by their ids, and of many."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Exists, OuterRef, Q
from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.paging import part
from clones.tracker.api.issue_bulk import find_issues
from clones.tracker.api.operations import Body, Query, actor, operation, show
from clones.tracker.api.paging import page_bean, state_of, token_of
from clones.tracker.api.presenters.changelogs import present_changelogs
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import ChangeGroup, ChangeItem
from clones.tracker.queries.rights import find_issue

Json = dict[str, Any]
MOST_ISSUES: Final = 1000
MOST_FIELDS: Final = 10
MOST: Final = 10_000


class ChangelogQuery(Query):
    """Paging of an issue's changelogs."""

    startAt: str | None = None
    maxResults: str | None = None


class IdsBody(Body):
    """The ids of an issue's changelogs to show."""

    changelogIds: list[int]


class BulkBody(Body):
    """The issues and the fields whose changelogs are listed in bulk."""

    issueIdsOrKeys: list[str] = Field(default_factory=list)
    fieldIds: list[str] = Field(default_factory=list)
    maxResults: int = 1000
    nextPageToken: str | None = None


@operation(
    "getChangeLogs",
    "GET",
    "/rest/api/3/issue/{issueIdOrKey}/changelog",
    summary="List what changed in an issue, the oldest change first.",
    query=ChangelogQuery,
    access="anyone",
)
def changelog(call: Call) -> Json:
    """List an issue's history."""
    issue = find_issue(actor(call), call.path["issueIdOrKey"])
    rows = ChangeGroup.objects.filter(issue=issue).select_related("author")
    at = show(call)
    return page_bean(
        call,
        rows.order_by("created", "id"),
        lambda groups: present_changelogs(groups, at),
        max_results=100,
    )


@operation(
    "getChangeLogsByIds",
    "POST",
    "/rest/api/3/issue/{issueIdOrKey}/changelog/list",
    summary="Show some entries of an issue's history.",
    body=IdsBody,
    access="anyone",
    writes=False,
)
def changelog_by_ids(call: Call) -> Json:
    """Show entries by their ids."""
    issue = find_issue(actor(call), call.path["issueIdOrKey"])
    wanted = sorted({id for id in call.body.changelogIds if 0 <= id < 2**63})
    rows = ChangeGroup.objects.filter(issue=issue, id__in=wanted).select_related("author")
    entries = present_changelogs(list(rows.order_by("created", "id")), show(call))
    return {
        "startAt": 0,
        "maxResults": len(entries),
        "total": len(entries),
        "histories": entries,
    }


@operation(
    "getBulkChangelogs",
    "POST",
    "/rest/api/3/changelog/bulkfetch",
    summary="Show the histories of several issues, of some fields or all.",
    body=BulkBody,
    access="anyone",
    writes=False,
)
def changelogs(call: Call) -> Json:
    """Show histories of many issues: the oldest change first."""
    body: BulkBody = call.body
    _check(body)
    issues = [issue.id for issue in find_issues(actor(call), body.issueIdsOrKeys)]
    rows = ChangeGroup.objects.filter(issue__in=issues)
    if body.fieldIds:
        changed = ChangeItem.objects.filter(group=OuterRef("pk"), field_id__in=body.fieldIds)
        rows = rows.filter(Exists(changed))
    if body.nextPageToken:
        rows = rows.filter(_after(body.nextPageToken))
    ordered = rows.select_related("author").order_by("created", "issue_id", "id")
    page, more = part(ordered, 0, body.maxResults)
    answer: Json = {"issueChangeLogs": _by_issue(call, page, frozenset(body.fieldIds))}
    if more:
        last = page[-1]
        place = [last.created.isoformat(), last.issue_id, last.id]
        answer["nextPageToken"] = token_of({"after": place})
    return answer


def _check(body: BulkBody) -> None:
    if not body.issueIdsOrKeys:
        raise Invalid(fields={"issueIdsOrKeys": "At least one issue id or key is required."})
    if len(body.issueIdsOrKeys) > MOST_ISSUES:
        text = f"The number of issue ids or keys must not exceed {MOST_ISSUES}."
        raise Invalid(fields={"issueIdsOrKeys": text})
    if len(body.fieldIds) > MOST_FIELDS:
        text = f"The number of field ids must not exceed {MOST_FIELDS}."
        raise Invalid(fields={"fieldIds": text})
    if not 1 <= body.maxResults <= MOST:
        raise Invalid(fields={"maxResults": f"The value must be between 1 and {MOST}."})


def _after(token: str) -> Q:
    """Return the condition of what stands behind the last entry of the page before.

    Raises:
        Invalid: it is no token of this list.
    """
    match state_of(token).get("after"):
        case [str(created), int(issue), int(group)]:
            behind = Q(issue_id__gt=issue) | Q(issue_id=issue, id__gt=group)
            return Q(created__gt=created) | (Q(created=created) & behind)
    raise Invalid("The provided next page token is invalid.")


def _by_issue(call: Call, groups: list[ChangeGroup], fields: frozenset[str]) -> list[Json]:
    entries: dict[int, list[Json]] = {}
    for group, entry in zip(groups, present_changelogs(groups, show(call)), strict=True):
        if fields:
            entry["items"] = [item for item in entry["items"] if item.get("fieldId") in fields]
        entries.setdefault(group.issue_id, []).append(entry)
    return [
        {"issueId": str(issue), "changeHistories": histories}
        for issue, histories in entries.items()
    ]
