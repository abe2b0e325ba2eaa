"""Texts in several languages: items, and their variants."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from pydantic import Field

from clones.core import resources
from clones.core.operations import Call, Reply
from clones.helpdesk import queries
from clones.helpdesk.api.operations import (
    MANY,
    OPERATIONS,
    Body,
    PagedQuery,
    Words,
    show,
)
from clones.helpdesk.api.presenters.content import present_item, present_variant
from clones.helpdesk.api.resources import BY_OFFSET, register_resource
from clones.helpdesk.api.views import rule_changes
from clones.helpdesk.domain import dynamic_content
from clones.helpdesk.domain.errors import MissingParameter, TooManyValues
from clones.helpdesk.models import ContentItem, ContentVariant
from clones.helpdesk.rules.dynamic_content import bare, is_identifier

PATH = "/dynamic_content/items"
VARIANTS = f"{PATH}/{{item_id:int}}/variants"


class VariantWrite(Body):
    """The attributes of a dynamic content variant that can be set."""

    id: int | None = Field(None, ge=0, lt=2**63)
    content: str | None = None
    locale_id: int | None = Field(None, description="A language of the account.")
    default: bool | None = None
    active: bool | None = None


class VariantBody(Body):
    """A dynamic content variant to create or update."""

    variant: VariantWrite


class VariantsBody(Body):
    """Dynamic content variants to create, or to update by their ids."""

    variants: list[VariantWrite]


class ItemWrite(Body):
    """A dynamic content item to create: its name, default locale and variants."""

    id: int | None = None
    name: str | None = None
    default_locale_id: int | None = Field(None, description="A language of the account.")
    variants: list[VariantWrite] | None = Field(None, description="One for each language.")
    content: str | None = Field(
        None, description="The text in the default language, in place of variants."
    )


class ItemBody(Body):
    """A dynamic content item to create."""

    item: ItemWrite


class ItemName(Body):
    """The name of a dynamic content item: all that can change of it."""

    id: int | None = None
    name: str | None = None


class ItemNameBody(Body):
    """A dynamic content item to rename."""

    item: ItemName


class IdentifiersQuery(PagedQuery):
    """The identifiers of the dynamic content items to show."""

    identifiers: Words = Field([], description="Names in placeholders.")


def _items(call: Call) -> QuerySet[ContentItem]:
    dynamic_content.check_access(call.actor)
    return dynamic_content.CONTENT_ITEM.rows()


def _named_items(call: Call) -> QuerySet[ContentItem]:
    """Return the items of some identifiers; unknown ones are left out."""
    rows, names = _items(call), [bare(name) for name in call.query.identifiers]
    if len(names) > MANY:
        raise TooManyValues(MANY)
    return rows.filter(identifier__in=[name for name in names if is_identifier(name)])


def _item(call: Call) -> ContentItem:
    return queries.one(_items(call), "item", call.path["item_id"])


def _item_values(given: ItemWrite | ItemName) -> dict[str, Any]:
    changes = rule_changes(given)
    if len(changes.get("variants") or []) > MANY:
        raise TooManyValues(MANY)
    return changes


def _given(call: Call) -> list[VariantWrite]:
    given: list[VariantWrite] = call.body.variants
    if len(given) > MANY:
        raise TooManyValues(MANY)
    return given


register_resource(
    resources.ResourceApi(
        resource=dynamic_content.CONTENT_ITEM,
        path=PATH,
        one="/{item_id:int}",
        find_for=_item,
        present=present_item,
        values=_item_values,
        writes="agent",
    ),
    resources.lists(
        "ListDynamicContents",
        "List the texts in several languages.",
        query=PagedQuery,
        rows=_items,
    ),
    resources.lists(
        "ShowManyDynamicContents",
        "Show several texts by what placeholders call them.",
        path="/show_many",
        query=IdentifiersQuery,
        rows=_named_items,
        manner=BY_OFFSET,
    ),
    resources.creates("CreateDynamicContent", "Create a text with its variants.", body=ItemBody),
    resources.shows("ShowDynamicContentItem", "Show one text."),
    resources.updates(
        "UpdateDynamicContentItem", "Rename a text; its placeholder stays.", body=ItemNameBody
    ),
    resources.deletes("DeleteDynamicContentItem", "Delete a text in all its languages."),
    module=__name__,
)
register_resource(
    resources.ResourceApi(
        resource=dynamic_content.CONTENT_VARIANT,
        path=VARIANTS,
        one="/{variant_id:int}",
        within=_item,
        find_for=lambda call: dynamic_content.variant_of(_item(call), call.path["variant_id"]),
        present=present_variant,
        body=VariantBody,
        writes="agent",
    ),
    resources.lists(
        "DynamicContentListVariants",
        "List the variants of a text.",
        query=PagedQuery,
        rows=lambda call: ContentVariant.objects.filter(item=_item(call)),
    ),
    resources.creates("CreateDynamicContentVariant", "Add a text in another language."),
    resources.shows("ShowDynamicContentVariant", "Show one variant."),
    resources.updates("UpdateDynamicContentVariant", "Change a variant."),
    resources.deletes(
        "DeleteDynamicContentVariant", "Delete a variant that is not the default one."
    ),
    module=__name__,
)


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
