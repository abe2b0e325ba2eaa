"""Screen schemes, which say what is shown for each operation, and which types use which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from clones.core.resources import Resource
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.naming import NameRules
from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.domain.scheme_parts import (
    checked_ids,
    key_of,
)
from clones.tracker.models import (
    IssueType,
    IssueTypeScreenScheme,
    IssueTypeScreenSchemeItem,
    Project,
    Screen,
    ScreenScheme,
)
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.schemes import classic_screen_schemes, classic_type_screens

CATEGORY: Final = "screens"
GONE: Final = "The screen scheme was not found."
TYPES_GONE: Final = "The issue type screen scheme was not found."
SCREENS_GONE: Final = "One or more screens assigned to screen types was not found."
NOT_ADMIN: Final = "Only Jira administrators can access issue type screen schemes."
NAMING: Final = NameRules(
    ScreenScheme, "Screen scheme", CATEGORY, "The name is used by another scheme."
)
NAMING_TYPES: Final = NameRules(
    IssueTypeScreenScheme,
    "Issue type screen scheme",
    CATEGORY,
    "The issue type screen scheme name is in use.",
)
DEFAULT: Final = "default"
OPERATIONS: Final = ("default", "create", "edit", "view")
Pair = tuple[str, str]  # the id of a type, or `default`, and that of a screen scheme


def create_screen_scheme(
    name: str | None,
    description: str | None,
    screens: Mapping[str, int | None] | None,
    *,
    actor: Rights,
) -> ScreenScheme:
    """Make a scheme of screens; `screens` are ids by operation, `default` one of them.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: there is no default, a value is too long, or the name is empty or taken.
        NotFound: a screen does not exist.
    """
    admins_only(actor)
    if screens is None:
        raise Invalid("The screens have to be provided.")
    row = ScreenScheme(id=next_id(ScreenScheme))
    NAMING.set(row, name or "", description)
    if screens.get(DEFAULT) is None:
        raise Invalid("The default screen has to be provided.")
    _set_screens(row, screens)
    row.save(force_insert=True)
    NAMING.note("created", row, actor=actor)
    return row


def update_screen_scheme(
    scheme: ScreenScheme,
    name: str | None,
    description: str | None,
    screens: Mapping[str, int | None] | None,
    *,
    actor: Rights,
) -> None:
    """Change a scheme; operations that are not named stay, one that is None has the default's.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the default would be none, a value is too long, or the name is empty or taken.
        NotFound: a screen does not exist.
    """
    admins_only(actor)
    NAMING.set(scheme, name, description)
    screens = screens or {}
    if DEFAULT in screens and screens[DEFAULT] is None:
        raise Invalid("The default screen has to be provided.")
    _set_screens(scheme, screens)
    scheme.save()
    NAMING.note("updated", scheme, actor=actor)


def delete_screen_scheme(scheme: ScreenScheme, *, actor: Rights) -> None:
    """Remove a scheme that is used for no type.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: it is in use.
    """
    admins_only(actor)
    if scheme.uses.exists():
        raise Invalid(
            "The screen scheme cannot be deleted as it is in use in an issue type screen scheme."
        )
    NAMING.note("deleted", scheme, actor=actor)
    scheme.delete()


def create_type_screens(
    name: str | None, description: str | None, pairs: Sequence[Pair], *, actor: Rights
) -> IssueTypeScreenScheme:
    """Make a scheme that says which screens are used for which type, `default` for the others.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: there is no default, a type is named twice, or the name is empty, too long or
            taken.
        NotFound: a type or a screen scheme does not exist.
    """
    admins_only(actor, NOT_ADMIN)
    scheme = IssueTypeScreenScheme(id=next_id(IssueTypeScreenScheme))
    NAMING_TYPES.set(scheme, name or "", description)
    if DEFAULT not in [kind for kind, _ in pairs]:
        raise Invalid("A default mapping has to be provided.")
    checked = _checked(pairs)
    scheme.save(force_insert=True)
    _append(scheme, checked)
    NAMING_TYPES.note("created", scheme, actor=actor)
    return scheme


def update_type_screens(
    scheme: IssueTypeScreenScheme, name: str | None, description: str | None, *, actor: Rights
) -> None:
    """Change the name or description of a scheme; what is None stays.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value is too long, or the name is empty or taken.
    """
    admins_only(actor, NOT_ADMIN)
    NAMING_TYPES.set(scheme, name, description)
    scheme.save()
    NAMING_TYPES.note("updated", scheme, actor=actor)


def delete_type_screens(scheme: IssueTypeScreenScheme, *, actor: Rights) -> None:
    """Remove a scheme that no space uses.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: it is the default one, or spaces use it.
    """
    admins_only(actor, NOT_ADMIN)
    if scheme.is_default:
        raise Invalid("The default issue type screen scheme cannot be deleted.")
    if Project.objects.filter(screen_scheme=scheme).exists():
        raise Invalid(
            "The issue type screen scheme cannot be deleted because it is assigned to one or more"
            " projects."
        )
    NAMING_TYPES.note("deleted", scheme, actor=actor)
    scheme.delete()


def append_mappings(scheme: IssueTypeScreenScheme, pairs: Sequence[Pair], *, actor: Rights) -> None:
    """Say for more types which screens are used.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: there is none, `default` is among them, or the scheme says it of one already.
        NotFound: a type or a screen scheme does not exist.
    """
    admins_only(actor, NOT_ADMIN)
    if not pairs:
        raise Invalid("The issueTypeMappings have to be provided.")
    if DEFAULT in [kind for kind, _ in pairs]:
        raise Invalid("A default mapping cannot be added.")
    checked = _checked(pairs)
    have = set(scheme.items.values_list("issue_type_id", flat=True))
    twice = [str(kind) for kind, _ in checked if kind in have]
    if twice:
        raise Invalid(
            "These issue types are already mapped in the issue type screen scheme:"
            f" {', '.join(twice)}"
        )
    _append(scheme, checked)
    NAMING_TYPES.note("updated", scheme, actor=actor)


def set_default_mapping(
    scheme: IssueTypeScreenScheme, screens: str | None, *, actor: Rights
) -> None:
    """Say which screens are used for the types that are not named.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: none are given.
        NotFound: the screen scheme does not exist.
    """
    admins_only(actor, NOT_ADMIN)
    if not screens:
        raise Invalid("The screenSchemeId has to be provided.")
    found = ScreenScheme.objects.filter(id=key_of(screens)).first()
    if found is None:
        raise NotFound(GONE)
    item = scheme.items.filter(issue_type=None).first()
    if item is None:
        _append(scheme, [(None, found.id)])
    else:
        item.screen_scheme = found
        item.save(update_fields=["screen_scheme_id"])
    NAMING_TYPES.note("updated", scheme, actor=actor)


def remove_mappings(
    scheme: IssueTypeScreenScheme, type_ids: Sequence[str], *, actor: Rights
) -> None:
    """Take types out of a scheme: the screens of all others are used for them.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: there is none, or one is named twice.
        NotFound: the scheme does not name one.
    """
    admins_only(actor, NOT_ADMIN)
    ids = checked_ids(type_ids, "issueTypeIds")
    items = scheme.items.filter(issue_type__in=ids)
    found = {item.issue_type_id for item in items}
    gone = [text for text, id in zip(type_ids, ids, strict=True) if id not in found]
    if gone:
        raise NotFound(
            "These issue types were not found in the issue type screen scheme:"
            f" {', '.join(map(str, gone))}"
        )
    items.delete()
    NAMING_TYPES.note("updated", scheme, actor=actor)


def assign_type_screens(scheme: IssueTypeScreenScheme, project: Project, *, actor: Rights) -> None:
    """Let a space use a scheme.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: its own team manages the space.
    """
    admins_only(actor, NOT_ADMIN)
    if project.simplified:
        raise Invalid("Only classic projects can have issue type screen schemes assigned.")
    project.screen_scheme = scheme
    project.save(update_fields=["screen_scheme_id"])
    NAMING_TYPES.note("assigned to project", scheme, actor=actor)


def _set_screens(row: ScreenScheme, screens: Mapping[str, int | None]) -> None:
    ids = {id for id in screens.values() if id is not None}
    if Screen.objects.filter(id__in=ids).count() < len(ids):
        raise NotFound(SCREENS_GONE)
    for operation in OPERATIONS:
        if operation in screens:
            setattr(row, f"{operation}_id", screens[operation])


def _checked(pairs: Sequence[Pair]) -> list[tuple[int | None, int]]:
    """Return pairs of the ids of types (None: of the others) and screen schemes that exist."""
    texts = [kind for kind, _ in pairs]
    if len(set(texts)) < len(texts):
        raise Invalid("The issueTypeIds must not contain duplicates.")
    found = [(None if kind == DEFAULT else key_of(kind), key_of(scheme)) for kind, scheme in pairs]
    types = {kind for kind, _ in found if kind is not None}
    if IssueType.objects.filter(id__in=types, project=None).count() < len(types):
        raise NotFound("One or more issue types were not found.")
    schemes = {scheme for _, scheme in found}
    if ScreenScheme.objects.filter(id__in=schemes).count() < len(schemes):
        raise NotFound(GONE)
    return found


def _append(scheme: IssueTypeScreenScheme, pairs: Sequence[tuple[int | None, int]]) -> None:
    keys = next_ids(IssueTypeScreenSchemeItem, len(pairs))
    IssueTypeScreenSchemeItem.objects.bulk_create(
        [
            IssueTypeScreenSchemeItem(
                id=key, scheme=scheme, issue_type_id=kind, screen_scheme_id=screens
            )
            for key, (kind, screens) in zip(keys, pairs, strict=True)
        ]
    )


SCREEN_SCHEME: Final = Resource(
    ScreenScheme,
    "screen scheme",
    NAMING.fields,
    order=("name", "id"),
    among=classic_screen_schemes,
    create=create_screen_scheme,
    update=update_screen_scheme,
    delete=delete_screen_scheme,
)
ISSUE_TYPE_SCREEN_SCHEME: Final = Resource(
    IssueTypeScreenScheme,
    "issue type screen scheme",
    NAMING_TYPES.fields,
    order=("-is_default", "name", "id"),
    among=classic_type_screens,
    create=create_type_screens,
    update=update_type_screens,
    delete=delete_type_screens,
)
