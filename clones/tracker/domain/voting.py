"""Votes for issues. On the vendor's site the reporter may vote too."""

from __future__ import annotations

from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import Issue, Vote
from clones.tracker.queries.rights import Rights

RESOLVED = "You cannot vote or change your vote on resolved issues."


def add_vote(issue: Issue, *, actor: Rights) -> None:
    """Vote for an issue; twice is once.

    Raises:
        NotFound: it is resolved (the vendor answers 404).
    """
    assert actor.user is not None  # noqa: S101 - the operation is for those who signed in
    if issue.resolution_id is not None:
        raise NotFound(RESOLVED)
    if not Vote.objects.filter(issue=issue, user=actor.user).exists():
        Vote.objects.create(id=next_id(Vote), issue=issue, user=actor.user)


def remove_vote(issue: Issue, *, actor: Rights) -> None:
    """Take one's vote back; who has not voted still has not.

    Raises:
        NotFound: the issue is resolved (the vendor answers 404).
    """
    if issue.resolution_id is not None:
        raise NotFound(RESOLVED)
    Vote.objects.filter(issue=issue, user=actor.user).delete()
