"""Actions that make a record from wherever a user is, and what ties it to the record at hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class QuickAction:
    """An action: the object whose records it makes, and the values that it begins with."""

    name: str
    label: str
    type: str
    target: str
    values: Mapping[str, str]


QUICK_ACTIONS: Final = (
    QuickAction("NewTask", "New Task", "Create", "Task", {}),
    QuickAction("NewEvent", "New Event", "Create", "Event", {}),
    QuickAction("NewContact", "New Contact", "Create", "Contact", {}),
    QuickAction("LogACall", "Log a Call", "LogACall", "Task", {"Status": "Completed"}),
    QuickAction("NewOpportunity", "New Opportunity", "Create", "Opportunity", {}),
    QuickAction("NewCase", "New Case", "Create", "Case", {}),
    QuickAction("NewLead", "New Lead", "Create", "Lead", {}),
    QuickAction("NewAccount", "New Account", "Create", "Account", {}),
)
# The field by which a record that is made belongs to the one at hand, by both objects.
_TIES: Final[Mapping[str, Mapping[str, str]]] = {
    "Task": {"Contact": "WhoId", "Lead": "WhoId", "": "WhatId"},
    "Event": {"Contact": "WhoId", "Lead": "WhoId", "": "WhatId"},
    "Contact": {"Account": "AccountId"},
    "Opportunity": {"Account": "AccountId", "Campaign": "CampaignId"},
    "Case": {"Account": "AccountId", "Contact": "ContactId", "Asset": "AssetId"},
    "Account": {"Account": "ParentId"},
}


def find_action(name: str) -> QuickAction | None:
    """Return the action of a name, with or without `Global.` before it; None if there is none."""
    bare = name.removeprefix("Global.").lower()
    return next((one for one in QUICK_ACTIONS if one.name.lower() == bare), None)


def tie(target: str, context: str) -> str | None:
    """Return the field that ties a new record to one of another object; None if none does."""
    ties = _TIES.get(target, {})
    return ties.get(context, ties.get(""))
