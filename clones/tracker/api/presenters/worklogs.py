"""Work logs as the platform shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clones.tracker.api.presenters.comments import Names, present_visibility
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.refs import user_ref
from clones.tracker.domain.properties import values_of
from clones.tracker.models import Worklog
from clones.tracker.queries.comments import names_of
from clones.tracker.queries.work_time import work_time
from clones.tracker.rules.durations_of_work import WorkTime, text_of

Json = dict[str, Any]


def present_worklogs(
    worklogs: Sequence[Worklog], show: Show, *, properties: bool = False
) -> list[Json]:
    """Return work logs, with their authors, as JSON, with a constant number of statements."""
    if not worklogs:
        return []
    names = names_of(worklog.visibility for worklog in worklogs)
    kept = values_of("worklog", [str(worklog.id) for worklog in worklogs]) if properties else {}
    work = work_time()
    found = []
    for worklog in worklogs:
        shown = _present(worklog, show, names, work)
        if properties:
            pairs = kept.get(str(worklog.id), {})
            shown["properties"] = [{"key": key, "value": value} for key, value in pairs.items()]
        found.append(shown)
    return found


def present_worklog(worklog: Worklog, show: Show, *, properties: bool = False) -> Json:
    """Return one work log as JSON."""
    return present_worklogs([worklog], show, properties=properties)[0]


def _present(worklog: Worklog, show: Show, names: Names, work: WorkTime) -> Json:
    show.note(worklog)
    found: Json = {"self": show.url(f"issue/{worklog.issue_id}/worklog/{worklog.id}")}
    if worklog.author is not None:
        found["author"] = user_ref(worklog.author, show)
    if worklog.update_author is not None:
        found["updateAuthor"] = user_ref(worklog.update_author, show)
    if worklog.comment is not None:
        found["comment"] = show.rich(worklog.comment)
    found |= {
        "created": show.when(worklog.created),
        "updated": show.when(worklog.updated),
    }
    if worklog.visibility is not None:
        found["visibility"] = present_visibility(worklog.visibility, names)
    return found | {
        "started": show.when(worklog.started),
        "timeSpent": text_of(worklog.seconds, work),
        "timeSpentSeconds": worklog.seconds,
        "id": str(worklog.id),
        "issueId": str(worklog.issue_id),
    }
