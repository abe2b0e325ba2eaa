"""What stands in the cells of a list of issues, for pages and for files, by the column."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final

from django.utils.safestring import SafeString

from clones.tracker.domain.richtext import plain_of
from clones.tracker.models import FieldValue, Issue, User
from clones.tracker.queries.issue_rows import IssueRows
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.work_time import work_time
from clones.tracker.rules.durations_of_work import text_of
from clones.tracker.web.navigator.columns import IssueColumn
from clones.tracker.web.parts.pictures import face, priority_picture, type_picture

MONTHS: Final = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
CUT: Final = 140  # of long texts on pages
CATEGORIES: Final = {"new": "To Do", "indeterminate": "In Progress", "done": "Done"}
_TIMES: Final = {
    "created": "created",
    "updated": "updated",
    "resolutiondate": "resolution_date",
    "statuscategorychangedate": "status_category_changed",
}
_SECONDS: Final = {
    "timespent": "time_spent",
    "timeestimate": "remaining_estimate",
    "timeoriginalestimate": "original_estimate",
}


@dataclass(frozen=True, slots=True)
class IssueCell:
    """A cell: `form` says how it is drawn, `values` what it says, `thing` the row that it shows."""

    column: str
    form: str
    values: tuple[str, ...] = ()
    thing: Any = None
    href: str = ""

    @property
    def text(self) -> str:
        """The values as one text, cut."""
        text = ", ".join(self.values)
        return text if len(text) <= CUT else f"{text[: CUT - 1]}…"

    @property
    def picture(self) -> SafeString:
        """The picture of a type, a priority or somebody, where the cell has one."""
        match self.form:
            case "type":
                return type_picture(self.thing)
            case "priority" if self.thing is not None:
                return priority_picture(self.thing)
            case "user":
                return face(self.thing)
        return SafeString("")


class Cells:
    """The cells of the issues of one page: a constant number of statements for all of them."""

    def __init__(self, issues: Sequence[Issue], rights: Rights) -> None:
        self.rights = rights
        self.rows = IssueRows(issues, rights)
        self._work = work_time()

    def row(self, issue: Issue, columns: Sequence[IssueColumn]) -> list[IssueCell]:
        """Return the cells of an issue."""
        return [self.cell(issue, column) for column in columns]

    def cell(self, issue: Issue, column: IssueColumn) -> IssueCell:
        """Return what an issue shows in a column."""
        if column.custom is not None:
            return self._custom(issue, column)
        id = column.id
        if id in _TIMES:
            return IssueCell(id, "time", self._moment(getattr(issue, _TIMES[id])))
        if id in _SECONDS:
            seconds = getattr(issue, _SECONDS[id])
            return IssueCell(id, "text", () if seconds is None else (text_of(seconds, self._work),))
        found = _SYSTEM.get(id)
        return IssueCell(id, "text") if found is None else found(self, issue)

    def _moment(self, moment: datetime | None) -> tuple[str, ...]:
        if moment is None:
            return ()
        local = moment.astimezone(self.rights.zone)
        return (f"{_day(local.date())}, {local:%H:%M}",)

    def named(self, issue: Issue, relation: str, form: str) -> IssueCell:
        """Return what an issue names by one of its columns."""
        found = self.rows.named(issue, relation)
        return IssueCell(relation, form, () if found is None else (found.name,), found)

    def person(self, key: int | None, nobody: str = "") -> IssueCell:
        """Return somebody, or what stands for nobody."""
        user: User | None = self.rows.user(key)
        values = (nobody,) if user is None and nobody else ()
        return IssueCell("user", "user", (user.display_name,) if user else values, user)

    def parent(self, issue: Issue) -> IssueCell:
        """Return the parent."""
        parent = self.rows.parents.get(issue.parent_id or 0)
        if parent is None:
            return IssueCell("parent", "text")
        return IssueCell("parent", "link", (f"{parent.key} {parent.summary}",), parent, parent.key)

    def _custom(self, issue: Issue, column: IssueColumn) -> IssueCell:
        assert column.custom is not None  # noqa: S101 - the caller saw to it
        kind, rows = column.kind, self.rows
        values: list[str] = []
        if kind == "sprint":
            values = [sprint.name for sprint in rows.sprints[issue.id]]
        elif kind == "epic_link":
            parent = rows.parents.get(issue.parent_id or 0)
            values = [parent.key] if parent and parent.issue_type.hierarchy_level > 0 else []
        elif kind == "epic_name":
            values = [rows.epic_names[issue.id]] if rows.epic_names.get(issue.id) else []
        elif kind == "rank":
            values = [issue.rank]
        else:
            kept = rows.values.get(issue.id, {}).get(column.custom.id, ())
            values = [text for row in kept if (text := self._value(kind, row))]
        return IssueCell(column.id, "text", tuple(values))

    def _value(self, kind: str, row: FieldValue) -> str:
        """Return one value of a custom field as text."""
        match kind:
            case "number":
                return "" if row.number is None else f"{row.number:g}"
            case "day":
                return "" if row.day is None else _day(row.day)
            case "moment":
                return "".join(self._moment(row.moment))
            case "rich":
                return plain_of(row.document)
            case "version" | "versions" | "project":
                projects, versions = self.rows.others
                places: Mapping[int, Any] = projects if kind == "project" else versions
                return str(getattr(places.get(row.other or 0), "name", ""))
        return _value_text(row)

    def links(self, issue: Issue) -> IssueCell:
        """Return the issues that it is linked with."""
        ends = [
            link.destination.key if link.source_id == issue.id else link.source.key
            for link in self.rows.links.get(issue.id, ())
        ]
        return IssueCell("issuelinks", "text", tuple(ends))

    def count(self, issue: Issue, which: str) -> IssueCell:
        """Return how many watch an issue, or voted for it."""
        counts, _ = self.rows.watching if which == "watches" else self.rows.voting
        return IssueCell(which, "text", (str(counts.get(issue.id, 0)),))

    def viewed(self, issue: Issue) -> IssueCell:
        """Return when the one who looks last saw it."""
        view = self.rows.views.get(issue.id)
        return IssueCell("lastViewed", "time", self._moment(None if view is None else view.at))


def _value_text(row: FieldValue) -> str:
    """Return what a row names: an option after the one above, somebody, a group; or its text."""
    if row.option is not None:
        above = row.option.parent
        return row.option.value if above is None else f"{above.value} - {row.option.value}"
    if row.user is not None:
        return row.user.display_name
    return row.group.name if row.group is not None else row.text or ""


def _day(day: date) -> str:
    """Return a day as lists show it: `3 Mar 2026`."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def _names(things: Sequence[Any]) -> tuple[str, ...]:
    return tuple(thing.name for thing in things)


_SYSTEM: Final[Mapping[str, Callable[[Cells, Issue], IssueCell]]] = {
    "issuetype": lambda at, issue: at.named(issue, "issue_type", "type"),
    "issuekey": lambda at, issue: IssueCell("issuekey", "key", (issue.key,), issue, issue.key),
    "summary": lambda at, issue: IssueCell("summary", "link", (issue.summary,), issue, issue.key),
    "project": lambda at, issue: at.named(issue, "project", "text"),
    "status": lambda at, issue: at.named(issue, "status", "status"),
    "statusCategory": lambda at, issue: IssueCell(
        "statusCategory", "text", (CATEGORIES[at.rows.named(issue, "status").category],)
    ),
    "priority": lambda at, issue: at.named(issue, "priority", "priority"),
    "resolution": lambda at, issue: IssueCell(
        "resolution",
        "text",
        (getattr(at.rows.named(issue, "resolution"), "name", "Unresolved"),),
    ),
    "security": lambda at, issue: at.named(issue, "security_level", "text"),
    "assignee": lambda at, issue: at.person(issue.assignee_id, "Unassigned"),
    "reporter": lambda at, issue: at.person(issue.reporter_id),
    "creator": lambda at, issue: at.person(issue.creator_id),
    "duedate": lambda at, issue: IssueCell(
        "duedate", "text", () if issue.due_date is None else (_day(issue.due_date),)
    ),
    "parent": Cells.parent,
    "labels": lambda at, issue: IssueCell(
        "labels", "text", tuple(at.rows.labels.get(issue.id, ()))
    ),
    "components": lambda at, issue: IssueCell(
        "components", "text", _names(at.rows.components.get(issue.id, ()))
    ),
    "fixVersions": lambda at, issue: IssueCell(
        "fixVersions", "text", _names(at.rows.versions.get((issue.id, "fix"), ()))
    ),
    "versions": lambda at, issue: IssueCell(
        "versions", "text", _names(at.rows.versions.get((issue.id, "affects"), ()))
    ),
    "description": lambda at, issue: IssueCell(
        "description", "text", tuple(filter(None, [plain_of(issue.description)]))
    ),
    "environment": lambda at, issue: IssueCell(
        "environment", "text", tuple(filter(None, [plain_of(issue.environment)]))
    ),
    "subtasks": lambda at, issue: IssueCell(
        "subtasks", "text", tuple(one.key for one in at.rows.subtasks.get(issue.id, ()))
    ),
    "issuelinks": Cells.links,
    "watches": lambda at, issue: at.count(issue, "watches"),
    "votes": lambda at, issue: at.count(issue, "votes"),
    "lastViewed": Cells.viewed,
}
