"""How drafts become work items of a version: those that stand still are filed anew, others made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.tracker.domain.fieldset import Fieldset, Planned, fields_of
from clones.tracker.domain.issues.creating import create_issue
from clones.tracker.domain.issues.editing import edit_issue
from clones.tracker.domain.transitions import available, move, plan_move
from clones.tracker.models import (
    Component,
    Issue,
    IssueType,
    Priority,
    Project,
    Resolution,
    User,
    Version,
)
from clones.tracker.queries.rights import Rights
from episodes.tasks.personas import CannotArrange

STATES: Final = {"todo": "To Do", "doing": "In Progress", "done": "Done"}
CATEGORIES: Final = {"todo": "new", "doing": "indeterminate", "done": "done"}
LINKED: Final = ("project__lead", "issue_type", "status")
# Of what stands still so many at most are filed anew: a version takes some of a space, not all.
SHARE: Final = 0.4
THINGS: Final = (
    "the import dialog",
    "the status page",
    "large files",
    "the first start",
    "undo",
    "the settings",
    "the preview",
    "the sign-in window",
    "keyboard shortcuts",
    "the job list",
    "error messages",
    "the weekly report",
)
SAID: Final = {
    "Bug": ("Crash in {0}", "{0} shows old values", "Wrong numbers in {0}", "{0} freezes at times"),
    "Story": (
        "Search in {0}",
        "Faster way through {0}",
        "Remember choices in {0}",
        "Export of {0}",
    ),
    "Task": ("Move {0} to the new library", "Clean up {0}", "Measure {0}", "Write tests for {0}"),
}


class Planter:
    """Brings work items into a version by drafts, over the weeks before a moment."""

    def __init__(
        self, space: Project, wish: Mapping[str, Any], *, before: datetime, chance: Random
    ) -> None:
        self._space, self._wish, self._before, self._chance = space, wish, before, chance
        self._actor = Rights(space.lead)
        self._start = datetime.fromisoformat(wish["started"])
        self._version = Version.objects.get(id=wish["version_id"])
        self._components = Component.objects.in_bulk(wish["component_ids"])
        self._priorities = {row.name: row for row in Priority.objects.order_by("-id")}
        self._resolutions = {row.name: row for row in Resolution.objects.order_by("-id")}
        kinds = IssueType.objects.filter(project=None).order_by("-id")
        self._kinds = {row.name: row for row in kinds}
        self._fieldsets: dict[str, Fieldset] = {}
        busy = Issue.objects.filter(project=space).exclude(assignee=None).values("assignee")
        people = User.objects.filter(id__in=busy, active=True, account_type="atlassian")
        self._people = list(people.order_by("id"))

    def plant(self, drafts: Sequence[Mapping[str, Any]]) -> list[Issue]:
        """Return the work item of each draft; what takes another back is made after it."""
        still = self._standing_still()
        made: dict[int, Issue] = {}
        later = [place for place, draft in enumerate(drafts) if draft["reverts"] is not None]
        first = [place for place in range(len(drafts)) if place not in later]
        for place in first:
            draft = drafts[place]
            fits = [row for row in still if _is_like(row, draft)]
            if fits:
                still.remove(fits[0])
                made[place] = self._file(fits[0], draft)
            else:
                made[place] = self._make(draft, None)
        for place in later:
            made[place] = self._make(drafts[place], made[drafts[place]["reverts"]])
        return [made[place] for place in range(len(drafts))]

    def _standing_still(self) -> list[Issue]:
        rows = Issue.objects.filter(
            project=self._space,
            issue_type__name__in=list(SAID),
            archived_at=None,
            security_level=None,
            updated__lt=self._before - timedelta(days=1),
            children=None,
        ).exclude(version_links__kind="fix")
        found = list(rows.select_related(*LINKED).order_by("id"))
        self._chance.shuffle(found)
        return found[: int(len(found) * SHARE)]

    def _file(self, issue: Issue, draft: Mapping[str, Any]) -> Issue:
        """File a work item that is there under the version."""
        earliest = max(issue.updated + timedelta(minutes=5), self._start)
        with clock.at(self._between(earliest, self._before)), act(actor="world", label="filing"):
            self.edit(issue, self._values(draft), self._actor)()
        return issue

    def _make(self, draft: Mapping[str, Any], reverted: Issue | None) -> Issue:
        """Make a work item for the version, and let it go as far as the draft says."""
        kind = self._kinds[draft["type"]]
        earliest = self._start - timedelta(days=8)
        if reverted is not None:
            # Nothing is taken back before it was done.
            earliest = Issue.objects.get(id=reverted.id).updated + timedelta(minutes=10)
        latest = self._before - timedelta(hours=1)
        at = self._between(earliest, earliest + (latest - earliest) / 2)
        values = {**self._values(draft), "summary": self._summary(draft, reverted)}
        values["assignee"] = self._chance.choice(self._people)
        resolution = values.pop("resolution")
        reporter = Rights(self._chance.choice(self._people))
        fieldset = self._fieldset(kind)
        with clock.at(at), act(actor="world", label="work"):
            issue = create_issue(
                self._space,
                kind,
                Planned(fieldset, values),
                actor=reporter,
                notify=False,
                trusted=True,
            )
        for status in {"todo": (), "doing": ("doing",), "done": ("doing", "done")}[draft["state"]]:
            at = self._between(at, at + (latest - at) / 2)
            with clock.at(at), act(actor="world", label="work"):
                issue = _fresh(issue)
                wanted = resolution.name if status == "done" and resolution else None
                go(issue, STATES[status], actor=self._actor, resolution=wanted)
        return issue

    def _fieldset(self, kind: IssueType) -> Fieldset:
        if kind.name not in self._fieldsets:
            self._fieldsets[kind.name] = fields_of(self._space, kind)
        return self._fieldsets[kind.name]

    def _summary(self, draft: Mapping[str, Any], reverted: Issue | None) -> str:
        if reverted is not None:
            return f"Revert {reverted.key}: {reverted.summary}"[:255]
        words = self._chance.choice(SAID[draft["type"]])
        text = words.format(self._chance.choice(THINGS))
        return text[0].upper() + text[1:]

    def _values(self, draft: Mapping[str, Any]) -> dict[str, Any]:
        component, due = draft["component"], draft["due"]
        parts = [] if component is None else [self._wish["component_ids"][component]]
        resolution = draft["resolution"]
        return {
            "fixVersions": (self._version,),
            "priority": self._priorities[draft["priority"]],
            "labels": tuple(sorted(set(draft["labels"]))),
            "components": tuple(self._components[key] for key in parts),
            "duedate": self._day(due),
            "resolution": None if resolution is None else self._resolutions[resolution],
        }

    def _day(self, due: int | None) -> date | None:
        released = date.fromisoformat(self._wish["date"])
        return None if due is None else released + timedelta(days=due)

    def _between(self, start: datetime, end: datetime) -> datetime:
        minutes = int((end - start).total_seconds() // 60)
        return start + timedelta(minutes=self._chance.randrange(1, max(minutes, 2)))

    @staticmethod
    def edit(issue: Issue, values: Mapping[str, Any], actor: Rights) -> Callable[[], None]:
        """Return what sets fields of a work item."""

        def apply() -> None:
            row = _fresh(issue)
            fieldset = fields_of(row.project, row.issue_type)
            edit_issue(
                row, Planned(fieldset, dict(values)), actor=actor, notify=False, trusted=True
            )

        return apply


def _is_like(issue: Issue, draft: Mapping[str, Any]) -> bool:
    """Tell whether a work item can stand for a draft: type and state are what they are."""
    return (
        issue.issue_type.name == draft["type"]
        and issue.status.category == CATEGORIES[draft["state"]]
        and not issue.summary.startswith("Revert ")
    )


def _fresh(issue: Issue) -> Issue:
    return Issue.objects.select_related("project", "issue_type", "status").get(id=issue.id)


def go(issue: Issue, to: str, *, actor: Rights, resolution: str | None = None) -> None:
    """Take an issue to a status; with a resolution by the way whose screen asks for one.

    Raises:
        CannotArrange: no transition leads there.
    """
    offered = [found for found in available([issue], actor)[issue.id] if found.to.name == to]
    asking = [found for found in offered if found.transition.screen_id is not None]
    plain = [found for found in offered if found.transition.screen_id is None]
    chosen = (asking if resolution else plain)[:1]
    if not chosen:
        raise CannotArrange(f"{issue.key} cannot go to {to}")
    fields = {"fields": {"resolution": {"name": resolution}}} if resolution else {}
    planned = plan_move(chosen[0], issue, fields, actor=actor)
    move(issue, chosen[0].number, actor=actor, found=chosen[0], planned=planned, notify=False)
