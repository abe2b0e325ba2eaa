"""Issue security schemes: levels by which issues are hidden, and who sees each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from clones.core.digits import is_digits
from clones.core.resources import Resource, ResourceField
from clones.tracker.domain import audit
from clones.tracker.domain.administration import admins_only, checked_description
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.holders import Held
from clones.tracker.domain.mass_changes import Alteration, note_changes
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.domain.tasks import carries_out, start_task
from clones.tracker.models import (
    Issue,
    Project,
    SecurityLevel,
    SecurityMember,
    SecurityScheme,
    Task,
)
from clones.tracker.queries.rights import Rights

CATEGORY: Final = "issue security"
GONE: Final = "Issue security scheme with ID {} not found."
NAME: Final = ResourceField("name", limit=60, required=True)
LEVEL_GONE: Final = "Issue security level with ID {} not found."
MOST: Final = 100
REMOVE: Final = "remove_security_level"
ASSOCIATE: Final = "associate_security_scheme"


@dataclass(frozen=True, slots=True)
class LevelDraft:
    """A level to make, with who sees its issues."""

    name: str
    description: str | None = None
    is_default: bool = False
    members: Sequence[Held] = field(default_factory=tuple)


def create_security_scheme(
    name: str, description: str | None, levels: Sequence[LevelDraft], *, actor: Rights
) -> SecurityScheme:
    """Make a scheme with its levels and their members.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a name is missing, too long or taken, a description too long, or there are more
            than a hundred levels or members.
    """
    admins_only(actor)
    made = SecurityScheme(id=next_id(SecurityScheme))
    made.name = _name(made, name)
    made.description = checked_description(description)
    _check(levels, set())
    made.save(force_insert=True)
    _write(made, levels)
    _record("Issue security scheme created", made, actor)
    return made


def update_security_scheme(
    scheme: SecurityScheme, name: str | None, description: str | None, *, actor: Rights
) -> None:
    """Change a scheme's name or description.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: as for a new one.
    """
    admins_only(actor)
    if name is not None:
        scheme.name = _name(scheme, name)
    if description is not None:
        scheme.description = checked_description(description)
    scheme.save()
    _record("Issue security scheme updated", scheme, actor)


def delete_security_scheme(scheme: SecurityScheme, *, actor: Rights) -> None:
    """Remove a scheme that no space uses.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: it is in use.
    """
    admins_only(actor)
    if scheme.projects.exists():
        raise Invalid(
            "You can't delete an issue security scheme if any projects are associated with it."
        )
    _record("Issue security scheme deleted", scheme, actor)
    scheme.delete()


def set_default_levels(defaults: Mapping[str, str | None], *, actor: Rights) -> None:
    """Set the levels that new issues get, by scheme; None: no level.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: an id is no number.
        NotFound: there is no such scheme, or no such level in it.
    """
    admins_only(actor)
    for scheme_id, level_id in defaults.items():
        scheme = scheme_of(scheme_id)
        scheme.default_level = None if level_id in (None, "", "-1") else level_of(scheme, level_id)
        scheme.save(update_fields=["default_level"])
        _record("Issue security scheme updated", scheme, actor)


def scheme_of(text: str) -> SecurityScheme:
    """Return the scheme of an id.

    Raises:
        Invalid: it is no number.
        NotFound: there is none.
    """
    if not is_digits(text):
        raise Invalid(
            f"{text} is not a valid value. The issue security scheme ID must be a positive integer."
        )
    found = SecurityScheme.objects.filter(id=int(text)).first()
    if found is None:
        raise NotFound(GONE.format(text))
    return found


def level_of(scheme: SecurityScheme, text: str | None) -> SecurityLevel:
    """Return the level of an id in a scheme.

    Raises:
        Invalid: it is no number.
        NotFound: there is none.
    """
    digits = str(text)
    if not is_digits(digits):
        raise Invalid(
            f"{text} is not a valid value. The issue security level ID must be a positive integer."
        )
    found = scheme.levels.filter(id=int(digits)).first()
    if found is None:
        raise NotFound(LEVEL_GONE.format(digits))
    return found


# Levels


def add_levels(scheme: SecurityScheme, levels: Sequence[LevelDraft], *, actor: Rights) -> None:
    """Add levels with their members to a scheme.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: as for a new scheme.
    """
    admins_only(actor)
    if not levels:
        raise Invalid("At least one issue security level must be specified.")
    _check(levels, {name.lower() for name in scheme.levels.values_list("name", flat=True)})
    _write(scheme, levels)
    _record("Issue security level added", scheme, actor)


def update_level(
    level: SecurityLevel, name: str | None, description: str | None, *, actor: Rights
) -> None:
    """Change a level's name or description.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the name is missing, too long or taken, or the description too long.
    """
    admins_only(actor)
    others = SecurityLevel.objects.filter(scheme=level.scheme_id).exclude(id=level.id)
    if name is not None:
        taken = {other.lower() for other in others.values_list("name", flat=True)}
        _check([LevelDraft(name)], taken)
        level.name = name.strip()
    if description is not None:
        level.description = checked_description(description)
    level.save()
    _record("Issue security level updated", level.scheme, actor)


def add_members(level: SecurityLevel, members: Sequence[Held], *, actor: Rights) -> None:
    """Let more people see the issues of a level.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: nobody is named, too many are, or somebody sees them already.
    """
    admins_only(actor)
    if not members or len(members) > MOST:
        raise Invalid(f"You must specify between 1 and {MOST} members.")
    have = set(level.members.values_list("holder_type", "parameter"))
    if any(member in have for member in members):
        raise Invalid("The member already exists in the issue security level.")
    _write_members(level, members)
    _record("Issue security level updated", level.scheme, actor)


def remove_member(member: SecurityMember, *, actor: Rights) -> None:
    """Take somebody from a level.

    Raises:
        Forbidden: the actor is no admin.
    """
    admins_only(actor)
    _record("Issue security level updated", member.level.scheme, actor)
    member.delete()


def remove_level(level: SecurityLevel, replacement: SecurityLevel | None, *, actor: Rights) -> Task:
    """Begin to remove a level; its issues get another, or none.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the level would replace itself.
    """
    admins_only(actor)
    if replacement is not None and replacement.id == level.id:
        raise Invalid("The issue security level cannot be replaced with itself.")
    payload = {"level": level.id, "by": None if replacement is None else replacement.id}
    return start_task(REMOVE, payload, actor=actor, description="Remove issue security level")


@carries_out(REMOVE)
def _remove_level(task: Task, actor: Rights) -> None:
    level = SecurityLevel.objects.select_related("scheme").get(id=task.payload["level"])
    by = SecurityLevel.objects.filter(id=task.payload["by"]).first()
    _put(level, by, Issue.objects.filter(security_level=level), actor)
    _record("Issue security level deleted", level.scheme, actor)
    level.delete()


def associate_scheme(
    project: Project,
    scheme: SecurityScheme | None,
    mappings: Mapping[int | None, int | None],
    *,
    actor: Rights,
) -> Task:
    """Begin to let a space use a scheme, or none.

    Args:
        project: a company-managed space.
        scheme: the scheme.
        mappings: the new level of issues by their old one; None is no level.
        actor: who.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the space's own team manages it, or a level is not of the schemes.
    """
    admins_only(actor)
    if project.simplified:
        raise Invalid("Issue security schemes of team-managed projects cannot be changed.")
    new = set() if scheme is None else set(scheme.levels.values_list("id", flat=True))
    wrong = [level for level in mappings.values() if level is not None and level not in new]
    if wrong:
        raise Invalid(LEVEL_GONE.format(wrong[0]))
    payload = {
        "project": project.id,
        "scheme": None if scheme is None else scheme.id,
        "mappings": [[old, to] for old, to in mappings.items()],
    }
    return start_task(
        ASSOCIATE, payload, actor=actor, description="Associate issue security scheme"
    )


@carries_out(ASSOCIATE)
def _associate(task: Task, actor: Rights) -> None:
    project = Project.objects.get(id=task.payload["project"])
    scheme = SecurityScheme.objects.filter(id=task.payload["scheme"]).first()
    use_security_scheme(project, scheme, dict(map(tuple, task.payload["mappings"])), actor=actor)


def use_security_scheme(
    project: Project,
    scheme: SecurityScheme | None,
    mappings: Mapping[Any, Any],
    *,
    actor: Rights,
) -> None:
    """Let a space use a scheme.

    Issues get the levels that stand beside their old ones, and none where nothing does.
    """
    if project.security_scheme_id == (None if scheme is None else scheme.id):
        return
    levels = SecurityLevel.objects.in_bulk()
    issues = Issue.objects.filter(project=project)
    used = list(issues.order_by().values_list("security_level", flat=True).distinct())
    groups = {
        old: list(issues.filter(security_level=old).values_list("id", flat=True)) for old in used
    }
    for old, ids in groups.items():
        before, after = levels.get(old or 0), levels.get(mappings.get(old) or 0)
        if before != after:
            _put(before, after, Issue.objects.filter(id__in=ids), actor)
    project.security_scheme = scheme
    project.save(update_fields=["security_scheme"])
    if scheme is not None:
        _record("Issue security scheme added to project", scheme, actor, project)


def _put(old: SecurityLevel | None, new: SecurityLevel | None, issues: Any, actor: Rights) -> None:
    ids = list(issues.order_by("id").values_list("id", flat=True))
    one = Alteration(
        "security",
        "security",
        None if old is None else str(old.id),
        None if old is None else old.name,
        None if new is None else str(new.id),
        None if new is None else new.name,
    )
    Issue.objects.filter(id__in=ids).update(security_level=new)
    note_changes({issue: [one] for issue in ids}, actor=actor)


def _check(levels: Sequence[LevelDraft], taken: set[str]) -> None:
    if len(levels) > MOST or sum(len(level.members) for level in levels) > MOST:
        raise Invalid(f"You can add up to {MOST} levels and members per request.")
    seen = set(taken)
    for level in levels:
        name = level.name.strip()
        if not name:
            raise Invalid("The name of the issue security level must not be empty.")
        if len(name) > 60:
            raise Invalid("The length of the name must not exceed 60 characters.")
        if name.lower() in seen:
            raise Invalid(f"An issue security level with the name '{name}' already exists.")
        seen.add(name.lower())
        checked_description(level.description)
    if sum(level.is_default for level in levels) > 1:
        raise Invalid("Only one issue security level can be the default.")


def _write(scheme: SecurityScheme, levels: Sequence[LevelDraft]) -> None:
    for level in levels:
        made = SecurityLevel.objects.create(
            id=next_id(SecurityLevel),
            scheme=scheme,
            name=level.name.strip(),
            description=level.description or "",
        )
        _write_members(made, level.members)
        if level.is_default:
            scheme.default_level = made
            scheme.save(update_fields=["default_level"])


def _write_members(level: SecurityLevel, members: Sequence[Held]) -> None:
    wanted = list(dict.fromkeys(members))
    keys = next_ids(SecurityMember, len(wanted))
    SecurityMember.objects.bulk_create(
        [
            SecurityMember(id=key, level=level, holder_type=kind, parameter=parameter)
            for key, (kind, parameter) in zip(keys, wanted, strict=True)
        ]
    )


def _name(scheme: SecurityScheme, name: str) -> str:
    wanted = name.strip()
    if not wanted:
        raise Invalid("The name of the issue security scheme must not be empty.")
    if NAME.is_too_long(wanted):
        raise Invalid(f"The length of the name must not exceed {NAME.limit} characters.")
    if SecurityScheme.objects.filter(name__iexact=wanted).exclude(id=scheme.id).exists():
        raise Invalid(f"An issue security scheme with the name '{wanted}' already exists.")
    return wanted


def _record(
    summary: str, scheme: SecurityScheme, actor: Rights, project: Project | None = None
) -> None:
    beside = [] if project is None else [("PROJECT", str(project.id), project.name)]
    about = ("SCHEME", str(scheme.id), scheme.name)
    audit.record(summary, CATEGORY, actor=actor, object=about, associated=beside)


SECURITY_SCHEME: Final = Resource(
    SecurityScheme,
    "security scheme",
    (NAME, ResourceField("description", "text")),
    order=("name", "id"),
    create=partial(create_security_scheme, levels=()),
    update=update_security_scheme,
    delete=delete_security_scheme,
)
