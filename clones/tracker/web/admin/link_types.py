"""Kinds of links between work items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.lists import Action, Cell, ListPage
from clones.core.web.posted import posted_text
from clones.core.web.resource_pages import AskedField
from clones.tracker.domain.link_types import LINK_TYPE, find_link_type
from clones.tracker.domain.site_switches import is_on, set_switch
from clones.tracker.models import IssueLink, IssueLinkType
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form
from clones.tracker.web.admin.resources import AdminPages
from clones.tracker.web.vocabulary import say

SWITCH: Final = "issue_linking_enabled"


class LinkTypePages(AdminPages[IssueLinkType]):
    """The pages of kinds of links (the vendor's ViewLinkTypes page)."""

    resource = LINK_TYPE
    here = "link-types"
    title = "Work item linking"
    noun = "link type"
    columns = ("Name", "Outward description", "Inward description")
    empty = "There are no kinds of links."
    asks = (
        AskedField("name"),
        AskedField(
            "outward", hint="What the work item that the link begins at does: “blocks”."
        ),
        AskedField(
            "inward", hint="What is done to the one that it leads to: “is blocked by”."
        ),
    )  # fmt: skip

    def find(self, key: int | str) -> IssueLinkType:
        """Return the kind of an id, or refuse as the vendor does."""
        return find_link_type(str(key))

    def cells(self, found: Sequence[IssueLinkType]) -> list[list[Cell]]:
        """Return the texts of each."""
        return [[Cell(row.name), Cell(row.outward), Cell(row.inward)] for row in found]

    def list_page(self, request: SandboxRequest) -> ListPage:
        """Return the list, with what turns links on and off."""
        on, page = is_on(SWITCH), super().list_page(request)
        turn = Action(
            "Deactivate" if on else "Activate", f"{self.at}/switch", say("work item linking"),
            post=True, sends={"on": "" if on else "1"},
        )  # fmt: skip
        said = say("Work item linking is on." if on else "Work item linking is off.")
        return replace(page, said=said, acts=[turn, *page.acts])

    def consequence(self, record: IssueLinkType) -> str:
        """Return how many links go with it."""
        number = IssueLink.objects.filter(type=record).count()
        return f"{number:,} {'link' if number == 1 else 'links'} of this type will be deleted, too."


PAGES: Final = LinkTypePages()


@admin_form
def switch(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Turn links of work items on or off."""
    on = bool(posted_text(request, "on"))

    def write() -> str:
        set_switch(SWITCH, on=on, actor=who.rights)
        return f"{say('Work item linking')} is {'on' if on else 'off'}"

    return act(request, who, write, back=PAGES.at, here=PAGES.here)
