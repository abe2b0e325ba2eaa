"""Requests as desks show them: what was asked, how it stands, and more where that is asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.desk.basics import (
    Json,
    inner_page,
    present_date,
    present_person,
    self_link,
)
from clones.tracker.api.presenters.desk.conversation import present_comments, present_file
from clones.tracker.api.presenters.desk.desks import present_desk
from clones.tracker.api.presenters.desk.request_types import (
    fields_by_type,
    present_request_type_ref,
)
from clones.tracker.api.presenters.desk.slas import present_standings
from clones.tracker.api.presenters.issues import present_issues
from clones.tracker.domain.participants import may_manage_participants
from clones.tracker.domain.request_comments import may_comment
from clones.tracker.models import Attachment, Comment, Issue, RequestTypeField, Status
from clones.tracker.queries.desks import PortalRights
from clones.tracker.queries.requests import (
    comments_of_requests,
    files_of_requests,
    participants_of,
    portal_names,
    status_histories,
    works_on,
)
from clones.tracker.queries.slas import metrics_of, standings_of
from clones.tracker.rules.desk.wording import CATEGORIES

EXPANDS: Final = (
    "participant",
    "status",
    "sla",
    "requestType",
    "serviceDesk",
    "attachment",
    "action",
    "comment",
)
# What stands in a form and is shown elsewhere.
_ELSEWHERE: Final = frozenset({"attachment"})


def present_requests(
    issues: Sequence[Issue], show: Show, expand: Collection[str] = ()
) -> list[Json]:
    """Return requests, with a constant number of statements.

    Args:
        issues: as `queries.requests` finds them, with their desks and request types.
        show: how.
        expand: words of `EXPANDS`; `comment.attachment` and `comment.renderedBody` too.
    """
    shown = _Shown(issues, show, frozenset(expand))
    return [shown.request(issue) for issue in issues]


def present_status(name: str, status: Status, moment: datetime, show: Show) -> Json:
    """Return a status as customers read it."""
    return {
        "status": name,
        "statusCategory": CATEGORIES[status.category],
        "statusDate": present_date(moment, show),
    }


def present_history(
    issue: Issue,
    passed: Sequence[tuple[Status, datetime]],
    names: Mapping[tuple[int, int], str],
    show: Show,
) -> list[Json]:
    """Return the statuses that a request was in, the present one first."""
    kind = issue.request.request_type_id or 0
    return [
        present_status(names.get((kind, status.id), status.name), status, moment, show)
        for status, moment in passed
    ]


class _Shown:
    """Some requests, and what is read for all of them at once."""

    def __init__(self, issues: Sequence[Issue], show: Show, expand: frozenset[str]) -> None:
        self.show = show
        self.expand = expand
        self.names = portal_names(issues)
        self.histories = status_histories(issues)
        types = {issue.request.request_type for issue in issues}
        self.forms = fields_by_type([kind for kind in types if kind is not None])
        self.values = self._values(issues)
        self.participants = participants_of(issues) if "participant" in expand else {}
        self.files = self._files(issues) if "attachment" in expand else {}
        self.comments = self._comments(issues) if "comment" in expand else {}
        self.comment_files = self._comment_files(issues) if "comment.attachment" in expand else {}
        self.standings = self._standings(issues) if "sla" in expand else {}
        self.portal = PortalRights(show.reader.user)

    def _form(self, issue: Issue) -> Sequence[RequestTypeField]:
        fields = self.forms.get(issue.request.request_type_id or 0, [])
        return [field for field in fields if field.visible and field.field not in _ELSEWHERE]

    def _values(self, issues: Sequence[Issue]) -> dict[str, Json]:
        wanted = sorted({field.field for issue in issues for field in self._form(issue)})
        found = present_issues(issues, wanted, self.show) if wanted else []
        return {one["id"]: one["fields"] for one in found}

    def _files(self, issues: Sequence[Issue]) -> Mapping[int, list[Attachment]]:
        found: dict[int, list[Attachment]] = defaultdict(list)
        for file in files_of_requests(issues, self.show.reader):
            found[file.issue_id].append(file)
        return found

    def _comment_files(self, issues: Sequence[Issue]) -> Mapping[int, list[Attachment]]:
        found: dict[int, list[Attachment]] = defaultdict(list)
        rows = files_of_requests(issues, self.show.reader)
        for file in rows.filter(request_file__comment__isnull=False):
            found[file.request_file.comment_id or 0].append(file)
        return found

    def _comments(self, issues: Sequence[Issue]) -> Mapping[int, list[Comment]]:
        found: dict[int, list[Comment]] = defaultdict(list)
        for comment in comments_of_requests(issues, self.show.reader):
            found[comment.issue_id].append(comment)
        return found

    def _standings(self, issues: Sequence[Issue]) -> dict[int, list[Json]]:
        """Return how SLAs stand for the requests on which the reader is an agent."""
        mine = [issue for issue in issues if works_on(self.show.reader, issue)]
        metrics = metrics_of({issue.project_id for issue in mine})
        stand = standings_of([issue.id for issue in mine], metrics)
        return {
            issue.id: present_standings(issue.id, list(stand[issue.id].values()), self.show)
            for issue in mine
        }

    def request(self, issue: Issue) -> Json:
        """Return one of them."""
        show, desk = self.show, issue.project.desk
        show.note(issue)
        passed = self.histories[issue.id]
        kind = issue.request.request_type_id or 0
        name = self.names.get((kind, issue.status_id), issue.status.name)
        found: Json = {
            "_expands": list(EXPANDS),
            "issueId": str(issue.id),
            "issueKey": issue.key,
            "summary": issue.summary,
            "requestTypeId": str(kind),
            "serviceDeskId": str(desk.id),
            "createdDate": present_date(issue.created, show),
            "reporter": present_person(issue.reporter, show),
            "requestFieldValues": self._field_values(issue),
            "currentStatus": present_status(name, issue.status, passed[0][1], show),
            "_links": {
                "jiraRest": show.url(f"issue/{issue.id}"),
                "web": show.at(f"/servicedesk/customer/portal/{desk.id}/{issue.key}"),
                "agent": show.at(f"/browse/{issue.key}"),
                **self_link(f"request/{issue.id}", show),
            },
        }
        return found | self._expanded(issue)

    def _field_values(self, issue: Issue) -> list[Json]:
        values = self.values.get(str(issue.id), {})
        return [
            self._field_value(field, values.get(field.field), issue) for field in self._form(issue)
        ]

    def _field_value(self, field: RequestTypeField, value: Any, issue: Issue) -> Json:
        found: Json = {
            "fieldId": field.field,
            "label": field.display_name or field.field,
            "value": value,
        }
        if field.field == "description" and issue.description is not None:
            found["renderedValue"] = {"html": self.show.html(issue.description)}
        return found

    def _expanded(self, issue: Issue) -> Json:
        show, path, expand = self.show, f"request/{issue.id}", self.expand
        found: Json = {}
        if "serviceDesk" in expand:
            found["serviceDesk"] = present_desk(issue.project.desk, show)
        request_type = issue.request.request_type
        if "requestType" in expand and request_type is not None:
            desk = issue.project.desk.id
            found["requestType"] = present_request_type_ref(request_type, desk, show)
        if "status" in expand:
            passed = present_history(issue, self.histories[issue.id], self.names, show)
            found["status"] = inner_page(passed, f"{path}/status", show)
        if "participant" in expand:
            people = [present_person(user, show) for user in self.participants.get(issue.id, ())]
            found["participants"] = inner_page(people, f"{path}/participant", show)
        if "sla" in expand and issue.id in self.standings:
            found["sla"] = inner_page(self.standings[issue.id], f"{path}/sla", show)
        if "attachment" in expand:
            files = [present_file(file, show) for file in self.files.get(issue.id, ())]
            found["attachments"] = inner_page(files, f"{path}/attachment", show)
        if "comment" in expand:
            found["comments"] = inner_page(self._comments_of(issue), f"{path}/comment", show)
        if "action" in expand:
            found["actions"] = self._actions(issue)
        return found

    def _comments_of(self, issue: Issue) -> list[Json]:
        inside = {word.removeprefix("comment.") for word in self.expand if "." in word}
        comments = self.comments.get(issue.id, [])
        return present_comments(comments, self.show, expand=inside, files=self.comment_files)

    def _actions(self, issue: Issue) -> Json:
        people = may_manage_participants(issue, self.show.reader)
        files = self.portal.may("CREATE_ATTACHMENTS", issue.project)
        return {
            "addAttachment": {"allowed": files},
            "addComment": {"allowed": may_comment(issue, self.show.reader)},
            "addParticipant": {"allowed": people},
            "removeParticipant": {"allowed": people},
        }
