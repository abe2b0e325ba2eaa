"""Writing the help center's categories and sections, and what every account's begins with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core import clock, ids
from clones.core.resources import Resource
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid
from clones.helpdesk.domain.positions import position_of
from clones.helpdesk.models import Category, PermissionGroup, Section, User, UserSegment
from clones.helpdesk.queries.help_center import manages

LOCALE: Final = "en-us"
NAME: Final = 255
DESCRIPTION: Final = 65_535
SEGMENTS: Final = (("Signed-in users", "signed_in_users"), ("Agents and admins", "staff"))
MANAGERS: Final = "Managers"
Changes = Mapping[str, Any]


def install_help_center() -> PermissionGroup:
    """Make what an account has before anybody writes articles: segments, and who may edit.

    Returns the group of those who may.
    """
    now = clock.now()
    dated = {"created_at": now, "updated_at": now, "built_in": True}
    for name, kind in SEGMENTS:
        key = ids.next_stamp(UserSegment)
        UserSegment.objects.create(id=key, name=name, user_type=kind, **dated)
    key = ids.next_stamp(PermissionGroup)
    return PermissionGroup.objects.create(id=key, name=MANAGERS, **dated)


def create_category(*, actor: User, changes: Changes) -> Category:
    """Create a category; without a position it becomes the first, as those that have none.

    Raises:
        AccessDenied: the actor does not manage the help center.
        RecordInvalid: the name is missing or too long, or the language is not the account's.
    """
    check_manager(actor)
    check_locale(changes)
    now = clock.now()
    row = Category(id=ids.next_stamp(Category), created_by=actor, created_at=now)
    row.translation_id = ids.next_stamp(Category)
    _set_texts(row, {"name": None, **changes}, actor=actor)
    row.save(force_insert=True)
    return row


def update_category(category: Category, *, actor: User, changes: Changes) -> Category:
    """Change a category's name, description or position.

    Raises:
        AccessDenied: the actor does not manage the help center.
        RecordInvalid: a value breaks a rule.
    """
    check_manager(actor)
    check_locale(changes)
    _set_texts(category, changes, actor=actor)
    category.save()
    return category


def delete_category(category: Category, *, actor: User) -> None:
    """Remove a category with its sections and articles.

    Raises:
        AccessDenied: the actor does not manage the help center.
    """
    check_manager(actor)
    category.delete()


def create_section(category: Category, *, actor: User, changes: Changes) -> Section:
    """Create a section of a category.

    Raises:
        AccessDenied: the actor does not manage the help center.
        RecordInvalid: a value breaks a rule.
    """
    check_manager(actor)
    check_locale(changes)
    now = clock.now()
    row = Section(id=ids.next_stamp(Section), category=category, created_by=actor, created_at=now)
    row.translation_id = ids.next_stamp(Section)
    _set_section(row, {"name": None, **changes}, actor=actor)
    row.save(force_insert=True)
    return row


def update_section(section: Section, *, actor: User, changes: Changes) -> Section:
    """Change a section's texts and order, or move it into another category or section.

    Raises:
        AccessDenied: the actor does not manage the help center.
        RecordInvalid: a value breaks a rule.
    """
    check_manager(actor)
    check_locale(changes)
    _set_section(section, changes, actor=actor)
    section.save()
    return section


def delete_section(section: Section, *, actor: User) -> None:
    """Remove a section with its articles and the sections in it.

    Raises:
        AccessDenied: the actor does not manage the help center.
    """
    check_manager(actor)
    section.delete()


def check_manager(actor: User) -> None:
    """Let those pass who manage the help center.

    Raises:
        AccessDenied: the actor does not.
    """
    if not manages(actor):
        raise AccessDenied("only managers of the help center change what it is made of")


def check_locale(changes: Changes) -> None:
    """Refuse a language that the help center does not have.

    Raises:
        RecordInvalid: one is named that is not its own.
    """
    given = changes.get("locale")
    if given is not None and str(given).lower() != LOCALE:
        raise RecordInvalid.of("locale", "Locale: is not enabled", "InvalidValue")


def required_text(name: str, value: Any, limit: int) -> str:
    """Return a text that may not be blank.

    Raises:
        InvalidAttribute: it is no text.
        RecordInvalid: it is blank, or too long.
    """
    text = (plain_text(name, value, limit) or "").strip()
    if not text:
        label = name.replace("_", " ").capitalize()
        raise RecordInvalid.of(name, f"{label}: cannot be blank", "BlankValue")
    return text


def _set_texts(row: Category | Section, changes: Changes, *, actor: User) -> None:
    if "name" in changes:
        row.name = required_text("name", changes["name"], NAME)
    if "description" in changes:
        row.description = plain_text("description", changes["description"], DESCRIPTION) or ""
    if changes.get("position") is not None:
        row.position = position_of(changes["position"])
    row.updated_by, row.updated_at = actor, clock.now()


def _set_section(row: Section, changes: Changes, *, actor: User) -> None:
    _set_texts(row, changes, actor=actor)
    if changes.get("sorting") is not None:
        if changes["sorting"] not in Section.SORTINGS:
            raise RecordInvalid.of("sorting", "Sorting: is invalid", "InvalidValue")
        row.sorting = changes["sorting"]
    if changes.get("category_id") is not None:
        category = Category.objects.filter(id=changes["category_id"]).first()
        if category is None:
            raise RecordInvalid.of("category_id", "Category: is invalid", "InvalidValue")
        row.category = category
    if "parent_section_id" in changes:
        row.parent_section = _parent_of(row, changes["parent_section_id"])
    if row.parent_section is not None and row.parent_section.category_id != row.category_id:
        raise RecordInvalid.of("parent_section_id", "Parent section: is invalid", "InvalidValue")


def _parent_of(row: Section, key: int | None) -> Section | None:
    """Return the section that one shall be in: neither itself nor one that is in it."""
    if key is None:
        return None
    found = above = Section.objects.filter(id=key).first()
    for _ in range(Section.objects.count()):
        if above is None or above.id == row.id:
            break
        above = above.parent_section
    if found is None or above is not None:
        raise RecordInvalid.of("parent_section_id", "Parent section: is invalid", "InvalidValue")
    return found


CATEGORY: Final = Resource(
    Category,
    "category",
    plural="categories",
    create=create_category,
    update=update_category,
    delete=delete_category,
)
SECTION: Final = Resource(
    Section, "section", create=create_section, update=update_section, delete=delete_section
)
