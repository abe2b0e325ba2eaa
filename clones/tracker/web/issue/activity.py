"""What happened on an issue: what was said, what changed, and who worked on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString

from clones.tracker.domain.worklogs import may_touch
from clones.tracker.models import ChangeGroup, ChangeItem, Comment, Issue, User, Worklog
from clones.tracker.queries.comments import comments_of, names_of
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.work_time import work_time
from clones.tracker.queries.worklogs import worklogs_of
from clones.tracker.rules.durations_of_work import text_of as time_of
from clones.tracker.web.issue.access import IssuePageState
from clones.tracker.web.issue.history import FieldHistory, changes_of
from clones.tracker.web.parts.rich import Text, text_of, typed_text
from clones.tracker.web.parts.texts import names_in, shown
from clones.tracker.web.parts.times import when


@dataclass(frozen=True, slots=True)
class ActivityEntry:
    """Something that happened; `kind` is comment, change, work or made (the issue itself).

    `restricted` names the group or role that alone sees it; `audience` is what forms call that.
    """

    kind: str
    id: int
    author: User | None
    at: datetime
    moment: str
    html: SafeString | None = None
    edited: bool = False
    restricted: str = ""
    audience: str = ""
    internal: bool = False
    may_edit: bool = False
    may_delete: bool = False
    items: Sequence[FieldHistory] = ()
    spent: str = ""
    source: Text | None = None


@dataclass(frozen=True, slots=True)
class Feed:
    """The entries of a tab that are shown, and how many there are."""

    entries: Sequence[ActivityEntry]
    total: int

    @property
    def hidden(self) -> int:
        """How many are not shown."""
        return self.total - len(self.entries)


class IssueActivity:
    """What happened on one issue, for one who looks."""

    def __init__(self, issue: Issue, rights: Rights, asked: IssuePageState) -> None:
        self.issue = issue
        self.rights = rights
        self.asked = asked

    def feed(self) -> Feed:
        """Return what the chosen tab shows, in the chosen order."""
        most, total = self.asked.shown, 0
        found: list[ActivityEntry] = []
        for tab, read in self._readers():
            if self.asked.tab in (tab, "all"):
                entries, count = read(most)
                found += entries
                total += count
        found.sort(key=lambda one: (one.at, one.id), reverse=self.asked.newest)
        return Feed(found[:most], total)

    def _readers(self) -> Sequence[tuple[str, Any]]:
        return (
            ("comments", self._comments),
            ("history", self._history),
            ("worklog", self._work),
        )

    def _cut(self, rows: Any, most: int, *order: str) -> tuple[list[Any], int]:
        """Return the first rows in the chosen order, and how many there are of all."""
        sign = "-" if self.asked.newest else ""
        found = list(rows.order_by(*(f"{sign}{name}" for name in order))[:most])
        return found, len(found) if len(found) < most else rows.count()

    def _comments(self, most: int) -> tuple[list[ActivityEntry], int]:
        rows, total = self._cut(comments_of(self.issue, self.rights), most, "created", "id")
        names = names_in(row.body for row in rows)
        restrictions = names_of(row.visibility for row in rows)
        return [self._comment(row, names, restrictions) for row in rows], total

    def _comment(
        self, row: Comment, names: dict[str, str], restrictions: dict[tuple[str, str], str]
    ) -> ActivityEntry:
        editing = self.asked.comment == str(row.id) and self._may("EDIT", row)
        return ActivityEntry(
            "comment",
            row.id,
            row.author,
            row.created,
            when(row.created, self.rights.zone),
            shown(row.body, names),
            edited=row.updated != row.created,
            restricted=_restriction(row.visibility, restrictions),
            audience=_audience(row.visibility),
            internal=self.issue.project.type == "service_desk" and not row.public,
            may_edit=self._may("EDIT", row),
            may_delete=self._may("DELETE", row),
            source=self._source(row) if editing else None,
        )

    def _source(self, row: Comment) -> Text:
        """Return what the editor of a comment begins with."""
        if self.asked.place == "comment-edit":
            return typed_text(self.asked.typed, "body")
        return text_of(row.body)

    def _may(self, verb: str, row: Comment) -> bool:
        user = self.rights.user
        mine = user is not None and row.author_id == user.id
        if mine and self.rights.may_on(f"{verb}_OWN_COMMENTS", self.issue):
            return True
        return self.rights.may_on(f"{verb}_ALL_COMMENTS", self.issue)

    def _history(self, most: int) -> tuple[list[ActivityEntry], int]:
        groups = ChangeGroup.objects.filter(issue=self.issue).select_related("author")
        rows, total = self._cut(groups, most, "created", "id")
        items: dict[int, list[ChangeItem]] = defaultdict(list)
        for item in ChangeItem.objects.filter(group__in=rows).order_by("group_id", "position"):
            items[item.group_id].append(item)
        zone, work = self.rights.zone, work_time()
        issue = self.issue
        made = ActivityEntry("made", 0, issue.creator, issue.created, when(issue.created, zone))
        found = [
            ActivityEntry(
                "change",
                row.id,
                row.author,
                row.created,
                when(row.created, zone),
                items=changes_of(items[row.id], zone, work),
            )
            for row in rows
        ]
        return [*found, made], total + 1

    def _work(self, most: int) -> tuple[list[ActivityEntry], int]:
        rows, total = self._cut(worklogs_of(self.issue, self.rights), most, "started", "id")
        names = names_in(row.comment for row in rows)
        restrictions = names_of(row.visibility for row in rows)
        return [self._log(row, names, restrictions) for row in rows], total

    def _log(
        self, row: Worklog, names: dict[str, str], restrictions: dict[tuple[str, str], str]
    ) -> ActivityEntry:
        row.issue = self.issue
        return ActivityEntry(
            "work",
            row.id,
            row.author,
            row.started,
            when(row.started, self.rights.zone),
            shown(row.comment, names) if row.comment else None,
            restricted=_restriction(row.visibility, restrictions),
            may_edit=may_touch("EDIT", row, self.rights),
            may_delete=may_touch("DELETE", row, self.rights),
            spent=time_of(row.seconds, work_time()),
        )


def _restriction(visibility: Any, names: dict[tuple[str, str], str]) -> str:
    if visibility is None:
        return ""
    key = (visibility["type"], visibility["identifier"])
    return names.get(key, str(visibility["identifier"]))


def _audience(visibility: Any) -> str:
    return "" if visibility is None else f"{visibility['type']}:{visibility['identifier']}"
