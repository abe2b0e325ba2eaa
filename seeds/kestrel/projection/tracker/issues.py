"""Work as the tracker has it: issues with their history, replayed from the story."""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any

from clones.core.models import Blob
from clones.tracker import models as tracker
from clones.tracker.domain.setup.fields import ESTIMATE, SPRINT
from seeds.bulk import BulkWriter
from seeds.draw import Draws
from seeds.kestrel.engineering.model import Engineering, Move, Work
from seeds.kestrel.projection.files import content
from seeds.kestrel.projection.tracker.documents import document, plain
from seeds.kestrel.projection.tracker.histories import Histories
from seeds.kestrel.projection.tracker.site import Numbers, Site
from seeds.kestrel.story.model import Attachment

ESTIMATE_NAME = "Story point estimate"
Values = dict[str, Any]
# A value before or after a change: its id and what people read, None for none.
Side = tuple[str | None, str | None]
NOTHING: Side = (None, None)


class Issues:
    """Writes issues; the state after the last move is the issue's row."""

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
        self.histories = Histories(writer, numbers, site)
        self.names = {person.index: person.name for person in engineering.engineers}
        self.spaces = {space.key: space for space in engineering.spaces}
        self.keys: dict[int, int] = {}
        self.blobs: set[str] = set()

    def write(self, engineering: Engineering, ranks: list[str]) -> None:
        """Write all work, with the ranks that it has."""
        for place, work in enumerate(engineering.work):
            self.numbers.skip(tracker.Issue, 1 if place % 37 == 11 else 0)
            self.keys[work.index] = self.numbers.take(tracker.Issue)
        for work, rank in zip(engineering.work, ranks, strict=True):
            self._issue(work, rank)

    def _user(self, person: int | None) -> int | None:
        return None if person is None else self.site.users[person]

    def _issue(self, work: Work, rank: str) -> None:
        key, values = self.keys[work.index], dict(work.start)
        values["summary"] = work.summary
        row: Values = {
            "id": key,
            "project_id": self.site.projects[work.space],
            "number": work.number,
            "key": f"{work.space}-{work.number}",
            "rank": rank,
            "created": work.created,
            "updated": work.created,
            "status_category_changed": work.created,
            "resolution_date": None,
            "time_spent": None,
            "reporter_id": self._user(work.reporter),
            "creator_id": self._user(work.reporter),
            "parent_id": None if work.parent is None else self.keys[work.parent],
            "description": document(work.blocks),
        }
        for move in work.moves:
            self._move(work, row, values, move)
        self._finish(work, row, values)

    def _move(self, work: Work, row: Values, values: Values, move: Move) -> None:
        """Write one update: its history, or what was said, or the time logged."""
        row["updated"] = move.at
        if move.said is not None:
            self._comment(row["id"], move)
        if move.spent:
            self._log(row, move)
            return
        before = dict(values)
        values |= move.changes
        items = [
            item
            for name in move.changes
            if before.get(name) != values[name]
            for item in self._items(work, name, before, values)
        ]
        if "status" in move.changes:
            self._note_status(row, before["status"], values["status"], move.at)
        if before.get("resolution") != values.get("resolution"):
            row["resolution_date"] = move.at if values["resolution"] else None
        self.histories.write(row["id"], move, items)

    def _note_status(self, row: Values, before: str, after: str, at: datetime) -> None:
        known = self.site.statuses
        if known[before][2] != known[after][2]:
            row["status_category_changed"] = at

    def _items(self, work: Work, name: str, before: Values, after: Values) -> list[Values]:
        """Return what a history says of a field's change."""
        field, field_id = {
            "release": ("Fix Version", "fixVersions"),
            "type": ("issuetype", "issuetype"),
            "sprints": ("Sprint", f"customfield_{SPRINT}"),
            "points": (ESTIMATE_NAME, f"customfield_{ESTIMATE}"),
        }.get(name, (name, name))
        old, new = self._side(work, name, before.get(name)), self._side(work, name, after[name])
        custom = field_id.startswith("customfield_")
        return [
            {
                "field": field,
                "field_id": field_id,
                "field_type": "custom" if custom else "jira",
                "old": old[0],
                "old_string": old[1],
                "new": new[0],
                "new_string": new[1],
            }
        ]

    def _side(self, work: Work, name: str, value: Any) -> Side:
        site = self.site
        if name == "sprints":
            named = [site.sprints[index] for index in value]
            ids = ", ".join(str(key) for key, _ in named)
            return ids, ", ".join(text for _, text in named)
        if value is None:
            return NOTHING
        if name in ("summary", "points"):
            return None, str(value)
        if name == "assignee":
            return site.account_ids[value], self.names[value]
        if name == "type":
            return str(site.types[value][0]), site.types[value][1]
        known: dict[str, dict[Any, Any]] = {
            "status": {value: site.statuses.get(value, (0,))[0]},
            "priority": site.priorities,
            "resolution": site.resolutions,
            "release": {value: site.versions.get((work.space, value))},
        }
        return str(known[name][value]), str(value)

    def _comment(self, issue: int, move: Move) -> None:
        assert move.said is not None  # noqa: S101 - the caller looked
        key, author = self.numbers.take(tracker.Comment), self._user(move.actor)
        self.writer.add(
            tracker.Comment,
            {
                "id": key,
                "issue_id": issue,
                "author_id": author,
                "update_author_id": author,
                "body": document(move.said.blocks),
                "public": move.said.public,
                "created": move.at,
                "updated": move.at,
            },
        )
        self._text(issue, "comment", key, plain(move.said.blocks))

    def _log(self, row: Values, move: Move) -> None:
        author, spent = self._user(move.actor), row["time_spent"]
        key = self.numbers.take(tracker.Worklog)
        self.writer.add(
            tracker.Worklog,
            {
                "id": key,
                "issue_id": row["id"],
                "author_id": author,
                "update_author_id": author,
                "started": move.at,
                "seconds": move.spent,
                "created": move.at,
                "updated": move.at,
            },
        )
        row["time_spent"] = (spent or 0) + move.spent
        before = None if spent is None else str(spent)
        after = str(row["time_spent"])
        item = {
            "field": "timespent",
            "field_id": "timespent",
            "field_type": "jira",
            "old": before,
            "old_string": before,
            "new": after,
            "new_string": after,
        }
        self.histories.write(row["id"], move, [item])

    def _text(self, issue: int, field: str, source: int, text: str) -> None:
        if text.strip():
            key = self.numbers.take(tracker.IssueText)
            row = {"id": key, "issue_id": issue, "field": field, "source": source, "text": text}
            self.writer.add(tracker.IssueText, row)

    def _finish(self, work: Work, row: Values, values: Values) -> None:
        """Write the issue as it stands at the present, and what lies in tables of its own."""
        site, key = self.site, row["id"]
        resolution = values["resolution"]
        self.writer.add(
            tracker.Issue,
            {
                **row,
                "issue_type_id": site.types[values["type"]][0],
                "status_id": site.statuses[values["status"]][0],
                "priority_id": site.priorities[values["priority"]],
                "resolution_id": None if resolution is None else site.resolutions[resolution],
                "summary": values["summary"],
                "assignee_id": self._user(values["assignee"]),
                "due_date": values["due"],
            },
        )
        self._text(key, "summary", key, values["summary"])
        self._text(key, "description", key, plain(work.blocks))
        for label in values["labels"]:
            self._beside(tracker.IssueLabel, key, label=label)
        for name in values["components"]:
            self._beside(
                tracker.IssueComponent, key, component_id=site.components[work.space, name]
            )
        for kind, name in (("fix", values["release"]), ("affects", values["affects"])):
            if name is not None:
                version = site.versions[work.space, name]
                self._beside(tracker.IssueVersion, key, version_id=version, kind=kind)
        for index in values["sprints"]:
            self._beside(tracker.IssueSprint, key, sprint_id=site.sprints[index][0])
        if values["points"] is not None:
            number = float(values["points"])
            self._beside(tracker.FieldValue, key, field_id=ESTIMATE, number=number)
        for person in work.watchers:
            self._beside(tracker.Watcher, key, user_id=site.users[person])
        for person in work.votes:
            self._beside(tracker.Vote, key, user_id=site.users[person])
        self._around(work, row)

    def _around(self, work: Work, row: Values) -> None:
        if work.type == "Epic":
            look = {
                "id": row["id"],
                "name": work.summary[:80],
                "color": f"color_{work.index % 9 + 1}",
            }
            done = work.at_the_end("status") == "Done"
            self.writer.add(tracker.EpicLook, {**look, "done": done})
        if self.spaces[work.space].type == "service_desk" and self.site.request_types:
            wanted = self.site.request_types[work.index % len(self.site.request_types)]
            request = {"id": row["id"], "issue_id": row["id"], "request_type_id": wanted}
            self.writer.add(tracker.Request, request)
        for name, kind in work.files:
            self._file(work, row["id"], name, kind)

    def _file(self, work: Work, issue: int, name: str, kind: str) -> None:
        data = content(self.draws.rng("tracker-file", work.index), Attachment(name, kind, 0))
        sha = hashlib.sha256(data).hexdigest()
        if sha not in self.blobs:
            self.blobs.add(sha)
            self.writer.add(Blob, {"sha256": sha, "data": data})
        self.writer.add(
            tracker.Attachment,
            {
                "id": self.numbers.take(tracker.Attachment),
                "issue_id": issue,
                "author_id": self._user(work.reporter),
                "filename": name,
                "mime_type": kind,
                "size": len(data),
                "blob_id": sha,
                "created": work.created,
            },
        )

    def _beside(self, model: Any, issue: int, **values: Any) -> None:
        self.writer.add(model, {"id": self.numbers.take(model), "issue_id": issue, **values})
