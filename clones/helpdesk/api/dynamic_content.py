"""Texts in several languages: items, and their variants."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from pydantic import Field

from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    MANY,
    OPERATIONS,
    Body,
    PagedQuery,
    Words,
    asked,
    listed,
    show,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.content import present_item, present_variant
from clones.helpdesk.api.views import rule_changes
from clones.helpdesk.domain import dynamic_content
from clones.helpdesk.domain.errors import MissingParameter, TooManyValues
from clones.helpdesk.models import ContentItem, ContentVariant
from clones.helpdesk.rules.dynamic_content import bare, is_identifier

PATH = "/dynamic_content/items"
ONE = f"{PATH}/{{item_id:int}}"
VARIANTS = f"{ONE}/variants"
VARIANT = f"{VARIANTS}/{{variant_id:int}}"
ORDER = Order(("id",))


class VariantWrite(Body):
    """What to set on a variant."""

    id: int | None = Field(None, ge=0, lt=2**63)
    content: str | None = None
    locale_id: int | None = Field(None, description="A language of the account.")
    default: bool | None = None
    active: bool | None = None


class VariantBody(Body):
    """A variant to create or update."""

    variant: VariantWrite


class VariantsBody(Body):
    """Variants to create, or to update by their ids."""

    variants: list[VariantWrite]


class ItemWrite(Body):
    """What an item is made of."""

    id: int | None = None
    name: str | None = None
    default_locale_id: int | None = Field(None, description="A language of the account.")
    variants: list[VariantWrite] | None = Field(None, description="One for each language.")


class ItemBody(Body):
    """An item to create."""

    item: ItemWrite


class ItemName(Body):
    """What can change of an item."""

    id: int | None = None
    name: str | None = None


class ItemNameBody(Body):
    """An item to rename."""

    item: ItemName


class IdentifiersQuery(PagedQuery):
    """Which items to show."""

    identifiers: Words = Field([], description="Names in placeholders.")


def _items() -> QuerySet[ContentItem]:
    return ContentItem.objects.prefetch_related("variants")


def _item(call: Call) -> ContentItem:
    dynamic_content.check_access(call.actor)
    return queries.one(_items(), "item", call.path["item_id"])


def _variant(call: Call) -> ContentVariant:
    return dynamic_content.variant_of(_item(call), call.path["variant_id"])


def _page(call: Call, rows: QuerySet[ContentItem], *, cursor: bool = True) -> dict[str, Any]:
    page = paginate(rows, asked(call), ORDER, cursor=cursor)
    return listed("items", [present_item(item, show(call)) for item in page.rows], page)


def _given(call: Call) -> list[VariantWrite]:
    given: list[VariantWrite] = call.body.variants
    if len(given) > MANY:
        raise TooManyValues(MANY)
    return given


@OPERATIONS.operation(
    "ListDynamicContents",
    "GET",
    PATH,
    summary="List the texts in several languages.",
    query=PagedQuery,
    access="agent",
)
def list_items(call: Call) -> dict[str, Any]:
    """List items, the oldest first."""
    dynamic_content.check_access(call.actor)
    return _page(call, _items())


@OPERATIONS.operation(
    "ShowManyDynamicContents",
    "GET",
    f"{PATH}/show_many",
    summary="Show several texts by what placeholders call them.",
    query=IdentifiersQuery,
    access="agent",
)
def show_many_items(call: Call) -> dict[str, Any]:
    """Show items by their identifiers; unknown ones are left out."""
    dynamic_content.check_access(call.actor)
    names = [bare(name) for name in call.query.identifiers]
    if len(names) > MANY:
        raise TooManyValues(MANY)
    wanted = [name for name in names if is_identifier(name)]
    return _page(call, _items().filter(identifier__in=wanted), cursor=False)


@OPERATIONS.operation(
    "ShowDynamicContentItem", "GET", ONE, summary="Show one text.", access="agent"
)
def show_item(call: Call) -> dict[str, Any]:
    """Show an item."""
    return {"item": present_item(_item(call), show(call, "detail"))}


@OPERATIONS.operation(
    "CreateDynamicContent",
    "POST",
    PATH,
    summary="Create a text with its variants.",
    body=ItemBody,
    access="agent",
    status=201,
)
def create_item(call: Call) -> Reply:
    """Create an item."""
    if len(call.body.item.variants or []) > MANY:
        raise TooManyValues(MANY)
    made = dynamic_content.create_item(actor=call.actor, changes=rule_changes(call.body.item))
    body = present_item(made, show(call, "detail"))
    return Reply({"item": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "UpdateDynamicContentItem",
    "PUT",
    ONE,
    summary="Rename a text; its placeholder stays.",
    body=ItemNameBody,
    access="agent",
)
def update_item(call: Call) -> dict[str, Any]:
    """Rename an item."""
    item = _item(call)
    changes = rule_changes(call.body.item)
    if "name" in changes:
        dynamic_content.rename_item(item, actor=call.actor, name=changes["name"])
    return {"item": present_item(item, show(call, "detail"))}


@OPERATIONS.operation(
    "DeleteDynamicContentItem",
    "DELETE",
    ONE,
    summary="Delete a text in all its languages.",
    access="agent",
    status=204,
)
def delete_item(call: Call) -> None:
    """Delete an item."""
    dynamic_content.delete_item(_item(call), actor=call.actor)


@OPERATIONS.operation(
    "DynamicContentListVariants",
    "GET",
    VARIANTS,
    summary="List the variants of a text.",
    query=PagedQuery,
    access="agent",
)
def list_variants(call: Call) -> dict[str, Any]:
    """List an item's variants, the oldest first."""
    page = paginate(ContentVariant.objects.filter(item=_item(call)), asked(call), ORDER)
    return listed("variants", [present_variant(found, show(call)) for found in page.rows], page)


@OPERATIONS.operation(
    "ShowDynamicContentVariant", "GET", VARIANT, summary="Show one variant.", access="agent"
)
def show_variant(call: Call) -> dict[str, Any]:
    """Show a variant."""
    return {"variant": present_variant(_variant(call), show(call, "detail"))}


@OPERATIONS.operation(
    "CreateDynamicContentVariant",
    "POST",
    VARIANTS,
    summary="Add a text in another language.",
    body=VariantBody,
    access="agent",
    status=201,
)
def create_variant(call: Call) -> Reply:
    """Add a variant."""
    (made,) = dynamic_content.create_variants(
        _item(call), actor=call.actor, given=[rule_changes(call.body.variant)]
    )
    body = present_variant(made, show(call, "detail"))
    return Reply({"variant": body}, 201, {"Location": body["url"]})


@OPERATIONS.operation(
    "CreateManyDynamicContentVariants",
    "POST",
    f"{VARIANTS}/create_many",
    summary="Add texts in several languages, all or none.",
    body=VariantsBody,
    access="agent",
    status=201,
)
def create_variants(call: Call) -> Reply:
    """Add several variants."""
    made = dynamic_content.create_variants(
        _item(call), actor=call.actor, given=[rule_changes(found) for found in _given(call)]
    )
    return Reply({"variants": [present_variant(found, show(call)) for found in made]}, 201, {})


@OPERATIONS.operation(
    "UpdateDynamicContentVariant",
    "PUT",
    VARIANT,
    summary="Change a variant.",
    body=VariantBody,
    access="agent",
)
def update_variant(call: Call) -> dict[str, Any]:
    """Update a variant."""
    changes = (call.path["variant_id"], rule_changes(call.body.variant))
    (found,) = dynamic_content.update_variants(_item(call), actor=call.actor, changes=[changes])
    return {"variant": present_variant(found, show(call, "detail"))}


@OPERATIONS.operation(
    "UpdateManyDynamicContentVariants",
    "PUT",
    f"{VARIANTS}/update_many",
    summary="Change several variants, all or none.",
    body=VariantsBody,
    access="agent",
)
def update_variants(call: Call) -> dict[str, Any]:
    """Update several variants."""
    changes = []
    for given in _given(call):
        if given.id is None:
            raise MissingParameter("id")
        changes.append((given.id, rule_changes(given)))
    found = dynamic_content.update_variants(_item(call), actor=call.actor, changes=changes)
    return {"variants": [present_variant(variant, show(call)) for variant in found]}


@OPERATIONS.operation(
    "DeleteDynamicContentVariant",
    "DELETE",
    VARIANT,
    summary="Delete a variant that is not the default one.",
    access="agent",
    status=204,
)
def delete_variant(call: Call) -> None:
    """Delete a variant."""
    dynamic_content.delete_variant(_variant(call), actor=call.actor)
