"""What became of the work of a sprint: its burndown, its report, what was committed and completed.

An issue belongs to a sprint from when it was put into it, or made in it, until it was taken out;
when a sprint is over, what is not done stays in it for these reports and goes to another one too.
What is done is told by the board: the statuses of its last column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from clones.tracker.rules.reports.courses import Course

Kind = Literal["start", "added", "removed", "completed", "reopened", "estimated"]
KINDS: Final[dict[Kind, str]] = {
    "start": "Sprint start",
    "added": "Scope change",
    "removed": "Scope change",
    "completed": "Burndown",
    "reopened": "Scope change",
    "estimated": "Scope change",
}


@dataclass(frozen=True, slots=True)
class Tale:
    """The history of an issue, as far as reports of one sprint need it.

    `inside` is whether it is in the sprint, `done` whether its status is one of those that count
    as done, `size` its estimate (None: it has none).
    """

    issue: int
    created: datetime
    inside: Course[bool]
    done: Course[bool]
    size: Course[float | None]

    def is_in(self, moment: datetime) -> bool:
        """Tell whether it is in the sprint at a moment."""
        return self.created <= moment and self.inside.at(moment)

    def was_in(self, moment: datetime) -> bool:
        """Tell whether it is in the sprint right before a moment."""
        return self.created < moment and self.inside.before(moment)

    def size_at(self, moment: datetime) -> float:
        """Return its estimate at a moment, nothing where it has none."""
        return self.size.at(moment) or 0.0


@dataclass(frozen=True, slots=True)
class ScopeChange:
    """What changed in how much is left: `by` is how much more (or, below nothing, less).

    `left` is what remains of all after it; `before` and `after` are the issue's estimates.
    """

    at: datetime
    kind: Kind
    issue: int
    before: float | None
    after: float | None
    by: float
    left: float


def burndown(tales: Iterable[Tale], start: datetime, until: datetime) -> list[ScopeChange]:
    """Return what happened in a sprint, in the order of time.

    First stand the issues that were in it at its start and not done, all at that moment. Of the
    rest those are told that changed what is in it, what of that is done, or how much that is.

    Args:
        tales: of the issues that are or were in it.
        start: when it began.
        until: when it was completed, or the present.
    """
    known = sorted(tales, key=lambda tale: tale.issue)
    found: list[tuple[datetime, int, Kind, float | None, float | None, float]] = []
    for tale in known:
        if tale.is_in(start) and not tale.done.at(start):
            size = tale.size.at(start)
            found.append((start, tale.issue, "start", None, size, size or 0.0))
    for tale in known:
        found.extend(_changes_of(tale, start, until))
    found.sort(key=lambda one: (one[0], one[2] != "start", one[1]))
    left = 0.0
    events = []
    for at, issue, kind, before, after, by in found:
        left += by
        events.append(ScopeChange(at, kind, issue, before, after, by, left))
    return events


def _changes_of(
    tale: Tale, start: datetime, until: datetime
) -> Iterable[tuple[datetime, int, Kind, float | None, float | None, float]]:
    moments = {tale.created, *tale.inside.moments, *tale.done.moments, *tale.size.moments}
    for at in sorted(one for one in moments if start < one <= until):
        was, now = tale.was_in(at), tale.is_in(at)
        if not (was or now):
            continue
        done_before, done = tale.done.before(at), tale.done.at(at)
        before, after = tale.size.before(at), tale.size.at(at)
        kind: Kind
        if was != now:
            kind = "added" if now else "removed"
        elif done_before != done:
            kind = "completed" if done else "reopened"
        elif before != after and not done:
            kind = "estimated"
        else:
            continue
        old = (before or 0.0) if was and not done_before else 0.0
        new = (after or 0.0) if now and not done else 0.0
        yield at, tale.issue, kind, before, after, new - old


@dataclass(frozen=True, slots=True)
class SprintIssue:
    """An issue in the report of a sprint: what it was thought when it came in, and at the end.

    `added` says that it came in after the sprint began.
    """

    issue: int
    first: float | None
    last: float | None
    added: bool


@dataclass(frozen=True, slots=True)
class Report:
    """The issues of a sprint by what became of them, each list by the number of the issue."""

    completed: tuple[SprintIssue, ...]
    not_completed: tuple[SprintIssue, ...]
    elsewhere: tuple[SprintIssue, ...]
    removed: tuple[SprintIssue, ...]


def sprint_report(tales: Iterable[Tale], start: datetime, until: datetime) -> Report:
    """Return what became of the issues of a sprint.

    `elsewhere` are those that were done already when they came into it.
    """
    lists: dict[str, list[SprintIssue]] = {
        "completed": [],
        "not_completed": [],
        "elsewhere": [],
        "removed": [],
    }
    for tale in sorted(tales, key=lambda one: one.issue):
        entries = _entries(tale, start, until)
        if not entries:
            continue
        came = entries[-1]
        added = not tale.is_in(start)
        line = SprintIssue(tale.issue, tale.size.at(entries[0]), tale.size.at(until), added)
        if not tale.is_in(until):
            lists["removed"].append(line)
        elif not tale.done.at(until):
            lists["not_completed"].append(line)
        elif _last_done(tale, until) > came:
            lists["completed"].append(line)
        else:
            lists["elsewhere"].append(line)
    return Report(**{name: tuple(lines) for name, lines in lists.items()})


def _entries(tale: Tale, start: datetime, until: datetime) -> list[datetime]:
    """Return when an issue came into a sprint: at its start, or later; () if it never did."""
    later = sorted(at for at in {tale.created, *tale.inside.moments} if start < at <= until)
    came = [at for at in later if tale.is_in(at) and not tale.was_in(at)]
    return [start, *came] if tale.is_in(start) else came


def _last_done(tale: Tale, until: datetime) -> datetime:
    """Return since when an issue that is done has been."""
    found = tale.created
    for at in tale.done.moments:
        if at <= until and tale.done.at(at) and not tale.done.before(at):
            found = at
    return found


def total(lines: Sequence[SprintIssue]) -> float:
    """Return the sum of the estimates of issues at the end."""
    return sum(line.last or 0.0 for line in lines)


@dataclass(frozen=True, slots=True)
class SprintCommitment:
    """What a sprint was to bring when it began, and what it brought."""

    committed: float
    completed: float


def sprint_commitment(tales: Sequence[Tale], start: datetime, until: datetime) -> SprintCommitment:
    """Return how much was in a sprint when it began, and how much of its work was completed."""
    committed = sum(tale.size_at(start) for tale in tales if tale.is_in(start))
    return SprintCommitment(committed, total(sprint_report(tales, start, until).completed))
