"""Run plans over a site's rows in memory: slowly, one issue after the other.

It shares the plans with the compiler and nothing else: what a field holds, what a function answers
and what is seen by whom is read here anew, from plain rows.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from clones.tracker import models as m
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.jql import plan as p
from clones.tracker.rules.jql import plan_text
from clones.tracker.rules.jql.dates import Days, Stretch, literal, stretch
from clones.tracker.rules.jql.site import ResolvedField, SiteView
from clones.tracker.rules.jql.texts import Term, TextQuery
from tests.tracker.jql_world import clock_of

Row = Any
WORDS = re.compile(r"\w+")
CATEGORY = {"undefined": "1", "new": "2", "done": "3", "indeterminate": "4"}
LINKS = {
    "issueBlocks": ("blocks", ">"), "issueIsBlockedBy": ("blocks", "<"),
    "issueClones": ("clones", ">"), "issueIsClonedBy": ("clones", "<"),
    "issueDuplicates": ("duplicates", ">"), "issueIsDuplicatedBy": ("duplicates", "<"),
    "issueRelatesTo": ("relates to", "<>"), "issueLink": (None, "<>"), "linkedIssue": (None, "<>"),
}  # fmt: skip


class Oracle:
    """What one viewer finds; rows are read once, when it is made."""

    def __init__(self, rights: Rights, site: SiteView, now: datetime) -> None:
        self.rights, self.site, self.now = rights, site, now
        self.tables: dict[Any, dict[int, list[Row]]] = {}
        self.by_id: dict[Any, dict[int, Row]] = {}
        self.inside: dict[str, set[int]] = {}
        self.answers: dict[tuple[p.Item, ...], set[str]] = {}
        everything = list(m.Issue.objects.select_related("issue_type", "status", "project"))
        self.all = {issue.id: issue for issue in everything}
        self.people = self.table(m.User)
        self.account = {user.account_id: user.id for user in self.people.values()}
        browsed = rights.projects_with("BROWSE_PROJECTS")
        secret = "site-admins" in rights.group_names
        self.seen = {
            issue.id: issue for issue in everything
            if issue.project_id in browsed and issue.archived_at is None
            and (issue.security_level_id is None or secret)
        }  # fmt: skip
        self.types = {row.id: row.type for row in self.table(m.CustomField).values()}

    # Rows

    def table(self, model: Any) -> dict[int, Row]:
        """Return a table's rows by id."""
        if model not in self.by_id:
            self.by_id[model] = {row.pk: row for row in model.objects.all()}
        return self.by_id[model]

    def of(self, model: Any, issue: int, column: str = "issue_id") -> list[Row]:
        """Return the rows of a table that belong to an issue."""
        key = (model, column)
        if key not in self.tables:
            self.tables[key] = defaultdict(list)
            for row in self.table(model).values():
                self.tables[key][getattr(row, column)].append(row)
        return self.tables[key][issue]

    def heard(self, row: Row) -> bool:
        """Tell whether a comment or a work log is for the viewer."""
        if row.visibility is None:
            return True
        kind, id = row.visibility["type"], row.visibility["identifier"]
        if kind == "group":
            return id in self.rights.group_uuids
        return int(id) in self.rights.role_ids(self.all[row.issue_id].project_id)

    # Plans

    def find(self, text: str) -> list[int]:
        """Return the ids of what a query finds, in its order."""
        plan = plan_text(text, self.site)
        found = [issue for issue in self.seen.values() if self.holds(plan.where, issue)]
        found.sort(key=lambda issue: -issue.id)
        for order in reversed(plan.order_by):
            key = SORTS[order.field.key]
            filled = [issue for issue in found if key(self, issue) is not None]
            empty = [issue for issue in found if key(self, issue) is None]
            filled.sort(key=lambda issue: key(self, issue), reverse=order.descending)
            found = filled + empty
        return [issue.id for issue in found]

    def holds(self, node: p.Node | None, issue: Row) -> bool:
        """Tell whether a node holds of an issue."""
        match node:
            case None:
                return True
            case p.All(nodes):
                return all(self.holds(part, issue) for part in nodes)
            case p.Any(nodes):
                return any(self.holds(part, issue) for part in nodes)
            case p.Not(inner):
                return not self.holds(inner, issue)
            case p.Match(field, p.Was() | p.Changed() as test, _):
                return self.past(field, test, issue)
            case p.Match(ResolvedField(key="filter"), p.OneOf(items), negated):
                found = {id for item in items for id in self.saved(item)}
                return (issue.id in found) is not negated
            case p.Match(field, p.Blank(), negated):
                return bool(self.values(field, issue)) is negated
            case p.Match(field, test, negated):
                values = self.values(field, issue)
                met = any(self.meets(field, test, value, issue) for value in values)
                # Comments cannot be asked to be empty, so no comment has no words.
                return (bool(values) or field.key == "comment") and met is not negated

    def saved(self, item: p.Item) -> set[int]:
        """Return what a saved filter finds."""
        assert isinstance(item, p.Ref)
        if item.id not in self.inside:
            self.inside[item.id] = set(self.find(self.table(m.Filter)[int(item.id)].jql))
        return self.inside[item.id]

    def meets(self, field: ResolvedField, test: Any, value: Any, issue: Row) -> bool:
        """Tell whether a value meets a test."""
        match test:
            case p.OneOf(items):
                return self.is_one(field, items, value, issue)
            case Stretch(start, end) | Days(start, end):
                if isinstance(value, str):
                    value = _moment(value)
                if value is None or isinstance(value, bool | int | float):
                    return False
                return (start is None or value >= start) and (end is None or value < end)
            case p.Amount(operator, amount):
                number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
                return number and compares(operator, Decimal(value), amount)
            case p.Like(query):
                if field.type.kind == "version":
                    value = self.table(m.Version)[int(value)].name
                return isinstance(value, str) and reads(query, value)
            case p.Ordered(operator, item):
                return self.ordered(field, operator, item, value, issue)
        raise AssertionError(test)

    def is_one(
        self, field: ResolvedField, items: tuple[p.Item, ...], value: Any, issue: Row
    ) -> bool:
        """Tell whether a value is one of some things."""
        if isinstance(value, _Sla):
            return any(self.sla(value, "=", item, issue) for item in items)
        wanted = self.ids(items, field)
        if field.type.kind == "cascade":
            above = str(self.table(m.FieldOption)[int(value)].parent_id)
            return value in wanted or p.Ref(above) in items
        if field.type.kind not in {"label", "string", "property"}:
            return value in wanted
        # Texts in any case; of what a property holds, numbers are no texts.
        shown = str(value).lower() if isinstance(value, str | bool) else None
        return shown in {text.lower() for text in wanted}

    def ids(self, items: Iterable[p.Item], field: ResolvedField) -> set[str]:
        """Return the ids of things, with what functions answer."""
        items = tuple(items)
        if items not in self.answers:
            found: set[str] = set()
            for item in items:
                if isinstance(item, p.Ref):
                    found.add(item.id)
                else:
                    found |= {str(id) for id in CALLS[item.function](self, *item.arguments)}
            self.answers[items] = found
        return self.answers[items]

    def ordered(
        self, field: ResolvedField, operator: str, item: p.Item, value: Any, issue: Row
    ) -> bool:
        """Tell whether a value is before or after another."""
        if isinstance(value, _Sla):
            return self.sla(value, operator, item, issue)
        others = self.ids((item,), field)
        kind = field.type.kind
        for other in others:
            if kind == "priority":
                rows = self.table(m.Priority)
                pair = (-rows[int(value)].position, -rows[int(other)].position)
            elif kind == "resolution":
                rows = self.table(m.Resolution)
                pair = (rows[int(value)].position, rows[int(other)].position)
            elif kind == "version":
                mine, its = self.table(m.Version)[int(value)], self.table(m.Version)[int(other)]
                if mine.project_id != its.project_id:
                    continue
                pair = (mine.position, its.position)
            elif kind == "issue":
                mine, its = self.all[int(value)], self.all[int(other)]
                if mine.project_id != its.project_id:
                    continue
                pair = (mine.number, its.number)
            elif kind == "rank":
                pair = (issue.rank, self.all[int(other)].rank)
            else:
                pair = (int(value), int(other))
            if compares(operator, *pair):
                return True
        return False

    # Values

    def values(self, field: ResolvedField, issue: Row) -> list[Any]:
        """Return the values of a field: ids as texts, times, days, numbers, texts."""
        if field.numbers:
            return [value for number in field.numbers for value in self.custom(number, issue)]
        if field.property:
            return self.property(field, issue)
        if field.key in LINKS:
            return [str(id) for id in self.linked(issue, *LINKS[field.key])]
        found = VALUES[field.key](self, issue)
        return [value for value in found if value is not None]

    def custom(self, number: int, issue: Row) -> list[Any]:
        """Return the values of a custom field."""
        type_ = self.types[number].rpartition(":")[2]
        if type_ == "sd-sla-field":
            return self.sla_cycles(number, issue)
        special = SPECIAL.get(type_)
        if special is not None:
            return [value for value in special(self, issue) if value is not None]
        rows = [row for row in self.of(m.FieldValue, issue.id) if row.field_id == number]
        if type_ in {"textfield", "textarea"}:
            return [
                text.text for text in self.of(m.IssueText, issue.id)
                if text.field == f"customfield_{number}"
            ]  # fmt: skip
        found: list[Any] = []
        for row in rows:
            if row.option_id is not None:
                found.append(str(row.option_id))
            elif row.user_id is not None:
                found.append(self.people[row.user_id].account_id)
            elif row.group_id is not None:
                found.append(self.table(m.Group)[row.group_id].uuid)
            elif row.other is not None:
                found.append(str(row.other))
            else:
                cells = (row.text, row.number, row.day, row.moment)
                found += [cell for cell in cells if cell is not None]
        return found

    def sla_cycles(self, number: int, issue: Row) -> list[Any]:
        """Return the cycles of an SLA, as one value."""
        metrics = {row.id for row in self.table(m.SlaMetric).values() if row.field_id == number}
        rows = [row for row in self.of(m.SlaCycle, issue.id) if row.metric_id in metrics]
        return [_Sla(rows)] if rows else []

    def texts(self, issue: Row, *names: str) -> list[str]:
        """Return what an issue says, without what the viewer may not hear."""
        found = []
        for row in self.of(m.IssueText, issue.id):
            if (names and row.field not in names) or (not names and row.field == "worklog"):
                continue
            if row.field == "comment" and not self.heard(self.table(m.Comment)[row.source]):
                continue
            if row.field == "worklog" and not self.heard(self.table(m.Worklog)[row.source]):
                continue
            found.append(row.text)
        return found

    def linked(self, issue: Row, words: str | None, ends: str) -> list[int]:
        """Return the issues that are seen at the other ends of links."""
        kinds = self.table(m.IssueLinkType)
        found: list[int] = []
        ways = ((">", "source_id", "destination_id"), ("<", "destination_id", "source_id"))
        for end, here, there in ways:
            rows = self.of(m.IssueLink, issue.id, here) if end in ends else []
            meant = [row for row in rows if words in {None, kinds[row.type_id].outward}]
            found += [getattr(row, there) for row in meant]
        return [id for id in found if id in self.seen]

    def above(self, issue: Row) -> list[str]:
        """Return the epics that an issue is in, be it through what it is a part of."""
        found, at = [], issue
        for _ in range(2):
            at = at.parent_id and self.all[at.parent_id]
            if at is None:
                break
            found += [str(at.id)] if at.issue_type.hierarchy_level >= 1 else []
        return found

    def link_types(self, issue: Row) -> list[str]:
        """Return the types of an issue's links, said from its end."""
        found = []
        for row in self.of(m.IssueLink, issue.id, "source_id"):
            found += (
                [str(row.type_id), f"{row.type_id}>"] if row.destination_id in self.seen else []
            )
        for row in self.of(m.IssueLink, issue.id, "destination_id"):
            found += [str(row.type_id), f"{row.type_id}<"] if row.source_id in self.seen else []
        return found

    def property(self, field: ResolvedField, issue: Row) -> list[Any]:
        """Return the values at a path of a property."""
        ((key, path),) = field.property
        entities = {
            "issue.property": lambda: [str(issue.id)],
            "project.property": lambda: [str(issue.project_id)],
            "assignee.property": lambda: self.accounts(issue.assignee_id),
            "reporter.property": lambda: self.accounts(issue.reporter_id),
            "creator.property": lambda: self.accounts(issue.creator_id),
            "voter.property": lambda: self.accounts(
                *(row.user_id for row in self.of(m.Vote, issue.id))
            ),
            "watcher.property": lambda: self.accounts(
                *(row.user_id for row in self.of(m.Watcher, issue.id))
            ),
        }[field.key]()
        kind = field.key.partition(".")[0]
        kind = kind if kind in {"issue", "project"} else "user"
        found: list[Any] = []
        for row in self.table(m.EntityProperty).values():
            if row.kind != kind or row.key != key or row.entity not in entities:
                continue
            value = row.value
            for part in filter(None, path.split(".")):
                value = value.get(part) if isinstance(value, dict) else None
            found += value if isinstance(value, list) else [value]
        return [value for value in found if value is not None and not isinstance(value, dict)]

    def accounts(self, *ids: int | None) -> list[str]:
        """Return account ids of people."""
        return [self.people[id].account_id for id in ids if id is not None]

    # The past

    def past(self, field: ResolvedField, test: p.Was | p.Changed, issue: Row) -> bool:
        """Tell whether a field was, or was changed, as a test says."""
        items = [row for row in self.of(m.ChangeItem, issue.id) if row.field_id == field.key]
        items.sort(key=lambda row: (row.created, row.id))
        authors = [self.people[self.table(m.ChangeGroup)[row.group_id].author_id].account_id
                   for row in items]  # fmt: skip
        people = [self.ids(group, field) for group in test.by]
        if isinstance(test, p.Changed):
            return any(
                _meets(test.during, row.created, row.created)
                and all(author in group for group in people)
                and self.side(test.before, row.old, field)
                and self.side(test.after, row.new, field)
                for row, author in zip(items, authors, strict=True)
            )
        now = self.values(field, issue)
        found = False
        if field.key == "fixVersions" and test.items:
            for wanted in self.ids(test.items, field):
                mine = [(row, who) for row, who in zip(items, authors, strict=True)
                        if wanted in {row.old, row.new}]  # fmt: skip
                first = mine[0][0].old == wanted if mine else wanted in now
                spells = self.spells(mine, wanted if first else None, issue)
                found = found or any(
                    value == wanted and _meets(test.during, start, end)
                    and all(who in group for group in people)
                    for start, end, value, who in spells
                )  # fmt: skip
            test = p.Was((), test.blank, test.by, test.during)
        pairs = list(zip(items, authors, strict=True))
        first = items[0].old if items else (now[0] if now else None)
        side = p.Side(test.items, test.blank)
        return found or any(
            self.side(side, value, field) and _meets(test.during, start, end)
            and all(who in group for group in people)
            for start, end, value, who in self.spells(pairs, first, issue)
        )  # fmt: skip

    def spells(self, pairs: Sequence[tuple[Row, str]], first: str | None, issue: Row) -> Any:
        """Yield when each value began and ended, and who set it."""
        starts = [issue.created, *(row.created for row, _ in pairs)]
        values = [first, *(row.new for row, _ in pairs)]
        return zip(
            starts, [*starts[1:], None], values, ["", *(who for _, who in pairs)], strict=True
        )

    def side(self, side: p.Side | None, value: str | None, field: ResolvedField) -> bool:
        """Tell whether a value is what a side of a change wants."""
        if side is None:
            return True
        return side.blank if value is None else value in self.ids(side.items, field)

    # SLAs and approvals

    def sla(self, cycles: _Sla, operator: str, item: p.Item, issue: Row) -> bool:
        """Tell whether an SLA stands as a function says."""
        assert isinstance(item, p.Call)
        last = max(cycles.rows, key=lambda row: row.id)
        running = last.stopped_at is None and last.paused_at is None
        match item.function:
            case "breached":
                return self.missed(last)
            case "everBreached":
                return any(map(self.missed, cycles.rows))
            case "completed":
                return any(row.stopped_at is not None for row in cycles.rows)
            case "paused":
                return last.stopped_at is None and last.paused_at is not None
            case "running":
                return running
            case "withinCalendarHours":
                open_ = clock_of(self.calendar(last)).is_open(self.now)
                return last.stopped_at is None and open_
        (text,) = item.arguments[0]
        hours = int(text[:-1]) * 3_600_000
        elapsed = last.elapsed
        if running:
            elapsed += clock_of(self.calendar(last)).milliseconds_between(last.counted_at, self.now)
        value = elapsed if item.function == "elapsed" else last.goal - elapsed
        return compares(operator, value, hours)

    def calendar(self, cycle: Row) -> Row:
        """Return the calendar of a cycle."""
        return cycle.calendar_id and self.table(m.Calendar)[cycle.calendar_id]

    def missed(self, cycle: Row) -> bool:
        """Tell whether a cycle missed its goal."""
        running = cycle.stopped_at is None and cycle.paused_at is None
        late = cycle.breach_at is not None and cycle.breach_at <= self.now
        return bool(cycle.breached or (running and late))

    def approvals(self, issue: Row, *people: str, pending: bool) -> bool:
        """Tell whether one of some was asked to approve, or (`pending`) still is."""
        for row in self.of(m.Approval, issue.id):
            for asked in self.of(m.Approver, row.id, "approval_id"):
                if self.people[asked.user_id].account_id in people and (
                    not pending or (row.decision is None and asked.decision is None)
                ):
                    return True
        return False


class _Sla:
    """The cycles of an SLA, as one value."""

    def __init__(self, rows: list[Row]) -> None:
        self.rows = rows


def _meets(during: Stretch, start: datetime, end: datetime | None) -> bool:
    begun = during.end is None or start < during.end
    return begun and (during.start is None or end is None or end >= during.start)


def _moment(text: str) -> datetime | None:
    if not re.match(r"\d{4}-\d\d-\d\d", text):
        return None
    return datetime.fromisoformat((text + "T00:00:00")[:19] + "+00:00")


def compares(operator: str, left: Any, right: Any) -> bool:
    """Tell whether two values compare so."""
    return bool(
        {"=": left == right, "<": left < right, "<=": left <= right, ">": left > right,
         ">=": left >= right}[operator]
    )  # fmt: skip


def reads(query: TextQuery, text: str) -> bool:
    """Tell whether a text has what is looked for."""
    words = WORDS.findall(text.lower())
    return all(any(_has(term, words) for term in group) for group in query.groups)


def _has(term: Term, words: list[str]) -> bool:
    if term.pattern:
        pattern = re.escape(term.text.lower()).replace(r"\*", ".*").replace(r"\?", ".")
        found = any(re.fullmatch(pattern, word) for word in words)
    else:
        wanted = WORDS.findall(term.text.lower())
        starts = range(len(words) - len(wanted) + 1)
        found = any(words[start : start + len(wanted)] == wanted for start in starts)
    return found is not term.negated


def _id(value: Any) -> list[Any]:
    return [] if value is None else [str(value)]


def _share(part: int | None, *of: int | None) -> list[Any]:
    whole = sum(value or 0 for value in of)
    return [Decimal((part or 0) * 100 // whole)] if whole > 0 else []


def _days(o: Oracle, rows: Iterable[Row]) -> list[Any]:
    zone = o.site.viewer.zone
    return [row.started.astimezone(zone).date() for row in rows if o.heard(row)]


Value = Callable[[Oracle, Row], list[Any]]
VALUES: dict[str, Value] = {
    "assignee": lambda o, i: o.accounts(i.assignee_id),
    "reporter": lambda o, i: o.accounts(i.reporter_id),
    "creator": lambda o, i: o.accounts(i.creator_id),
    "attachment": lambda o, i: o.of(m.Attachment, i.id),
    "category": lambda o, i: _id(o.table(m.Project)[i.project_id].category_id),
    "comment": lambda o, i: o.texts(i, "comment"),
    "components": lambda o, i: [str(row.component_id) for row in o.of(m.IssueComponent, i.id)],
    "created": lambda o, i: [i.created],
    "description": lambda o, i: (o.texts(i, "description") or [""]) if i.description else [],
    "duedate": lambda o, i: [i.due_date],
    "environment": lambda o, i: [],
    "fixVersions": lambda o, i: [
        str(row.version_id) for row in o.of(m.IssueVersion, i.id) if row.kind == "fix"
    ],
    "versions": lambda o, i: [
        str(row.version_id) for row in o.of(m.IssueVersion, i.id) if row.kind == "affects"
    ],
    "hierarchyLevel": lambda o, i: [str(i.issue_type.hierarchy_level)],
    "issueLinkType": Oracle.link_types,
    "issuekey": lambda o, i: [str(i.id)],
    "issuetype": lambda o, i: [str(i.issue_type_id)],
    "labels": lambda o, i: [row.label for row in o.of(m.IssueLabel, i.id)],
    "lastViewed": lambda o, i: [
        row.at for row in o.of(m.IssueView, i.id)
        if o.rights.user is not None and row.user_id == o.rights.user.id
    ],
    "parent": lambda o, i: _id(i.parent_id),
    "parentEpic": Oracle.above,
    "parentProject": lambda o, i: _id(i.parent_id and o.all[i.parent_id].project_id),
    "priority": lambda o, i: _id(i.priority_id),
    "progress": lambda o, i: _share(i.time_spent, i.time_spent, i.remaining_estimate),
    "project": lambda o, i: _id(i.project_id),
    "projectType": lambda o, i: [i.project.type],
    "request-channel-type": lambda o, i: [row.channel for row in o.of(m.Request, i.id)],
    "request-last-activity-time": lambda o, i: [i.updated for _ in o.of(m.Request, i.id)],
    "resolution": lambda o, i: _id(i.resolution_id),
    "resolutiondate": lambda o, i: [i.resolution_date],
    "security": lambda o, i: _id(i.security_level_id),
    "status": lambda o, i: _id(i.status_id),
    "statusCategory": lambda o, i: [CATEGORY[i.status.category]],
    "statusCategoryChangedDate": lambda o, i: [i.status_category_changed],
    "subtasks": lambda o, i: [
        str(row.id) for row in o.of(m.Issue, i.id, "parent_id")
        if o.all[row.id].issue_type.hierarchy_level < 0
    ],
    "summary": lambda o, i: [i.summary],
    "text": lambda o, i: o.texts(i),
    "timeestimate": lambda o, i: [i.remaining_estimate],
    "timeoriginalestimate": lambda o, i: [i.original_estimate],
    "timespent": lambda o, i: [i.time_spent],
    "updated": lambda o, i: [i.updated],
    "voter": lambda o, i: o.accounts(*(row.user_id for row in o.of(m.Vote, i.id))),
    "watcher": lambda o, i: o.accounts(*(row.user_id for row in o.of(m.Watcher, i.id))),
    "votes": lambda o, i: [len(o.of(m.Vote, i.id))],
    "watchers": lambda o, i: [len(o.of(m.Watcher, i.id))],
    "workratio": lambda o, i: _share(i.time_spent, i.original_estimate),
    "worklogAuthor": lambda o, i: o.accounts(
        *(row.author_id for row in o.of(m.Worklog, i.id) if o.heard(row))
    ),
    "worklogComment": lambda o, i: o.texts(i, "worklog"),
    "worklogDate": lambda o, i: _days(o, o.of(m.Worklog, i.id)),
}  # fmt: skip


SPECIAL: dict[str, Value] = {
    "gh-sprint": lambda o, i: [str(row.sprint_id) for row in o.of(m.IssueSprint, i.id)],
    "gh-lexo-rank": lambda o, i: [str(i.id)],
    "gh-epic-link": lambda o, i: _id(i.parent_id) if i.issue_type.hierarchy_level == 0 else [],
    "gh-epic-label": lambda o, i: [
        row.name for row in [o.table(m.EpicLook).get(i.id)] if row is not None and row.name
    ],
    "jsw-issue-color": lambda o, i: [
        row.color for row in [o.table(m.EpicLook).get(i.id)] if row is not None
    ],
    "vp-origin": lambda o, i: [
        str(row.request_type_id) for row in o.of(m.Request, i.id) if row.request_type_id
    ],
    "sd-customer-organizations": lambda o, i: [
        str(row.organization_id) for row in o.of(m.RequestOrganization, i.id)
    ],
    "sd-request-participants": lambda o, i: o.accounts(
        *(row.user_id for row in o.of(m.RequestParticipant, i.id))
    ),
    "sd-sla-field": lambda o, i: [_Sla(o.of(m.SlaCycle, i.id))] if o.of(m.SlaCycle, i.id) else [],
    "sd-approvals": lambda o, i: [str(i.id) for _ in o.of(m.Approval, i.id)[:1]],
}


def _versions(o: Oracle, ids: Iterable[Sequence[str]]) -> list[Row]:
    spaces = {int(id) for argument in ids for id in argument} or o.rights.projects_with(
        "BROWSE_PROJECTS"
    )
    rows = o.table(m.Version).values()
    return [row for row in rows if row.project_id in spaces and not row.archived]


def _edge(rows: list[Row], *, last: bool) -> list[int]:
    found: dict[int, Row] = {}
    for row in sorted(rows, key=lambda row: row.position, reverse=last):
        found.setdefault(row.project_id, row)
    return [row.id for row in found.values()]


def _approved(test: Callable[[Oracle, Row], bool]) -> Callable[..., list[int]]:
    return lambda o, *names: [issue.id for issue in o.all.values() if test(o, issue)]


def _named(o: Oracle, names: Iterable[Sequence[str]]) -> list[str]:
    low = {name.lower() for (name,) in names}
    return [row.account_id for row in o.people.values() if row.display_name.lower() in low]


def _linked(o: Oracle, issues: Sequence[str], *types: Sequence[str]) -> list[int]:
    wanted = [type_ for argument in types for type_ in argument]
    found = []
    for row in o.table(m.IssueLink).values():
        names = {str(row.type_id)}
        if str(row.source_id) in issues and (
            not wanted or not ({*names, f"{row.type_id}>"}).isdisjoint(wanted)
        ):
            found.append(row.destination_id)
        if str(row.destination_id) in issues and (
            not wanted or not ({*names, f"{row.type_id}<"}).isdisjoint(wanted)
        ):
            found.append(row.source_id)
    return found


def _updated(o: Oracle, people: Sequence[str], *times: Sequence[str]) -> list[int]:
    span = Stretch(None, None)
    for operator, (text,) in zip((">=", "<="), times, strict=False):
        at = literal(text, o.site.viewer)
        assert at is not None
        span = span.within(stretch(operator, at))  # type: ignore[arg-type]
    ids = {o.account[account] for account in people}

    def is_in(at: datetime) -> bool:
        return (span.start is None or at >= span.start) and (span.end is None or at < span.end)

    found = {i.id for i in o.all.values() if i.creator_id in ids and is_in(i.created)}
    found |= {row.issue_id for row in o.table(m.ChangeGroup).values()
              if row.author_id in ids and is_in(row.created)}  # fmt: skip
    found |= {row.issue_id for row in o.table(m.Comment).values()
              if row.author_id in ids and o.heard(row) and is_in(row.created)}  # fmt: skip
    return sorted(found)


def _mine(o: Oracle, model: Any) -> list[int]:
    user = o.rights.user
    return [row.issue_id for row in o.table(model).values()
            if user is not None and row.user_id == user.id]  # fmt: skip


def _lead(o: Oracle, model: Any, *people: Sequence[str]) -> list[int]:
    wanted = {id for argument in people for id in argument} or {str(o.rights.account_id)}
    return [row.id for row in o.table(model).values()
            if o.people[row.lead_id].account_id in wanted]  # fmt: skip


CALLS: dict[str, Callable[..., Any]] = {
    "approved": _approved(lambda o, i: any(
        row.decision == "approved" for row in o.of(m.Approval, i.id))),
    "pending": _approved(lambda o, i: any(
        row.decision is None for row in o.of(m.Approval, i.id))),
    "myApproval": _approved(lambda o, i: o.approvals(i, str(o.rights.account_id), pending=False)),
    "myPending": _approved(lambda o, i: o.approvals(i, str(o.rights.account_id), pending=True)),
    "approver": lambda o, *names: [
        i.id for i in o.all.values() if o.approvals(i, *_named(o, names), pending=False)],
    "pendingBy": lambda o, *names: [
        i.id for i in o.all.values() if o.approvals(i, *_named(o, names), pending=True)],
    "cascadeOption": lambda o, parents, child=("",): [
        row.id for row in o.table(m.FieldOption).values()
        if (str(row.id) in parents and child[0] in {"", "none"})
        or (str(row.parent_id) in parents and child[0] in {"", row.value})],
    "closedSprints": lambda o: [r.id for r in o.table(m.Sprint).values() if r.state == "closed"],
    "openSprints": lambda o: [r.id for r in o.table(m.Sprint).values() if r.state == "active"],
    "futureSprints": lambda o: [r.id for r in o.table(m.Sprint).values() if r.state == "future"],
    "componentsLeadByUser": lambda o, *people: _lead(o, m.Component, *people),
    "projectsLeadByUser": lambda o, *people: _lead(o, m.Project, *people),
    "earliestUnreleasedVersion": lambda o, *spaces: _edge(
        [row for row in _versions(o, spaces) if not row.released], last=False),
    "latestReleasedVersion": lambda o, *spaces: _edge(
        [row for row in _versions(o, spaces) if row.released], last=True),
    "releasedVersions": lambda o, *spaces: [
        row.id for row in _versions(o, spaces) if row.released],
    "unreleasedVersions": lambda o, *spaces: [
        row.id for row in _versions(o, spaces) if not row.released],
    "inactiveUsers": lambda o: [
        row.account_id for row in o.people.values() if not row.active],
    "issueHistory": lambda o: _mine(o, m.IssueView),
    "votedIssues": lambda o: _mine(o, m.Vote),
    "watchedIssues": lambda o: _mine(o, m.Watcher),
    "issuesWithRemoteLinksByGlobalId": lambda o, *ids: [
        row.issue_id for row in o.table(m.RemoteLink).values() if (row.global_id,) in ids],
    "linkedIssues": _linked,
    "membersOf": lambda o, groups: [
        o.people[row.user_id].account_id for row in o.table(m.GroupMember).values()
        if o.table(m.Group)[row.group_id].uuid in groups],
    "organizationMembers": lambda o, ids: [
        o.people[row.user_id].account_id for row in o.table(m.OrganizationMember).values()
        if str(row.organization_id) in ids],
    "projectsWhereUserHasPermission": lambda o, keys: o.rights.projects_with(keys[0]),
    "projectsWhereUserHasRole": lambda o, roles: [
        space for space in o.table(m.Project)
        if any(int(role) in o.rights.role_ids(space) for role in roles)],
    "standardIssueTypes": lambda o: [
        row.id for row in o.table(m.IssueType).values() if row.hierarchy_level >= 0],
    "subTaskIssueTypes": lambda o: [
        row.id for row in o.table(m.IssueType).values() if row.hierarchy_level < 0],
    "updatedBy": _updated,
}  # fmt: skip
Sort = Callable[[Oracle, Row], Any]
SORTS: dict[str, Sort] = {
    "created": lambda o, i: i.created,
    "updated": lambda o, i: i.updated,
    "issuekey": lambda o, i: (i.project.key, i.number),
    "priority": lambda o, i: i.priority_id and -o.table(m.Priority)[i.priority_id].position,
    "duedate": lambda o, i: i.due_date,
    "assignee": lambda o, i: (
        i.assignee_id and o.people[i.assignee_id].display_name.lower()),
    "labels": lambda o, i: min(
        (row.label.lower() for row in o.of(m.IssueLabel, i.id)), default=None),
    "votes": lambda o, i: len(o.of(m.Vote, i.id)),
    "timespent": lambda o, i: i.time_spent,
    "workratio": lambda o, i: next(iter(_share(i.time_spent, i.original_estimate)), None),
    "statusCategory": lambda o, i: ["undefined", "new", "indeterminate", "done"].index(
        i.status.category),
    "customfield_10019": lambda o, i: i.rank,
    "customfield_10906": lambda o, i: next(iter(o.custom(10906, i)), None),
    "customfield_10907": lambda o, i: next(iter(o.custom(10907, i)), None),
    "fixVersions": lambda o, i: min(
        (o.table(m.Version)[int(id)].position for id in VALUES["fixVersions"](o, i)), default=None),
    "parent": lambda o, i: i.parent_id and (
        o.all[i.parent_id].project.key, o.all[i.parent_id].number),
}  # fmt: skip
