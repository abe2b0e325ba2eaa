"""The categories of statuses, which are the same on every site."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.tracker.api.operations import operation, show
from clones.tracker.api.presenters.refs import CATEGORIES, status_category_ref
from clones.tracker.domain.errors import NotFound

PATH = "/rest/api/3/statuscategory"


@operation("getStatusCategories", "GET", PATH, summary="List the categories of statuses.")
def list_categories(call: Call) -> list[Any]:
    """List the four categories."""
    reading = show(call)
    return [status_category_ref(key, reading) for key in CATEGORIES]


@operation("getStatusCategory", "GET", PATH + "/{idOrKey}", summary="Show a category of statuses.")
def show_category(call: Call) -> dict[str, Any]:
    """Show a category by its id or key."""
    text = call.path["idOrKey"]
    for key, (id, _, _) in CATEGORIES.items():
        if text in {key, str(id)}:
            return status_category_ref(key, show(call))
    raise NotFound(f"The status category with id or key '{text}' was not found.")
