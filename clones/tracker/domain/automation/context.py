"""What a run knows: the issue at hand, what set it off, what it made, what texts can name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from clones.core import clock
from clones.tracker.domain.automation.recording import Log
from clones.tracker.domain.errors import ISSUE_GONE, NotFound, TrackerError
from clones.tracker.models import AutomationRule, Issue, Project, User
from clones.tracker.queries import automation_values as values
from clones.tracker.queries.automation_values.issues import WITH
from clones.tracker.queries.automation_values.rows import home
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.automation.smart import Scope, SmartValueError, evaluate, render
from clones.tracker.rules.automation.smart.values import text_of

# How many issues one run may go through, as the vendor has it.
MOST_ISSUES: Final = 5000


class ActFailed(TrackerError):
    """Raised when a component cannot do what it is for; the run goes on with the next."""


class Stopped(Exception):
    """Raised when a run went through more than it may."""


@dataclass(slots=True)
class Shared:
    """What all branches of a run share."""

    created: list[Issue] = field(default_factory=list)
    visited: int = 0


class Run:
    """One run of a rule, or a branch of it, for one issue or none.

    Args:
        rule: the rule.
        actor: what its actor may.
        log: what it does is noted here.
        names: what texts can name beside the issue: comment, fieldChange, webhookData...
        initiator: who set it off, None if nobody did.
        issue: the issue at hand.
        trigger_issue: the one that set it off.
        project: the space that it is about.
    """

    def __init__(
        self,
        rule: AutomationRule,
        actor: Rights,
        log: Log,
        *,
        names: Mapping[str, Any],
        initiator: User | None = None,
        issue: Issue | None = None,
        trigger_issue: Issue | None = None,
        project: Project | None = None,
        shared: Shared | None = None,
    ) -> None:
        self.rule = rule
        self.actor = actor
        self.log = log
        self.names = dict(names)
        self.initiator = initiator
        self.issue = issue
        self.trigger_issue = trigger_issue
        self.project = project or (None if issue is None else issue.project)
        self.shared = shared or Shared()
        self._things: dict[int, values.IssueThing] = {}

    @property
    def key(self) -> str:
        """The key of the issue at hand, "" without one."""
        return "" if self.issue is None else self.issue.key

    def at(self, issue: Issue | None, **names: Any) -> Run:
        """Return the run as it goes on for another issue, or with more names.

        Raises:
            Stopped: it went through too many issues already.
        """
        self.shared.visited += 1
        if self.shared.visited > MOST_ISSUES:
            raise Stopped
        found = Run(
            self.rule,
            self.actor,
            self.log,
            names={**self.names, **names},
            initiator=self.initiator,
            issue=self.issue if issue is None else issue,
            trigger_issue=self.trigger_issue,
            project=self.project if issue is None else issue.project,
            shared=self.shared,
        )
        found._things = self._things  # what was read stays as it was read
        return found

    def row(self) -> Issue:
        """Return the issue at hand as it is by now.

        Raises:
            ActFailed: there is none.
            NotFound: it is gone.
        """
        if self.issue is None:
            raise ActFailed("There is no work item at hand.")
        return fresh(self.issue.id)

    def refetch(self) -> None:
        """Forget what texts read of issues."""
        self._things.clear()
        if self.issue is not None:
            self.issue = fresh(self.issue.id)

    def thing(self, issue: Issue | None) -> values.IssueThing | None:
        """Return an issue as texts see it: as it was when it was first named."""
        if issue is None:
            return None
        return self._things.setdefault(issue.id, values.IssueThing(issue))

    def created(self, issue: Issue) -> None:
        """Note that the run made an issue."""
        self.shared.created.append(issue)
        self._things.pop(issue.id, None)

    @property
    def scope(self) -> Scope:
        """What texts can name."""
        issue, made = self.thing(self.issue), self.shared.created

        def of(name: str) -> Callable[[], Any]:
            return lambda: None if issue is None else issue.part(name)

        found: dict[str, Any] = {
            **{name: of(name) for name in _SHORT},
            "now": lambda: clock.now().astimezone(self._actor_zone),
            "issue": issue,
            "triggerIssue": self.thing(self.trigger_issue),
            "destinationIssue": issue,
            "createdIssue": lambda: self.thing(made[-1]) if made else None,
            "createdIssues": lambda: [self.thing(one) for one in made],
            "initiator": lambda: values.person(self.initiator),
            "user": lambda: values.person(self.initiator),
            "actor": lambda: values.person(self.actor.user),
            "project": lambda: None if self.project is None else values.project_of(self.project),
            "space": lambda: None if self.project is None else values.project_of(self.project),
            "baseUrl": home,
            "rule": {
                "name": self.rule.name,
                "id": self.rule.uuid,
                "uuid": self.rule.uuid,
            },
            "newline": "\n",
        }
        return Scope({**found, **self.names})

    @cached_property
    def _actor_zone(self) -> Any:
        return self.actor.zone

    def render(self, text: Any) -> str:
        """Return a text with its smart values in place.

        Raises:
            SmartValueError: it cannot be read.
        """
        return render(str(text), self.scope) if text not in (None, "") else ""

    def value(self, text: Any) -> Any:
        """Return what a text that is one smart value stands for; of another, the text."""
        return evaluate(str(text), self.scope) if text not in (None, "") else None

    def texts(self, text: Any) -> list[str]:
        """Return the texts that a text says: the items of a list, or one with commas."""
        found = self.value(text)
        if isinstance(found, list | tuple):
            return [said for one in found if (said := text_of(one).strip())]
        return [said for one in text_of(found).split(",") if (said := one.strip())]


_SHORT: Final = ("key", "summary", "status", "assignee", "reporter", "priority", "description")


def fresh(id: int) -> Issue:
    """Return an issue as it is by now.

    Raises:
        NotFound: it is gone.
    """
    found = Issue.objects.select_related(*WITH).filter(id=id).first()
    if found is None:
        raise NotFound(ISSUE_GONE)
    return found


def sentences(error: Exception) -> str:
    """Return what an error says, in one text."""
    if isinstance(error, SmartValueError):
        return f"Error rendering smart values: {error}"
    if isinstance(error, TrackerError):
        fields = [f"{text} ({id})" for id, text in error.fields.items()]
        return " ".join([*error.messages, *fields]) or "The request was refused."
    texts = getattr(error, "texts", None) or getattr(error, "messages", None)
    return " ".join(map(str, texts)) if texts else str(error)
