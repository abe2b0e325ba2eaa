"""The custom fields that boards work with: rank, sprint, estimates, the flag."""

from __future__ import annotations

from typing import Final

from clones.core.digits import is_digits
from clones.tracker.models import CustomField

RANK: Final = "com.pyxis.greenhopper.jira:gh-lexo-rank"
SPRINT: Final = "com.pyxis.greenhopper.jira:gh-sprint"
EPIC_NAME: Final = "com.pyxis.greenhopper.jira:gh-epic-label"
EPIC_LINK: Final = "com.pyxis.greenhopper.jira:gh-epic-link"
STORY_POINTS: Final = "com.pyxis.greenhopper.jira:jsw-story-points"
FLOAT: Final = "com.atlassian.jira.plugin.system.customfieldtypes:float"
CHECKBOXES: Final = "com.atlassian.jira.plugin.system.customfieldtypes:multicheckboxes"
# What these fields are on a new site, where one of them is missing.
USUAL: Final = {RANK: 10019, SPRINT: 10020, EPIC_NAME: 10011, EPIC_LINK: 10014}


def agile_fields() -> dict[str, str]:
    """Return the ids of the fields that boards have of their own, by the key of their type."""
    rows = CustomField.objects.filter(type__in=USUAL, trashed_at=None).order_by("-id")
    found = {type: f"customfield_{id}" for id, type in rows.values_list("id", "type")}
    return {type: f"customfield_{number}" for type, number in USUAL.items()} | found


def rank_field() -> str:
    """Return the id of the field Rank."""
    return agile_fields()[RANK]


def sprint_field() -> str:
    """Return the id of the field Sprint."""
    return agile_fields()[SPRINT]


def flag_field() -> CustomField | None:
    """Return the field by which issues are flagged as impeded."""
    rows = CustomField.objects.filter(name="Flagged", type=CHECKBOXES, trashed_at=None)
    return rows.order_by("id").first()


def estimate_field(*, simplified: bool) -> CustomField | None:
    """Return the field that new boards estimate by, in company- or team-managed spaces."""
    rows = CustomField.objects.filter(trashed_at=None, project=None).order_by("id")
    points = rows.filter(name="Story Points", type=FLOAT).first()
    estimate = rows.filter(type=STORY_POINTS).first()
    return (estimate or points) if simplified else (points or estimate)


def estimate_name(field_id: str) -> str:
    """Return what a field by which boards estimate is called."""
    if field_id == "timeoriginalestimate":
        return "Original estimate"
    number = field_id.removeprefix("customfield_")
    rows = CustomField.objects.filter(id=int(number)) if is_digits(number) else None
    found = rows.values_list("name", flat=True).first() if rows is not None else None
    return found or field_id
