"""What the operations of boards share: their pages, and the issues that bodies name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.core.operations.paging import Rows, counted_part
from clones.tracker.api.operations import Body, actor
from clones.tracker.api.paging import place
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.ranking import RankOutcome, RankPosition, check_number
from clones.tracker.models import Issue
from clones.tracker.queries.agile_fields import rank_field
from clones.tracker.queries.issue_names import issues_named

Json = dict[str, Any]
AGILE: Final = "/rest/agile/1.0"
MOST: Final = 50  # boards, sprints, epics, versions or quick filters on a page


class IssuesBody(Body):
    """The keys or ids of issues to move to an epic, sprint or backlog."""

    issues: list[str | int] = []


class RankedIssuesBody(IssuesBody):
    """The keys or ids of issues to move or rank, and the issue that they go next to."""

    before: str | int | None = Field(None, alias="rankBeforeIssue")
    after: str | int | None = Field(None, alias="rankAfterIssue")
    field: int | None = Field(None, alias="rankCustomFieldId")


def agile_page(
    call: Call, rows: Rows, present: Callable[[list[Any]], list[Any]], *, limit: int = MOST
) -> Json:
    """Return a page of values as boards have it: a page bean without addresses.

    Raises:
        Invalid: a parameter is no number.
    """
    start, most = place(call, limit, limit)
    shown, total = counted_part(rows, start, most)
    return {
        "maxResults": most,
        "startAt": start,
        "total": total,
        "isLast": start + len(shown) >= total,
        "values": present(shown),
    }


def named_issues(call: Call, body: IssuesBody) -> list[Issue]:
    """Return the issues that a body names.

    Raises:
        Invalid: they are too many, or one of them is nothing that the caller sees.
    """
    check_number(body.issues)
    return issues_named(actor(call), [str(name) for name in body.issues])


def place_of(
    call: Call, before: str | int | None, after: str | int | None, field: int | None = None
) -> RankPosition | None:
    """Return where issues are to be ranked; None: nowhere.

    Where both are given the issue that they go before counts.

    Raises:
        Invalid: there is no such issue, or `field` is not the field of ranks.
    """
    if field is not None and f"customfield_{field}" != rank_field():
        text = f"The custom field '{field}' is not a rank field."
        raise Invalid(fields={"rankCustomFieldId": text})
    if before is not None:
        return RankPosition(issues_named(actor(call), [str(before)])[0], after=False)
    if after is not None:
        return RankPosition(issues_named(actor(call), [str(after)])[0], after=True)
    return None


def rank_reply(outcomes: Sequence[RankOutcome]) -> Reply:
    """Return the answer to a request about several issues.

    It is 204 with nothing, 207 where some could not be moved.

    Raises:
        Forbidden: none of them could, for want of permission.
    """
    wrong = [outcome for outcome in outcomes if outcome.status != 200]
    if not wrong:
        return Reply(None, 204)
    if all(outcome.status == 403 for outcome in wrong) and len(wrong) == len(outcomes):
        raise Forbidden(*(text for outcome in wrong for text in outcome.errors))
    return Reply({"entries": [_entry(outcome) for outcome in outcomes]}, 207)


def _entry(outcome: RankOutcome) -> Json:
    found: Json = {
        "issueId": outcome.issue.id,
        "issueKey": outcome.issue.key,
        "status": outcome.status,
    }
    if outcome.errors:
        found["errors"] = list(outcome.errors)
    return found
