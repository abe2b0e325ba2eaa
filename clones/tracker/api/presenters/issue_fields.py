"""The fields of issues as the platform shows them: one function for each system field.

`IssueFields` shows the fields of one issue; what it needs comes from `IssueRows`, which has read it
for all issues of the answer. Custom fields are in `custom_values`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, Final

from clones.tracker.api.presenters.attachments import attachment_ref
from clones.tracker.api.presenters.comments import present_comments
from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.links import link_ref, linked_issue
from clones.tracker.api.presenters.refs import (
    component_ref,
    issue_type_ref,
    priority_ref,
    project_ref,
    resolution_ref,
    status_category_ref,
    status_ref,
    user_ref,
    version_ref,
)
from clones.tracker.api.presenters.worklogs import present_worklogs
from clones.tracker.models import Issue, SecurityLevel
from clones.tracker.queries.issue_rows import IssueRows
from clones.tracker.queries.work_time import work_time
from clones.tracker.rules.durations_of_work import WorkTime, text_of

Json = dict[str, Any]
WORKLOGS: Final = 20  # of an issue, the first of its work logs


def security_ref(level: SecurityLevel | None, show: Show) -> Json | None:
    """Return a security level as issues show it."""
    if level is None:
        return None
    return {
        "self": show.url(f"securitylevel/{level.id}"),
        "id": str(level.id),
        "description": level.description,
        "name": level.name,
    }


class IssueFields:
    """Shows the system fields of the issues of one answer."""

    def __init__(self, rows: IssueRows, show: Show) -> None:
        self.rows = rows
        self.show = show

    @cached_property
    def work(self) -> WorkTime:
        """How long a day of work is."""
        return work_time()

    def value(self, id: str, issue: Issue) -> Any:
        """Return what an issue's field holds.

        Raises:
            KeyError: there is no such field of every site.
        """
        return _SHOWN[id](self, issue)

    def parent(self, issue: Issue) -> Json | None:
        """Return the parent that the reader sees, else None: the field is left out then."""
        found = self.rows.parents.get(issue.parent_id or 0)
        return None if found is None else linked_issue(found, self.show)

    def user(self, key: int | None) -> Json | None:
        """Return somebody by their key."""
        return user_ref(self.rows.user(key), self.show)

    def project(self, issue: Issue) -> Json | None:
        """Return the space."""
        return project_ref(self.rows.named(issue, "project"), self.show)

    def issue_type(self, issue: Issue) -> Json | None:
        """Return the type."""
        return issue_type_ref(self.rows.named(issue, "issue_type"), self.show)

    def status(self, issue: Issue) -> Json | None:
        """Return the status."""
        return status_ref(self.rows.named(issue, "status"), self.show)

    def status_category(self, issue: Issue) -> Json:
        """Return the category of the status."""
        return status_category_ref(self.rows.named(issue, "status").category, self.show)

    def versions(self, issue: Issue, kind: str) -> list[Json | None]:
        """Return the versions of a kind."""
        return [version_ref(one, self.show) for one in self.rows.versions[issue.id, kind]]

    def components(self, issue: Issue) -> list[Json | None]:
        """Return the components."""
        return [component_ref(one, self.show) for one in self.rows.components[issue.id]]

    def last_viewed(self, issue: Issue) -> str | None:
        """Return when the reader last looked at the issue."""
        view = self.rows.views.get(issue.id)
        return None if view is None else self.show.when(view.at)

    def watches(self, issue: Issue) -> Json:
        """Return how many watch the issue."""
        counts, mine = self.rows.watching
        return {
            "self": self.show.url(f"issue/{issue.key}/watchers"),
            "watchCount": counts.get(issue.id, 0),
            "isWatching": issue.id in mine,
        }

    def votes(self, issue: Issue) -> Json:
        """Return how many voted for the issue."""
        counts, mine = self.rows.voting
        return {
            "self": self.show.url(f"issue/{issue.key}/votes"),
            "votes": counts.get(issue.id, 0),
            "hasVoted": issue.id in mine,
        }

    def links(self, issue: Issue) -> list[Json]:
        """Return the links."""
        return [link_ref(link, issue, self.show) for link in self.rows.links.get(issue.id, ())]

    def subtasks(self, issue: Issue) -> list[Json]:
        """Return the sub-tasks."""
        return [linked_issue(one, self.show) for one in self.rows.subtasks[issue.id]]

    @cached_property
    def _comments(self) -> Mapping[int, Json]:
        """The comments of all issues, by their ids."""
        found = [one for comments in self.rows.comments.values() for one in comments]
        shown = present_comments(found, self.show)
        return {one.id: body for one, body in zip(found, shown, strict=True)}

    @cached_property
    def _worklogs(self) -> Mapping[int, Json]:
        """The first work logs of all issues, by their ids."""
        found = [one for logs in self.rows.worklogs.values() for one in logs[:WORKLOGS]]
        shown = present_worklogs(found, self.show)
        return {one.id: body for one, body in zip(found, shown, strict=True)}

    def comment(self, issue: Issue) -> Json:
        """Return the comments, all of them."""
        found = self.rows.comments[issue.id]
        return {
            "comments": [self._comments[one.id] for one in found],
            "self": self.show.url(f"issue/{issue.id}/comment"),
            "maxResults": len(found),
            "total": len(found),
            "startAt": 0,
        }

    def worklog(self, issue: Issue) -> Json:
        """Return the first work logs."""
        found = self.rows.worklogs[issue.id]
        return {
            "startAt": 0,
            "maxResults": WORKLOGS,
            "total": len(found),
            "worklogs": [self._worklogs[one.id] for one in found[:WORKLOGS]],
        }

    def attachments(self, issue: Issue) -> list[Json]:
        """Return the files."""
        return [attachment_ref(one, self.show) for one in self.rows.attachments[issue.id]]

    def time_tracking(self, issue: Issue) -> Json:
        """Return estimates and spent time, in words and seconds; what there is of it."""
        pairs = (
            ("originalEstimate", issue.original_estimate),
            ("remainingEstimate", issue.remaining_estimate),
            ("timeSpent", issue.time_spent),
        )
        said = [(name, seconds) for name, seconds in pairs if seconds is not None]
        texts: Json = {name: text_of(seconds, self.work) for name, seconds in said}
        return texts | {f"{name}Seconds": seconds for name, seconds in said}

    def total(self, issue: Issue, column: str) -> int | None:
        """Return the sum of a time over an issue and its sub-tasks, None where nobody said any."""
        family = [issue, *self.rows.subtasks[issue.id]]
        said = [seconds for one in family if (seconds := getattr(one, column)) is not None]
        return sum(said) if said else None

    def restriction(self, issue: Issue) -> Json:
        """Return who the issue is restricted to: there are no such restrictions here."""
        project = self.rows.named(issue, "project")
        return {"issuerestrictions": {}, "shouldDisplay": project.simplified}


def progress(spent: int | None, remaining: int | None) -> Json:
    """Return how much of its work is done, in seconds and in percent where there is any."""
    done = spent or 0
    total = done + (remaining or 0)
    found = {"progress": done, "total": total}
    if total:
        found["percent"] = done * 100 // total
    return found


def work_ratio(issue: Issue) -> int:
    """Return spent time in percent of the estimate, -1 without an estimate."""
    if not issue.original_estimate:
        return -1
    return (issue.time_spent or 0) * 100 // issue.original_estimate


Shown = Callable[[IssueFields, Issue], Any]
_SHOWN: Final[Mapping[str, Shown]] = {
    "statuscategorychangedate": lambda at, issue: at.show.when(issue.status_category_changed),
    "issuetype": IssueFields.issue_type,
    "parent": IssueFields.parent,
    "timespent": lambda at, issue: issue.time_spent,
    "project": IssueFields.project,
    "fixVersions": lambda at, issue: at.versions(issue, "fix"),
    "statusCategory": IssueFields.status_category,
    "aggregatetimespent": lambda at, issue: at.total(issue, "time_spent"),
    "resolution": lambda at, issue: resolution_ref(at.rows.named(issue, "resolution"), at.show),
    "resolutiondate": lambda at, issue: at.show.when(issue.resolution_date),
    "workratio": lambda at, issue: work_ratio(issue),
    "issuerestriction": IssueFields.restriction,
    "watches": IssueFields.watches,
    "lastViewed": IssueFields.last_viewed,
    "created": lambda at, issue: at.show.when(issue.created),
    "priority": lambda at, issue: priority_ref(at.rows.named(issue, "priority"), at.show),
    "labels": lambda at, issue: list(at.rows.labels[issue.id]),
    "aggregatetimeoriginalestimate": lambda at, issue: at.total(issue, "original_estimate"),
    "timeestimate": lambda at, issue: issue.remaining_estimate,
    "versions": lambda at, issue: at.versions(issue, "affects"),
    "issuelinks": IssueFields.links,
    "assignee": lambda at, issue: at.user(issue.assignee_id),
    "updated": lambda at, issue: at.show.when(issue.updated),
    "status": IssueFields.status,
    "components": IssueFields.components,
    "timeoriginalestimate": lambda at, issue: issue.original_estimate,
    "description": lambda at, issue: at.show.rich(issue.description),
    "timetracking": IssueFields.time_tracking,
    "security": lambda at, issue: security_ref(at.rows.named(issue, "security_level"), at.show),
    "attachment": IssueFields.attachments,
    "aggregatetimeestimate": lambda at, issue: at.total(issue, "remaining_estimate"),
    "summary": lambda at, issue: issue.summary,
    "creator": lambda at, issue: at.user(issue.creator_id),
    "subtasks": IssueFields.subtasks,
    "reporter": lambda at, issue: at.user(issue.reporter_id),
    "aggregateprogress": lambda at, issue: progress(
        at.total(issue, "time_spent"), at.total(issue, "remaining_estimate")
    ),
    "environment": lambda at, issue: at.show.rich(issue.environment),
    "duedate": lambda at, issue: at.show.day(issue.due_date),
    "progress": lambda at, issue: progress(issue.time_spent, issue.remaining_estimate),
    "comment": IssueFields.comment,
    "votes": IssueFields.votes,
    "worklog": IssueFields.worklog,
}
