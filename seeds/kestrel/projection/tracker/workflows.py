"""Workflows of engineering: one for all, and one with a review; the way to Done has a screen."""

from __future__ import annotations

from clones.tracker import models as tracker
from clones.tracker.domain.setup.fields import RESOLVE_SCREEN
from clones.tracker.domain.workflow_schemes import create_scheme
from clones.tracker.domain.workflow_writing import insert_workflow
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.workflow.drafts import (
    SCREEN,
    StatusPlacement,
    TransitionDraft,
    TransitionSource,
    WorkflowDraft,
)
from clones.tracker.rules.workflow.rule import Rule

NAME = "Kestrel delivery"
OPEN = ("To Do", "In Progress")
REVIEW = "In Review"
DONE = "Done"
CLEAR = Rule("system:update-field", {"field": "resolution", "value": "", "mode": "replace"})


def make_workflow_scheme(*, review: bool, actor: Rights) -> tracker.WorkflowScheme:
    """Make the workflow of engineering's spaces, with or without a review, and its scheme.

    Everything leads everywhere. Of the two ways to Done the first asks for a resolution on its
    screen; the second, which boards take, sets none.
    """
    name = f"{NAME} with review" if review else NAME
    steps = (*OPEN, *((REVIEW,) if review else ()))
    screen = tracker.Screen.objects.filter(name=RESOLVE_SCREEN).order_by("id")[0]
    rows = tracker.Status.objects.filter(project=None, name__in=[*steps, DONE]).order_by("-id")
    draft = WorkflowDraft(
        name=f"{name} workflow",
        description="Made when the teams left the template's workflows behind.",
        places=tuple(StatusPlacement(step) for step in (*steps, DONE)),
        transitions=(
            TransitionDraft(id="1", name="Create", type="INITIAL", to=steps[0]),
            *(
                TransitionDraft(
                    id=str(11 + 10 * place), name=step, type="GLOBAL", to=step, actions=(CLEAR,)
                )
                for place, step in enumerate(steps)
            ),
            TransitionDraft(
                id="51",
                name="Close",
                type="DIRECTED",
                to=DONE,
                links=tuple(TransitionSource(step) for step in steps),
                screen=Rule(SCREEN, {"screenId": str(screen.id)}),
            ),
            TransitionDraft(id="61", name=DONE, type="GLOBAL", to=DONE),
        ),
    )
    insert_workflow(draft, {row.name: row for row in rows}, author=actor.user)
    return create_scheme(f"{name} workflow scheme", None, draft.name, {}, actor=actor)
