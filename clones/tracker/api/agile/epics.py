"""Epics as boards show them, and what belongs to them."""

from __future__ import annotations

from typing import Any, Final

from pydantic import Field

from clones.core.operations import Call, Reply
from clones.tracker.api.agile.pages import AGILE, IssuesBody, named_issues, place_of
from clones.tracker.api.operations import Body, actor, operation, show
from clones.tracker.api.presenters.agile import looks_of, present_epic
from clones.tracker.domain import epics
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import Issue

Json = dict[str, Any]
EPIC: Final = f"{AGILE}/epic/{{epic}}"


class ColorBody(Body):
    """The colour of an epic, by the vendor's key: `color_1` to `color_14`."""

    key: str | None = None


class EpicBody(Body):
    """The attributes of an epic that can change: name, summary, colour, done."""

    name: str | None = None
    summary: str | None = None
    color: ColorBody | None = None
    done: bool | None = None


class EpicRankBody(Body):
    """The new rank of an epic: right before or after another epic."""

    before: str | int | None = Field(None, alias="rankBeforeEpic")
    after: str | int | None = Field(None, alias="rankAfterEpic")
    field: int | None = Field(None, alias="rankCustomFieldId")


def epic_of(call: Call) -> Issue:
    """Return the epic that a path names.

    Raises:
        NotFound: there is none, or the caller does not see it.
        Invalid: it is a team-managed space's.
    """
    return epics.find_epic(actor(call), call.path["epic"])


def _shown(epic: Issue, call: Call) -> Json:
    return present_epic(epic, looks_of([epic.id]).get(epic.id), show(call))


@operation("agile.getEpic", "GET", EPIC, summary="Show an epic: its name, colour, whether done.")
def show_epic(call: Call) -> Json:
    """Show an epic."""
    return _shown(epic_of(call), call)


@operation(
    "agile.partiallyUpdateEpic",
    "POST",
    EPIC,
    summary="Change an epic's name, summary, colour, or whether it is done.",
    body=EpicBody,
)
def change_epic(call: Call) -> Json:
    """Change an epic."""
    asked: EpicBody = call.body
    given = asked.model_dump(exclude_unset=True, exclude={"color"})
    if asked.color is not None:
        given["color"] = asked.color.key
    return _shown(epics.update_epic(epic_of(call), given, actor=actor(call)), call)


@operation(
    "agile.moveIssuesToEpic",
    "POST",
    f"{EPIC}/issue",
    summary="Make up to 50 issues belong to an epic.",
    body=IssuesBody,
    status=204,
)
def move_issues_to_epic(call: Call) -> Reply:
    """Make issues belong to an epic."""
    epic = epic_of(call)
    epics.move_to_epic(epic, named_issues(call, call.body), actor=actor(call))
    return Reply(None, 204)


@operation(
    "agile.removeIssuesFromEpic",
    "POST",
    f"{AGILE}/epic/none/issue",
    summary="Make up to 50 issues belong to no epic.",
    body=IssuesBody,
    status=204,
)
def remove_issues_from_epic(call: Call) -> Reply:
    """Make issues belong to no epic."""
    epics.remove_from_epics(named_issues(call, call.body), actor=actor(call))
    return Reply(None, 204)


@operation(
    "agile.rankEpics",
    "PUT",
    f"{EPIC}/rank",
    summary="Put an epic right before or after another.",
    body=EpicRankBody,
    status=204,
)
def rank_epic(call: Call) -> Reply:
    """Rank an epic."""
    asked: EpicRankBody = call.body
    epic = epic_of(call)
    place = place_of(call, asked.before, asked.after, asked.field)
    if place is None:
        raise Invalid("Either rankBeforeEpic or rankAfterEpic must be specified.")
    epics.rank_epic(epic, place, actor=actor(call))
    return Reply(None, 204)
