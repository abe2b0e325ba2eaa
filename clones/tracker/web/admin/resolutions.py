"""Resolutions: their list in order, the default one, and what becomes of one that goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from clones.core.web.lists import Cell
from clones.tracker.domain.resolutions import DELETION, GONE, RESOLUTION
from clones.tracker.models import Issue, Resolution
from clones.tracker.web.admin.heirs import HeirInput
from clones.tracker.web.admin.inputs import HAS, counted
from clones.tracker.web.admin.resources import AdminPages
from clones.tracker.web.admin.running import busy_with


class ResolutionPages(AdminPages[Resolution]):
    """The pages of resolutions (the vendor's Issue settings > Resolutions)."""

    resource = RESOLUTION
    here = "resolutions"
    title = "Resolutions"
    noun = "resolution"
    gone = GONE
    said = "The ways in which work can be resolved, in the order in which they are offered."
    heir = HeirInput(
        name="heir",
        label="New resolution",
        hint="Work items with this resolution get it.",
        missing="Choose the resolution to use instead.",
        required=True,
    )

    def cells(self, found: Sequence[Resolution]) -> list[list[Cell]]:
        """Return the name of each, with what is going on with it."""
        busy = busy_with(DELETION, "resolution")
        return [
            [
                Cell(
                    row.name,
                    below=row.description,
                    tags=[
                        *(["Default"] if row.is_default else []),
                        *(["Being deleted"] if row.id in busy else []),
                    ],
                )
            ]
            for row in found
        ]

    def can_go(self, record: Resolution, among: Sequence[Resolution]) -> bool:
        """Tell whether there is another that takes its place."""
        return len(among) > 1

    def consequence(self, record: Resolution) -> str:
        """Return how many work items have it."""
        return counted(Issue.objects.filter(resolution=record), HAS, "this resolution.")


PAGES: Final = ResolutionPages()
