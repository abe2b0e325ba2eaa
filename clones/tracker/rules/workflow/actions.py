"""Post functions: what a transition does besides the change of status, read into plain effects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from clones.tracker.rules.workflow.rule import Rule


@dataclass(frozen=True, slots=True)
class Assign:
    """Somebody becomes the assignee: `to` is account, current, default, lead, reporter, nobody."""

    to: str
    account: str = ""


@dataclass(frozen=True, slots=True)
class SetField:
    """A field takes a value, or `append`s it to what it has; "" empties it."""

    field: str
    value: str
    append: bool = False


@dataclass(frozen=True, slots=True)
class Copy:
    """A field takes the value of another, of the issue itself or of its parent."""

    source: str
    target: str
    from_parent: bool = False


@dataclass(frozen=True, slots=True)
class CallWebhook:
    """A webhook of the site is called."""

    webhook: str


Effect = Assign | SetField | Copy | CallWebhook

ASSIGNEES = {
    "to-selected-user": "account",
    "to-unassigned": "nobody",
    "to-current-user": "current",
    "to-default-user": "default",
    "to-lead": "lead",
    "to-reporter": "reporter",
}


def effects(rules: Iterable[Rule]) -> Iterator[Effect]:
    """Yield what post functions do, in their order; rules of apps do nothing here."""
    for rule in rules:
        match rule.key:
            case "system:change-assignee":
                to = ASSIGNEES.get(rule.text("type"), "current")
                yield Assign(to, rule.text("accountId"))
            case "system:update-field":
                # The vendor reads no mode, and "", as `replace`.
                append = rule.text("mode") == "append"
                yield SetField(rule.text("field"), rule.text("value"), append)
            case "system:copy-value-from-other-field":
                parent = rule.text("issueSource") == "PARENT"
                yield Copy(rule.text("sourceFieldKey"), rule.text("targetFieldKey"), parent)
            case "system:trigger-webhook":
                yield CallWebhook(rule.text("webhookId"))
