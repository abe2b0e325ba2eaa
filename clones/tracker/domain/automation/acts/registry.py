"""Actions by their types. An action returns what the log says of it."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction

from clones.tracker.domain.automation.context import ActFailed, Run
from clones.tracker.rules.automation.catalogue import kind_of
from clones.tracker.rules.automation.documents import Component

Act = Callable[[Run, Component], str]
_acts: dict[str, Act] = {}


def performs(type_name: str) -> Callable[[Act], Act]:
    """Register the action of a type."""

    def register(act: Act) -> Act:
        _acts[type_name] = act
        return act

    return register


def known() -> frozenset[str]:
    """Return the types of which there are actions."""
    return frozenset(_acts)


def perform(run: Run, component: Component) -> str:
    """Carry out an action, wholly or not at all, and return what the log says of it.

    Raises:
        TrackerError, JqlError, SmartValueError: it cannot be done.
    """
    kind = kind_of(component["type"])
    act = _acts.get(component["type"])
    if kind is None or act is None:
        raise ActFailed(f"The action {component['type']} is unknown.")
    if kind.needs_issue and run.issue is None:
        raise ActFailed("There is no work item at hand.")
    with transaction.atomic():
        return act(run, component)
