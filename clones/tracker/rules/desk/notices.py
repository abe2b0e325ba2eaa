"""Of what customers of service desks are mailed. The names are the vendor's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

# The key, in a desk's settings, of the rules that are switched off.
SILENT: Final = "silent"


@dataclass(frozen=True, slots=True)
class NoticeRule:
    """A rule: what happens, who hears of it, and the first line of what they read."""

    key: str
    name: str
    told: str
    line: str


_ALL: Final = (
    NoticeRule(
        "created", "Request created", "Reporter", "Just confirming that we got your request."
    ),
    NoticeRule(
        "comment",
        "Public comment added",
        "Customers involved",
        "{author} commented on your request:",
    ),
    NoticeRule(
        "comment_edited",
        "Public comment edited",
        "Customers involved",
        "{author} edited a comment on your request:",
    ),
    NoticeRule("resolved", "Request resolved", "Customers involved", "Your request was resolved."),
    NoticeRule("reopened", "Request reopened", "Customers involved", "Your request was reopened."),
    NoticeRule(
        "participant",
        "Participant added",
        "Added participant",
        "{author} shared a request with you.",
    ),
    NoticeRule(
        "approval",
        "Approval required",
        "Approvers",
        "Your approval is required on this request.",
    ),
)
NOTICES: Final = {one.key: one for one in _ALL}


def is_told(settings: Mapping[str, Any], key: str) -> bool:
    """Tell whether a desk of these settings tells its customers of something."""
    return key not in settings.get(SILENT, ())
