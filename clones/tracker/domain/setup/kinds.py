"""Types, statuses, priorities, resolutions and kinds of links, as on a fresh site.

Ids are those that the vendor's new sites have, as far as they are known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.models import (
    IssueLinkType,
    IssueType,
    IssueTypeScheme,
    IssueTypeSchemeItem,
    Priority,
    PriorityScheme,
    PrioritySchemeItem,
    Resolution,
    Status,
)

# Name: level, avatar, description.
TYPES: Final[dict[str, tuple[int, int, str]]] = {
    "Epic": (1, 10307, "A large piece of work that holds stories, tasks and bugs."),
    "Story": (0, 10315, "Something that a user can do when it is done."),
    "Task": (0, 10318, "A small piece of work of its own."),
    "Sub-task": (-1, 10316, "A part of another work item."),
    "Bug": (0, 10303, "Something that does not work as it should."),
}
DESK_TYPES: Final[dict[str, tuple[int, int, str]]] = {
    "[System] Incident": (0, 10549, "Something that broke or runs badly, for a service desk."),
    "[System] Service request": (0, 10551, "Something that somebody asks a service desk for."),
    "[System] Service request with approvals": (0, 10552, "A request that others must approve."),
    "[System] Problem": (0, 10550, "What lies behind one or several incidents."),
    "[System] Change": (0, 10545, "A planned change to a service."),
}
DEFAULT_TYPE: Final = "Task"
TYPE_SCHEME: Final = "Default Issue Type Scheme"
PRIORITY_SCHEME: Final = "Default priority scheme"

# Id, name, category, description. The first five are those of the classic workflow.
STATUSES: Final[tuple[tuple[int, str, str, str], ...]] = (
    (1, "Open", "new", "The work item is open and ready for its assignee."),
    (3, "In Progress", "indeterminate", "The assignee is at work on it."),
    (4, "Reopened", "new", "It was resolved, and the resolution did not hold."),
    (5, "Resolved", "done", "A resolution was given; whoever reported it may check it."),
    (6, "Closed", "done", "It is finished."),
    (10000, "To Do", "new", ""),
    (10001, "Done", "done", ""),
    (10002, "In Review", "indeterminate", ""),
)
DESK_STATUSES: Final[tuple[tuple[str, str, str], ...]] = (
    ("Waiting for support", "indeterminate", "The next answer is the desk's."),
    ("Waiting for customer", "indeterminate", "The next answer is the customer's."),
    ("Waiting for approval", "indeterminate", "Somebody must approve it first."),
    ("Pending", "indeterminate", "It waits for somebody outside the desk."),
    ("Escalated", "indeterminate", "It was passed to a higher level."),
    ("Canceled", "done", "It is not wanted any more."),
)
# Id, name, colour, description; the first is the highest.
PRIORITIES: Final[tuple[tuple[int, str, str, str], ...]] = (
    (1, "Highest", "#d04437", "Nothing goes on until this is done."),
    (2, "High", "#f15C75", "A serious matter that may hold work up."),
    (3, "Medium", "#f79232", "It may come to hold work up."),
    (4, "Low", "#707070", "A small matter, or one that is easily got round."),
    (5, "Lowest", "#999999", "It hardly matters."),
)
DEFAULT_PRIORITY: Final = 3
RESOLUTIONS: Final = {
    "Done": "The work is finished.",
    "Won't Do": "It is not going to be done.",
    "Duplicate": "Another work item is about the same.",
    "Cannot Reproduce": "It could not be made to happen again.",
}
# Name: what it is called from the inward end, and from the outward end.
LINK_TYPES: Final = {
    "Blocks": ("is blocked by", "blocks"),
    "Cloners": ("is cloned by", "clones"),
    "Duplicate": ("is duplicated by", "duplicates"),
    "Relates": ("relates to", "relates to"),
    "Problem/Incident": ("is caused by", "causes"),
}


@dataclass(frozen=True, slots=True)
class Kinds:
    """What a site's work items are made of, by name."""

    types: dict[str, IssueType]
    statuses: dict[str, Status]


def install_kinds() -> Kinds:
    """Make the types, statuses, priorities, resolutions and link types of a fresh site.

    With them the default schemes of types and of priorities.
    """
    types = _types(TYPES)
    _type_scheme(list(types.values()), default=types[DEFAULT_TYPE])
    statuses = [
        Status(id=id, name=name, category=category, description=description)
        for id, name, category, description in STATUSES
    ]
    Status.objects.bulk_create(statuses)
    _priorities()
    resolutions = zip(next_ids(Resolution, len(RESOLUTIONS)), RESOLUTIONS.items(), strict=True)
    Resolution.objects.bulk_create(
        [
            Resolution(id=key, name=name, description=about, position=position)
            for position, (key, (name, about)) in enumerate(resolutions)
        ]
    )
    links = zip(next_ids(IssueLinkType, len(LINK_TYPES)), LINK_TYPES.items(), strict=True)
    IssueLinkType.objects.bulk_create(
        [
            IssueLinkType(id=key, name=name, inward=inward, outward=outward)
            for key, (name, (inward, outward)) in links
        ]
    )
    return Kinds(types, {status.name: status for status in statuses})


def desk_kinds() -> Kinds:
    """Return the types and statuses of service desks, by name; the first desk brings them.

    Among them are the site's own Sub-task and Task, In Progress, Resolved, Closed and Done.
    """
    wanted = {**TYPES, **DESK_TYPES}
    types = {
        kind.name: kind
        for kind in IssueType.objects.filter(name__in=wanted, project=None).order_by("-id")
    }
    missing = {name: values for name, values in DESK_TYPES.items() if name not in types}
    if missing:
        made = _types(missing)
        add_to_default_scheme(list(made.values()))
        types |= made
    names = [name for name, _, _ in DESK_STATUSES] + [name for _, name, _, _ in STATUSES]
    statuses = {
        status.name: status
        for status in Status.objects.filter(name__in=names, project=None).order_by("-id")
    }
    for name, category, description in DESK_STATUSES:
        if name not in statuses:
            statuses[name] = Status.objects.create(
                id=next_id(Status), name=name, category=category, description=description
            )
    return Kinds(types, statuses)


def add_to_default_scheme(types: list[IssueType]) -> None:
    """Put types at the end of the default scheme, as every new type of the site is."""
    scheme = IssueTypeScheme.objects.filter(is_default=True).order_by("id").first()
    if scheme is not None:
        append_types(scheme, types)


def append_types(scheme: IssueTypeScheme, types: list[IssueType]) -> None:
    """Put types at the end of a scheme."""
    last = scheme.items.order_by("-position").values_list("position", flat=True).first()
    start = 0 if last is None else last + 1
    IssueTypeSchemeItem.objects.bulk_create(
        [
            IssueTypeSchemeItem(id=key, scheme=scheme, issue_type=kind, position=position)
            for position, (key, kind) in enumerate(
                zip(next_ids(IssueTypeSchemeItem, len(types)), types, strict=True), start
            )
        ]
    )


def _types(wanted: dict[str, tuple[int, int, str]]) -> dict[str, IssueType]:
    rows = [
        IssueType(id=key, name=name, hierarchy_level=level, avatar_id=avatar, description=about)
        for key, (name, (level, avatar, about)) in zip(
            next_ids(IssueType, len(wanted)), wanted.items(), strict=True
        )
    ]
    IssueType.objects.bulk_create(rows)
    return {row.name: row for row in rows}


def _type_scheme(types: list[IssueType], *, default: IssueType) -> None:
    scheme = IssueTypeScheme.objects.create(
        id=next_id(IssueTypeScheme),
        name=TYPE_SCHEME,
        description="All types of the site. New types are put here by themselves.",
        default_type=default,
        is_default=True,
    )
    append_types(scheme, types)


def _priorities() -> None:
    rows = [
        Priority(
            id=id,
            name=name,
            color=color,
            description=description,
            icon=f"/images/icons/priorities/{name.lower()}_new.svg",
            position=position,
            is_default=id == DEFAULT_PRIORITY,
        )
        for position, (id, name, color, description) in enumerate(PRIORITIES)
    ]
    Priority.objects.bulk_create(rows)
    scheme = PriorityScheme.objects.create(
        id=next_id(PriorityScheme),
        name=PRIORITY_SCHEME,
        description="The scheme of spaces that were given no other.",
        is_default=True,
        default_priority_id=DEFAULT_PRIORITY,
    )
    PrioritySchemeItem.objects.bulk_create(
        [
            PrioritySchemeItem(id=key, scheme=scheme, priority=row, position=row.position)
            for key, row in zip(next_ids(PrioritySchemeItem, len(rows)), rows, strict=True)
        ]
    )
