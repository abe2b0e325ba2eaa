"""Categories of spaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clones.core.web.lists import Cell
from clones.tracker.domain.categories import PROJECT_CATEGORY
from clones.tracker.models import ProjectCategory
from clones.tracker.web.admin.lists import spaces_cell, spaces_using
from clones.tracker.web.admin.resources import AdminPages


class CategoryPages(AdminPages[ProjectCategory]):
    """The pages of categories (the vendor's ViewProjectCategories page)."""

    resource = PROJECT_CATEGORY
    here = "categories"
    title = "Space categories"
    noun = "category"
    heading = "space category"
    gone = "The project category was not found."
    columns = ("Name", "Spaces")
    empty = "There are no categories."
    leaves = "Its spaces stay, without a category."

    def cells(self, found: Sequence[ProjectCategory]) -> list[list[Cell]]:
        """Return the name of each, and its spaces."""
        spaces = spaces_using("category", found)
        return [[self.name_cell(row), spaces_cell(spaces[row.id])] for row in found]


PAGES: Final = CategoryPages()
