"""Making issues."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from django.db import transaction
from django.db.models import F

from clones.core import clock, gaps
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.history import Changes
from clones.tracker.domain.issues.applying import apply, first_text
from clones.tracker.domain.issues.assigning import assignee_of_space
from clones.tracker.domain.issues.defaults import default_values
from clones.tracker.domain.issues.hierarchy import WRONG_TYPE, check_parent
from clones.tracker.domain.issues.named import BadValue
from clones.tracker.domain.issues.planning import Planned, check_required
from clones.tracker.domain.issues.resolving import AUTOMATIC
from clones.tracker.domain.issues.side_effects import act
from clones.tracker.domain.issues.values import ATTRIBUTES
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.properties import checked_properties, set_properties
from clones.tracker.domain.ranking import rank_at_end
from clones.tracker.domain.transitions import begin, initial_status, move
from clones.tracker.domain.watching import keep_watching
from clones.tracker.models import FormerIssueKey, Issue, IssueType, Project
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import Rights

NEAR: Final = 20  # how far from its neighbours in time a planted number may lie
NOT_ALLOWED: Final = "You do not have permission to create issues in this project."
NOBODY_ALLOWED: Final = (
    "Anonymous users do not have permission to create issues in this project."
    " Please try logging in first."
)


def create_issue(
    project: Project,
    issue_type: IssueType,
    planned: Planned,
    *,
    actor: Rights,
    transition: int | None = None,
    properties: Any = (),
    notify: bool = True,
    trusted: bool = False,
) -> Issue:
    """Make an issue in a space.

    Args:
        project: the space.
        issue_type: one that the space offers.
        planned: what its fields shall hold (`read_changes`), read for this type and space.
        actor: who makes it: its creator, and its reporter unless another is planned.
        transition: the number of a transition that it takes at once.
        properties: a list of {"key", "value"}.
        notify: whether people are told.
        trusted: whether the caller has seen to the permission, and required fields may be empty
            (desks, which have forms of their own).

    Raises:
        Invalid: no permission, a type or parent that cannot be, or a required field is empty.
    """
    if not trusted and not actor.may("CREATE_ISSUES", project):
        text = NOBODY_ALLOWED if actor.user is None else NOT_ALLOWED
        raise Invalid(fields={"project": text})
    if issue_type not in types_of(project):
        raise Invalid(fields={"issuetype": WRONG_TYPE})
    pairs = checked_properties(properties)
    values = _whole(planned, actor)
    try:
        check_parent(project, issue_type, values.get("parent"))
    except BadValue as error:
        raise Invalid(fields=error.by_field) from error
    whole = Planned(planned.fieldset, values, planned.acts)
    if not trusted:
        check_required(whole, None)
    with transaction.atomic():
        issue = _insert(project, issue_type, values, actor)
        changes = Changes(issue, actor)
        columns = {id: value for id, value in values.items() if id not in ATTRIBUTES}
        columns.pop("timetracking", None)
        apply(Planned(planned.fieldset, columns), issue, changes)
        first_text(issue)
        set_properties("issue", str(issue.id), pairs)
        begin(issue, changes, actor=actor)
        issue.save()
        if actor.user is not None:
            keep_watching(issue, actor.user)
        publish(Event("issue_created", actor, issue=issue, notify=notify))
        act(planned, issue, actor=actor, notify=notify)
        if transition is not None:
            move(issue, transition, actor=actor, notify=notify)
    return issue


def _whole(planned: Planned, actor: Rights) -> dict[str, Any]:
    """Return what was planned, and the defaults of what was not."""
    fieldset = planned.fieldset
    project = fieldset.project
    values = default_values(fieldset, actor) | planned.values
    parent = values.get("parent")
    if fieldset.issue_type.subtask and parent is not None:
        values["security"] = parent.security_level  # which its parts share
    if values.get("reporter") is None and "reporter" not in planned.values:
        values["reporter"] = actor.user
    if values.get("assignee", AUTOMATIC) == AUTOMATIC:
        values["assignee"] = assignee_of_space(project, values.get("components", ()))
    return {id: value for id, value in values.items() if value is not None}


def take_number(project: Project) -> int:
    """Return the number of the next issue of a space: none is given twice.

    Under `clock.at` it is a free one among those of that time, where there is one near. Where gaps
    are left between planted rows it is drawn among these, or lies beyond a gap.
    """
    gap = 0
    if clock.is_back_dated():
        rng = gaps.drawn_for(f"tracker.project.{project.key}")
        free = _number_of_that_time(project, rng)
        if free is not None:
            return free
        gap = 0 if rng is None else gaps.next_beyond(rng, 0) - 1
    rows = Project.objects.filter(id=project.id)
    rows.update(last_number=F("last_number") + 1 + gap)
    project.last_number = rows.values_list("last_number", flat=True).get()
    return project.last_number


def _number_of_that_time(project: Project, rng: Random | None) -> int | None:
    """Return a free number among those of the time at hand, None where the next one is it."""
    rows = Issue.objects.filter(project=project)
    before = rows.filter(created__lte=clock.now()).order_by("-created", "-id")
    centre = before.values_list("number", flat=True).first()
    last = Project.objects.values_list("last_number", flat=True).get(id=project.id)
    if centre is None:
        return None
    near = range(max(centre - NEAR, 1), min(centre + NEAR, last) + 1)
    keys = [f"{project.key}-{number}" for number in near]
    taken = set(rows.filter(number__in=near).values_list("number", flat=True))
    former = FormerIssueKey.objects.filter(key__in=keys).values_list("key", flat=True)
    taken |= {int(key.rpartition("-")[2]) for key in former}
    if rng is not None:
        after = rows.filter(created__gt=clock.now()).order_by("created", "id")
        above = after.values_list("number", flat=True).first()
        if above is None:
            return None
        return gaps.free_between(rng, centre, above, near=near, taken=taken)
    free = [number for number in near if number not in taken]
    return min(free, key=lambda number: (abs(number - centre), -number), default=None)


def _insert(
    project: Project, issue_type: IssueType, values: dict[str, Any], actor: Rights
) -> Issue:
    now = clock.now()
    number = take_number(project)
    estimates = values.get("timetracking")
    issue = Issue(
        id=next_id(Issue),
        project=project,
        number=number,
        key=f"{project.key}-{number}",
        issue_type=issue_type,
        status=initial_status(project, issue_type),
        status_category_changed=now,
        creator=actor.user,
        original_estimate=None if estimates is None else estimates.original,
        remaining_estimate=None if estimates is None else estimates.remaining,
        rank=rank_at_end(),
        created=now,
        updated=now,
        summary=values.get("summary") or "",
    )
    for id, value in values.items():
        if id in ATTRIBUTES:
            setattr(issue, ATTRIBUTES[id], value)
    if issue.resolution is not None:
        issue.resolution_date = now
    issue.save(force_insert=True)
    # From here on only columns that change are written.
    issue.loaded_columns = {
        column.attname: getattr(issue, column.attname) for column in issue._meta.concrete_fields
    }
    return issue
