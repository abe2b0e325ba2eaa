"""Writing texts that are kept in several languages: items, and a variant for each language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from clones.core import clock, ids
from clones.core.resources import Resource
from clones.helpdesk.domain.audit_logs import logged
from clones.helpdesk.domain.changes import plain_text
from clones.helpdesk.domain.errors import AccessDenied, RecordInvalid, RecordNotFound
from clones.helpdesk.domain.roles import has_right
from clones.helpdesk.models import ContentItem, ContentVariant, User
from clones.helpdesk.queries.locales import account_locales
from clones.helpdesk.rules.dynamic_content import identifier_of

RIGHT = "manage_dynamic_content"
CONTENT = 65_535
Changes = Mapping[str, Any]


def check_access(actor: User) -> None:
    """Let admins pass, and agents whose role has the right to keep texts.

    Raises:
        AccessDenied: the actor is somebody else.
    """
    if not has_right(actor, RIGHT):
        raise AccessDenied("no right to keep dynamic content")


@logged("create")
def create_item(*, actor: User, changes: Changes) -> ContentItem:
    """Create an item with its variants; the one of `default_locale_id` is the default.

    `content` in their place is the text of that one.

    Raises:
        AccessDenied: the actor may not.
        RecordInvalid: the name is missing or taken, or the variants do not fit together.
    """
    check_access(actor)
    now = clock.now()
    item = ContentItem(id=ids.next_stamp(ContentItem), created_at=now, updated_at=now)
    item.name = _name(item, changes.get("name"))
    item.identifier = identifier_of(item.name)
    if not item.identifier:
        raise RecordInvalid.of("name", "Name: is invalid", "InvalidValue")
    if ContentItem.objects.filter(identifier=item.identifier).exists():
        raise RecordInvalid.of(
            "placeholder", "Placeholder: has already been taken", "DuplicateValue"
        )
    locale = _locale("default_locale_id", changes.get("default_locale_id"))
    given: Sequence[Changes] = changes.get("variants") or []
    if not given and changes.get("content") is not None:
        given = [{"locale_id": locale, "content": changes["content"]}]
    marked = {one.get("locale_id") for one in given if one.get("default")}
    if locale not in {one.get("locale_id") for one in given} or marked - {locale}:
        raise RecordInvalid.of(
            "variants", "Variants: must have one default, in the default locale", "InvalidValue"
        )
    item.save(force_insert=True)
    for one in given:
        _add_variant(item, {**one, "default": one.get("locale_id") == locale})
    return item


@logged("update")
def rename_item(item: ContentItem, *, actor: User, name: str | None) -> ContentItem:
    """Give an item another name; its placeholder stays.

    Raises:
        AccessDenied: the actor may not.
        RecordInvalid: the name is blank or taken.
    """
    check_access(actor)
    item.name = _name(item, name)
    _touch(item)
    return item


def update_item(item: ContentItem, *, actor: User, changes: Changes) -> ContentItem:
    """Change an item: of all that it has, its name.

    Raises:
        AccessDenied: the actor may not.
        RecordInvalid: the name is blank or taken.
    """
    if "name" not in changes:
        return item
    return rename_item(item, actor=actor, name=changes["name"])


@logged("destroy")
def delete_item(item: ContentItem, *, actor: User) -> None:
    """Remove an item and its variants; texts that refer to it show its placeholder.

    Raises:
        AccessDenied: the actor may not.
    """
    check_access(actor)
    item.delete()


def create_variants(
    item: ContentItem, *, actor: User, given: Sequence[Changes]
) -> list[ContentVariant]:
    """Add texts in other languages to an item; one that is marked so becomes the default.

    Raises:
        AccessDenied: the actor may not.
        RecordInvalid: there is one in that language, or a value breaks a rule.
    """
    check_access(actor)
    made = []
    for one in given:
        variant = _add_variant(item, one)
        if variant.default:
            _settle_default(variant)
        made.append(variant)
    _touch(item)
    return _again(made)


def create_variant(item: ContentItem, *, actor: User, changes: Changes) -> ContentVariant:
    """Add a text in another language to an item, as `create_variants` does."""
    return create_variants(item, actor=actor, given=[changes])[0]


def update_variants(
    item: ContentItem, *, actor: User, changes: Sequence[tuple[int, Changes]]
) -> list[ContentVariant]:
    """Change variants of an item, each by its id. A new default text makes the others outdated.

    Raises:
        AccessDenied: the actor may not.
        RecordNotFound: the item has no such variant.
        RecordInvalid: a value breaks a rule, or the item would lose its default.
    """
    check_access(actor)
    found = [(variant_of(item, key), key, given) for key, given in changes]
    # The default's new text outdates the others, so those that are new as well come after it.
    for _, key, given in sorted(found, key=lambda entry: not entry[0].default):
        _change_variant(variant_of(item, key), given)
    _touch(item)
    return _again([variant for variant, _, _ in found])


def update_variant(variant: ContentVariant, *, actor: User, changes: Changes) -> ContentVariant:
    """Change a variant, as `update_variants` does."""
    changed = [(variant.id, changes)]
    return update_variants(variant.item, actor=actor, changes=changed)[0]


@logged("destroy")
def delete_variant(variant: ContentVariant, *, actor: User) -> None:
    """Remove a text in one language from its item.

    Raises:
        AccessDenied: the actor may not.
        RecordInvalid: it is the default one.
    """
    check_access(actor)
    if variant.default:
        raise RecordInvalid.of("base", "The default variant cannot be deleted")
    variant.delete()
    _touch(variant.item)


def variant_of(item: ContentItem, key: int) -> ContentVariant:
    """Return one variant of an item.

    Raises:
        RecordNotFound: it has no such variant.
    """
    found = ContentVariant.objects.filter(item=item, id=key).select_related("item").first()
    if found is None:
        raise RecordNotFound("variant", key)
    return found


def _add_variant(item: ContentItem, given: Changes) -> ContentVariant:
    now = clock.now()
    variant = ContentVariant(
        id=ids.next_stamp(ContentVariant), item=item, created_at=now, updated_at=now
    )
    variant.locale_id = _free_locale(variant, given.get("locale_id"))
    variant.content = _content(given.get("content"))
    variant.default = bool(given.get("default"))
    variant.active = given.get("active") is not False
    _check_default(variant)
    variant.save(force_insert=True)
    return variant


def _change_variant(variant: ContentVariant, given: Changes) -> None:
    if given.get("default") is False and variant.default:
        raise RecordInvalid.of("default", "Default: another variant must become the default one")
    if given.get("locale_id") is not None:
        variant.locale_id = _free_locale(variant, given["locale_id"])
    if given.get("active") is not None:
        variant.active = bool(given["active"])
    becomes = bool(given.get("default")) and not variant.default
    variant.default = variant.default or becomes
    _check_default(variant)
    if "content" in given:
        text = _content(given["content"])
        if variant.default and not becomes and text != variant.content:
            _others(variant).update(outdated=True)
        variant.content, variant.outdated = text, False
    variant.outdated = variant.outdated and not variant.default
    variant.updated_at = clock.now()
    variant.save()
    if becomes:
        _settle_default(variant)


def _settle_default(variant: ContentVariant) -> None:
    _others(variant).filter(default=True).update(default=False)


def _others(variant: ContentVariant) -> Any:
    return ContentVariant.objects.filter(item_id=variant.item_id).exclude(id=variant.id)


def _check_default(variant: ContentVariant) -> None:
    if variant.default and not variant.active:
        raise RecordInvalid.of("active", "Active: the default variant cannot be deactivated")


def _free_locale(variant: ContentVariant, value: Any) -> int:
    locale = _locale("locale_id", value)
    if _others(variant).filter(locale_id=locale).exists():
        raise RecordInvalid.of("locale_id", "Locale: has already been taken", "DuplicateValue")
    return locale


def _locale(name: str, value: Any) -> int:
    for locale in account_locales():
        if locale.id == value:
            return locale.id
    label = "Default locale" if name == "default_locale_id" else "Locale"
    raise RecordInvalid.of(name, f"{label}: is not an active locale", "InvalidValue")


def _content(value: Any) -> str:
    text = plain_text("content", value, CONTENT) or ""
    if not text.strip():
        raise RecordInvalid.of("content", "Content: cannot be blank", "BlankValue")
    return text


def _name(item: ContentItem, value: Any) -> str:
    text = (plain_text("name", value, 255) or "").strip()
    if not text:
        raise RecordInvalid.of("name", "Name: cannot be blank", "BlankValue")
    if ContentItem.objects.filter(name__iexact=text).exclude(id=item.id).exists():
        raise RecordInvalid.of("name", "Name: has already been taken", "DuplicateValue")
    return text


def _touch(item: ContentItem) -> None:
    item.updated_at = clock.now()
    item.save()


def _again(variants: Sequence[ContentVariant]) -> list[ContentVariant]:
    """Return variants as they are now: one that follows may have changed one before."""
    now = ContentVariant.objects.in_bulk([variant.id for variant in variants])
    return [now[variant.id] for variant in variants]


CONTENT_ITEM: Final = Resource(
    ContentItem,
    "item",
    among=lambda: ContentItem.objects.prefetch_related("variants"),
    create=create_item,
    update=update_item,
    delete=delete_item,
)
CONTENT_VARIANT: Final = Resource(
    ContentVariant,
    "variant",
    create=create_variant,
    update=update_variant,
    delete=delete_variant,
)
