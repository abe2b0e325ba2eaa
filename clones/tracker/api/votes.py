"""Votes for issues."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.tracker.api.operations import actor, operation, show
from clones.tracker.api.presenters.refs import user_ref
from clones.tracker.domain import voting
from clones.tracker.domain.site_options import require_voting
from clones.tracker.models import Vote
from clones.tracker.queries.rights import find_issue

PATH = "/rest/api/3/issue/{key}/votes"


@operation("getVotes", "GET", PATH, summary="Show the votes for an issue.", access="anyone")
def show_votes(call: Call) -> dict[str, Any]:
    """Show the votes; who voted is shown to those who may see it."""
    rights = actor(call)
    require_voting()
    issue = find_issue(rights, call.path["key"])
    view = show(call)
    votes = Vote.objects.filter(issue=issue)
    shown = votes.select_related("user").order_by("user__display_name", "user_id")
    if not rights.may_on("VIEW_VOTERS_AND_WATCHERS", issue):
        shown = shown.none()
    return {
        "self": view.url(f"issue/{issue.key}/votes"),
        "votes": votes.count(),
        "hasVoted": rights.user is not None and votes.filter(user=rights.user).exists(),
        "voters": [user_ref(vote.user, view) for vote in shown],
    }


@operation("addVote", "POST", PATH, summary="Vote for an issue.", status=204)
def add_vote(call: Call) -> Reply:
    """Add the caller's vote."""
    rights = actor(call)
    require_voting()
    voting.add_vote(find_issue(rights, call.path["key"]), actor=rights)
    return Reply(None, 204)


@operation("removeVote", "DELETE", PATH, summary="Take back a vote for an issue.", status=204)
def remove_vote(call: Call) -> None:
    """Remove the caller's vote."""
    rights = actor(call)
    require_voting()
    voting.remove_vote(find_issue(rights, call.path["key"]), actor=rights)
