"""Categories and sections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from clones.core import resources
from clones.core.operations import Call
from clones.helpdesk.api.help_center.operations import (
    OF_PLACES,
    HelpCenterQuery,
    Key,
    at_both,
    sorted_page,
)
from clones.helpdesk.api.operations import Body, SideloadQuery, includes, show
from clones.helpdesk.api.presenters.context import Show
from clones.helpdesk.api.presenters.help_center import (
    present_category,
    present_section,
    present_translation,
)
from clones.helpdesk.api.resources import register_resource
from clones.helpdesk.domain import help_center as domain
from clones.helpdesk.models import Category, Section
from clones.helpdesk.queries import help_center as queries

OF_CATEGORY = "/categories/{category_id:int}/sections"
Shown = dict[str, Any]


class HelpCenterCategoryWrite(Body):
    """The attributes of a help center category that can be set."""

    name: str | None = None
    description: str | None = None
    position: int | None = None
    locale: str | None = Field(None, description="en-us, the one language.")


class HelpCenterCategoryBody(Body):
    """A help center category to create or update."""

    category: HelpCenterCategoryWrite


class SectionWrite(HelpCenterCategoryWrite):
    """The attributes of a help center section that can be set."""

    category_id: Key | None = None
    parent_section_id: Key | None = Field(None, description="The section that it is in, or none.")
    sorting: str | None = Field(None, description="How its articles are ordered.")


class SectionBody(Body):
    """A help center section to create or update."""

    section: SectionWrite


def _translated(body: Shown, row: Category | Section, wanted: set[str], reading: Show) -> Shown:
    if "translations" in wanted:
        body["translations"] = [present_translation(row, reading)]
    return body


def shown_categories(rows: Sequence[Category], wanted: set[str], reading: Show) -> list[Shown]:
    """Return categories as JSON, with their translations if they are wanted."""
    return [_translated(present_category(row, reading), row, wanted, reading) for row in rows]


def shown_sections(rows: Sequence[Section], wanted: set[str], reading: Show) -> list[Shown]:
    """Return sections as JSON, with their translations if they are wanted."""
    return [_translated(present_section(row, reading), row, wanted, reading) for row in rows]


def categories_of(
    call: Call, sections: Sequence[Section], wanted: set[str]
) -> dict[str, list[Shown]]:
    """Return the categories of sections, if they are wanted beside them."""
    if "categories" not in wanted:
        return {}
    keys = {row.category_id for row in sections}
    found = Category.objects.filter(id__in=keys).order_by("position", "id")
    return {"categories": shown_categories(list(found), wanted, show(call))}


def _category(call: Call) -> Category:
    return queries.category(call.actor, call.path["category_id"])


def _section(call: Call) -> Section:
    return queries.section(call.actor, call.path["section_id"])


def _list_categories(call: Call) -> Shown:
    """List the categories that the reader finds."""
    page, around = sorted_page(call, queries.readable_categories(call.actor), OF_PLACES)
    return {"categories": shown_categories(page.rows, includes(call), show(call)), **around}


def _show_category(call: Call) -> Shown:
    """Show a category."""
    [body] = shown_categories([_category(call)], includes(call), show(call, "detail"))
    return {"category": body}


register_resource(
    resources.ResourceApi(
        resource=domain.CATEGORY,
        path="/categories",
        one="/{category_id:int}",
        find_for=_category,
        present=present_category,
        body=HelpCenterCategoryBody,
        reads="anyone",
        writes="agent",
    ),
    resources.lists(
        "ListCategories",
        "List the help center's categories.",
        query=HelpCenterQuery,
        view=_list_categories,
    ),
    resources.shows("ShowCategory", "Show a category.", query=SideloadQuery, view=_show_category),
    resources.creates("CreateCategory", "Create a category."),
    resources.updates("UpdateCategory", "Change a category."),
    resources.deletes("DeleteCategory", "Delete a category with its sections and articles."),
    register=at_both,
    module=__name__,
)


def _list_sections(call: Call, rows: Any) -> Shown:
    page, around = sorted_page(call, rows, OF_PLACES)
    wanted = includes(call)
    bodies = shown_sections(page.rows, wanted, show(call))
    return {"sections": bodies, **categories_of(call, page.rows, wanted), **around}


def _list_all_sections(call: Call) -> Shown:
    """List the sections that the reader finds."""
    return _list_sections(call, queries.readable_sections(call.actor))


def _list_sections_of_category(call: Call) -> Shown:
    """List the sections of a category that the reader finds."""
    rows = queries.readable_sections(call.actor)
    return _list_sections(call, rows.filter(category=_category(call)))


def _show_section(call: Call) -> Shown:
    """Show a section."""
    section, wanted = _section(call), includes(call)
    [body] = shown_sections([section], wanted, show(call, "detail"))
    return {"section": body, **categories_of(call, [section], wanted)}


register_resource(
    resources.ResourceApi(
        resource=domain.SECTION,
        path="",
        one="/sections/{section_id:int}",
        within=_category,
        find_for=_section,
        present=present_section,
        body=SectionBody,
        reads="anyone",
        writes="agent",
    ),
    resources.lists(
        "ListSections",
        "List the sections of all categories.",
        path="/sections",
        query=HelpCenterQuery,
        view=_list_all_sections,
    ),
    resources.lists(
        "ListSectionsInCategory",
        "List the sections of a category.",
        path=OF_CATEGORY,
        query=HelpCenterQuery,
        view=_list_sections_of_category,
    ),
    resources.shows("ShowSection", "Show a section.", query=SideloadQuery, view=_show_section),
    resources.creates("CreateSection", "Create a section of a category.", path=OF_CATEGORY),
    resources.updates("UpdateSection", "Change a section, or move it."),
    resources.deletes("DeleteSection", "Delete a section with its articles."),
    register=at_both,
    module=__name__,
)
