"""Every kind of trigger, condition, branch and action: its names, its form, its usual value.

    kind_of("jira.issue.edit") -> Kind | None
    KINDS: Mapping[str, Kind]
    of_component("ACTION") -> Sequence[Kind]

The types are those of the vendor's API and exports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from clones.tracker.rules.automation.catalogue.acting import ACTIONS
from clones.tracker.rules.automation.catalogue.asking import BRANCHES, CONDITIONS
from clones.tracker.rules.automation.catalogue.kinds import ComponentKind, Input
from clones.tracker.rules.automation.catalogue.starting import TRIGGERS

__all__ = ["KINDS", "ComponentKind", "Input", "kind_of", "of_component"]

KINDS: Final[Mapping[str, ComponentKind]] = MappingProxyType(
    {kind.type: kind for kind in (*TRIGGERS, *CONDITIONS, *BRANCHES, *ACTIONS)}
)
# Names that older exports and other clients use for the same.
_OTHER: Final = {
    "jira.issue.create.subtask": "jira.issue.create.subtasks",
    "jira.issue.refetch": "jira.issue.refresh.issue",
    "jira.issue.entity.property": "jira.set.entity.property",
    "jira.related.issues.condition": "jira.issues.related.condition",
    "jira.send.email": "jira.issue.outgoing.email",
    "jira.issue.log": "codebarrel.action.log",
    "jira.issue.lookup": "jira.lookup.issues",
    "jira.issue.deletelink": "jira.issue.delete.link",
    "jira.issue.linked": "jira.issue.event.trigger:link",
    "jira.issue.moved": "jira.issue.event.trigger:moved",
    "jira.manual.trigger": "jira.manual.trigger.issue",
    "jira.sla.breach": "jira.sla.threshold",
}


def kind_of(type_name: str) -> ComponentKind | None:
    """Return the kind of a component by its type, also by another name of it."""
    return KINDS.get(_OTHER.get(type_name, type_name))


def of_component(component: str) -> Sequence[ComponentKind]:
    """Return the kinds of triggers, conditions, branches or actions, in the catalogue's order."""
    return [kind for kind in KINDS.values() if kind.component == component and kind.offered]
