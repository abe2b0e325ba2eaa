"""Workflows as they are sent and written: statuses by reference, transitions, their rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from clones.tracker.rules.workflow.rule import Rule, Tree

SCREEN: Final = "system:transition-screen"
REMINDER: Final = "system:remind-people-to-update-fields"
# The vendor's words for the categories of statuses, here and in lists of statuses.
CATEGORIES: Final = {
    "new": "TODO",
    "undefined": "TODO",
    "indeterminate": "IN_PROGRESS",
    "done": "DONE",
}
CATEGORY_KEYS: Final = {"TODO": "new", "IN_PROGRESS": "indeterminate", "DONE": "done"}

# What of a status's approval stands under which of its properties.
APPROVAL: Final = {
    "active": "approval.active",
    "conditionType": "approval.condition.type",
    "conditionValue": "approval.condition.value",
    "exclude": "approval.exclude",
    "fieldId": "approval.field.id",
    "prePopulatedFieldId": "approval.pre-populated.field.id",
    "transitionApproved": "approval.transition.approved",
    "transitionRejected": "approval.transition.rejected",
}

Point = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class StatusDraft:
    """A status that workflows name by `reference`; without an `id` it is to be made."""

    reference: str
    name: str
    category: str
    id: str = ""
    description: str | None = None


@dataclass(frozen=True, slots=True)
class StatusPlacement:
    """A status in a workflow: where it stands in the diagram, and its properties."""

    reference: str
    layout: Point | None = None
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TransitionSource:
    """That a transition leads from a status; ports are sides of the boxes in the diagram."""

    reference: str
    from_port: int | None = None
    to_port: int | None = None


@dataclass(frozen=True, slots=True)
class TransitionDraft:
    """A transition; `to` is a reference, "" where it leads back."""

    id: str
    name: str
    type: str
    to: str
    description: str = ""
    links: tuple[TransitionSource, ...] = ()
    conditions: Tree | None = None
    validators: tuple[Rule, ...] = ()
    actions: tuple[Rule, ...] = ()
    triggers: tuple[Rule, ...] = ()
    screen: Rule | None = None
    event: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WorkflowDraft:
    """A workflow to be made, or (`id`, `version`) changed wholly into this."""

    name: str
    places: tuple[StatusPlacement, ...]
    transitions: tuple[TransitionDraft, ...]
    description: str = ""
    start: Point | None = None
    loop: Point | None = None
    id: str = ""
    version: tuple[str, int] = ("", 0)


def approval_of(properties: Mapping[str, str]) -> dict[str, object] | None:
    """Return the approval that a status waits for, as the API has it; None without one."""
    found: dict[str, object] = {
        name: properties[key] for name, key in APPROVAL.items() if key in properties
    }
    if "active" not in found:
        return None
    if "exclude" in found:
        found["exclude"] = [part for part in str(found["exclude"]).split(",") if part]
    return found


def without_approval(properties: Mapping[str, str]) -> dict[str, str]:
    """Return a status's properties but for its approval."""
    known = set(APPROVAL.values())
    return {key: value for key, value in properties.items() if key not in known}


def approval_properties(approval: Mapping[str, object]) -> dict[str, str]:
    """Return the properties in which an approval is kept."""
    found = {}
    for name, key in APPROVAL.items():
        value = approval.get(name)
        if value is not None:
            found[key] = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return found
