"""The events that notification schemes know, by the vendor's numbers, and kinds of recipients."""

from __future__ import annotations

from typing import Final

# Number: name, and what it is told for.
EVENTS: Final = {
    1: ("Issue created", "An issue was made."),
    2: ("Issue updated", "Fields of an issue were changed."),
    3: ("Issue assigned", "An issue was given to somebody."),
    4: ("Issue resolved", "An issue was resolved."),
    5: ("Issue closed", "An issue was closed."),
    6: ("Issue commented", "Somebody commented on an issue."),
    7: ("Issue reopened", "A resolved issue was opened again."),
    8: ("Issue deleted", "An issue was removed."),
    9: ("Issue moved", "An issue was taken to another space."),
    10: ("Work logged on issue", "Somebody recorded time spent on an issue."),
    11: ("Work started on issue", "Somebody began to work on an issue."),
    12: ("Work stopped on issue", "Somebody stopped working on an issue."),
    13: ("Generic event", "A transition without an event of its own was taken."),
    14: ("Issue comment edited", "A comment was changed."),
    15: ("Issue worklog updated", "A record of time spent was changed."),
    16: ("Issue worklog deleted", "A record of time spent was removed."),
    17: ("Issue comment deleted", "A comment was removed."),
}

# Kinds of recipients, and whether one needs a parameter.
RECIPIENTS: Final = {
    "CurrentAssignee": False,
    "Reporter": False,
    "CurrentUser": False,
    "ProjectLead": False,
    "ComponentLead": False,
    "User": True,
    "Group": True,
    "ProjectRole": True,
    "EmailAddress": True,
    "AllWatchers": False,
    "UserCustomField": True,
    "GroupCustomField": True,
}
