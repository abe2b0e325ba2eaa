"""Work as the tracker has it: issues with their history, replayed from the story in time order."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from clones.tracker import models as tracker
from clones.tracker.domain.setup.fields import FLAGGED, IMPEDIMENT, STORY_POINTS
from clones.tracker.rules.desk import conditions
from clones.tracker.rules.estimates import AUTO, remaining
from seeds.bulk import BulkWriter
from seeds.draw import Draws, chance
from seeds.kestrel.engineering.model import Engineering, Move, Tie, Work
from seeds.kestrel.projection.tracker.documents import Texts
from seeds.kestrel.projection.tracker.files import IssueFiles
from seeds.kestrel.projection.tracker.histories import NOTHING, Histories, item
from seeds.kestrel.projection.tracker.site import Numbers, Site
from seeds.kestrel.projection.tracker.slas import SlaClocks, Standing
from seeds.kestrel.projection.tracker.states import IssueState

Values = dict[str, Any]
# How often issues before one are gone, with spaces that were deleted, and how many at most.
DELETED, AT_ONCE = 0.6, 40
BEFORE = (200, 500)  # so many came before the first that is there
COLORS = 9  # of those that boards paint epics with


class Issues:
    """Writes issues; the state after the last move is the issue's row.

    What happens is written in the order of time, so that keys rise as they do on a site; rows that
    still change wait for the end.
    """

    def __init__(
        self,
        writer: BulkWriter,
        numbers: Numbers,
        site: Site,
        *,
        draws: Draws,
        engineering: Engineering,
    ) -> None:
        self.writer, self.numbers, self.site, self.draws = writer, numbers, site, draws
        names = {person.index: person.name for person in engineering.engineers}
        self.customers = {one.index for one in engineering.engineers if one.kind == "customer"}
        self.histories = Histories(writer, numbers, site, names)
        self.files = IssueFiles(writer, numbers, site, draws, self.histories)
        self.sla_clocks = SlaClocks(writer, numbers)
        self.texts = Texts({work.index: f"{work.space}-{work.number}" for work in engineering.work})
        self.states: dict[int, IssueState] = {}
        self.words: Mapping[int, tuple[str, str]] = {
            key: (outward, inward)
            for key, outward, inward in tracker.IssueLinkType.objects.values_list(
                "id", "outward", "inward"
            )
        }

    def write(self, engineering: Engineering, ranks: list[str]) -> list[tuple[int, datetime]]:
        """Write all work, with the ranks that it has; return the SLA runs that go on."""
        keys: dict[int, int] = {}
        self.numbers.skip(tracker.Issue, self.draws.rng("issues before").randrange(*BEFORE))
        for place, work in enumerate(engineering.work):
            rng = self.draws.rng("gap of issues", place)
            gone = rng.randrange(1, AT_ONCE + 1) if chance(rng, DELETED) else 0
            self.numbers.skip(tracker.Issue, gone)
            keys[work.index] = self.numbers.take(tracker.Issue)
        placed = dict(zip((work.index for work in engineering.work), ranks, strict=True))
        for at, _, index, _, what in happened(engineering):
            if isinstance(what, Work):
                self._create(what, keys, placed[index])
            elif isinstance(what, Tie):
                self._link(what)
            elif isinstance(what, Move):
                self._move(self.states[index], what)
            else:
                self.files.add(self.states[index], at)
        for state in self.states.values():
            self._finish(state)
        return self.sla_clocks.write()

    def _user(self, person: int | None) -> int | None:
        return None if person is None else self.site.users[person]

    def _create(self, work: Work, keys: dict[int, int], rank: str) -> None:
        """Write what there is of an issue from the beginning."""
        values = {**work.start, "summary": work.summary, "flag": False}
        values["space"] = work.former[0] if work.former else work.space
        estimate = work.start.get("estimate")
        row: Values = {
            "id": keys[work.index],
            "number": work.number,
            "key": f"{work.space}-{work.number}",
            "rank": rank,
            "created": work.created,
            "updated": work.created,
            "status_category_changed": work.created,
            "resolution_date": None,
            "original_estimate": estimate,
            "remaining_estimate": estimate,
            "time_spent": None,
            "reporter_id": self._user(work.reporter),
            "creator_id": self._user(work.reporter),
            "parent_id": None if work.parent is None else keys[work.parent],
            "description": self.texts.document(work.blocks),
        }
        state = self.states[work.index] = IssueState(work, row, values)
        self._text(state, "description", state.id, self.texts.plain(work.blocks))
        state.rows["summary"] = self.numbers.take(tracker.IssueText)
        for label in sorted(work.start["labels"]):
            self._beside(tracker.IssueLabel, state, label=label)
        for name in work.start["components"]:
            key = self.site.components[work.space, name]
            self._beside(tracker.IssueComponent, state, component_id=key)
        if work.start["affects"] is not None:
            version = self.site.versions[work.space, work.start["affects"]]
            self._beside(tracker.IssueVersion, state, version_id=version, kind="affects")
        if work.start["points"] is not None:
            state.rows["points"] = self.numbers.take(tracker.FieldValue)
        for person in (work.reporter, *work.watchers):
            self._watch(state, person)
        for person in work.votes:
            self._beside(tracker.Vote, state, user_id=self.site.users[person])
        if work.asked is not None:
            self._ask(state)

    def _ask(self, state: IssueState) -> None:
        """Write that an issue is a request, and start the clocks of its SLAs."""
        asked = state.work.asked
        assert asked is not None  # noqa: S101 - the caller looked
        rated = asked.rating or (None, None, "")
        self._beside(
            tracker.Request,
            state,
            request_type_id=self.site.request_types[asked.form],
            channel=asked.channel,
            rating=rated[1],
            rating_comment=rated[2],
            rated_at=rated[0],
        )
        for person in asked.participants:
            self._beside(tracker.RequestParticipant, state, user_id=self.site.users[person])
        self._follow_slas(
            state, frozenset({conditions.ISSUE_CREATED}), state.work.created, aims=False
        )

    def _follow_slas(
        self, state: IssueState, happened: frozenset[str], at: datetime, *, aims: bool
    ) -> None:
        values = state.values
        standing = Standing(
            self.site.statuses[values["status"]][0],
            values["priority"],
            values["assignee"] is not None,
            values["resolution"] is not None,
        )
        self.sla_clocks.follow(state.id, standing, happened, at, aims=aims)

    def _move(self, state: IssueState, move: Move) -> None:
        """Write one update: its history, or what was said, or the time logged."""
        state.touch(move.at)
        if move.said is not None:
            self._comment(state, move)
        if move.spent:
            self._log(state, move)
        if not move.changes:
            return
        before = dict(state.values)
        state.values |= move.changes
        after, row = state.values, state.row
        items = list(self.histories.items(state, before, move.changes))
        known = self.site.statuses
        if known[before["status"]][2] != known[after["status"]][2]:
            row["status_category_changed"] = move.at
        if before["resolution"] != after["resolution"]:
            row["resolution_date"] = move.at if after["resolution"] else None
        for name, model in (("points", tracker.FieldValue), ("flag", tracker.FieldValue)):
            if name in move.changes and (after[name] is not None) and name not in state.rows:
                state.rows[name] = self.numbers.take(model)
        self.histories.write(state, move.actor, move.at, items)
        if state.work.asked is not None and items:
            happened: set[str] = set()
            for found in items:
                happened |= conditions.of_change(found["field_id"], found["old"], found["new"])
            self._follow_slas(state, frozenset(happened), move.at, aims=True)

    def _comment(self, state: IssueState, move: Move) -> None:
        said = move.said
        assert said is not None  # noqa: S101 - the caller looked
        key, author = self.numbers.take(tracker.Comment), self._user(move.actor)
        self.writer.add(
            tracker.Comment,
            {
                "id": key,
                "issue_id": state.id,
                "author_id": author,
                "update_author_id": author,
                "body": self.texts.document(said.blocks),
                "public": said.public,
                "created": move.at,
                "updated": move.at,
            },
        )
        self._text(state, "comment", key, self.texts.plain(said.blocks))
        if move.actor not in self.customers:
            self._watch(state, move.actor)
        if state.work.asked is not None and said.public:
            by_customer = move.actor == state.work.reporter
            word = (
                conditions.COMMENT_BY_CUSTOMER if by_customer else conditions.COMMENT_FOR_CUSTOMERS
            )
            self._follow_slas(state, frozenset({word}), move.at, aims=False)

    def _log(self, state: IssueState, move: Move) -> None:
        author, row = self._user(move.actor), state.row
        key = self.numbers.take(tracker.Worklog)
        self.writer.add(
            tracker.Worklog,
            {
                "id": key,
                "issue_id": state.id,
                "author_id": author,
                "update_author_id": author,
                "started": move.at,
                "seconds": move.spent,
                "created": move.at,
                "updated": move.at,
            },
        )
        items = [item("WorklogId", "", NOTHING, (str(key), str(key)))]
        left = remaining(row["remaining_estimate"], AUTO, spent=move.spent)
        spent = (row["time_spent"] or 0) + move.spent
        for name, column, value in (
            ("timeestimate", "remaining_estimate", left),
            ("timespent", "time_spent", spent),
        ):
            if row[column] != value:
                items.append(item(name, name, _twice(row[column]), _twice(value)))
                row[column] = value
        self.histories.write(state, move.actor, move.at, items)

    def _link(self, tie: Tie) -> None:
        """Write a link, and what the histories of both ends say of it."""
        source, target = self.states[tie.source], self.states[tie.target]
        kind = self.site.link_types[tie.kind]
        row = {"id": self.numbers.take(tracker.IssueLink), "type_id": kind}
        row |= {"source_id": source.id, "destination_id": target.id}
        self.writer.add(tracker.IssueLink, row)
        outward, inward = self.words[kind]
        for end, other, words in ((source, target, outward), (target, source, inward)):
            text = f"This work item {words} {other.key}"
            found = item("Link", "issuelinks", NOTHING, (other.key, text))
            self.histories.write(end, source.work.reporter, tie.at, [found])

    def _watch(self, state: IssueState, person: int) -> None:
        if person not in state.watching:
            state.watching.add(person)
            self._beside(tracker.Watcher, state, user_id=self.site.users[person])

    def _text(self, state: IssueState, field: str, source: int, text: str) -> None:
        if text.strip():
            key = self.numbers.take(tracker.IssueText)
            row = {"id": key, "issue_id": state.id, "field": field, "source": source, "text": text}
            self.writer.add(tracker.IssueText, row)

    def _finish(self, state: IssueState) -> None:
        """Write the issue as it stands at the present, and rows whose values could change."""
        site, work, values, key = self.site, state.work, state.values, state.id
        resolution = values["resolution"]
        self.writer.add(
            tracker.Issue,
            {
                **state.row,
                "project_id": site.projects[work.space],
                "issue_type_id": site.types[values["type"]][0],
                "status_id": site.statuses[values["status"]][0],
                "priority_id": site.priorities[values["priority"]],
                "resolution_id": None if resolution is None else site.resolutions[resolution],
                "summary": values["summary"],
                "assignee_id": self._user(values["assignee"]),
                "due_date": values["due"],
                "security_level_id": site.levels.get(values.get("security", "")),
            },
        )
        row = {"id": state.rows["summary"], "issue_id": key, "field": "summary", "source": key}
        self.writer.add(tracker.IssueText, {**row, "text": values["summary"]})
        if values["release"] is not None:
            version = site.versions[work.space, values["release"]]
            self._beside(tracker.IssueVersion, state, version_id=version, kind="fix")
        # Parts are in the sprints of what they are a part of.
        whole = self.states[work.parent] if work.parent is not None else None
        inherits = whole is not None and values["type"] == "Sub-task"
        for index in (whole if inherits and whole else state).values["sprints"]:
            self._beside(tracker.IssueSprint, state, sprint_id=site.sprints[index][0])
        self._custom(state)
        if work.former is not None:
            former = f"{work.former[0]}-{work.former[1]}"
            self._beside(tracker.FormerIssueKey, state, key=former)
        if work.type == "Epic":
            look = {"id": key, "name": work.summary[:80]}
            look["color"] = f"color_{work.index % COLORS + 1}"
            self.writer.add(tracker.EpicLook, {**look, "done": values["status"] == "Done"})

    def _custom(self, state: IssueState) -> None:
        given: dict[str, Values] = {
            "points": {"field_id": STORY_POINTS, "number": _float(state.values["points"])},
            "flag": {"field_id": FLAGGED, "option_id": IMPEDIMENT},
        }
        for name, values in given.items():
            if state.values[name]:
                row = {"id": state.rows[name], "issue_id": state.id}
                self.writer.add(tracker.FieldValue, {**row, **values})

    def _beside(self, model: Any, state: IssueState, **values: Any) -> None:
        row = {"id": self.numbers.take(model), "issue_id": state.id, **values}
        self.writer.add(model, row)


def happened(engineering: Engineering) -> list[tuple[datetime, int, int, int, Any]]:
    """Return all that happened in the order of time: what was made comes before what was done."""
    found: list[tuple[datetime, int, int, int, Any]] = []
    for work in engineering.work:
        found.append((work.created, 0, work.index, 0, work))
        found += [(move.at, 2, work.index, place, move) for place, move in enumerate(work.moves)]
        if work.files:
            # A request's files come with its form, others right after the issue is there.
            later = timedelta(0) if work.asked else timedelta(seconds=15 + work.index % 60)
            found.append((work.created + later, 1, work.index, 0, None))
    found += [(tie.at, 3, tie.source, place, tie) for place, tie in enumerate(engineering.ties)]
    return sorted(found, key=lambda event: event[:4])


def _twice(seconds: int | None) -> tuple[str | None, str | None]:
    text = None if seconds is None else str(seconds)
    return text, text


def _float(number: int | None) -> float | None:
    return None if number is None else float(number)
