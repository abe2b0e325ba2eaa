"""The workflow of T08: steps that ask for something, and a way round them that should not be."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from clones.core import clock, jobs
from clones.core.journal import act
from clones.tracker.domain.setup.access import ADMINISTRATORS, roles_by_name
from clones.tracker.domain.setup.fields import RESOLVE_SCREEN
from clones.tracker.domain.workflow_scheme_switching import switch_scheme
from clones.tracker.domain.workflow_schemes import create_scheme
from clones.tracker.domain.workflow_writing import insert_workflow
from clones.tracker.domain.workflows import write_statuses
from clones.tracker.models import IssueType, Project, Screen, Status, User
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.workflows import workflow_of
from clones.tracker.rules.workflow.drafts import (
    SCREEN,
    StatusDraft,
    StatusPlacement,
    TransitionDraft,
    TransitionSource,
    WorkflowDraft,
)
from clones.tracker.rules.workflow.rule import Rule, Tree
from episodes.families.t08.params import APPROVED, NAMES, REVIEW, Params

START, SEND, APPROVE, CLOSE, BACK, SHORT_CUT, REOPEN = 11, 21, 31, 41, 51, 61, 71
TYPES: Final = ("Story", "Task", "Bug")
CLEAR: Final = Rule("system:update-field", {"field": "resolution", "value": "", "mode": "replace"})


def give_workflow(params: Params, project: Project, *, by: User, at: datetime) -> dict[str, Status]:
    """Give a space its workflow for stories, tasks and bugs; return the statuses by name.

    What there is in the space keeps its status; sub-tasks and epics keep their workflow.
    """
    actor = Rights(by)
    with clock.at(at), act(actor="world", label="workflow"):
        statuses = _statuses(params)
        draft = _draft(params, project, statuses)
        insert_workflow(draft, statuses, author=by)
        kinds = list(
            IssueType.objects.filter(
                name__in=TYPES, project=None, places__scheme=project.issue_type_scheme_id
            ).order_by("id")
        )
        before = workflow_of(project, kinds[0])
        mappings = {str(kind.id): draft.name for kind in kinds}
        scheme = create_scheme(
            f"{project.name} scheme of rules", None, before.name, mappings, actor=actor
        )
        switch_scheme(project, scheme, {}, actor=actor)
    jobs.catch_up(at)
    return statuses


def _statuses(params: Params) -> dict[str, Status]:
    rows = Status.objects.filter(project=None).order_by("-id")
    found = {row.name: row for row in rows}
    if params.approved and APPROVED not in found:
        made = StatusDraft(reference=APPROVED, name=APPROVED, category="IN_PROGRESS")
        found |= write_statuses([made], None)
    return {name: found[name] for name in _places(params)}


def _places(params: Params) -> list[str]:
    return ["To Do", "In Progress", REVIEW, *([APPROVED] if params.approved else []), "Done"]


def _draft(params: Params, project: Project, statuses: dict[str, Status]) -> WorkflowDraft:
    last = APPROVED if params.approved else REVIEW
    screen = Screen.objects.filter(name=RESOLVE_SCREEN).order_by("id")[0]
    text = f"{NAMES[params.asked]} must be filled before review."
    asked = {"ruleType": "fieldRequired", "fieldsRequired": params.asked, "errorMessage": text}
    done = str(statuses["Done"].id)
    parts = Rule(
        "system:parent-or-child-blocking-condition", {"blocker": "CHILD", "statusIds": done}
    )
    transitions = [
        TransitionDraft(id="1", name="Create", type="INITIAL", to="To Do"),
        _step(START, "Start progress", "To Do", "In Progress"),
        _step(
            SEND,
            "Send to review",
            "In Progress",
            REVIEW,
            validators=(Rule("system:validate-field-value", asked),),
        ),
        _step(BACK, "Back to work", REVIEW, "In Progress"),
        _step(
            CLOSE,
            "Close",
            last,
            "Done",
            conditions=Tree("ALL", (parts,)),
            screen=Rule(SCREEN, {"screenId": str(screen.id)}),
        ),
        TransitionDraft(id=str(SHORT_CUT), name="Done", type="GLOBAL", to="Done"),
        _step(REOPEN, "Reopen", "Done", "To Do", actions=(CLEAR,)),
    ]
    if params.approved:
        condition = _approving(params, statuses)
        transitions.append(
            _step(APPROVE, "Approve", REVIEW, APPROVED, conditions=Tree("ALL", (condition,)))
        )
    return WorkflowDraft(
        name=f"{project.name} workflow with rules",
        description="Made when the team agreed on how its work is closed.",
        places=tuple(StatusPlacement(name) for name in _places(params)),
        transitions=tuple(transitions),
    )


def _step(
    number: int,
    name: str,
    source: str,
    target: str,
    *,
    validators: tuple[Rule, ...] = (),
    conditions: Tree | None = None,
    actions: tuple[Rule, ...] = (),
    screen: Rule | None = None,
) -> TransitionDraft:
    return TransitionDraft(
        id=str(number),
        name=name,
        type="DIRECTED",
        to=target,
        links=(TransitionSource(source),),
        conditions=conditions,
        validators=validators,
        actions=actions,
        screen=screen,
    )


def _approving(params: Params, statuses: dict[str, Status]) -> Rule:
    """Return who may approve: those who run the space, or anybody but who sent it to review."""
    if params.approval == "lead":
        role = roles_by_name()[ADMINISTRATORS]
        return Rule("system:restrict-issue-transition", {"roleIds": str(role.id)})
    return Rule(
        "system:separation-of-duties",
        {
            "fromStatusId": str(statuses["In Progress"].id),
            "toStatusId": str(statuses[REVIEW].id),
        },
    )
