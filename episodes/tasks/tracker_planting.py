"""Make issues as they would have come about: by the domain, in the order of what happened.

    history = History()
    bug = history.make(CLD, "Bug", "sign-in loops", by=ann, at=day(3), description="...", ...)
    history.say(bug, ann, "It is back.", at=day(2))
    history.move(bug, "Close", by=ben, at=day(1), resolution="Done")
    history.write()           # everything, by time; `bug.issue` and `bug.key` are known then

Nobody is mailed of what lies in the past. A `Planted` may be named before it is written: as a
parent, an end of a link, or in a text by its `mark`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.tracker.domain.comments import add_comment
from clones.tracker.domain.fieldset import Planned, fields_of
from clones.tracker.domain.issues.creating import create_issue
from clones.tracker.domain.issues.editing import edit_issue
from clones.tracker.domain.links import link_issues
from clones.tracker.domain.moving import WITH as MOVED_WITH
from clones.tracker.domain.moving import MoveDestination, move_issue
from clones.tracker.domain.transitions import available, move
from clones.tracker.domain.worklogs import Work, add_worklog
from clones.tracker.models import (
    Issue,
    IssueLinkType,
    IssueType,
    Priority,
    Project,
    Resolution,
    User,
)
from clones.tracker.queries.hot import ISSUE_OF_ROW
from clones.tracker.queries.rights import Rights
from episodes.tasks.personas import CannotArrange
from episodes.tasks.tracker_acts import document

MARK: Final = re.compile(r"\{\{(\d+)\}\}")


@dataclass(slots=True)
class Planted:
    """An issue to be made; `number` is its place among all of its history."""

    number: int
    issue: Issue | None = None
    comments: list[int] = field(default_factory=list)

    @property
    def mark(self) -> str:
        """What stands for its key in texts."""
        return f"{{{{{self.number}}}}}"

    @property
    def id(self) -> int:
        """Its number in the API."""
        return self.made.id

    @property
    def key(self) -> str:
        """The key that people read."""
        return self.made.key

    @property
    def made(self) -> Issue:
        """The issue, once it is written.

        Raises:
            LookupError: it is not yet.
        """
        if self.issue is None:
            raise LookupError("this issue is not written yet")
        return self.issue


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened, and what it does."""

    at: datetime
    place: int
    write: Callable[[], None]


class History:
    """What happened to some issues, to be written by time."""

    def __init__(self) -> None:
        self.planted: list[Planted] = []
        self._all: list[Happening] = []

    def make(
        self,
        project: Project,
        kind: str,
        summary: str,
        *,
        by: User,
        at: datetime,
        description: str = "",
        parent: Planted | None = None,
        **values: Any,
    ) -> Planted:
        """Let somebody make an issue; `values` are its other fields, by their ids.

        An assignee is nobody unless one is given, and `priority` may be a name.
        """
        planted = Planted(len(self.planted))
        self.planted.append(planted)

        def write() -> None:
            found = _type(project, kind)
            fieldset = fields_of(project, found)
            wanted: dict[str, Any] = {"assignee": None, **values, "summary": self._text(summary)}
            if isinstance(wanted.get("priority"), str):
                wanted["priority"] = priority_named(wanted["priority"])
            if description:
                wanted["description"] = document(self._text(description))
            if parent is not None:
                wanted["parent"] = fresh(parent.made)
            planted.issue = create_issue(
                Project.objects.get(id=project.id),
                found,
                Planned(fieldset, wanted),
                actor=Rights(by),
                notify=False,
                trusted=True,
            )

        self.then(at, write)
        return planted

    def say(
        self, planted: Planted, by: User, text: str, *, at: datetime, public: bool = True
    ) -> None:
        """Let somebody comment; what is not `public` customers of a desk do not see."""

        def write() -> None:
            made = add_comment(
                fresh(planted.made),
                document(self._text(text)),
                actor=Rights(by),
                public=public,
                notify=False,
                permitted=True,
            )
            planted.comments.append(made.id)

        self.then(at, write)

    def move(
        self,
        planted: Planted,
        name: str,
        *,
        by: User,
        at: datetime,
        resolution: str | None = None,
        **values: Any,
    ) -> None:
        """Let somebody take it through the transition of a name, or to that status."""

        def write() -> None:
            issue, actor = fresh(planted.made), Rights(by)
            found = [one for one in available([issue], actor)[issue.id] if one.name == name]
            found += [one for one in available([issue], actor)[issue.id] if one.to.name == name]
            if not found:
                raise CannotArrange(f"{issue.key} has no transition {name} for {by.display_name}")
            wanted = dict(values)
            if resolution is not None:
                row = Resolution.objects.filter(name=resolution).order_by("id")[0]
                wanted["resolution"] = row
            planned = Planned(fields_of(issue.project, issue.issue_type), wanted)
            move(issue, found[0].number, actor=actor, found=found[0], planned=planned, notify=False)
            planted.issue = issue

        self.then(at, write)

    def change(self, planted: Planted, by: User, *, at: datetime, **values: Any) -> None:
        """Let somebody set fields, by their ids."""

        def write() -> None:
            issue = fresh(planted.made)
            planned = Planned(fields_of(issue.project, issue.issue_type), dict(values))
            edit_issue(issue, planned, actor=Rights(by), notify=False, trusted=True)
            planted.issue = issue

        self.then(at, write)

    def assign(self, planned: Planted, to: User | None, *, by: User, at: datetime) -> None:
        """Let somebody give it to somebody."""
        self.change(planned, by, at=at, assignee=to)

    def link(self, source: Planted, kind: str, target: Planted, *, by: User, at: datetime) -> None:
        """Let somebody link two: the kind's outward words hold of the source."""

        def write() -> None:
            row = IssueLinkType.objects.filter(name=kind).order_by("id")[0]
            link_issues(fresh(source.made), fresh(target.made), row, actor=Rights(by))

        self.then(at, write)

    def log(self, planted: Planted, by: User, minutes: int, *, at: datetime) -> None:
        """Let somebody log work."""

        def write() -> None:
            work = Work(seconds=minutes * 60, started=at, comment=None)
            add_worklog(fresh(planted.made), work, actor=Rights(by), notify=False)

        self.then(at, write)

    def relocate(self, planted: Planted, space: Project, *, by: User, at: datetime) -> None:
        """Let somebody move it to another space, where it gets another key."""

        def write() -> None:
            issue = Issue.objects.select_related(*MOVED_WITH).get(id=planted.id)
            to = MoveDestination(Project.objects.get(id=space.id), issue.issue_type)
            planted.issue = move_issue(issue, to, actor=Rights(by), notify=False)

        self.then(at, write)

    def then(self, at: datetime, write: Callable[[], None]) -> None:
        """Let something else happen at a time."""
        self._all.append(Happening(at, len(self._all), write))

    def write(self) -> None:
        """Write everything in the order in which it happened; what is planted is read anew."""
        for happening in sorted(self._all, key=lambda one: (one.at, one.place)):
            with clock.at(happening.at), act(actor="world", label="tracker"):
                happening.write()
        self._all.clear()
        for planted in self.planted:
            planted.issue = fresh(planted.made)

    def _text(self, text: str) -> str:
        return MARK.sub(lambda found: self.planted[int(found[1])].key, text)


def fresh(issue: Issue) -> Issue:
    """Return an issue as it stands, with what it names."""
    found = ISSUE_OF_ROW.first(issue.id)
    if found is None:
        raise Issue.DoesNotExist
    return found


def _type(project: Project, name: str) -> IssueType:
    rows = IssueType.objects.filter(name=name, project=None).order_by("id")
    found = rows.filter(places__scheme=project.issue_type_scheme_id).first()
    if found is None:
        raise CannotArrange(f"the space {project.key} has no type {name}")
    return found


def priority_named(name: str) -> Priority:
    """Return the site's priority of a name."""
    return Priority.objects.filter(name=name).order_by("id")[0]


def in_office_hours(day: datetime, minutes: int) -> datetime:
    """Return the moment so many minutes after eight on the day of another, or on the Friday before.

    `minutes` beyond nine hours begin anew.
    """
    moment = day.replace(hour=8, minute=0, second=0, microsecond=0)
    weekend = max(moment.isoweekday() - 5, 0)
    return moment - timedelta(days=weekend) + timedelta(minutes=minutes % 540)


def open_keys(project: Project, but: Sequence[int] = ()) -> list[str]:
    """Return the keys of a space's issues that are not done, the newest first."""
    rows = Issue.objects.filter(project=project, archived_at=None)
    rows = rows.exclude(status__category="done").exclude(id__in=list(but))
    return list(rows.order_by("-created", "-id").values_list("key", flat=True))
