"""The addresses of boards: in company-managed spaces, in team-managed ones, with a person."""

from __future__ import annotations

from typing import Final

from django.urls import path

from clones.tracker.web.boards import (
    backlog_acts,
    backlog_page,
    board_acts,
    chosen_rows,
    listing,
    sprint_pages,
)
from clones.tracker.web.boards.doors import Door
from clones.tracker.web.boards.settings import urls as settings

_PLACES: Final = (
    "jira/software/c/projects/<str:place>",
    "jira/software/projects/<str:place>",
    "jira/people/<str:place>",
)
# What stands below a board's own address.
_BELOW: Final[tuple[tuple[str, Door], ...]] = (
    ("", settings.show),
    *settings.BELOW,
    ("/move", board_acts.move_card),
    ("/create", board_acts.create_card),
    ("/card/<str:key>", board_acts.card_menu),
    ("/card/<str:key>/summary", board_acts.rename_card),
    ("/card/<str:key>/flag", board_acts.flag_card),
    ("/card/<str:key>/assign", board_acts.take_card),
    ("/card/<str:key>/backlog", board_acts.put_back),
    ("/backlog", backlog_page.show),
    ("/backlog/move", backlog_acts.move_row),
    ("/backlog/create", backlog_acts.create_row),
    ("/backlog/chosen", chosen_rows.chosen),
    ("/backlog/epics", chosen_rows.create_epic),
    ("/backlog/versions", chosen_rows.make_version),
    ("/row/<str:key>", backlog_acts.row_menu),
    ("/row/<str:key>/estimate", backlog_acts.estimate_row),
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
