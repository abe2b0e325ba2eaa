"""Ranking issues."""

from __future__ import annotations

from clones.core.operations import Call, Reply
from clones.tracker.api.agile.pages import (
    AGILE,
    RankedIssuesBody,
    named_issues,
    place_of,
    rank_reply,
)
from clones.tracker.api.operations import actor, operation
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.ranking import rank_issues


@operation(
    "agile.rankIssues",
    "PUT",
    f"{AGILE}/issue/rank",
    summary="Put up to 50 issues right before or after another, in their order.",
    body=RankedIssuesBody,
    status=204,
)
def rank(call: Call) -> Reply:
    """Rank issues; the answer is 207 where some of them could not be."""
    asked: RankedIssuesBody = call.body
    issues = named_issues(call, asked)
    place = place_of(call, asked.before, asked.after, asked.field)
    if place is None:
        raise Invalid("Either rankBeforeIssue or rankAfterIssue must be specified.")
    return rank_reply(rank_issues(issues, place, actor=actor(call)))
