"""Categories of spaces."""

from __future__ import annotations

from clones.core import resources
from clones.tracker.api.operations import Body, number
from clones.tracker.api.presenters.refs import category_ref
from clones.tracker.api.resources import register_resource
from clones.tracker.domain.categories import PROJECT_CATEGORY
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import ProjectCategory


def _category(id: str) -> ProjectCategory:
    key = number(id, "Project category")
    found = ProjectCategory.objects.filter(id=key).first()
    if found is None:
        raise NotFound(f"Could not find project category with ID '{key}'")
    return found


register_resource(
    resources.ResourceApi(
        resource=PROJECT_CATEGORY,
        path="/rest/api/3/projectCategory",
        one="/{id}",
        find=_category,
        present=category_ref,
        body="CategoryBody",
        about="A category's name and description.",
        base=Body,
    ),
    resources.lists("getAllProjectCategories", "List the categories of spaces."),
    resources.creates("createProjectCategory", "Make a category of spaces."),
    resources.shows("getProjectCategoryById", "Show a category of spaces."),
    resources.updates("updateProjectCategory", "Change a category of spaces."),
    resources.deletes("removeProjectCategory", "Remove a category of spaces."),
    module=__name__,
)
