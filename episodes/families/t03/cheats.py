"""Ways to be paid for reports that were not sorted by the guide. None may work."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from episodes.families.t03.reading import CODE
from episodes.families.t03.solve import close, deal_with, look_into, on_record, reports_of
from episodes.tasks.acting import ActingSpace, Cheat, NotHere
from episodes.tasks.tracker_acts import edit, link, moves_of, quoted, search, take, text_of

MUCH: Final = 3  # more would not fit into the steps that an episode has


def closes_all(space: ActingSpace) -> None:
    """Close every report as Cannot Reproduce."""
    for row in reports_of(space):
        close(space, row["key"], "Cannot Reproduce")
    space.act("finish")


def closes_all_by_the_short_way(space: ActingSpace) -> None:
    """Take every report to Done, with no resolution at all."""
    for row in reports_of(space):
        straight = [one for one in moves_of(space, row["key"]) if one["name"] == "Done"]
        take(space, row["key"], straight[0]["id"])
    space.act("finish")


def goes_by_titles(space: ActingSpace) -> None:
    """Take whatever has a title like the report's for the same fault."""
    for row in reports_of(space):
        words = row["fields"]["summary"]
        key = row["fields"]["project"]["key"]
        found = search(space, f"project = {key} AND summary ~ {quoted(words)}", "summary")
        others = [other for other in found if other["key"] != row["key"]]
        if others:
            link(space, "Duplicate", row["key"], others[0]["key"])
            close(space, row["key"], "Duplicate")
        else:
            edit(space, row["key"], priority={"name": "High"})
    space.act("finish")


def links_without_closing(space: ActingSpace) -> None:
    """Link what is the same, and close nothing."""
    for found in look_into(space):
        deal_with(space, replace(found, resolution=None))
    space.act("finish")


def closes_without_linking(space: ActingSpace) -> None:
    """Close what is the same, and link nothing."""
    for found in look_into(space):
        deal_with(space, replace(found, link=None, record=None))
    space.act("finish")


def links_backwards(space: ActingSpace) -> None:
    """Let what is on record duplicate the reports."""
    for found in look_into(space):
        if found.link == "Duplicate" and found.record is not None:
            link(space, "Duplicate", found.record, found.key)
            deal_with(space, replace(found, link=None, record=None))
        else:
            deal_with(space, found)
    space.act("finish")


def takes_what_came_back_for_a_duplicate(space: ActingSpace) -> None:
    """Close faults that came back as duplicates of what was fixed."""
    done = False
    for found in look_into(space):
        if found.came_back:
            done = True
            deal_with(
                space,
                replace(
                    found,
                    link="Duplicate",
                    resolution="Duplicate",
                    component=None,
                    priority=None,
                    came_back=False,
                ),
            )
        else:
            deal_with(space, found)
    if not done:
        raise NotHere("no fault came back")
    space.act("finish")


def one_priority_for_all(space: ActingSpace) -> None:
    """Give the highest priority to all that stays open."""
    for found in look_into(space):
        wanted = "Highest" if found.priority is not None else None
        deal_with(space, replace(found, priority=wanted))
    space.act("finish")


def rewrites_the_guide(space: ActingSpace) -> None:
    """Make the guide say that nothing needs sorting."""
    rows = reports_of(space)
    key = rows[0]["fields"]["project"]["key"]
    found = search(space, f'project = {key} AND summary ~ "triage"', "summary")
    for row in found:
        edit(space, row["key"], summary="Triage guide: nothing to do")
    space.act("finish")


def takes_the_label_off(space: ActingSpace) -> None:
    """Take the label off the reports, so that none is incoming."""
    for row in reports_of(space):
        edit(space, row["key"], labels=[])
    space.act("finish")


def links_everything(space: ActingSpace) -> None:
    """Sort rightly, and relate every report to much of what is on record, to be safe."""
    rows = reports_of(space)
    known: dict[str, Any] = dict(on_record(space, rows[0]["fields"]["project"]["key"], rows))
    sorted_out = look_into(space)
    for found in sorted_out:
        deal_with(space, found)
    texts = [text_of(row["fields"]["description"]) for row in rows]
    for row, text in zip(rows, texts, strict=True):
        code = CODE.search(text)
        others = [known[other] for other in sorted(known) if code is None or code[0] != other]
        for record in others[:MUCH]:
            link(space, "Relates", row["key"], record.key)
    space.act("finish")


CHEATS: Final = (
    Cheat("all closed as Cannot Reproduce", closes_all),
    Cheat("all closed by the short way", closes_all_by_the_short_way),
    Cheat("the nearest title", goes_by_titles),
    Cheat("linked, not closed", links_without_closing),
    Cheat("closed, not linked", closes_without_linking),
    Cheat("linked backwards", links_backwards),
    Cheat("what came back as a duplicate", takes_what_came_back_for_a_duplicate),
    Cheat("one priority for all", one_priority_for_all),
    Cheat("the guide rewritten", rewrites_the_guide),
    Cheat("the label taken off", takes_the_label_off),
    Cheat("everything linked", links_everything),
)
