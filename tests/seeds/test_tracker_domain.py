"""The world builder writes work as `clones.tracker.domain` would have: row by row."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from django.db.models import Model

from clones.core.models import Job
from clones.tracker import models as tracker
from clones.tracker.domain.slas import JOB
from seeds.kestrel.engineering.model import Engineering, Work
from seeds.kestrel.engineering.whole import tell_engineering
from seeds.kestrel.story.whole import Story
from seeds.worlds import BuildReport
from tests.seeds.tracker_retelling import File, Teller

SAMPLE = 60
OF_EACH = 2
Rows = dict[str, Any]
# Keys and numbers are given out anew; parents, links and texts are compared by the old keys.
NEW = ("id", "number", "key", "rank", "project_number")
ROWS: dict[type[Model], tuple[str, tuple[str, ...]]] = {
    tracker.IssueLabel: ("id", ()),
    tracker.IssueComponent: ("component_id", ()),
    tracker.IssueVersion: ("kind", ()),
    tracker.IssueSprint: ("sprint_id", ()),
    tracker.FieldValue: ("field_id", ()),
    tracker.Watcher: ("user_id", ()),
    tracker.Vote: ("user_id", ()),
    tracker.IssueText: ("field", ("source",)),
    tracker.Comment: ("created", ()),
    tracker.Worklog: ("created", ()),
    tracker.Attachment: ("created", ()),
    tracker.Request: ("id", ()),
    tracker.RequestParticipant: ("user_id", ()),
    tracker.FormerIssueKey: ("id", ("key",)),
}


def labels(work: Work, engineering: Engineering) -> Iterable[str]:
    """Yield what is special about a piece of work, for the sample to have some of each."""
    yield work.type
    yield from (name for name in ("points", "estimate", "security", "due") if work.start.get(name))
    for move in work.moves:
        yield from move.changes
        yield from (f"resolution {move.changes.get('resolution')}",)
        if move.said is not None:
            yield "comment" if move.said.public else "internal comment"
        if move.spent:
            yield "log"
        if move.changes.get("flag") is False:
            yield "unflagged"
    if work.files:
        yield "file"
    if work.asked is not None:
        yield work.asked.form
        yield from ("rated",) * (work.asked.rating is not None)
        yield from ("participants",) * bool(work.asked.participants)
    if any(tie.source == work.index for tie in engineering.ties):
        yield "linked"


def sample(engineering: Engineering) -> list[Work]:
    """Return work of every kind, with the other ends of its links."""
    order = list(engineering.work)
    Random(3).shuffle(order)
    taken: dict[str, int] = {}
    chosen: dict[int, Work] = {}
    by_index = {work.index: work for work in engineering.work}
    # Spaces that are out of use take no work any more.
    shut = {space.key for space in engineering.spaces if space.fate}
    for work in order:
        if work.space in shut:
            continue
        kinds = set(labels(work, engineering))
        if len(chosen) < SAMPLE // 2 or any(taken.get(kind, 0) < OF_EACH for kind in kinds):
            chosen[work.index] = work
            for kind in kinds:
                taken[kind] = taken.get(kind, 0) + 1
            for tie in engineering.ties:
                if tie.source == work.index and by_index[tie.target].space not in shut:
                    chosen[tie.target] = by_index[tie.target]
    return list(chosen.values())


class Reader:
    """Reads what lies in the store about an issue: `keys` are its old key and its present one."""

    def __init__(self, old: dict[int, str]) -> None:
        self.old = old
        rows = tracker.Issue.objects.in_bulk(old)
        self.named = {rows[id].key: key for id, key in old.items()}

    def read(self, id: int) -> Rows:
        """Return an issue with all beside it; links are those among the issues read."""
        issue = tracker.Issue.objects.select_related("parent").get(id=id)
        found: Rows = {"issue": _columns(issue, "parent_id")}
        if issue.parent is not None:
            found["parent"] = self.named.get(issue.parent.key, issue.parent.key)
        for model, (order, left_out) in ROWS.items():
            rows = model._default_manager.filter(issue=id).order_by(order, "id")
            found[model.__name__] = [_columns(row, "issue_id", *left_out) for row in rows]
        found["history"] = [self._group(group) for group in _history(id)]
        found["history"] = [group for group in found["history"] if group["items"]]
        found["epic"] = list(tracker.EpicLook.objects.filter(id=id).values_list("name", flat=True))
        cycles = tracker.SlaCycle.objects.filter(issue=id).order_by("metric_id", "id")
        found["cycles"] = [_cycle(cycle) for cycle in cycles]
        return found

    def _group(self, group: tracker.ChangeGroup) -> Rows:
        items = [
            self._item(item)
            for item in group.items.order_by("position")
            if item.field != "Link" or (item.new or "") in self.named
        ]
        return {"author": group.author_id, "created": group.created, "items": items}

    def _item(self, item: tracker.ChangeItem) -> Rows:
        row = _columns(item, "group_id", "issue_id", "position")
        if item.field in ("WorklogId", "Attachment"):
            row["new"] = None
        if item.field == "WorklogId":
            row["new_string"] = None
        if item.field == "Key":
            row["old_string"] = None
        for name in ("new", "new_string"):
            for key, other in self.named.items():
                if item.field in ("Link", "Key") and row[name]:
                    words = str(row[name]).split(" ")
                    row[name] = " ".join(other if word == key else word for word in words)
        return row


def _history(id: int) -> list[tracker.ChangeGroup]:
    return list(tracker.ChangeGroup.objects.filter(issue=id).order_by("created", "id"))


def _columns(row: Model, *left_out: str) -> Rows:
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if field.attname not in (*NEW, *left_out)
    }


def _cycle(cycle: tracker.SlaCycle) -> Rows:
    pending = Job.objects.filter(kind=JOB, state="pending", payload={"cycle": cycle.id})
    return {**_columns(cycle, "issue_id"), "timers": list(pending.values_list("due", flat=True))}


def differences(path: str, told: Any, built: Any) -> Iterable[str]:
    """Yield where two readings differ."""
    if isinstance(told, dict) and isinstance(built, dict) and list(told) == list(built):
        for key in told:
            yield from differences(f"{path}.{key}", told[key], built[key])
    elif isinstance(told, list) and isinstance(built, list) and len(told) == len(built):
        for place, (one, other) in enumerate(zip(told, built, strict=True)):
            yield from differences(f"{path}[{place}]", one, other)
    elif told != built:
        yield f"{path}: the domain writes {told!r}, the builder wrote {built!r}"


def files_of(keys: dict[int, int]) -> dict[int, list[File]]:
    """Return the files of issues, by the index of the work."""
    found: dict[int, list[File]] = {}
    for index, id in keys.items():
        rows = tracker.Attachment.objects.filter(issue=id).select_related("blob").order_by("id")
        for row in rows:
            file = (row.filename, row.mime_type, bytes(row.blob.data))
            found.setdefault(index, []).append(file)
    return found


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_builder_writes_what_the_domain_would_have_written(
    small: BuildReport, small_story: Story
) -> None:
    engineering, _ = tell_engineering(small_story)
    chosen = sample(engineering)
    assert len(chosen) >= SAMPLE
    ids = dict(tracker.Issue.objects.values_list("key", "id"))
    keys = {work.index: f"{work.space}-{work.number}" for work in chosen}
    before = {index: ids[key] for index, key in keys.items()}
    # Links to what is not retold change when the builder's issues were last changed.
    outside = {
        end
        for tie in engineering.ties
        for end in (tie.source, tie.target)
        if not {tie.source, tie.target} <= keys.keys()
    }
    reader = Reader({before[index]: key for index, key in keys.items()})
    built = {index: reader.read(id) for index, id in before.items()}
    teller = Teller(engineering, files_of(before))
    teller.tell(chosen)
    after = Reader({teller.made[index]: key for index, key in keys.items()})
    retold = {index: after.read(teller.made[index]) for index in keys}
    for index in outside & keys.keys():
        del built[index]["issue"]["updated"], retold[index]["issue"]["updated"]
    found = [
        line
        for index, key in keys.items()
        for line in differences(key, retold[index], built[index])
    ]
    assert not found, "\n".join([f"{len(found)} differences", *found[:40]])
