"""A site with a few hundred issues of all sorts, made in bulk: what random queries are asked of."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from itertools import pairwise
from random import Random
from typing import Any

from django.db.models import Model

from clones.tracker import models as m
from clones.tracker.rules.desk.calendars import AllTime, WorkingTime
from tests.conftest import PRESENT

SIZE = 260
WORDS = "laser beam starts cold mirror jammed over-heats Ärger the manual cutter red".split()
P = "com.atlassian.jira.plugin.system.customfieldtypes:"
G = "com.pyxis.greenhopper.jira:"
# Number, name, type: each kind of values that rows of their own hold.
FIELDS = [
    (10900, "Colour", P + "select"), (10901, "Colour", P + "multicheckboxes"),
    (10902, "Place", P + "cascadingselect"), (10903, "Notes", P + "textarea"),
    (10904, "Line", P + "textfield"), (10905, "Page", P + "url"), (10906, "Size", P + "float"),
    (10907, "Begun", P + "datepicker"), (10908, "Reached", P + "datetime"),
    (10909, "Tags", P + "labels"), (10910, "Helper", P + "userpicker"),
    (10911, "Crew", P + "multiuserpicker"), (10912, "Team group", P + "grouppicker"),
    (10913, "Sister space", P + "project"), (10914, "Seen in", P + "multiversion"),
    (10920, "Reply time", "com.atlassian.servicedesk:sd-sla-field"),
    (10921, "Approvals", "com.atlassian.servicedesk.approvals-plugin:sd-approvals"),
    (10922, "Paint", G + "jsw-issue-color"),
]  # fmt: skip
HOURS = {name: [["09:00", "17:00"]] for name in ("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY")}


class World:
    """Makes the rows; `keys` counts them beyond all others."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.key = 700_000

    def next(self) -> int:
        self.key += 1
        return self.key

    def make(self, model: type[Model], **values: Any) -> Any:
        values.setdefault("id", self.next())
        return model._default_manager.create(**values)

    def maybe(self, share: float, value: Callable[[], Any]) -> Any:
        return value() if self.random.random() < share else None

    def some(self, things: list[Any], most: int) -> list[Any]:
        return self.random.sample(things, self.random.randint(0, min(most, len(things))))

    def text(self) -> str:
        return " ".join(self.random.choices(WORDS, k=self.random.randint(1, 6)))

    def moment(self) -> datetime:
        # Some moments fall together, on the full hour.
        back = timedelta(hours=self.random.randint(0, 900))
        odd = timedelta(seconds=self.random.choice([0, 0, 61, 1799]))
        return PRESENT - back - odd

    def day(self) -> date:
        return (PRESENT + timedelta(days=self.random.randint(-20, 20))).date()

    def fill(self) -> None:
        self.common()
        for number in range(SIZE):
            self.issue(number)
        self.ties()

    def common(self) -> None:
        self.users = list(m.User.objects.order_by("id"))
        self.groups = list(m.Group.objects.order_by("id"))
        self.projects = list(m.Project.objects.order_by("id"))
        self.types = list(m.IssueType.objects.order_by("id"))
        self.statuses = list(m.Status.objects.order_by("id"))
        self.priorities = list(m.Priority.objects.order_by("id"))
        self.resolutions = list(m.Resolution.objects.order_by("id"))
        category = self.make(m.ProjectCategory, name="Machines")
        self.projects[0].category = category
        self.projects[0].save()
        scheme = self.make(m.SecurityScheme, name="Levels")
        self.level = self.make(m.SecurityLevel, scheme=scheme, name="Secret")
        admins = m.Group.objects.get(name__in=["site-admins"])
        self.make(m.SecurityMember, level=self.level, holder_type="group", parameter=admins.uuid)
        m.Project.objects.filter(id=self.projects[0].id).update(security_scheme=scheme)
        self.versions, self.components, self.sprints = [], [], []
        for project in self.projects:
            for at, name in enumerate(["1.0", "1.1 beta", "2.0", "3.0"]):
                self.versions.append(
                    self.make(m.Version, project=project, name=name, position=at,
                              released=at < 2, archived=at == 0)
                )  # fmt: skip
            for name in ("API", "Optics"):
                lead = self.random.choice(self.users)
                self.components.append(
                    self.make(m.Component, project=project, name=name, lead=lead)
                )
        board = m.Board.objects.order_by("id")[0]
        for at, state in enumerate(["closed", "active", "future"]):
            self.sprints.append(
                self.make(m.Sprint, board=board, name=f"Run {at}", state=state, created=PRESENT,
                          start_date=PRESENT - timedelta(days=30 - 10 * at))
            )  # fmt: skip
        self.fields()
        self.desk()

    def fields(self) -> None:
        self.options: dict[int, list[Any]] = {}
        for number, name, kind in FIELDS:
            field = self.make(m.CustomField, id=number, name=name, type=kind, created=PRESENT)
            context = self.make(m.FieldContext, field=field, name="Everywhere")
            names = ["Red", "Blue", "Green"] if number < 10903 else []
            rows = [
                self.make(m.FieldOption, context=context, value=value, position=at)
                for at, value in enumerate(names)
            ]
            if number == 10902:
                rows += [
                    self.make(m.FieldOption, context=context, value="Left", position=at, parent=row)
                    for at, row in enumerate(rows[:2])
                ]
            self.options[number] = rows

    def desk(self) -> None:
        desk = m.ServiceDesk.objects.order_by("id")[0]
        self.calendar = self.make(
            m.Calendar, desk=desk, name="Week", time_zone="Europe/Berlin", hours=HOURS
        )
        self.metric = self.make(
            m.SlaMetric, desk=desk, name="Reply time", field_id=10920, start=[], pause=[], stop=[]
        )
        self.requests = list(m.RequestType.objects.filter(desk=desk).order_by("id"))
        self.organizations = [
            self.make(m.Organization, uuid=f"00000000-0000-4000-8000-00000000000{at}",
                      name=name, created=PRESENT)
            for at, name in enumerate(["Acme", "Borg"])
        ]  # fmt: skip
        for organization in self.organizations:
            self.make(
                m.OrganizationMember, organization=organization, user=self.random.choice(self.users)
            )

    def issue(self, number: int) -> None:
        random, project = self.random, self.random.choice(self.projects)
        resolution = self.maybe(0.4, lambda: random.choice(self.resolutions))
        created = self.moment()
        row = m.Issue(
            id=self.next(), project=project, number=1000 + number,
            key=f"{project.key}-{1000 + number}", issue_type=random.choice(self.types),
            status=random.choice(self.statuses), status_category_changed=self.moment(),
            priority=self.maybe(0.9, lambda: random.choice(self.priorities)),
            resolution=resolution, resolution_date=resolution and self.moment(),
            summary=self.text(), rank=f"0|i{random.randint(0, 99999):05d}:",
            description=self.maybe(0.5, lambda: {"type": "doc", "version": 1, "content": []}),
            reporter=self.maybe(0.9, lambda: random.choice(self.users)),
            creator=random.choice(self.users),
            assignee=self.maybe(0.6, lambda: random.choice(self.users)),
            security_level=self.maybe(0.15, lambda: self.level), due_date=self.maybe(0.5, self.day),
            original_estimate=self.maybe(0.5, lambda: random.choice([3600, 7200, 28800])),
            remaining_estimate=self.maybe(0.4, lambda: random.choice([0, 1800, 7200])),
            time_spent=self.maybe(0.4, lambda: random.choice([1800, 3600, 5400])),
            created=created, updated=created + timedelta(hours=random.randint(0, 50)),
            archived_at=self.maybe(0.04, self.moment),
        )  # fmt: skip
        parents = list(m.Issue.objects.filter(project=project).order_by("id")[:20])
        row.parent = self.maybe(0.3, lambda: random.choice(parents)) if parents else None
        row.save(force_insert=True)
        self.keep(row, "summary", row.id, row.summary)
        if row.description is not None:
            self.keep(row, "description", row.id, self.text())
        self.values(row)
        self.beside(row)
        self.said(row)
        self.past(row)
        if project.type == "service_desk":
            self.request(row)

    def keep(self, issue: m.Issue, field: str, source: int, text: str) -> None:
        self.make(m.IssueText, issue=issue, field=field, source=source, text=text)

    def values(self, issue: m.Issue) -> None:
        random = self.random
        one: dict[int, Callable[[], dict[str, Any]]] = {
            10903: lambda: {"document": {"type": "doc"}}, 10904: lambda: {"text": self.text()},
            10905: lambda: {"text": random.choice(["http://a.example", "http://B.example"])},
            10906: lambda: {"number": random.choice([0.5, 1, 2.25, 3])},
            10907: lambda: {"day": self.day()}, 10908: lambda: {"moment": self.moment()},
            10910: lambda: {"user": random.choice(self.users)},
            10912: lambda: {"group": random.choice(self.groups)},
            10913: lambda: {"other": random.choice(self.projects).id},
        }  # fmt: skip
        for number, value in one.items():
            if random.random() < 0.3:
                found = value()
                self.make(m.FieldValue, issue=issue, field_id=number, **found)
                if number in {10903, 10904}:
                    self.keep(issue, f"customfield_{number}", issue.id, found.get("text", "beam"))
        many: dict[int, list[dict[str, Any]]] = {
            10900: [{"option": option} for option in self.some(self.options[10900], 1)],
            10901: [{"option": option} for option in self.some(self.options[10901], 3)],
            10902: [{"option": option} for option in self.some(self.options[10902], 1)],
            10909: [{"text": text} for text in self.some(["hot", "Cold", "wet"], 2)],
            10911: [{"user": user} for user in self.some(self.users, 2)],
            10914: [{"other": version.id} for version in self.some(self.versions, 2)],
        }
        for number, rows in many.items():
            for at, found in enumerate(rows):
                self.make(m.FieldValue, issue=issue, field_id=number, position=at, **found)

    def beside(self, issue: m.Issue) -> None:
        for label in self.some(["Red", "hot", "äh"], 2):
            self.make(m.IssueLabel, issue=issue, label=label)
        for component in self.some(self.components, 2):
            self.make(m.IssueComponent, issue=issue, component=component)
        for kind in ("fix", "affects"):
            for version in self.some(self.versions, 2):
                self.make(m.IssueVersion, issue=issue, version=version, kind=kind)
        for sprint in self.some(self.sprints, 2):
            self.make(m.IssueSprint, issue=issue, sprint=sprint)
        for user in self.some(self.users, 2):
            self.make(m.Watcher, issue=issue, user=user)
        for user in self.some(self.users, 1):
            self.make(m.Vote, issue=issue, user=user)
            self.make(m.IssueView, issue=issue, user=user, at=self.moment())
        if self.random.random() < 0.2:
            self.make(m.RemoteLink, issue=issue, global_id=f"page={self.random.randint(1, 3)}")
            self.make(
                m.EpicLook,
                id=issue.id,
                name=self.random.choice(["", "Beam works"]),
                color="color_2",
            )
        if self.random.random() < 0.4:
            value = self.random.choice(
                [{"size": 3, "tags": ["Hot", "x"]}, {"size": 4.5, "at": "2026-06-10T10:00:00"},
                 {"tags": "hot beam", "on": True, "deep": {"size": "3"}}, {"at": "2026-06-16"}, 5]
            )  # fmt: skip
            self.make(
                m.EntityProperty, kind="issue", entity=str(issue.id), key="state", value=value
            )

    def said(self, issue: m.Issue) -> None:
        roles = list(m.ProjectRole.objects.order_by("id"))
        for _ in range(self.random.randint(0, 2)):
            hidden = self.random.choice(
                [None, {"type": "role", "identifier": str(self.random.choice(roles).id)},
                 {"type": "group", "identifier": self.random.choice(self.groups).uuid}]
            )  # fmt: skip
            at = self.moment()
            author = self.random.choice(self.users)
            comment = self.make(m.Comment, issue=issue, author=author, update_author=author,
                                body={}, visibility=hidden, created=at, updated=at)  # fmt: skip
            self.keep(issue, "comment", comment.id, self.text())
            work = self.make(m.Worklog, issue=issue, author=author, visibility=hidden, started=at,
                             seconds=60, created=at, updated=at)  # fmt: skip
            if self.random.random() < 0.5:
                self.keep(issue, "worklog", work.id, self.text())

    def past(self, issue: m.Issue) -> None:
        fixes = list(m.IssueVersion.objects.filter(issue=issue, kind="fix").order_by("id"))
        ends = {
            "status": issue.status, "assignee": issue.assignee, "priority": issue.priority,
            "reporter": issue.reporter, "resolution": issue.resolution,
        }  # fmt: skip
        pools: dict[str, list[Any]] = {
            "status": self.statuses, "assignee": [*self.users, None], "priority": self.priorities,
            "reporter": self.users, "resolution": [*self.resolutions, None],
        }  # fmt: skip
        for field, end in ends.items():
            if self.random.random() < 0.5:
                continue
            chain = [self.random.choice(pools[field]) for _ in range(self.random.randint(1, 3))]
            chain.append(end)
            self.changes(issue, field, list(pairwise(chain)))
        steps: list[tuple[Any, Any]] = [(None, link.version) for link in fixes[:1]]
        gone = self.maybe(0.2, lambda: self.random.choice(self.versions))
        if gone is not None and gone.id not in {link.version_id for link in fixes}:
            steps.append((gone, None))
        self.changes(issue, "fixVersions", steps)

    def changes(self, issue: m.Issue, field: str, steps: list[tuple[Any, Any]]) -> None:
        times = sorted(self.moment() for _ in steps)
        for at, (old, new) in zip(times, steps, strict=True):
            if old is new:
                continue
            author = self.random.choice(self.users)
            group = self.make(m.ChangeGroup, issue=issue, author=author, created=at)
            self.make(m.ChangeItem, group=group, issue=issue, created=at, field=field,
                      field_type="jira", field_id=field, old=_id(old), new=_id(new))  # fmt: skip

    def request(self, issue: m.Issue) -> None:
        random = self.random
        kind = self.maybe(0.8, lambda: random.choice(self.requests))
        self.make(m.Request, id=issue.id, issue=issue, request_type=kind,
                  channel=random.choice(["portal", "email"]))  # fmt: skip
        for organization in self.some(self.organizations, 1):
            self.make(m.RequestOrganization, issue=issue, organization=organization)
        for user in self.some(self.users, 1):
            self.make(m.RequestParticipant, issue=issue, user=user)
        for _ in range(random.randint(0, 2)):
            self.cycle(issue)
        if random.random() < 0.5:
            decision = random.choice([None, "approved", "declined"])
            row = self.make(m.Approval, issue=issue, name="OK?", status=self.statuses[0],
                            decision=decision, created=PRESENT)  # fmt: skip
            for user in self.some(self.users, 2):
                said = random.choice([None, "approved"])
                self.make(m.Approver, approval=row, user=user, decision=said)

    def cycle(self, issue: m.Issue) -> None:
        random = self.random
        state = random.choice(["running", "running", "paused", "stopped"])
        calendar = random.choice([None, self.calendar])
        goal = random.choice([4, 40, 400]) * 3_600_000
        counted, elapsed = self.moment(), random.randint(0, 30) * 1_800_000
        times = clock_of(calendar)
        left = goal - elapsed
        breaks = times.add(counted, left) if state == "running" and left > 0 else None
        if state == "running" and left <= 0:
            breaks = counted
        self.make(
            m.SlaCycle, issue=issue, metric=self.metric, goal=goal, calendar=calendar,
            started_at=counted, counted_at=counted, elapsed=elapsed, breach_at=breaks,
            stopped_at=counted if state == "stopped" else None,
            paused_at=counted if state == "paused" else None, breached=left < 0,
        )  # fmt: skip

    def ties(self) -> None:
        issues = list(m.Issue.objects.filter(number__gte=1000).order_by("id"))
        types = list(m.IssueLinkType.objects.order_by("id"))
        for _ in range(SIZE // 3):
            source, destination = self.random.sample(issues, 2)
            self.make(m.IssueLink, source=source, destination=destination,
                      type=self.random.choice(types))  # fmt: skip
        owner = self.users[0]
        for at, jql in enumerate(["status = Done or labels = hot", "filter = 'Mine 0'"]):
            found = self.make(m.Filter, name=f"Mine {at}", owner=owner, jql=jql, created=PRESENT)
            self.make(m.Share, filter=found, type="global")
        for user in self.users[:3]:
            self.make(m.EntityProperty, kind="user", entity=user.account_id, key="desk",
                      value={"floor": user.id % 2})  # fmt: skip


def clock_of(calendar: m.Calendar | None) -> WorkingTime | AllTime:
    """Return when a calendar counts."""
    if calendar is None:
        return AllTime()
    return WorkingTime.parse(calendar.time_zone, calendar.hours, calendar.holidays)


def _id(thing: Any) -> str | None:
    if thing is None:
        return None
    return thing.account_id if isinstance(thing, m.User) else str(thing.id)
