"""The builder of a rule: its chain of components, and the form of the one that is chosen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpResponse

from clones.core import sightings
from clones.core.digits import is_digits
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text, posted_texts
from clones.tracker.domain.automation.rules import update_rule
from clones.tracker.domain.errors import Invalid
from clones.tracker.models import AutomationRule, Project
from clones.tracker.queries.automation import may_change_rule
from clones.tracker.rules.automation import editing, forms
from clones.tracker.rules.automation.catalogue import ComponentKind, Input, kind_of
from clones.tracker.rules.automation.catalogue.asking import BLOCK, CHECKS, CONTAINER
from clones.tracker.rules.automation.documents import (
    TRIGGER_ID,
    BadRule,
    Component,
    problems,
    walk,
)
from clones.tracker.rules.automation.events import INCOMING
from clones.tracker.web.access import Visitor
from clones.tracker.web.automation.choices import field_options, options_of, with_held
from clones.tracker.web.automation.lists import grouped
from clones.tracker.web.automation.places import RuleScope
from clones.tracker.web.parts.attempts import FormErrors, attempt
from clones.tracker.web.plain_pages import not_found
from clones.tracker.web.shell import go

VERBS: Final = (
    ("SET", "Set to"),
    ("ADD", "Add"),
    ("REMOVE", "Remove"),
    ("COPY", "Copy from"),
    ("CLEAR", "Clear"),
)
WHO: Final = (
    ("initiator", "User who triggered the event"),
    ("assignee", "Assignee"),
    ("reporter", "Reporter"),
    ("creator", "Creator"),
    ("actor", "Rule actor"),
)
ARRANGE: Final = (
    ("up", "Move up"),
    ("down", "Move down"),
    ("duplicate", "Duplicate"),
    ("remove", "Delete component"),
)
SPARE: Final = 3  # empty rows of a form
_CHOSEN: Final = {
    "CONDITION": "New condition",
    "BRANCH": "New branch",
    "ACTION": "New action",
}


@dataclass(frozen=True, slots=True)
class ChainLink:
    """A component in the chain. `slot` adds to it: "" for nothing, children or conditions."""

    id: str
    name: str
    said: str
    icon: str
    component: str
    depth: int
    current: bool
    problem: str
    adds: Sequence[tuple[str, str]]
    first: bool
    last: bool


@dataclass(frozen=True, slots=True)
class ComponentControl:
    """A control of a component's form."""

    input: Input
    name: str
    held: Any
    options: Sequence[tuple[str, str]]


def show(request: SandboxRequest, who: Visitor, place: RuleScope, uuid: str) -> HttpResponse:
    """Show a rule: the chain at the left, what is chosen of it at the right."""
    rule = place.find(who, uuid)
    return _show(request, who, place, rule)


def _show(
    request: SandboxRequest,
    who: Visitor,
    place: RuleScope,
    rule: AutomationRule,
    *,
    part: str | None = None,
    refusal: FormErrors | None = None,
    value: Any = None,
) -> HttpResponse:
    sightings.note(rule, "detail")
    wrong = problems(rule.trigger or None, rule.components)
    chosen = request.GET.get("part", "") if part is None else part
    adding, within = request.GET.get("add", ""), request.GET.get("within", "")
    context: dict[str, Any] = {
        "rule": rule,
        "rule_at": place.rule_address(rule),
        "tab": "builder",
        "editable": may_change_rule(who.rights, rule),
        "chain": list(_chain(rule, chosen, wrong)),
        "wrong": wrong.get("", ""),
        "ready": not wrong,
        "adding": adding if adding in ("children", "conditions") else "",
        "within": within,
        "chosen": chosen,
        "verbs": VERBS,
        "checks": CHECKS,
        "arrange": ARRANGE,
        "problems": [] if refusal is None else refusal.sentences,
    }
    if context["adding"]:
        context["offers"] = _offers(adding)
    if chosen == TRIGGER_ID:
        context["triggers"] = grouped("TRIGGER")
        context["hook"] = _hook(rule) if rule.trigger_type == INCOMING else None
    component = _component(rule, chosen)
    if component is not None:
        kind = kind_of(component["type"])
        if kind is not None:
            held = component["value"] if value is None else value
            context |= {
                "kind": kind,
                "controls": controls_of(kind, held, place.project),
                "component": component,
            }
    status = 400 if refusal is not None else 200
    return place.show(
        request, who, "tracker/automation/rule.html", context, title=rule.name, status=status
    )


def _hook(rule: AutomationRule) -> dict[str, str]:
    return {"address": f"/automation/webhooks/jira/a/{rule.uuid}", "token": rule.hook}


def _component(rule: AutomationRule, id: str) -> Component | None:
    if id == TRIGGER_ID:
        return rule.trigger or None
    try:
        return editing.find(rule.components, id) if id else None
    except BadRule:
        return None


def _offers(slot: str) -> list[tuple[str, list[tuple[str, list[ComponentKind]]]]]:
    """Return what can be added: conditions alone to an IF block's own, else all."""
    kinds = ("CONDITION",) if slot == "conditions" else ("CONDITION", "BRANCH", "ACTION")
    found = []
    for component in kinds:
        groups = [
            (name, [kind for kind in listed if slot != "conditions" or kind.type != CONTAINER])
            for name, listed in grouped(component)
        ]
        found.append((_CHOSEN[component], groups))
    return found


def _chain(rule: AutomationRule, chosen: str, wrong: dict[str, str]) -> Iterator[ChainLink]:
    kind = kind_of(rule.trigger_type)
    said = "" if kind is None else forms.summary_of(kind, rule.trigger.get("value"))
    yield ChainLink(
        TRIGGER_ID,
        "Choose a trigger" if kind is None else f"When: {kind.name}",
        said,
        "automation",
        "TRIGGER",
        0,
        chosen == TRIGGER_ID,
        wrong.get(TRIGGER_ID, ""),
        (),
        first=True,
        last=True,
    )
    yield from _links(rule.components, chosen, wrong, 0)


def _links(
    components: Sequence[Component],
    chosen: str,
    wrong: dict[str, str],
    depth: int,
    prefix: str = "",
) -> Iterator[ChainLink]:
    for place, one in enumerate(components):
        kind = kind_of(one["type"])
        if kind is None:
            continue
        yield ChainLink(
            one["id"],
            _called(one, kind, place, prefix),
            forms.summary_of(kind, one["value"]),
            kind.icon,
            one["component"],
            depth,
            one["id"] == chosen,
            wrong.get(one["id"], ""),
            _adds(one),
            place == 0,
            place == len(components) - 1,
        )
        yield from _links(one["conditions"], chosen, wrong, depth + 1, "If: ")
        yield from _links(one["children"], chosen, wrong, depth + 1)


def _called(component: Component, kind: ComponentKind, place: int, prefix: str) -> str:
    if component["type"] == BLOCK:
        if not component["conditions"]:
            return "Else"
        return "If" if place == 0 else "Else if"
    words = {"CONDITION": "If: ", "BRANCH": "For: ", "ACTION": "Then: "}
    return f"{prefix or words.get(component['component'], '')}{kind.name}"


def _adds(component: Component) -> Sequence[tuple[str, str]]:
    if component["type"] == CONTAINER:
        return (("block", "Add else"),)
    if component["type"] == BLOCK:
        return (("conditions", "Add condition"), ("children", "Add component"))
    if component["component"] == "BRANCH":
        return (("children", "Add component"),)
    if component["type"] == "jira.issues.related.condition":
        return (("conditions", "Add condition"),)
    return ()


def controls_of(kind: ComponentKind, value: Any, project: Project | None) -> list[ComponentControl]:
    """Return the controls of a component's form, with what they hold."""
    found = []
    for one in kind.inputs:
        held = forms.shown(one, value)
        options: Sequence[tuple[str, str]] = ()
        if one.kind in ("choice", "named", "several"):
            options = with_held(options_of(one, project), held)
        if one.kind == "operations":
            options = field_options(project)
            held = [*held, *({"field": "", "verb": "SET", "value": ""} for _ in range(SPARE))]
        if one.kind == "checks":
            options = WHO
            held = [*held, *({"field": "", "check": "USER_IS", "value": ""} for _ in range(2))]
        found.append(ComponentControl(one, forms.control_name(one), held, options))
    return found


def save(
    request: SandboxRequest, who: Visitor, place: RuleScope, uuid: str, part: str
) -> HttpResponse:
    """Take the form of a component."""
    rule = place.find(who, uuid)
    component = _component(rule, part)
    kind = None if component is None else kind_of(component["type"])
    if request.method != "POST" or component is None or kind is None:
        return not_found()
    typed = {name: posted_texts(request, name) for name in request.POST}
    value = forms.read(kind, component["value"], typed)
    if part == TRIGGER_ID:
        changes: dict[str, Any] = {"trigger": {**rule.trigger, "value": value}}
    else:
        changes = {"components": editing.with_value(rule.components, part, value)}
    return _written(request, who, place, rule, changes, part=part, value=value)


def _written(
    request: SandboxRequest,
    who: Visitor,
    place: RuleScope,
    rule: AutomationRule,
    changes: dict[str, Any],
    *,
    part: str,
    value: Any = None,
    said: str = "Saved",
) -> HttpResponse:
    made, refusal = attempt(lambda: update_rule(rule, changes, actor=who.rights))
    if made is None:
        fresh = place.find(who, rule.uuid)
        return _show(request, who, place, fresh, part=part, refusal=refusal, value=value)
    leads = f"?part={part}" if part else ""
    return go(f"{place.rule_address(rule)}{leads}", said)


def change_trigger(
    request: SandboxRequest, who: Visitor, place: RuleScope, uuid: str
) -> HttpResponse:
    """Give a rule another kind of trigger."""
    rule = place.find(who, uuid)
    kind = kind_of(posted_text(request, "trigger"))
    if request.method != "POST" or kind is None or kind.component != "TRIGGER":
        return not_found()
    changes = {"trigger": {"type": kind.type, "value": kind.value}}
    return _written(request, who, place, rule, changes, part=TRIGGER_ID)


def add(request: SandboxRequest, who: Visitor, place: RuleScope, uuid: str) -> HttpResponse:
    """Add a component at the end of the rule, or of another component."""
    rule = place.find(who, uuid)
    if request.method != "POST":
        return not_found()
    slot = posted_text(request, "slot", "children")
    within = posted_text(request, "within")
    kind = kind_of(BLOCK if slot == "block" else posted_text(request, "type"))
    if kind is None:
        return not_found()
    try:
        new = editing.fresh(kind.type)
        whole = editing.added(
            rule.components,
            new,
            within=within,
            slot="conditions" if slot == "conditions" else "children",
        )
    except BadRule as error:
        raise Invalid(*error.messages) from error
    made, refusal = attempt(lambda: update_rule(rule, {"components": whole}, actor=who.rights))
    if made is None:
        fresh = place.find(who, uuid)
        return _show(request, who, place, fresh, part="", refusal=refusal)
    before = {one["id"] for one in walk(place.find(who, uuid).components)}
    added = _newest(made, before)
    return go(f"{place.rule_address(rule)}?part={added}", f"{kind.name} added")


def _newest(rule: AutomationRule, ids: set[str]) -> str:
    """Return the component that was added last: its id is the highest."""
    numbers = [int(id) for id in ids if is_digits(id)]
    newest = str(max(numbers, default=0))
    one = next((item for item in walk(rule.components) if item["id"] == newest), None)
    if one is not None and one["type"] == BLOCK:  # an IF block was made with its first branch
        for item in walk(rule.components):
            if item["type"] == CONTAINER and any(
                child["id"] == newest for child in item["children"]
            ):
                return str(item["id"])
    return newest


def rearrange(
    request: SandboxRequest, who: Visitor, place: RuleScope, /, *, uuid: str, part: str, act: str
) -> HttpResponse:
    """Move a component up or down, double it, or take it away."""
    rule = place.find(who, uuid)
    acts = {
        "up": lambda: editing.moved(rule.components, part, -1),
        "down": lambda: editing.moved(rule.components, part, 1),
        "duplicate": lambda: editing.duplicated(rule.components, part),
        "remove": lambda: editing.removed(rule.components, part),
    }
    if request.method != "POST" or act not in acts:
        return not_found()
    try:
        whole = acts[act]()
    except BadRule:
        return not_found()
    leads = "" if act == "remove" else part
    return _written(request, who, place, rule, {"components": whole}, part=leads)
