"""Schemes of types: which types the spaces that use one offer, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clones.core.resources import Resource, ResourceField
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Conflict, Invalid, NotFound
from clones.tracker.domain.naming import NameRules
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.scheme_parts import (
    checked_ids,
    key_of,
    new_order,
    note_act,
    rows_of,
    set_positions,
)
from clones.tracker.domain.setup.kinds import append_types
from clones.tracker.models import (
    Issue,
    IssueType,
    IssueTypeScheme,
    IssueTypeSchemeItem,
    Project,
)
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.schemes import classic_type_schemes

CATEGORY: Final = "issue types"
NOT_ADMIN: Final = "Only Jira administrators can access issue type schemes."
GONE: Final = "The issue type scheme was not found."
NOT_FOUND: Final = "These issue types were not found:"
NAMING: Final = NameRules(
    IssueTypeScheme,
    "Issue type scheme",
    CATEGORY,
    "The name is used by another scheme.",
    refusal=Conflict,
    about_limit=4000,
)
SHOWN: Final = 50  # how many issues a refusal names


def create_type_scheme(
    name: str | None,
    description: str | None,
    type_ids: Sequence[str],
    default: str | None,
    *,
    actor: Rights,
) -> IssueTypeScheme:
    """Make a scheme of types of the site, in this order.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value breaks a rule; there must be a type that is no sub-task.
        NotFound: a type does not exist.
        Conflict: the name is taken.
    """
    admins_only(actor, NOT_ADMIN)
    scheme = IssueTypeScheme(id=next_id(IssueTypeScheme))
    NAMING.set(scheme, name or "", description)
    types = _types(type_ids)
    if all(kind.subtask for kind in types):
        raise Invalid("At least one standard issue type has to be provided.")
    if default is not None:
        chosen = next((kind for kind in types if kind.id == key_of(default)), None)
        if chosen is None:
            raise Invalid("The default issue type ID has to be present in issue type IDs list.")
        scheme.default_type = chosen
    scheme.save(force_insert=True)
    append_types(scheme, types)
    NAMING.note("created", scheme, actor=actor)
    return scheme


def update_type_scheme(
    scheme: IssueTypeScheme,
    *,
    actor: Rights,
    name: str | None = None,
    description: str | None = None,
    default: str | None = None,
) -> None:
    """Change a scheme; what is None stays.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value breaks a rule, or the default is none of the scheme's types.
        Conflict: the name is taken.
    """
    admins_only(actor, NOT_ADMIN)
    NAMING.set(scheme, name, description)
    if default is not None:
        item = scheme.items.filter(issue_type=key_of(default)).select_related("issue_type").first()
        if item is None:
            raise Invalid("The default issue type has to be one of the issue types of the scheme.")
        scheme.default_type = item.issue_type
    scheme.save()
    NAMING.note("updated", scheme, actor=actor)


def delete_type_scheme(scheme: IssueTypeScheme, *, actor: Rights) -> None:
    """Remove a scheme; its spaces use the default one from then on.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: it is the default one.
    """
    admins_only(actor, NOT_ADMIN)
    if scheme.is_default:
        raise Invalid("The default issue type scheme can't be removed.")
    default = IssueTypeScheme.objects.filter(is_default=True).order_by("id")[0]
    Project.objects.filter(issue_type_scheme=scheme).update(issue_type_scheme=default)
    NAMING.note("deleted", scheme, actor=actor)
    scheme.delete()


def add_types(scheme: IssueTypeScheme, type_ids: Sequence[str], *, actor: Rights) -> None:
    """Put types at the end of a scheme.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: a type does not exist.
        Invalid: the scheme has one of them.
    """
    admins_only(actor, NOT_ADMIN)
    types = _types(type_ids)
    have = set(scheme.items.values_list("issue_type_id", flat=True))
    twice = [str(kind.id) for kind in types if kind.id in have]
    if twice:
        raise Invalid(
            "These issue types were not added because they are already present in the issue type"
            f" scheme: {', '.join(twice)}"
        )
    append_types(scheme, types)
    NAMING.note("updated", scheme, actor=actor)


def move_types(
    scheme: IssueTypeScheme,
    type_ids: Sequence[str],
    *,
    after: str | None,
    position: str | None,
    actor: Rights,
) -> None:
    """Put types of a scheme behind another, or at an end.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the scheme has not got one of them, or the place makes no sense.
    """
    admins_only(actor, NOT_ADMIN)
    ids = checked_ids(type_ids, "issueTypeIds")
    items = list(scheme.items.order_by("position", "id"))
    order = [item.issue_type_id for item in items]
    named = [*zip(type_ids, ids, strict=True)] + ([(after, key_of(after))] if after else [])
    missing = [str(text) for text, id in named if id not in order]
    if missing:
        raise Invalid(
            "The issue type scheme does not include some of the specified issue types. Issue type"
            f" IDs missing from the scheme are:  {', '.join(missing)}"
        )
    found = new_order(order, ids, after=after, position=position)
    by_type = {item.issue_type_id: item.id for item in items}
    set_positions(items, [by_type[kind] for kind in found])
    NAMING.note("updated", scheme, actor=actor)


def remove_type(scheme: IssueTypeScheme, type_id: str, *, actor: Rights) -> None:
    """Take a type out of a scheme.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: the scheme has no such type.
        Invalid: it is the default scheme, the last type that is no sub-task, or one in use.
    """
    admins_only(actor, NOT_ADMIN)
    items = list(scheme.items.select_related("issue_type").order_by("position", "id"))
    item = next((one for one in items if one.issue_type_id == key_of(type_id)), None)
    if item is None:
        raise NotFound("The issue type was not found in the issue type scheme.")
    if scheme.is_default:
        raise Invalid("Can't remove issue types from the default issue type scheme.")
    standard = [one for one in items if not one.issue_type.subtask]
    if standard == [item]:
        raise Invalid("Can't remove the last standard issue type from the issue type scheme.")
    used = Issue.objects.filter(project__issue_type_scheme=scheme, issue_type=item.issue_type_id)
    if used.exists():
        raise Invalid(
            "Can't remove the issue type from the issue type scheme because some issues use it."
        )
    if scheme.default_type_id == item.issue_type_id:
        scheme.default_type = None
        scheme.save(update_fields=["default_type_id"])
    item.delete()
    NAMING.note("updated", scheme, actor=actor)


def assign_type_scheme(scheme: IssueTypeScheme, project: Project, *, actor: Rights) -> None:
    """Let a space offer the types of a scheme.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: its own team manages the space, or issues in it are of other types.
    """
    admins_only(actor, NOT_ADMIN)
    if project.simplified:
        raise Invalid("Only classic projects can have issue type schemes assigned.")
    offered = IssueTypeSchemeItem.objects.filter(scheme=scheme).values("issue_type")
    others = Issue.objects.filter(project=project).exclude(issue_type__in=offered)
    left = list(others.order_by("id").values_list("id", flat=True)[:SHOWN])
    if left:
        raise Invalid(
            "This issue type scheme can't be assigned to the project. This is because some issues"
            " in this project use issue types not present in the scheme. Before assigning the"
            " scheme to the project, update the issue types on these issues:"
            f" {', '.join(map(str, left))}"
        )
    project.issue_type_scheme = scheme
    project.save(update_fields=["issue_type_scheme_id"])
    note_act(
        "Issue type scheme assigned to project",
        CATEGORY,
        scheme,
        actor=actor,
        changes=[("Project", None, project.key)],
    )


def _types(type_ids: Sequence[str]) -> list[IssueType]:
    ids = checked_ids(type_ids, "issueTypeIds")
    return rows_of(IssueType.objects.filter(project=None), ids, NOT_FOUND, sent=type_ids)


ISSUE_TYPE_SCHEME: Final = Resource(
    IssueTypeScheme,
    "issue type scheme",
    (*NAMING.fields, ResourceField("default", "record", key="defaultIssueTypeId", type=str | None)),
    among=classic_type_schemes,
    create=create_type_scheme,
    update=update_type_scheme,
    delete=delete_type_scheme,
)
