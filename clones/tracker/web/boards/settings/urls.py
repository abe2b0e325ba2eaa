"""The addresses of a board's settings, below the board's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.access import View
from clones.tracker.web.boards import board_page
from clones.tracker.web.boards.settings import cards, columns, days, general, lists
from clones.tracker.web.plain_pages import not_found

_SHOWN: Final[Mapping[str, View]] = {
    "general": general.show,
    "columns": columns.show,
    "quickFilters": lists.show_quick,
    "swimlanes": lists.show_lanes,
    "cardLayout": cards.show_layout,
    "cardColors": cards.show_colours,
    "estimation": general.show_estimation,
    "workingDays": days.show,
}


def show(request: SandboxRequest, *, place: str, board: int) -> HttpResponse:
    """Show a board, or with `config` in the address a page of its settings."""
    name = request.GET.get("config")
    if name is None:
        return board_page.show(request, place=place, board=board)
    found = _SHOWN.get(name)
    return not_found() if found is None else found(request, place=place, board=board)


# What stands below a board's address: pages of forms, and what they send.
BELOW: Final[tuple[tuple[str, View], ...]] = (
    ("/config/general/name", general.rename),
    ("/config/general/filter", general.refilter),
    ("/config/general/location", general.relocate),
    ("/config/general/subfilter", general.narrow),
    ("/config/general/admins", general.administrators),
    ("/config/general/delete", general.delete),
    ("/config/columns/add", columns.add),
    ("/config/columns/<int:column>", columns.edit),
    ("/config/columns/<int:column>/delete", columns.delete),
    ("/config/columns/order", columns.order),
    ("/config/columns/statuses", columns.map_status),
    ("/config/columns/constraint", columns.constrain),
    ("/config/columns/backlog", columns.backlog),
    ("/config/quickFilters/add", lists.add_quick),
    ("/config/quickFilters/order", lists.order_quick),
    ("/config/quickFilters/<int:row>", lists.edit_quick),
    ("/config/quickFilters/<int:row>/delete", lists.delete_quick),
    ("/config/swimlanes/base", lists.base_lanes),
    ("/config/swimlanes/add", lists.new_lane),
    ("/config/swimlanes/order", lists.order_lanes),
    ("/config/swimlanes/<int:row>", lists.edit_lane),
    ("/config/swimlanes/<int:row>/delete", lists.remove_lane),
    ("/config/cardLayout/fields", cards.lay_out),
    ("/config/cardColors/base", cards.base_colours),
    ("/config/cardColors/colours", cards.colour),
    ("/config/cardColors/add", cards.add_query),
    ("/config/cardColors/<int:row>", cards.edit_query),
    ("/config/cardColors/<int:row>/delete", cards.delete_query),
    ("/config/estimation/statistic", general.estimate),
    ("/config/workingDays/days", days.save),
    ("/config/workingDays/add", days.add_day),
    ("/config/workingDays/remove", days.remove_day),
)
