"""The types and screens that a new space gets, as the vendor's templates give them.

project = Project(id=..., key=..., name=..., type="software", style="classic", template=...)
create_space_kinds(project)      # sets the schemes that the space has not got yet
project.save(force_insert=True)
"""

from __future__ import annotations

from typing import Final

from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.domain.setup.fields import (
    APPROVERS,
    BASIC,
    EPIC_LINK,
    EPIC_NAME,
    ESTIMATE,
    FLAGGED,
    ORGANIZATIONS,
    PARTICIPANTS,
    REQUEST_TYPE,
    SPRINT,
    START_DATE,
    STORY_POINTS,
    TEAM,
    custom,
    desk_fields,
    make_screen,
    make_screen_scheme,
    make_type_screens,
)
from clones.tracker.domain.setup.kinds import DESK_TYPES, TYPES, append_types, desk_kinds
from clones.tracker.models import (
    IssueType,
    IssueTypeScheme,
    PriorityScheme,
    Project,
    ScreenScheme,
)

# What a family of templates is called in the names of schemes.
WORDS: Final = {
    "scrum": "Scrum",
    "kanban": "Kanban",
    "software": "Software Development",
    "business": "Project Management",
    "desk": "Jira Service Management",
}
ON_SOFTWARE: Final = (
    *BASIC,
    *custom(START_DATE, TEAM, EPIC_NAME, EPIC_LINK, SPRINT, STORY_POINTS, FLAGGED),
)
ON_BUGS: Final = (*ON_SOFTWARE, "versions", "environment")
ON_DESK: Final = (
    *BASIC,
    *custom(REQUEST_TYPE, ORGANIZATIONS, PARTICIPANTS, APPROVERS),
    *custom(10004, 10024, 10005, 10006, 10007, 10008, 10009, 10025),
)
ON_BUSINESS: Final = (*BASIC, *custom(START_DATE, TEAM))
ON_TEAM_MANAGED: Final = (*BASIC, *custom(START_DATE, TEAM, ESTIMATE, SPRINT, FLAGGED))


def family_of(project: Project) -> str:
    """Return the family of a space's template: scrum, kanban, software, business or desk."""
    if project.type == "service_desk":
        return "desk"
    if project.type == "business":
        return "business"
    for word in ("scrum", "kanban"):
        if word in project.template:
            return word
    return "software"


def create_space_kinds(project: Project) -> None:
    """Give a space that is about to be made its schemes of types, screens and priorities.

    Only those that it has not got yet are set. A company-managed space gets schemes of its own,
    over the site's types; a team-managed one gets types of its own, too. Fields count as the site's
    default configuration says.
    """
    if project.type == "service_desk":
        desk_kinds()
        desk_fields()
    if _lacks(project, "priority_scheme"):
        scheme = PriorityScheme.objects.filter(is_default=True).order_by("id").first()
        assert scheme is not None  # noqa: S101 - every site has one
        project.priority_scheme = scheme
    if project.simplified:
        _team_managed(project)
    else:
        _company_managed(project)


def _lacks(project: Project, scheme: str) -> bool:
    """Tell whether a space that is not written yet has not got a scheme."""
    return getattr(project, f"{scheme}_id") is None


def _company_managed(project: Project) -> None:
    family = family_of(project)
    prefix = f"{project.key}: {WORDS[family]}"
    types = _site_types(family)
    if _lacks(project, "issue_type_scheme"):
        scheme = IssueTypeScheme.objects.create(
            id=next_id(IssueTypeScheme),
            name=f"{prefix} Issue Type Scheme",
            default_type=types.get("Story") or next(iter(types.values())),
        )
        append_types(scheme, list(types.values()))
        project.issue_type_scheme = scheme
    if not _lacks(project, "screen_scheme"):
        return
    fields = {"desk": ON_DESK, "business": ON_BUSINESS}.get(family, ON_SOFTWARE)
    default = make_screen_scheme(
        f"{prefix} Default Screen Scheme",
        make_screen(f"{prefix} Default Issue Screen", list(fields)),
    )
    schemes: dict[int | None, ScreenScheme] = {None: default}
    bug = types.get("Bug")
    if bug is not None:
        screen = make_screen(f"{prefix} Bug Screen", list(ON_BUGS))
        schemes[bug.id] = make_screen_scheme(f"{prefix} Bug Screen Scheme", screen)
    project.screen_scheme = make_type_screens(f"{prefix} Issue Type Screen Scheme", schemes)


def _site_types(family: str) -> dict[str, IssueType]:
    """Return the site's types that spaces of a family offer, in their order."""
    wanted = {
        "desk": [*DESK_TYPES, "Task", "Sub-task"],
        "business": ["Task", "Sub-task"],
    }.get(family, ["Epic", "Story", "Task", "Bug", "Sub-task"])
    rows = IssueType.objects.filter(name__in=wanted, project=None).order_by("-id")
    found = {kind.name: kind for kind in rows}
    return {name: found[name] for name in wanted if name in found}


def _team_managed(project: Project) -> None:
    """Make a team-managed space's own types, and one screen for all of them."""
    if _lacks(project, "issue_type_scheme"):
        names = ["Task", "Sub-task"] if project.type == "business" else list(TYPES)
        keys = next_ids(IssueType, len(names))
        types = [
            IssueType(
                id=key,
                name="Subtask" if name == "Sub-task" else name,
                hierarchy_level=TYPES[name][0],
                avatar_id=TYPES[name][1],
                description=TYPES[name][2],
                project=project,
            )
            for key, name in zip(keys, names, strict=True)
        ]
        IssueType.objects.bulk_create(types)
        scheme = IssueTypeScheme.objects.create(
            id=next_id(IssueTypeScheme),
            name=f"{project.key}: Issue Type Scheme",
            default_type=next(kind for kind in types if kind.name == "Task"),
        )
        append_types(scheme, types)
        project.issue_type_scheme = scheme
    if _lacks(project, "screen_scheme"):
        screen = make_screen(f"{project.key}: Issue Screen", list(ON_TEAM_MANAGED))
        screens = make_screen_scheme(f"{project.key}: Screen Scheme", screen)
        project.screen_scheme = make_type_screens(
            f"{project.key}: Issue Type Screen Scheme", {None: screens}
        )
