"""Categories of spaces."""

from __future__ import annotations

from typing import Any, Final

from clones.core.operations import Call
from clones.tracker.api.operations import Body, actor, number, operation, show
from clones.tracker.api.presenters.refs import category_ref
from clones.tracker.domain import categories
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import ProjectCategory

Json = dict[str, Any]
PATH: Final = "/rest/api/3/projectCategory"


class CategoryBody(Body):
    """A category's name and description."""

    name: str | None = None
    description: str | None = None


def _category(call: Call) -> ProjectCategory:
    key = number(call.path["id"], "Project category")
    found = ProjectCategory.objects.filter(id=key).first()
    if found is None:
        raise NotFound(f"Could not find project category with ID '{key}'")
    return found


@operation(
    "getAllProjectCategories",
    "GET",
    PATH,
    summary="List the categories of spaces.",
)
def list_categories(call: Call) -> list[Json | None]:
    """List the categories of spaces."""
    rows = ProjectCategory.objects.order_by("name", "id")
    return [category_ref(category, show(call)) for category in rows]


@operation(
    "createProjectCategory",
    "POST",
    PATH,
    summary="Make a category of spaces.",
    body=CategoryBody,
    access="admin",
    status=201,
)
def create_category(call: Call) -> Json | None:
    """Make a category."""
    given = call.body
    made = categories.create_category(given.name, given.description, actor=actor(call))
    return category_ref(made, show(call))


@operation(
    "getProjectCategoryById",
    "GET",
    PATH + "/{id}",
    summary="Show a category of spaces.",
)
def show_category(call: Call) -> Json | None:
    """Show a category."""
    return category_ref(_category(call), show(call))


@operation(
    "updateProjectCategory",
    "PUT",
    PATH + "/{id}",
    summary="Change a category of spaces.",
    body=CategoryBody,
    access="admin",
)
def update_category(call: Call) -> Json | None:
    """Change a category."""
    given = call.body
    changed = categories.update_category(
        _category(call), given.name, given.description, actor=actor(call)
    )
    return category_ref(changed, show(call))


@operation(
    "removeProjectCategory",
    "DELETE",
    PATH + "/{id}",
    summary="Remove a category of spaces.",
    access="admin",
    status=204,
)
def delete_category(call: Call) -> None:
    """Remove a category."""
    categories.delete_category(_category(call), actor=actor(call))
