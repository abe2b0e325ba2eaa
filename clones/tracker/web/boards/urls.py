"""The addresses of boards: in company-managed spaces, in team-managed ones, with a person."""

from __future__ import annotations

from typing import Final

from django.urls import path

from clones.core.web.access import View
from clones.tracker.web.boards import (
    backlog_actions,
    backlog_page,
    board_actions,
    chosen_rows,
    listing,
    sprint_pages,
)
from clones.tracker.web.boards.settings import urls as settings

_PLACES: Final = (
    "jira/software/c/projects/<str:place>",
    "jira/software/projects/<str:place>",
    "jira/people/<str:place>",
)
# What stands below a board's own address.
_BELOW: Final[tuple[tuple[str, View], ...]] = (
    ("", settings.show),
    *settings.BELOW,
    ("/move", board_actions.move_card),
    ("/create", board_actions.create_card),
    ("/card/<str:key>", board_actions.card_menu),
    ("/card/<str:key>/summary", board_actions.rename_card),
    ("/card/<str:key>/flag", board_actions.flag_card),
    ("/card/<str:key>/assign", board_actions.take_card),
    ("/card/<str:key>/backlog", board_actions.put_back),
    ("/backlog", backlog_page.show),
    ("/backlog/move", backlog_actions.move_row),
    ("/backlog/create", backlog_actions.create_row),
    ("/backlog/chosen", chosen_rows.chosen),
    ("/backlog/epics", chosen_rows.create_epic),
    ("/backlog/versions", chosen_rows.make_version),
    ("/row/<str:key>", backlog_actions.row_menu),
    ("/row/<str:key>/estimate", backlog_actions.estimate_row),
    ("/sprints", sprint_pages.create),
    ("/sprint/<int:sprint>/start", sprint_pages.start),
    ("/sprint/<int:sprint>/edit", sprint_pages.edit),
    ("/sprint/<int:sprint>/complete", sprint_pages.complete),
    ("/sprint/<int:sprint>/delete", sprint_pages.delete),
    ("/sprint/<int:sprint>/swap", sprint_pages.swap),
)
urlpatterns = [
    path("jira/boards", listing.show, name="boards"),
    path("jira/boards/create", listing.create, name="create_board"),
    *(
        path(f"{place}{rest}", listing.first_board)
        for place in _PLACES[:2]
        for rest in ("", "/boards")
    ),
    *(
        path(f"{place}/boards/<int:board>{rest}", view)
        for place in _PLACES
        for rest, view in _BELOW
    ),
]
