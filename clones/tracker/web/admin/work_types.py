"""Work types of the site."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.db.models import QuerySet

from clones.core.web.inputs import Input, PageForm
from clones.core.web.lists import Cell, Link
from clones.core.web.resource_pages import AskedField
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.issue_types import ISSUE_TYPE
from clones.tracker.models import Issue, IssueType, IssueTypeScheme, IssueTypeSchemeItem
from clones.tracker.queries.kinds import alternatives
from clones.tracker.queries.schemes import classic_type_schemes
from clones.tracker.web.admin.heirs import HeirInput
from clones.tracker.web.admin.inputs import IS, counted, select
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.resources import AdminPages
from clones.tracker.web.parts.pictures import type_picture

SCHEMES: Final = address_of("type-schemes")
LEVELS: Final = ((0, "Standard"), (-1, "Sub-task"))
GONE: Final = "The issue type was not found."


class WorkTypePages(AdminPages[IssueType]):
    """The pages of the site's work types (the vendor's Issue settings > Issue types)."""

    resource = ISSUE_TYPE
    here = "types"
    order = ("-hierarchy_level", "name", "id")
    title = "Work types"
    noun = "work type"
    gone = GONE
    said = "What kinds of work there are. Team-managed spaces have types of their own."
    columns = ("Name", "Type", "Related schemes")
    asks = (AskedField("name"), AskedField("description"))
    names = {"hierarchyLevel": "level"}
    heir = HeirInput(
        name="alternative",
        label="New work type for matching work items",
        hint="Types with the same workflow, fields and screens in all spaces.",
        none="Choose a work type",
        missing=GONE,
        required=True,
    )

    def records(self) -> QuerySet[IssueType]:
        """Return the types that are no space's own."""
        return IssueType.objects.filter(project=None)

    def cells(self, found: Sequence[IssueType]) -> list[list[Cell]]:
        """Return the name of each, its level, and the schemes that offer it."""
        schemes = _schemes()
        return [
            [
                Cell(kind.name, below=kind.description, picture=type_picture(kind)),
                Cell(level_name(kind.hierarchy_level)),
                Cell(links=schemes.get(kind.id, [])),
            ]
            for kind in found
        ]

    def inputs(self, found: IssueType | None) -> list[Input]:
        """Return what is asked; the level of a new one only."""
        level = select("level", "Type", LEVELS, 0, required=True)
        return [*super().inputs(found), *([level] if found is None else [])]

    def values(self, sent: PageForm, found: IssueType | None) -> dict[str, Any]:
        """Return what was sent.

        Raises:
            Invalid: the level of a new type is none.
        """
        values, level = super().values(sent, found), sent.text("level")
        if found is not None:
            return values
        if level not in {"0", "-1"}:
            raise Invalid(fields={"level": f"The hierarchy level {level} is not valid."})
        return {**values, "level": int(level)}

    def consequence(self, record: IssueType) -> str:
        """Return how many work items are of it."""
        return counted(Issue.objects.filter(issue_type=record), IS, "of this type.")

    def heirs(self, record: IssueType) -> QuerySet[IssueType]:
        """Return all types: the domain says which will not do, and why."""
        return IssueType.objects.all()

    def heir_inputs(self, record: IssueType) -> list[Input]:
        """Return what is asked: nothing where no work item is of it, or there is no other."""
        used = Issue.objects.filter(issue_type=record).exists()
        return super().heir_inputs(record) if used and self.heir_choices(record) else []

    def heir_choices(self, record: IssueType) -> list[tuple[object, str]]:
        """Return the types that its work items could be of as they are."""
        return [(one.id, one.name) for one in alternatives(record)]


PAGES: Final = WorkTypePages()


def level_name(level: int) -> str:
    """Return what a level of the hierarchy is called."""
    return "Epic" if level > 0 else dict(LEVELS)[0 if level == 0 else -1]


def _schemes() -> dict[int, list[Link]]:
    """Return the schemes that offer types, by the type's id."""
    shown = classic_type_schemes().values("id")
    rows = IssueTypeSchemeItem.objects.filter(scheme__in=shown).select_related("scheme")
    found: dict[int, list[Link]] = {}
    for item in rows.order_by("scheme__name", "id"):
        scheme: IssueTypeScheme = item.scheme
        link = Link(scheme.name, f"{SCHEMES}/{scheme.id}")
        found.setdefault(item.issue_type_id, []).append(link)
    return found
