"""Writing epics as boards see them. What belongs to an epic has it as its parent.

The vendor's epic operations know company-managed spaces only; in others the parent is set as any
field is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from clones.tracker.domain.errors import Forbidden, Invalid, NotFound
from clones.tracker.domain.events import Event, listen
from clones.tracker.domain.fieldset import Planned, fields_of
from clones.tracker.domain.issues.editing import edit_issue
from clones.tracker.domain.ranking import RankOutcome, RankPosition, check_number, rank_issues
from clones.tracker.models import EpicLook, Issue
from clones.tracker.queries.fieldsets import fieldsets_of
from clones.tracker.queries.rights import Rights, find_issue

COLORS: Final = tuple(f"color_{number}" for number in range(1, 15))
EPIC_GONE: Final = "The requested epic does not exist or you do not have permission to view it."
TEAM_MANAGED: Final = (
    "The request contains a next-gen issue. This operation can't add next-gen issues to epics. To"
    " add a next-gen issue to an epic, use the Edit issue operation and set the parent property."
)


def find_epic(rights: Rights, id_or_key: str) -> Issue:
    """Return an epic of a company-managed space.

    Raises:
        NotFound: there is none, or they do not see it.
        Invalid: it is a team-managed space's.
    """
    found = find_issue(rights, id_or_key)
    if found.issue_type.hierarchy_level != 1:
        raise NotFound(EPIC_GONE)
    if found.project.simplified:
        raise Invalid(TEAM_MANAGED)
    return found


@listen("issue_deleted")
def _forget_look(event: Event) -> None:
    if event.issue is not None:
        EpicLook.objects.filter(id=event.issue.id).delete()


def update_epic(epic: Issue, given: Mapping[str, Any], *, actor: Rights) -> Issue:
    """Change what boards show of an epic: of name, summary, color and done those that are given.

    Raises:
        Invalid: a value is wrong.
        Forbidden: the actor may not edit it.
    """
    if not actor.may_on("EDIT_ISSUES", epic):
        raise Forbidden("You do not have permission to edit this epic.")
    color = given.get("color")
    if color is not None and color not in COLORS:
        raise Invalid(fields={"color": f"'{color}' is not a valid epic color."})
    fieldset = fields_of(epic.project, epic.issue_type)
    planned = Planned(fieldset)
    for key, field_id in (("summary", "summary"), ("name", _name_field(fieldset.fields))):
        text = given.get(key)
        if text is None:
            continue
        text = str(text).strip()
        if not text or len(text) > 255 or "\n" in text:
            raise Invalid(fields={key: f"The {key} of an epic must be one line of 1 to 255."})
        if field_id is not None:
            planned.values[field_id] = text
    if planned:
        edit_issue(epic, planned, actor=actor)
    if color is not None or given.get("done") is not None:
        _paint(epic, color, done=given.get("done"))
    return epic


def _name_field(fields: Mapping[str, Any]) -> str | None:
    return next((id for id, field in fields.items() if field.kind.name == "epic_name"), None)


def _paint(epic: Issue, color: str | None, *, done: bool | None) -> None:
    look = EpicLook.objects.filter(id=epic.id).first() or EpicLook(id=epic.id)
    fresh = look._state.adding
    if color is not None:
        look.color = color
    if done is not None:
        look.done = done
    if fresh:
        look.save(force_insert=True)
    else:
        look.save(update_fields=["color", "done"])


def move_to_epic(epic: Issue, issues: Sequence[Issue], *, actor: Rights) -> None:
    """Make issues belong to an epic, and to no other.

    Raises:
        Invalid: one of them cannot belong to an epic, or they are too many.
        Forbidden: the actor may not edit one of them, or the epic.
    """
    check_number(issues)
    if not actor.may_on("EDIT_ISSUES", epic):
        raise Forbidden("You do not have permission to edit this epic.")
    _set_parent(issues, epic, actor)


def remove_from_epics(issues: Sequence[Issue], *, actor: Rights) -> None:
    """Make issues belong to no epic.

    Raises:
        Invalid: one of them cannot belong to an epic, or they are too many.
        Forbidden: the actor may not edit one of them.
    """
    check_number(issues)
    _set_parent(issues, None, actor)


def _set_parent(issues: Sequence[Issue], epic: Issue | None, actor: Rights) -> None:
    for issue in issues:
        if issue.project.simplified:
            raise Invalid(TEAM_MANAGED)
        if issue.issue_type.hierarchy_level != 0:
            text = f"Issue {issue.key} cannot be assigned to an epic because of its issue type."
            raise Invalid(text)
        if not actor.may_on("EDIT_ISSUES", issue):
            raise Forbidden(f"You do not have permission to edit issue {issue.key}.")
    fieldsets = fieldsets_of([(issue.project, issue.issue_type) for issue in issues])
    for issue in {issue.id: issue for issue in issues}.values():
        fieldset = fieldsets[issue.project_id, issue.issue_type_id]
        edit_issue(issue, Planned(fieldset, values={"parent": epic}), actor=actor)


def rank_epic(epic: Issue, place: RankPosition, *, actor: Rights) -> None:
    """Put an epic right before or after another.

    Raises:
        Forbidden: the actor may not schedule it.
    """
    outcome: RankOutcome = rank_issues([epic], place, actor=actor)[0]
    if outcome.status != 200:
        raise Forbidden(*outcome.errors)
