"""The rules of a transition: conditions, validators and post functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.posted import posted_text
from clones.tracker.domain.errors import NotFound
from clones.tracker.rules.workflow.drafts import TransitionDraft
from clones.tracker.rules.workflow.editing import put_rule, rules_of, set_operation
from clones.tracker.rules.workflow.rule import Rule
from clones.tracker.web.access import Visitor
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.settings.forms import FormPage, Input, chosen
from clones.tracker.web.settings.workflows.editor import transition_of, ways_of
from clones.tracker.web.settings.workflows.parameters import (
    Offers,
    about,
    kinds_of,
    name_of,
    new_rule,
    parameter_texts,
    sent_rule,
)
from clones.tracker.web.settings.workflows.seat import (
    Seat,
    ask,
    back_to,
    editing,
    flow_page,
    flow_sheet,
    form_of_editing,
    keep,
    page_of_workflow,
)

# What addresses call the families, and what people do.
FAMILIES: Final = {
    "conditions": ("Condition", "Conditions", "condition"),
    "validators": ("Validator", "Validators", "validator"),
    "functions": ("Function", "Post functions", "post function"),
}


@dataclass(frozen=True, slots=True)
class WorkflowRuleItem:
    """A rule as a page shows it."""

    at: int
    name: str
    about: str
    told: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class RuleGroup:
    """The rules of a family."""

    key: str
    heading: str
    one: str
    lines: Sequence[WorkflowRuleItem]
    offered: bool


@page_of_workflow
def show(request: SandboxRequest, who: Visitor, seat: Seat, transition: str) -> HttpResponse:
    """Show a transition with its rules."""
    drafted = seat.drafted
    item = transition_of(seat, transition)
    offers = Offers(drafted)
    parts = [
        RuleGroup(
            key,
            heading,
            one,
            [
                WorkflowRuleItem(at, name_of(rule), about(rule), parameter_texts(rule, offers))
                for at, rule in enumerate(rules_of(item, family))
            ],
            bool(_kinds(seat, item, family)),
        )
        for key, (family, heading, one) in FAMILIES.items()
    ]
    context = {
        "item": item,
        "way": next(way for way in ways_of(drafted) if way.item.id == transition),
        "parts": parts,
        "operation": Input(
            "operation",
            "Conditions that must hold",
            "select",
            choices=chosen(
                [("ALL", "All conditions"), ("ANY", "Any condition")],
                ["" if item.conditions is None else item.conditions.operation],
            ),
        ),
    }
    return flow_page(
        request, who, seat, "tracker/settings/workflow/transition.html", context,
        title=f"Transition {item.name}",
    )  # fmt: skip


def _kinds(seat: Seat, item: TransitionDraft, family: str) -> list[tuple[str, str]]:
    if family == "Condition" and item.type == "INITIAL":
        return []
    scope = "GLOBAL" if seat.workflow.project_id is None else "PROJECT"
    initial = item.type == "INITIAL" and family != "Condition"
    return kinds_of(family, scope, initial=initial)


def _family(key: str) -> tuple[str, str, str]:
    if key not in FAMILIES:
        raise NotFound("There are no such rules.")
    return FAMILIES[key]


@editing
def add(
    request: SandboxRequest, who: Visitor, seat: Seat, transition: str, family: str
) -> HttpResponse:
    """Show the form of a new rule, or take it: first its kind, then its parameters."""
    item = transition_of(seat, transition)
    named, _, one = _family(family)
    kinds = _kinds(seat, item, named)
    kind = posted_text(request, "kind")
    rule = new_rule(kind) if kind in dict(kinds) else None
    back = f"{seat.root}/transitions/{transition}"
    if rule is None:
        choices = chosen(kinds, [kind])
        sheet = FormPage(
            f"Add {one}",
            request.path,
            back,
            [Input("kind", "Rule", "select", choices=choices, required=True)],
            button="Next",
        )
        return flow_sheet(request, who, seat, sheet)
    heading = f"Add {one}: {name_of(rule)}"
    hidden = [Input("kind", "", "hidden", kind), Input("filled", "", "hidden", "1")]
    inputs = [*hidden, *Offers(seat.drafted).inputs(rule)]
    sheet = FormPage(heading, request.path, back, inputs, "Add", said=about(rule))
    if not posted_text(request, "filled"):
        return flow_sheet(request, who, seat, sheet)
    begun = rule

    def write(sent: PageForm) -> str:
        made = sent_rule(sent, begun)
        keep(who, seat, put_rule(seat.drafted, transition, named, None, made))
        return f"{name_of(made)} added"

    return ask(request, who, seat, sheet, write)


def _rule(item: TransitionDraft, family: str, at: int) -> Rule:
    rows = rules_of(item, family)
    if at >= len(rows):
        raise NotFound("There is no such rule.")
    return rows[at]


@editing
def edit(
    request: SandboxRequest, who: Visitor, seat: Seat, *, transition: str, family: str, at: int
) -> HttpResponse:
    """Show the parameters of a rule, or take them."""
    item = transition_of(seat, transition)
    named, _, one = _family(family)
    rule = _rule(item, named, at)
    sheet = FormPage(
        f"Edit {one}: {name_of(rule)}",
        request.path,
        f"{seat.root}/transitions/{transition}",
        Offers(seat.drafted).inputs(rule),
        said=about(rule),
    )

    def write(sent: PageForm) -> str:
        made = sent_rule(sent, rule)
        keep(who, seat, put_rule(seat.drafted, transition, named, at, made))
        return f"{name_of(made)} saved"

    return ask(request, who, seat, sheet, write)


@editing
def remove(
    request: SandboxRequest, who: Visitor, seat: Seat, *, transition: str, family: str, at: int
) -> HttpResponse:
    """Ask whether a rule is to be taken out, or do it."""
    item = transition_of(seat, transition)
    named, _, _ = _family(family)
    rule = _rule(item, named, at)
    sheet = FormPage(
        f"Remove {name_of(rule)}?",
        request.path,
        f"{seat.root}/transitions/{transition}",
        button="Remove",
        danger=True,
    )

    def write(_sent: PageForm) -> str:
        keep(who, seat, put_rule(seat.drafted, transition, named, at, None))
        return f"{name_of(rule)} removed"

    return ask(request, who, seat, sheet, write)


@form_of_editing
def combine(request: SandboxRequest, who: Visitor, seat: Seat, transition: str) -> HttpResponse:
    """Let all conditions be needed, or any of them."""
    operation = posted_text(request, "operation")
    if operation not in ("ALL", "ANY"):
        raise NotFound("There is no such operation.")
    transition_of(seat, transition)
    attempt(lambda: keep(who, seat, set_operation(seat.drafted, transition, operation)))
    return back_to(request, seat, f"/transitions/{transition}", "Conditions saved")
