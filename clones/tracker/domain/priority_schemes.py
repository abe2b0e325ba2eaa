"""Schemes of priorities: which ones the spaces that use a scheme offer.

Where a change leaves issues with a priority that their space does not offer any more, the request
says by which they are to be replaced (`PriorityMappings`); a task does it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Conflict, Invalid
from clones.tracker.domain.naming import NameRules
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.domain.replacing import replace_value
from clones.tracker.domain.tasks import carries_out, start_task
from clones.tracker.models import (
    Issue,
    Priority,
    PriorityScheme,
    PrioritySchemeItem,
    Project,
    Task,
)
from clones.tracker.queries.rights import Rights

CATEGORY: Final = "priorities"
GONE: Final = "The priority scheme was not found."
NAMING: Final = NameRules(
    PriorityScheme,
    "Priority scheme",
    CATEGORY,
    "The name is used by another scheme.",
    about_limit=4000,
)
MOST: Final = 300
MIGRATION: Final = "migrate_priorities"
Wanted = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class PriorityMappings:
    """By which priorities others are replaced: of issues that come `into` a scheme or go `out`.

    None: the request says nothing of it.
    """

    into: Wanted | None = None
    out: Wanted | None = None


@dataclass(frozen=True, slots=True)
class SchemeChange:
    """What a scheme is to be; in a change None, and what is not listed, stays."""

    name: str | None = None
    description: str | None = None
    default: int | None = None
    add: Sequence[int] = ()
    remove: Sequence[int] = ()
    add_projects: Sequence[int] = ()
    remove_projects: Sequence[int] = ()
    mappings: PriorityMappings = field(default_factory=PriorityMappings)


def create_scheme(wanted: SchemeChange, *, actor: Rights) -> tuple[PriorityScheme, Task | None]:
    """Make a scheme and let spaces use it; return it with the task that mends their issues.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value breaks a rule, the name is taken, or priorities are not mapped.
    """
    admins_only(actor)
    scheme = PriorityScheme(id=next_id(PriorityScheme), default_priority_id=wanted.default)
    NAMING.set(scheme, wanted.name or "", wanted.description)
    if not wanted.add:
        raise Invalid("At least one priority ID has to be provided.")
    _check_count(wanted.add)
    _check_priorities(wanted.add)
    if wanted.default not in wanted.add:
        raise Invalid("The default priority ID has to be present in priority IDs list.")
    projects = _projects(wanted.add_projects)
    mapping = dict(wanted.mappings.into or {})
    into = needed_into(wanted.add, projects, removed=())
    _check_mapping("in", into, mapping, wanted.add)
    scheme.save(force_insert=True)
    _append(scheme, wanted.add, start=0)
    NAMING.note("created", scheme, actor=actor)
    _assign(projects, scheme)
    return scheme, _migrate(scheme, [([project.id for project in projects], mapping)], actor)


def update_scheme(scheme: PriorityScheme, change: SchemeChange, *, actor: Rights) -> Task | None:
    """Change a scheme; return the task that mends issues, None where there is nothing to mend.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value breaks a rule, the name is taken, or priorities are not mapped.
        Conflict: issues are being mended after an earlier change.
    """
    admins_only(actor)
    if any(
        task.payload.get("scheme") == scheme.id
        for task in Task.objects.filter(kind=MIGRATION, status__in=["ENQUEUED", "RUNNING"])
    ):
        raise Conflict("An action with this priority scheme is still in progress.")
    NAMING.set(scheme, change.name, change.description)
    have = list(scheme.items.order_by("position", "id").values_list("priority_id", flat=True))
    _check_priorities(change.add)
    final = [id for id in have if id not in change.remove]
    final += [id for id in dict.fromkeys(change.add) if id not in final]
    _check_count(final)
    coming, going = _projects(change.add_projects), _projects(change.remove_projects)
    stays = Project.objects.filter(priority_scheme=scheme).exclude(id__in=[one.id for one in going])
    _check_default(scheme, change, final)
    stays_there = list(stays.order_by("id"))
    moves = _moves(scheme, change, final, coming=coming, going=going, stays=stays_there)
    scheme.save()
    scheme.items.filter(priority__in=change.remove).delete()
    _append(scheme, [id for id in final if id not in have], start=len(have))
    _assign(coming, scheme)
    if going:
        _assign(going, default_scheme())
    NAMING.note("updated", scheme, actor=actor)
    return _migrate(scheme, moves, actor)


def delete_scheme(scheme: PriorityScheme, *, actor: Rights) -> None:
    """Remove a scheme that no space uses.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: it is the default one, or spaces use it.
    """
    admins_only(actor)
    if scheme.is_default:
        raise Invalid("The default priority scheme cannot be deleted.")
    if Project.objects.filter(priority_scheme=scheme).exists():
        raise Invalid("The priority scheme cannot be deleted because it is used by projects.")
    NAMING.note("deleted", scheme, actor=actor)
    scheme.delete()


def default_scheme() -> PriorityScheme:
    """Return the scheme of spaces that were given no other."""
    return PriorityScheme.objects.filter(is_default=True).order_by("id")[0]


def needed_into(
    final: Collection[int], coming: Collection[Project], *, removed: Collection[int]
) -> set[int]:
    """Return the priorities that issues must get others for, to fit into a scheme.

    Args:
        final: the priorities that the scheme will have.
        coming: spaces that will use it and do not yet.
        removed: priorities that it loses while spaces use it.
    """
    old = PrioritySchemeItem.objects.filter(
        scheme__in={project.priority_scheme_id for project in coming}
    )
    return ({*old.values_list("priority_id", flat=True)} | {*removed}) - set(final)


def _moves(
    scheme: PriorityScheme,
    change: SchemeChange,
    final: Sequence[int],
    *,
    coming: Sequence[Project],
    going: Sequence[Project],
    stays: Sequence[Project],
) -> list[tuple[list[int], dict[int, int]]]:
    """Check the mappings; return which issues, by space, get which priorities for which."""
    given = change.mappings
    removed = change.remove if stays else ()
    into = needed_into(final, coming, removed=removed)
    have = {*scheme.items.values_list("priority_id", flat=True)}
    base = {*default_scheme().items.values_list("priority_id", flat=True)}
    out = have - base if going else set()
    missing = "The changes to priority schemes require mapping of priorities. Please provide a"
    if into and given.into is None:
        raise Invalid(f"{missing} value for the 'in' mappings object.")
    if out and given.out is None:
        raise Invalid(f"{missing} value for the 'out' mappings object.")
    _check_mapping("in", into, given.into or {}, set(final))
    _check_mapping("out", out, given.out or {}, base)
    return [
        ([project.id for project in [*stays, *coming]], dict(given.into or {})),
        ([project.id for project in going], dict(given.out or {})),
    ]


def _check_mapping(
    word: str, needed: Collection[int], given: Wanted, allowed: Collection[int]
) -> None:
    rows = Priority.objects.filter(id__in=[*given, *given.values()])
    known = set(rows.values_list("id", flat=True))
    where = "current" if word == "in" else "default"
    for role, ids in (("keys", given.keys()), ("values", given.values())):
        if gone := [id for id in ids if id not in known]:
            raise Invalid(
                f"The priorities with IDs {_listed(gone)} provided as {role} for the '{word}'"
                " mappings object do not exist. Please provide existing priority IDs."
            )
    if extra := [id for id in given if id not in needed]:
        raise Invalid(
            f"The priorities with IDs {_listed(extra)} do not require mapping. Please remove these"
            f" keys and their corresponding values from the '{word}' mappings object."
        )
    if left := [id for id in sorted(needed) if id not in given]:
        raise Invalid(
            f"The priorities with IDs {_listed(left)} require mapping. Please provide mappings in"
            f" the '{word}' mappings object, where these priorities are the keys with"
            " corresponding values."
        )
    if wrong := [id for id in given.values() if id not in allowed]:
        raise Invalid(
            f"The priorities with IDs {_listed(wrong)} being mapped to are not in the {where}"
            f" scheme. Please remove these values and their corresponding keys from the '{word}'"
            " mappings object."
        )


def _listed(ids: Collection[int]) -> str:
    return f"[{', '.join(str(id) for id in dict.fromkeys(ids))}]"


def _check_count(ids: Sequence[int]) -> None:
    if not ids:
        raise Invalid("A priority scheme must have at least one priority.")
    if len(ids) > MOST:
        raise Invalid(f"A priority scheme must have no more than {MOST} priorities.")


def _check_priorities(ids: Sequence[int]) -> None:
    if len(set(ids)) < len(ids):
        raise Invalid("The priority IDs must not contain duplicates.")
    known = set(Priority.objects.filter(id__in=ids).values_list("id", flat=True))
    if gone := [id for id in ids if id not in known]:
        raise Invalid(f"The priorities with IDs {_listed(gone)} do not exist.")


def _check_default(scheme: PriorityScheme, change: SchemeChange, final: Sequence[int]) -> None:
    if change.default is not None:
        if change.default not in final:
            raise Invalid("The default priority has to be one of the priorities of the scheme.")
        scheme.default_priority_id = change.default
    elif scheme.default_priority_id is not None and scheme.default_priority_id not in final:
        raise Invalid("The default priority of the scheme cannot be removed from it.")


def _projects(ids: Sequence[int]) -> list[Project]:
    found = Project.objects.filter(deleted_at=None).in_bulk(ids)
    if gone := [id for id in ids if id not in found]:
        raise Invalid(f"The projects with IDs {_listed(gone)} do not exist.")
    return [found[id] for id in dict.fromkeys(ids)]


def _append(scheme: PriorityScheme, ids: Sequence[int], *, start: int) -> None:
    PrioritySchemeItem.objects.bulk_create(
        [
            PrioritySchemeItem(id=key, scheme=scheme, priority_id=id, position=position)
            for position, (key, id) in enumerate(
                zip(next_ids(PrioritySchemeItem, len(ids)), ids, strict=True), start
            )
        ]
    )


def _assign(projects: Sequence[Project], scheme: PriorityScheme) -> None:
    for project in projects:
        project.priority_scheme = scheme
        project.save(update_fields=["priority_scheme_id"])


def _migrate(
    scheme: PriorityScheme, moves: list[tuple[list[int], dict[int, int]]], actor: Rights
) -> Task | None:
    wanted = [[projects, list(mapping.items())] for projects, mapping in moves if mapping]
    if not wanted:
        return None
    payload = {"scheme": scheme.id, "moves": wanted}
    return start_task(MIGRATION, payload, actor=actor, description="Migrate issue priorities")


@carries_out(MIGRATION)
def _carry_out(task: Task, actor: Rights) -> dict[str, Any]:
    """Give issues of spaces the priorities that a change of schemes maps theirs to."""
    done = 0
    for projects, pairs in task.payload["moves"]:
        mapping = dict(pairs)
        heirs = Priority.objects.in_bulk(mapping.values())
        issues = Issue.objects.filter(project__in=projects, priority__in=list(mapping))

        def heir(issue: Issue, mapping: Wanted = mapping, heirs: Any = heirs) -> Priority | None:
            found: Priority | None = heirs.get(mapping.get(issue.priority_id or 0))
            return found

        done += replace_value(issues, "priority", "priority", heir, actor=actor)
    return {"updatedIssues": done}
