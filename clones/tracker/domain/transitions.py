"""Moving issues through workflows.

    initial_status(project, issue_type) -> Status       where issues of a type begin
    workflow_of(project, issue_type) -> Workflow
    available(issues, rights) -> {issue.id: [Move]}     a fixed number of statements
    find_move(issue, number, actor=...) -> Move         Invalid: it is not there for this issue
    plan_move(move, issue, {"fields", "update"}, actor=..., version="3") -> Planned | None
    move(issue, number, actor=..., found=..., planned=...) -> Issue
    begin(issue, changes, actor=...)                    what the initial transition does

The order of things: conditions hide a transition; then its screen says which fields may be set and
which must be; validators refuse it in their own words; then the status changes, and post functions
do the rest. All that changed is one entry of the history. An issue gets a resolution only where a
person or a post function sets one: to reach a status that is done does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction

from clones.core import clock
from clones.tracker.domain.errors import Invalid
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.fieldset import (
    Planned,
    act,
    apply,
    check_required,
    fields_of,
    read_changes,
)
from clones.tracker.domain.history import Changes
from clones.tracker.domain.richtext import Version
from clones.tracker.domain.transition_effects import perform
from clones.tracker.models import Issue, Status
from clones.tracker.queries.fields import fields_of_screen
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.transitions import Gathered, IssueFacts, Move, available
from clones.tracker.queries.workflows import first_transition, initial_status, workflow_of
from clones.tracker.rules.workflow import Rule, effects, failure, rule_of

__all__ = [
    "Move",
    "available",
    "begin",
    "change_status",
    "find_move",
    "initial_status",
    "move",
    "plan_move",
    "workflow_of",
]

# What a screen lets people do that is no field of it: the vendor never lists it.
BESIDE_FIELDS = ("comment",)


def find_move(issue: Issue, number: int, *, actor: Rights, remote: bool = True) -> Move:
    """Return the move of an issue by a transition's id.

    Raises:
        Invalid: there is no such transition where the issue is, or its conditions do not hold.
    """
    for found in available([issue], actor, remote=remote)[issue.id]:
        if found.number == number:
            return found
    raise Invalid(f"Transition id '{number}' is not valid for this issue.")


def screen_of(move: Move) -> list[str]:
    """Return the fields of a transition's screen in their order, none without a screen."""
    screen = move.transition.screen_id
    return [] if screen is None else fields_of_screen(screen)


def plan_move(
    move: Move,
    issue: Issue,
    body: Mapping[str, Any],
    *,
    actor: Rights,
    version: Version = "3",
) -> Planned | None:
    """Read what a request sets on the way, `{"fields", "update"}`; None of nothing.

    A comment of a transition without a screen is dropped without a word, as live sites do.

    Raises:
        Invalid: a field is not on the screen, or cannot have the value.
    """
    fields, update = dict(body.get("fields") or {}), dict(body.get("update") or {})
    screen: Sequence[str] = ()
    if move.transition.screen_id is None:
        update.pop("comment", None)
    else:
        screen = [*screen_of(move), *BESIDE_FIELDS]
    if not fields and not update and not screen:
        return None
    fieldset = fields_of(issue.project, issue.issue_type)
    sent = {"fields": fields, "update": update}
    planned = read_changes(fieldset, sent, issue, actor=actor, version=version, screen=screen)
    check_required(planned, issue, screen)
    if "resolution" in screen and planned.values.get("resolution", issue.resolution) is None:
        # Where people see it on a screen, they must choose one.
        raise Invalid(fields={"resolution": "Resolution is required."})
    return planned


def move(
    issue: Issue,
    number: int,
    *,
    actor: Rights,
    found: Move | None = None,
    planned: Planned | None = None,
    metadata: dict[str, Any] | None = None,
    remote: bool = True,
    notify: bool = True,
) -> Issue:
    """Take an issue through a transition.

    Args:
        issue: with its space, type and status loaded.
        number: the transition's id in the API.
        actor: who moves it.
        found: the move, where the caller has found it already (`find_move`).
        planned: what is set on the way (`plan_move`), comments among it.
        metadata: what integrations say of the change, for the history.
        remote: whether the API or a rule asks; pages of people do not see all transitions.
        notify: whether people are told.

    Raises:
        Invalid: there is no such transition for this issue, or a validator refuses it.
    """
    if found is None:
        found = find_move(issue, number, actor=actor, remote=remote)
    with transaction.atomic():
        changes = Changes(issue, actor)
        resolution = issue.resolution_id
        if planned is not None:
            apply(planned, issue, changes)
        _validate(found, issue, changes, planned, actor=actor, remote=remote)
        rules = [rule_of(rule) for rule in found.transition.actions]
        webhooks = perform(effects(rules), issue, changes, actor=actor)
        _keep_resolution_date(issue, resolution)
        before = issue.status
        note_status(issue, found.to, changes)
        group = changes.save(metadata)
        issue.updated = clock.now()
        issue.save()
        if planned is not None:
            act(planned, issue, actor=actor)
        details = {
            "transition": found.number,
            "transition_name": found.name,
            "from": before.id,
            "to": found.to.id,
            "webhooks": webhooks,
        }
        for kind in ("issue_transitioned", "issue_updated"):
            publish(
                Event(kind, actor, issue=issue, changes=group, notify=notify, details=dict(details))
            )
    return issue


def note_status(issue: Issue, status: Status, changes: Changes) -> None:
    """Put an issue into a status, in memory, and note that in its history."""
    before = issue.status
    changes.note("status", "status", str(before.id), before.name, str(status.id), status.name)
    if before.category != status.category:
        issue.status_category_changed = clock.now()
    issue.status = status


def change_status(issue: Issue, status: Status, *, actor: Rights) -> Issue:
    """Put an issue into a status past its workflow: where workflows or spaces change under it."""
    changes = Changes(issue, actor)
    note_status(issue, status, changes)
    group = changes.save()
    if group is not None:
        issue.save()
        publish(Event("issue_updated", actor, issue=issue, changes=group, notify=False))
    return issue


def begin(issue: Issue, changes: Changes, *, actor: Rights) -> None:
    """Do what the initial transition of a new issue's workflow says.

    Columns of `issue` are set, not written; nothing of it belongs into a history.

    Raises:
        Invalid: a validator refuses that it is made.
    """
    found = first_transition(issue.project, issue.issue_type)
    if not found.validators and not found.actions:
        return
    facts = IssueFacts(issue, Gathered([issue], actor), remote=True)
    _refuse_by([rule_of(rule) for rule in found.validators], facts)
    resolution = issue.resolution_id
    perform(effects([rule_of(rule) for rule in found.actions]), issue, changes, actor=actor)
    _keep_resolution_date(issue, resolution)


def _validate(
    move: Move,
    issue: Issue,
    changes: Changes,
    planned: Planned | None,
    *,
    actor: Rights,
    remote: bool,
) -> None:
    if not move.transition.validators:
        return
    changed = {item.field_id for item in changes.items}
    if planned is not None and planned.comments:
        changed.add("comment")
    facts = IssueFacts(issue, Gathered([issue], actor), remote=remote, changed=changed)
    _refuse_by([rule_of(rule) for rule in move.transition.validators], facts)


def _refuse_by(rules: Sequence[Rule], facts: IssueFacts) -> None:
    messages = [text for rule in rules if (text := failure(rule, facts)) is not None]
    if messages:
        raise Invalid(*dict.fromkeys(messages))


def _keep_resolution_date(issue: Issue, before: int | None) -> None:
    if issue.resolution_id != before:
        issue.resolution_date = None if issue.resolution_id is None else clock.now()
