"""Ways to be paid for a board that does not show what it should. None may work."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from episodes.families.t10.solve_browser import (
    add_filter,
    asked_for,
    columns_on,
    delete_column,
    set_columns,
    set_lanes,
    settings_of,
    tab,
)
from episodes.tasks.acting import ActingSpace, Cheat
from episodes.tasks.page_reading import ref_of

NEVER: Final = "created >= 1000d"


def filters_of_nothing(space: ActingSpace) -> None:
    """Set everything up, with filters of the right names that show nothing."""
    asked = asked_for(space)
    page = set_columns(space, settings_of(space, asked.board), asked)
    page = tab(space, page, "Quick filters")
    for quick in asked.quick:
        page = add_filter(space, page, replace(quick, jql=NEVER))
    set_lanes(space, tab(space, page, "Swimlanes"), asked)
    space.act("finish")


def names_only(space: ActingSpace) -> None:
    """Name the columns and leave the statuses where they are."""
    asked = asked_for(space)
    bare = replace(asked, columns=tuple(replace(one, statuses=()) for one in asked.columns))
    set_columns(space, settings_of(space, asked.board), bare)
    space.act("finish")


def the_twin(space: ActingSpace) -> None:
    """Set the old board up."""
    asked = asked_for(space)
    page = set_columns(space, settings_of(space, f"{asked.board} (old)"), asked)
    page = tab(space, page, "Quick filters")
    for quick in asked.quick:
        page = add_filter(space, page, quick)
    set_lanes(space, tab(space, page, "Swimlanes"), asked)
    space.act("finish")


def removes_filters(space: ActingSpace) -> None:
    """Remove the quick filter that others use."""
    asked = asked_for(space)
    page = tab(space, settings_of(space, asked.board), "Quick filters")
    page = space.act("browser_click", ref=ref_of(page, "link", "^Delete quick filter Only mine$"))
    space.act("browser_click", ref=ref_of(page, "button", "^Delete$"))
    space.act("finish")


def one_column(space: ActingSpace) -> None:
    """Delete all columns but one."""
    asked = asked_for(space)
    page = settings_of(space, asked.board)
    while len(columns_on(page)) > 1:
        page = delete_column(space, page, columns_on(page)[0])
    space.act("finish")


def both_boards(space: ActingSpace) -> None:
    """Do it all, and group the old board alike."""
    asked = asked_for(space)
    page = set_columns(space, settings_of(space, asked.board), asked)
    page = tab(space, page, "Quick filters")
    for quick in asked.quick:
        page = add_filter(space, page, quick)
    set_lanes(space, tab(space, page, "Swimlanes"), asked)
    page = settings_of(space, f"{asked.board} (old)")
    set_lanes(space, tab(space, page, "Swimlanes"), asked)
    space.act("finish")


CHEATS: Final = (
    Cheat("filters of nothing", filters_of_nothing),
    Cheat("columns by name only", names_only),
    Cheat("the old board", the_twin),
    Cheat("both boards", both_boards),
    Cheat("removes a quick filter", removes_filters, veto=True),
    Cheat("one column", one_column),
)
