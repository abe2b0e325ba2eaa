"""The words of work logs, in which `worklogComment` looks, kept as work is logged and changed."""

from __future__ import annotations

from clones.tracker.domain.events import Event, listen
from clones.tracker.domain.richtext import plain_of
from clones.tracker.domain.texts import drop_text, keep_text

FIELD = "worklog"


@listen("worklog_created", "worklog_updated")
def keep_words(event: Event) -> None:
    """Keep what a work log says."""
    if event.worklog is not None:
        text = plain_of(event.worklog.comment)
        keep_text(event.worklog.issue, FIELD, event.worklog.id, text)


@listen("worklog_deleted")
def forget_words(event: Event) -> None:
    """Forget what a work log said."""
    if event.worklog is not None:
        drop_text(event.worklog.issue, FIELD, event.worklog.id)
