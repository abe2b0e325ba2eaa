"""Watching issues: whoever watches one is told of what happens to it."""

from __future__ import annotations

from collections.abc import Iterable

from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.models import Issue, User, Watcher
from clones.tracker.queries.hot import PREFERENCE, WATCHER
from clones.tracker.queries.rights import BROWSE, Rights

AUTOWATCH = "user.autowatch.disabled"


def keep_watching(issue: Issue, user: User) -> None:
    """Let somebody watch what they made or spoke on, unless they turned that off."""
    if PREFERENCE.first(user.id, AUTOWATCH) not in (True, "true"):
        _add(issue, user)


def add_watcher(issue: Issue, account_id: str | None, *, actor: Rights) -> None:
    """Let somebody watch an issue; None is the actor themselves. Twice is once.

    Raises:
        Forbidden: it is another, and the actor does not manage watchers.
        Invalid: they cannot see the issue themselves, or nobody is named.
        NotFound: there is no such account.
    """
    user = _person(account_id, actor)
    if user != actor.user and not actor.may_on("MANAGE_WATCHERS", issue):
        raise Forbidden(_refusal(actor, "add watchers to", issue))
    if not _seen_by(user, actor).may_on(BROWSE, issue):
        raise Invalid(
            f'The user "{user.display_name}" does not have permission to view this issue. '
            "This user will not be added to the watch list."
        )
    _add(issue, user)


def remove_watcher(issue: Issue, account_id: str | None, *, actor: Rights) -> None:
    """Take somebody off an issue's watchers; who is none stays none.

    Raises:
        Forbidden: it is another, and the actor does not manage watchers.
        Invalid: nobody is named.
        NotFound: there is no such account.
    """
    if not account_id:
        raise Invalid("The accountId must be specified.")
    user = _person(account_id, actor)
    if user != actor.user and not actor.may_on("MANAGE_WATCHERS", issue):
        raise Forbidden(_refusal(actor, "remove watchers from", issue))
    Watcher.objects.filter(issue=issue, user=user).delete()


def watch_issues(issues: Iterable[int], user: User) -> None:
    """Let somebody watch many issues."""
    wanted = sorted(set(issues))
    rows = Watcher.objects.filter(user=user, issue__in=wanted)
    already = set(rows.values_list("issue_id", flat=True))
    missing = [issue for issue in wanted if issue not in already]
    keys = next_ids(Watcher, len(missing))
    Watcher.objects.bulk_create(
        [
            Watcher(id=key, issue_id=issue, user=user)
            for key, issue in zip(keys, missing, strict=True)
        ]
    )


def unwatch_issues(issues: Iterable[int], user: User) -> None:
    """Take somebody off the watchers of many issues."""
    Watcher.objects.filter(user=user, issue__in=sorted(set(issues))).delete()


def _add(issue: Issue, user: User) -> None:
    if WATCHER.first(issue.id, user.id) is None:
        Watcher.objects.create(id=next_id(Watcher), issue=issue, user=user)


def _person(account_id: str | None, actor: Rights) -> User:
    if account_id is None and actor.user is not None:
        return actor.user
    found = User.objects.filter(account_id=account_id or "", active=True).first()
    if found is None:
        raise NotFound("Specified user does not exist or you do not have required permissions")
    return found


def _seen_by(user: User, actor: Rights) -> Rights:
    return actor if user == actor.user else Rights(user)


def _refusal(actor: Rights, what: str, issue: Issue) -> str:
    name = actor.user.display_name if actor.user is not None else "anonymous"
    return f"User '{name}' is not allowed to {what} issue '{issue.key}'"
