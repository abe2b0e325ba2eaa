"""The audit log of rules: what each run did, step by step, and who is told when one fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from clones.core import clock, post
from clones.core.addresses import with_name
from clones.tracker.domain.notifications import SENDER
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import AutomationRule, AutomationRun, User
from clones.tracker.queries.automation import APP_NAME
from clones.tracker.rules.automation.catalogue import kind_of

SUCCESS, NO_MATCH, ERROR = "SUCCESS", "NO_MATCH", "ERROR"
# After so many runs in a row that failed, a rule is turned off.
PATIENCE: Final = 10
MESSAGE: Final = 2000
MESSAGES: Final = 20
ISSUES: Final = 100
CONFIG_CHANGE: Final = "CONFIG_CHANGE"
OUTCOMES: Final = {
    "SUCCESS": "Success",
    "NO_ACTIONS": "No actions performed",
    "SOME_ERRORS": "Some errors",
    "FAILURE": "Failure",
    "LOOP": "Loop",
    "THROTTLED": "Throttled",
    CONFIG_CHANGE: "Config change",
}


@dataclass(slots=True)
class RecordedStep:
    """What a component did in a run: for all issues together."""

    id: str
    component: str
    type: str
    name: str
    depth: int
    outcomes: set[str] = field(default_factory=set)
    messages: list[str] = field(default_factory=list)
    issues: list[str] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        """Return it as the log keeps it."""
        outcome = next((one for one in (ERROR, SUCCESS, NO_MATCH) if one in self.outcomes), "")
        return {
            "id": self.id,
            "component": self.component,
            "type": self.type,
            "name": self.name,
            "depth": self.depth,
            "outcome": outcome,
            "messages": self.messages[:MESSAGES],
            "issues": self.issues[:ISSUES],
        }


class Log:
    """What happens in one run."""

    def __init__(self, rule: AutomationRule) -> None:
        self.rule = rule
        self.started = clock.now()
        self.steps: dict[str, RecordedStep] = {}
        self.issues: list[str] = []
        self.acted = 0
        self.failed = 0
        self.throttled = False

    def note(
        self,
        component: dict[str, Any],
        outcome: str,
        message: str = "",
        *,
        issue: str = "",
        depth: int = 0,
    ) -> None:
        """Note what a component did for an issue."""
        kind = kind_of(component["type"])
        step = self.steps.get(component["id"])
        if step is None:
            name = component["type"] if kind is None else kind.name
            step = RecordedStep(
                component["id"], component["component"], component["type"], name, depth
            )
            self.steps[component["id"]] = step
        step.outcomes.add(outcome)
        if message and message not in step.messages:
            step.messages.append(message[:MESSAGE])
        if issue and issue not in step.issues:
            step.issues.append(issue)
        if component["component"] == "ACTION" and outcome == SUCCESS:
            self.acted += 1
        if outcome == ERROR:
            self.failed += 1

    def about(self, key: str) -> None:
        """Note that the run is about an issue."""
        if key not in self.issues:
            self.issues.append(key)

    @property
    def outcome(self) -> str:
        """How the run ended."""
        if self.throttled:
            return "THROTTLED"
        if self.failed:
            return "SOME_ERRORS" if self.acted else "FAILURE"
        return "SUCCESS" if self.acted else "NO_ACTIONS"

    def close(self) -> AutomationRun:
        """Write the run, count failures, and tell the owner if they want to know."""
        run = _write(
            self.rule,
            self.outcome,
            steps=[step.row() for step in self.steps.values()],
            issues=self.issues[:ISSUES],
        )
        _count(self.rule, run)
        return run


def record_outcome(
    rule: AutomationRule, outcome: str, message: str, *, issues: Sequence[str] = ()
) -> AutomationRun:
    """Write a run that came to nothing: of a loop, or without rights to what set it off."""
    trigger = {"id": "", "component": "TRIGGER", **rule.trigger}
    kind = kind_of(str(trigger.get("type", "")))
    step = RecordedStep(
        str(trigger["id"]),
        "TRIGGER",
        str(trigger.get("type", "")),
        "" if kind is None else kind.name,
        0,
        {ERROR},
        [message],
    )
    run = _write(rule, outcome, steps=[step.row()], issues=list(issues)[:ISSUES])
    _count(rule, run)
    return run


def record_change(
    rule: AutomationRule, author: User | None, summary: str, changes: Sequence[str] = ()
) -> AutomationRun:
    """Write that somebody changed a rule."""
    step = RecordedStep("", "TRIGGER", "", summary, 0, {SUCCESS}, list(changes))
    return _write(
        rule, CONFIG_CHANGE, steps=[step.row()] if changes else [], author=author, summary=summary
    )


def _write(
    rule: AutomationRule,
    outcome: str,
    *,
    steps: list[dict[str, Any]],
    issues: Sequence[str] = (),
    author: User | None = None,
    summary: str = "",
) -> AutomationRun:
    return AutomationRun.objects.create(
        id=next_id(AutomationRun),
        rule=rule,
        outcome=outcome,
        summary=summary[:255],
        author=author,
        issues=list(issues),
        steps=steps,
        started=clock.now(),
    )


def _count(rule: AutomationRule, run: AutomationRun) -> None:
    """Keep how often a rule failed in a row; turn it off when it is too often."""
    failures = int(rule.memory.get("failures", 0))
    if run.outcome in ("SUCCESS", "NO_ACTIONS"):
        if failures:
            rule.memory = {**rule.memory, "failures": 0}
            rule.save(update_fields=["memory"])
        return
    rule.memory = {**rule.memory, "failures": failures + 1}
    rule.save(update_fields=["memory"])
    if rule.notify_on_error == "EVERYERROR" or (
        rule.notify_on_error == "FIRSTERROR" and not failures
    ):
        _tell_owner(rule, run)
    if failures + 1 >= PATIENCE and rule.enabled:
        rule.enabled = False
        rule.save(update_fields=["enabled"])
        record_change(rule, None, f"Rule disabled: it failed {PATIENCE} times in a row")


def _tell_owner(rule: AutomationRule, run: AutomationRun) -> None:
    owner = rule.owner
    if owner.email is None or not owner.active:
        return
    said = [text for step in run.steps if step["outcome"] == ERROR for text in step["messages"]]
    lines = [
        f"The automation rule {rule.name} ended with: {OUTCOMES[run.outcome]}.",
        *said,
        *([f"Work items: {', '.join(run.issues)}"] if run.issues else []),
        "You get this message because you own the rule.",
    ]
    post.send(
        clone="tracker",
        sender=with_name(APP_NAME, SENDER),
        recipients=[with_name(owner.display_name, owner.email)],
        subject=f"Automation rule failed: {rule.name}",
        text="\n\n".join(lines),
        headers={"Auto-Submitted": "auto-generated", "X-Jira-Event": "automation_failed"},
        about=f"tracker.automationrule:{rule.id}",
    )
