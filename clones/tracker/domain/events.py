"""What happened, told to whoever has to act on it: mail, webhooks, SLAs, automation.

Listeners run at once, in the transaction of the write, in the order in which they registered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from clones.tracker import models
    from clones.tracker.queries.rights import Rights


@dataclass(slots=True)
class Event:
    """Something that happened. `kind` names it as webhooks do, without `jira:`.

    issue_created, issue_updated, issue_transitioned (an update too, told before it),
    issue_deleted (told before the rows go); comment_*, worklog_*, attachment_* and issuelink_*
    with created, updated, deleted; project_*, version_*, sprint_*, board_* and user_* with the
    vendor's words. `details` has what only this kind has; `notify` is whether people are told.
    """

    kind: str
    actor: Rights
    issue: models.Issue | None = None
    changes: models.ChangeGroup | None = None
    comment: models.Comment | None = None
    worklog: models.Worklog | None = None
    attachment: models.Attachment | None = None
    link: models.IssueLink | None = None
    project: models.Project | None = None
    version: models.Version | None = None
    sprint: models.Sprint | None = None
    board: models.Board | None = None
    user: models.User | None = None
    notify: bool = True
    details: dict[str, Any] = field(default_factory=dict)


Listener = Callable[[Event], None]
_listeners: dict[str, list[Listener]] = {}
_of_all: list[Listener] = []


def listen(*kinds: str) -> Callable[[Listener], Listener]:
    """Register a listener to some kinds of events; without kinds, to all."""

    def register(listener: Listener) -> Listener:
        if not kinds:
            _of_all.append(listener)
        for kind in kinds:
            _listeners.setdefault(kind, []).append(listener)
        return listener

    return register


def publish(event: Event) -> None:
    """Tell the listeners what happened."""
    for listener in [*_listeners.get(event.kind, ()), *_of_all]:
        listener(event)
