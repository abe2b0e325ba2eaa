"""The tracker's site: who is on it, its spaces, components, versions, boards and sprints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Model

from clones.core import clock, counters
from clones.tracker import models as tracker
from clones.tracker.domain import people
from clones.tracker.domain.desk_customers import add_customers
from clones.tracker.domain.numbering import next_ids
from clones.tracker.domain.priority_schemes import SchemeChange
from clones.tracker.domain.priority_schemes import create_scheme as create_priority_scheme
from clones.tracker.domain.projects import Schemes, create_project
from clones.tracker.domain.roles import fill_role
from clones.tracker.domain.security_schemes import LevelDraft, create_security_scheme
from clones.tracker.domain.setup import install_site
from clones.tracker.domain.setup.access import TEAM, roles_by_name
from clones.tracker.queries.rights import Rights
from seeds.bulk import BulkWriter
from seeds.kestrel.catalogue import FOUNDED, PRESENT
from seeds.kestrel.engineering.model import Engineer, Engineering, Space
from seeds.kestrel.engineering.people import customers, of_space
from seeds.kestrel.engineering.sprints import LENGTH
from seeds.kestrel.engineering.work import LEVEL
from seeds.kestrel.projection.tracker.workflows import make_workflow_scheme

TEMPLATES = {
    "scrum": "com.pyxis.greenhopper.jira:gh-simplified-scrum-classic",
    "kanban": "com.pyxis.greenhopper.jira:gh-simplified-kanban-classic",
    "desk": "com.atlassian.servicedesk:simplified-it-service-management",
}
DEVELOPERS = ("jira-users", "jira-software-users")
AGENTS = (*DEVELOPERS, "jira-servicedesk-users")


class Numbers:
    """The keys of rows that are written in bulk: on from those that the domain gave."""

    def __init__(self) -> None:
        self._next: dict[type[Model], int] = {}

    def take(self, model: type[Model]) -> int:
        """Return the next key of a model."""
        if model not in self._next:
            self._next[model] = next_ids(model, 1)[0]
        number = self._next[model]
        self._next[model] = number + 1
        return number

    def skip(self, model: type[Model], count: int) -> None:
        """Leave a gap, as deletions do."""
        if count:
            self._next[model] = self.take(model) + count

    def store(self) -> None:
        """Set the counters past every key given."""
        for model, number in sorted(self._next.items(), key=lambda item: item[0]._meta.label):
            counters.set_last(f"{model._meta.label_lower}.serial", number - 1, known=True)


@dataclass(slots=True)
class Site:
    """What rows of work refer to, by the story's own names."""

    users: dict[int, int] = field(default_factory=dict)
    account_ids: dict[int, str] = field(default_factory=dict)
    projects: dict[str, int] = field(default_factory=dict)
    types: dict[str, tuple[int, str]] = field(default_factory=dict)
    statuses: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    priorities: dict[str, int] = field(default_factory=dict)
    resolutions: dict[str, int] = field(default_factory=dict)
    link_types: dict[str, int] = field(default_factory=dict)
    components: dict[tuple[str, str], int] = field(default_factory=dict)
    versions: dict[tuple[str, str], int] = field(default_factory=dict)
    sprints: dict[int, tuple[int, str]] = field(default_factory=dict)
    request_types: dict[str, int] = field(default_factory=dict)
    space_names: dict[str, str] = field(default_factory=dict)
    levels: dict[str, int] = field(default_factory=dict)


def write_site(engineering: Engineering) -> Site:
    """Make the site as it was before any work was tracked, through the domain."""
    with clock.at(FOUNDED):
        first = engineering.engineers[0]
        owner = install_site(owner_name=first.name, owner_email=first.email or "")
        site = Site()
        _know(site, first, owner)
        for person in engineering.engineers[1:]:
            groups: tuple[str, ...] = DEVELOPERS if person.kind == "atlassian" else ()
            groups = AGENTS if _at_desk(person) else groups
            user = people.create_user(
                person.name,
                person.email,
                account_type=person.kind,
                groups=groups if person.left_at is None else (),
                time_zone=person.zone,
                active=person.left_at is None,
                created=person.since,
            )
            _know(site, person, user)
        actor = Rights(owner)
        flows = {
            review: make_workflow_scheme(review=review, actor=actor) for review in (False, True)
        }
        for space in engineering.spaces:
            flow = flows[space.review] if space.type == "software" else None
            _space(site, engineering, space, flow, actor)
    _kinds(site)
    return site


def _at_desk(person: Engineer) -> bool:
    return person.space == "IT"


def _know(site: Site, person: Engineer, user: tracker.User) -> None:
    site.users[person.index] = user.id
    site.account_ids[person.index] = user.account_id


def _space(
    site: Site,
    engineering: Engineering,
    space: Space,
    flow: tracker.WorkflowScheme | None,
    actor: Rights,
) -> None:
    members = of_space(engineering.engineers, space.key) or engineering.engineers[:1]
    users = [
        tracker.User.objects.get(id=site.users[person.index])
        for person in members
        if person.left_at is None
    ]
    security = None
    if space.secret:
        level = LevelDraft(
            LEVEL, None, members=(("reporter", None), ("projectLead", None), *_team(site, members))
        )
        security = create_security_scheme(f"{space.name} security", None, [level], actor=actor)
    project = create_project(
        space.key,
        space.name,
        type=space.type,
        template=TEMPLATES[space.way],
        lead=users[0],
        actor=actor,
        schemes=Schemes(workflow=flow, security=security),
    )
    if len(space.levels) < 5:
        _own_priorities(space, project, actor)
    if space.type == "service_desk":
        fill_role(roles_by_name()[TEAM], project, users, [])
        # Colleagues of all departments may ask; those who only ask are its customers by name too.
        desk = tracker.ServiceDesk.objects.select_related("project").get(project=project)
        desk.access = "open"
        desk.save(update_fields=["access"])
        askers = [
            site.account_ids[person.index]
            for person in customers(engineering.engineers)
            if person.left_at is None
        ]
        add_customers(desk, askers, actor=actor)
    site.projects[space.key] = project.id
    site.space_names[space.key] = project.name


def _team(site: Site, members: list[Engineer]) -> list[tuple[str, str | None]]:
    return [("user", site.account_ids[person.index]) for person in members]


def _own_priorities(space: Space, project: tracker.Project, actor: Rights) -> None:
    """Give a space that has fewer priorities a scheme of its own."""
    rows = {row.name: row.id for row in tracker.Priority.objects.order_by("-id")}
    wanted = SchemeChange(
        name=f"{space.name} priorities",
        default=rows["Medium"],
        add=[rows[name] for name in reversed(space.levels)],
    )
    project.priority_scheme, _ = create_priority_scheme(wanted, actor=actor)
    project.save(update_fields=["priority_scheme"])


def _kinds(site: Site) -> None:
    for kind in tracker.IssueType.objects.filter(project=None).order_by("-id"):
        site.types[kind.name] = (kind.id, kind.name)
    asked = next(name for name in site.types if name.endswith("Service request"))
    site.types["Service request"] = site.types[asked]
    for status in tracker.Status.objects.filter(project=None).order_by("-id"):
        site.statuses[status.name] = (status.id, status.name, status.category)
    site.priorities = _named(tracker.Priority.objects.order_by("id"))
    site.resolutions = _named(tracker.Resolution.objects.order_by("id"))
    site.link_types = _named(tracker.IssueLinkType.objects.order_by("id"))
    site.request_types = _named(tracker.RequestType.objects.order_by("id"))
    site.levels = _named(tracker.SecurityLevel.objects.order_by("id"))


def _named(rows: Iterable[Model]) -> dict[str, int]:
    return {str(getattr(row, "name")): int(row.pk) for row in rows}  # noqa: B009 - several models


def write_parts(writer: BulkWriter, numbers: Numbers, site: Site, engineering: Engineering) -> None:
    """Write components, versions and sprints."""
    for space in engineering.spaces:
        for area in space.areas:
            key = numbers.take(tracker.Component)
            site.components[space.key, area.name] = key
            row = {"id": key, "project_id": site.projects[space.key], "name": area.name}
            writer.add(tracker.Component, row)
    places: dict[str, int] = {}
    for release in engineering.releases:
        key = numbers.take(tracker.Version)
        places[release.space] = places.get(release.space, 0) + 1
        site.versions[release.space, release.name] = key
        writer.add(
            tracker.Version,
            {
                "id": key,
                "project_id": site.projects[release.space],
                "name": release.name,
                "start_date": release.start,
                "release_date": release.released or release.due,
                "released": release.released is not None,
                "archived": release.archived,
                "position": places[release.space],
            },
        )
    _sprints(writer, numbers, site, engineering)


def _sprints(writer: BulkWriter, numbers: Numbers, site: Site, engineering: Engineering) -> None:
    boards = dict(
        tracker.Board.objects.filter(type="scrum").order_by("-id").values_list("project_id", "id")
    )
    for sprint in engineering.iterations:
        key = numbers.take(tracker.Sprint)
        site.sprints[sprint.index] = (key, sprint.name)
        begun = sprint.state != "future"
        writer.add(
            tracker.Sprint,
            {
                "id": key,
                "board_id": boards[site.projects[sprint.space]],
                "name": sprint.name,
                "state": sprint.state,
                "goal": sprint.goal,
                "start_date": sprint.start if begun else None,
                "end_date": sprint.end if begun else None,
                "complete_date": sprint.completed,
                # Planned while the one before ran; what is to come was entered by now all the same.
                "created": min(_before(sprint.start - timedelta(days=LENGTH)), _before(PRESENT)),
                "position": key,
            },
        )


def _before(moment: datetime) -> datetime:
    return moment.replace(hour=8, minute=0, second=0)
