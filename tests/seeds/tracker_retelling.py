"""Tell work to `clones.tracker.domain`, move by move, each at its own time."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from clones.core import clock, jobs
from clones.core.journal import act
from clones.tracker import models as tracker
from clones.tracker.domain.attachments import Upload, add_attachments
from clones.tracker.domain.comments import add_comment
from clones.tracker.domain.desk_files import keep_temporary_files
from clones.tracker.domain.feedback import give_feedback
from clones.tracker.domain.fieldset import Planned, fields_of
from clones.tracker.domain.issues.creating import create_issue
from clones.tracker.domain.issues.editing import edit_issue
from clones.tracker.domain.links import link_issues
from clones.tracker.domain.moving import MoveDestination, move_issue
from clones.tracker.domain.participants import add_participants
from clones.tracker.domain.requests import create_request
from clones.tracker.domain.roles import fill_role
from clones.tracker.domain.setup.access import TEAM, roles_by_name
from clones.tracker.domain.setup.fields import (
    EPIC_NAME,
    FLAGGED,
    IMPEDIMENT,
    SPRINT,
    STORY_POINTS,
    custom,
)
from clones.tracker.domain.transitions import available, move
from clones.tracker.domain.voting import add_vote
from clones.tracker.domain.watching import keep_watching
from clones.tracker.domain.worklogs import Work as Log
from clones.tracker.domain.worklogs import add_worklog
from clones.tracker.queries.desks import DeskRights, PortalRights
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.field_kinds.kinds import Estimates
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.engineering.model import Engineering, Iteration, Move, Tie, Work
from seeds.kestrel.engineering.people import of_space
from seeds.kestrel.projection.tracker.documents import Texts
from seeds.kestrel.projection.tracker.issues import happened

WITH = ("project", "issue_type", "status", "assignee", "parent", "parent__issue_type")
POINTS, FLAG, SPRINTS = custom(STORY_POINTS)[0], custom(FLAGGED)[0], custom(SPRINT)[0]
DESK = "IT"
File = tuple[str, str, bytes]


class Teller:
    """Retells work; `made` maps its indexes to the issues that the domain makes.

    `files` are the files of each piece of work: their bytes are no part of the story.
    """

    def __init__(self, engineering: Engineering, files: dict[int, list[File]]) -> None:
        self.files = files
        self.engineering = engineering
        self.work = {work.index: work for work in engineering.work}
        self.made: dict[int, int] = {}
        by_name = {person.index: person for person in engineering.engineers}
        mails = {row.email: row for row in tracker.User.objects.exclude(email=None)}
        apps = {row.display_name: row for row in tracker.User.objects.filter(email=None)}
        self.users = {
            index: mails[person.email] if person.email else apps[person.name]
            for index, person in by_name.items()
        }
        self.spaces = {row.key: row for row in tracker.Project.objects.select_related("lead")}
        self.texts = Texts({work.index: f"{work.space}-{work.number}" for work in engineering.work})
        names = {sprint.index: sprint for sprint in engineering.iterations}
        rows = tracker.Sprint.objects.order_by("id")
        self.sprints = dict(zip(names, rows, strict=True))
        self.iterations: dict[int, Iteration] = names

    def tell(self, chosen: Iterable[Work]) -> None:
        """Tell what happened to some work in the order of time, up to the present."""
        wanted = {work.index for work in chosen}
        tracker.User.objects.filter(active=False).update(active=True)
        for user in self.users.values():
            user.active = True
        # Those who have left the desk since were its agents then.
        agents = [self.users[one.index] for one in of_space(self.engineering.engineers, DESK)]
        fill_role(roles_by_name()[TEAM], self.spaces[DESK], agents, [])
        for at, _, index, _, what in happened(self.engineering):
            if index not in wanted or (isinstance(what, Tie) and what.target not in wanted):
                continue
            jobs.catch_up(at)
            with clock.at(at), act(actor="world", label="history"):
                self._one(self.work[index], what)
        jobs.catch_up(PRESENT)
        for index in sorted(wanted):
            self._rate(self.work[index])

    def _one(self, work: Work, what: Any) -> None:
        if isinstance(what, Work):
            self.made[work.index] = self._create(work).id
        elif isinstance(what, Tie):
            kind = tracker.IssueLinkType.objects.get(name=what.kind)
            ends = (self._issue(what.source), self._issue(what.target))
            link_issues(*ends, kind, actor=self._boss(work.reporter))
        elif isinstance(what, Move):
            self._move(work, what)
        elif work.asked is None:
            uploads = [Upload(*file) for file in self.files[work.index]]
            add_attachments(self._issue(work.index), uploads, actor=self._boss(work.reporter))

    def _issue(self, index: int) -> tracker.Issue:
        return tracker.Issue.objects.select_related(*WITH).get(id=self.made[index])

    def _boss(self, person: int) -> DeskRights:
        """Return the rights of somebody who may do everything: teams have changed since."""
        return DeskRights(self.users[person])

    def _create(self, work: Work) -> tracker.Issue:
        if work.asked is not None:
            return self._ask(work)
        space = self.spaces[work.former[0] if work.former else work.space]
        kind = tracker.IssueType.objects.filter(name=work.type, project=None).order_by("id")[0]
        fieldset = fields_of(space, kind)
        actor = self._boss(work.reporter)
        made = create_issue(space, kind, Planned(fieldset, self._start(work, space)), actor=actor)
        for person in work.watchers:
            keep_watching(made, self.users[person])
        for person in work.votes:
            add_vote(made, actor=self._boss(person))
        return made

    def _start(self, work: Work, space: tracker.Project) -> dict[str, Any]:
        start = work.start
        values = {
            "summary": work.summary,
            "description": self.texts.document(work.blocks),
            "priority": tracker.Priority.objects.get(name=start["priority"]),
            "assignee": None if start["assignee"] is None else self.users[start["assignee"]],
            "labels": tuple(start["labels"]),
            "components": tuple(space.components.filter(name__in=start["components"])),
            "versions": tuple(space.versions.filter(name=start["affects"] or "")),
            "duedate": start["due"],
            POINTS: None if start["points"] is None else float(start["points"]),
        }
        if work.parent is not None:
            known = self.made.get(work.parent)
            parent = self.work[work.parent]
            key = f"{parent.space}-{parent.number}"
            values["parent"] = tracker.Issue.objects.select_related("issue_type").get(
                **({"id": known} if known else {"key": key})
            )
        if start.get("estimate"):
            values["timetracking"] = Estimates(start["estimate"], start["estimate"])
        if start.get("security"):
            values["security"] = tracker.SecurityLevel.objects.get(name=start["security"])
        if work.type == "Epic":
            values[custom(EPIC_NAME)[0]] = work.summary[:80]
        # An assignee who is nobody is said: else the space would choose one.
        return {id: value for id, value in values.items() if value is not None or id == "assignee"}

    def _ask(self, work: Work) -> tracker.Issue:
        asked, user = work.asked, self.users[work.reporter]
        assert asked is not None
        form = tracker.RequestType.objects.select_related("desk__project", "issue_type")
        kind = form.get(name=asked.form)
        shown = set(kind.fields.filter(visible=True).values_list("field", flat=True))
        values: dict[str, Any] = {
            "summary": work.summary,
            "description": self.texts.document(work.blocks),
            "priority": {"name": work.start["priority"]},
            "duedate": work.start["due"] and work.start["due"].isoformat(),
        }
        files = [Upload(*file) for file in self.files.get(work.index, [])]
        if files:
            rows = keep_temporary_files(kind.desk, files, actor=Rights(user))
            values["attachment"] = [row.uuid for row in rows]
            shown.add("attachment")
        made = create_request(
            kind,
            {name: value for name, value in values.items() if name in shown},
            actor=Rights(user),
            channel=asked.channel,  # type: ignore[arg-type] # the story has two of them
            version="3",
        )
        joined = [self.users[person].account_id for person in asked.participants]
        if joined:
            issue = tracker.Issue.objects.select_related("project__desk").get(id=made.id)
            add_participants(issue, joined, actor=Rights(user))
        return made

    def _rate(self, work: Work) -> None:
        if work.asked is None or work.asked.rating is None:
            return
        at, score, text = work.asked.rating
        with clock.at(at), act(actor="world", label="history"):
            actor = Rights(self.users[work.reporter])
            issue = self._issue(work.index)
            give_feedback(issue, actor=actor, kind="csat", rating=score, comment=text)

    def _move(self, work: Work, told: Move) -> None:
        issue, actor = self._issue(work.index), self._boss(told.actor)
        if told.said is not None:
            body = self.texts.document(told.said.blocks)
            add_comment(issue, body, actor=actor, public=told.said.public, permitted=True)
        if told.spent:
            add_worklog(issue, Log(seconds=told.spent), actor=actor)
        if not told.changes:
            return
        if "space" in told.changes:
            to = MoveDestination(self.spaces[told.changes["space"]], issue.issue_type)
            move_issue(issue, to, actor=actor)
            return
        fieldset = fields_of(issue.project, issue.issue_type)
        planned = Planned(fieldset, dict(self._values(issue, told)))
        if "status" not in told.changes:
            edit_issue(issue, planned, actor=actor, trusted=True)
            return
        by = PortalRights(actor.user) if told.actor == work.reporter and work.asked else actor
        number = self._transition(issue, told, by)
        if number == 81:  # of requests that are cancelled: it sets the resolution itself
            planned.values.clear()
        move(issue, number, actor=by, planned=planned)

    def _transition(self, issue: tracker.Issue, told: Move, actor: Rights) -> int:
        """Return the transition to a status: with a screen where a resolution is given."""
        offered = [
            one
            for one in available([issue], actor)[issue.id]
            if one.to.name == told.changes["status"]
        ]
        if told.changes.get("resolution"):
            offered.sort(key=lambda one: one.transition.screen_id is None)
        else:
            offered.sort(key=lambda one: one.transition.screen_id is not None)
        assert offered, (issue.status.name, told.changes)
        return offered[0].number

    def _values(self, issue: tracker.Issue, told: Move) -> Iterable[tuple[str, Any]]:
        """Yield the fields that a move sets besides the status, in its order."""
        for name, value in told.changes.items():
            match name:
                case "assignee":
                    yield "assignee", self.users[value]
                case "priority":
                    yield "priority", tracker.Priority.objects.get(name=value)
                case "resolution" if value is not None:
                    yield "resolution", tracker.Resolution.objects.get(name=value)
                case "summary":
                    yield "summary", value
                case "points":
                    yield POINTS, float(value)
                case "release":
                    yield "fixVersions", tuple(issue.project.versions.filter(name=value))
                case "flag":
                    options = tracker.FieldOption.objects.filter(id=IMPEDIMENT)
                    yield FLAG, tuple(options) if value else ()
                case "sprints":
                    yield SPRINTS, self._sprint(issue, value, told.at)

    def _sprint(
        self, issue: tracker.Issue, wanted: tuple[int, ...], at: datetime
    ) -> tracker.Sprint | None:
        """Return the sprint to go into; those it is in are what they were at the time."""
        touched = set(
            tracker.Sprint.objects.filter(links__issue=issue).values_list("id", flat=True)
        )
        for index, row in self.sprints.items():
            if row.id in touched or index in wanted:
                ended = self.iterations[index].completed
                state = "closed" if ended is not None and ended <= at else "active"
                tracker.Sprint.objects.filter(id=row.id).update(state=state)
        return self.sprints[wanted[-1]] if wanted else None
