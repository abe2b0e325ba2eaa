"""What holders are called: of permissions, of the issues of a security level, of notifications.

A holder is a pair of a type and what it is about (`clones.tracker.models.access`). The names of a
whole scheme are read with one statement for each type that has something it is about.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from clones.core.digits import is_digits
from clones.tracker.models import CustomField, Group, ProjectRole, User
from clones.tracker.rules.field_catalogue import custom_number

Held = tuple[str, str | None]

LABELS: Final = {
    "anyone": "Public",
    "applicationRole": "Application access",
    "assignee": "Current assignee",
    "group": "Group",
    "groupCustomField": "Group custom field value",
    "projectLead": "Space lead",
    "projectRole": "Space role",
    "reporter": "Reporter",
    "sd.customer.portal.only": "Service desk customer - portal access",
    "user": "Single user",
    "userCustomField": "User custom field value",
}
PRODUCTS: Final = {
    "jira-core": "Jira",
    "jira-software": "Jira Software",
    "jira-servicedesk": "Jira Service Management",
}
# Types of holders as notification schemes write them.
RECIPIENTS: Final = {
    "CurrentAssignee": "Current assignee",
    "Reporter": "Reporter",
    "CurrentUser": "Current user",
    "ProjectLead": "Space lead",
    "ComponentLead": "Component lead",
    "User": "Single user",
    "Group": "Group",
    "ProjectRole": "Space role",
    "EmailAddress": "Single email address",
    "AllWatchers": "All watchers",
    "UserCustomField": "User custom field value",
    "GroupCustomField": "Group custom field value",
}
_AS: Final = {"User": "user", "Group": "group", "ProjectRole": "projectRole"}


def holder_names(
    holders: Iterable[Held], *, spoken: Callable[[str], str] = str
) -> Mapping[Held, str]:
    """Return what holders are called: `Group (developers)`; what is gone by its id.

    `spoken` puts what types of holders are called into the words of the site.
    """
    found = set(holders)
    about: dict[str, set[str]] = defaultdict(set)
    for kind, text in found:
        if text is not None:
            about[_AS.get(kind, kind)].add(text)
    names = {
        "group": _of_groups(about["group"]),
        "user": _of_users(about["user"]),
        "projectRole": _of_roles(about["projectRole"]),
    }
    fields = {
        text for kind, texts in about.items() if kind.endswith("CustomField") for text in texts
    }
    names["field"] = _of_fields(fields)
    return {holder: _name(holder, names, spoken) for holder in found}


def _name(
    holder: Held, names: Mapping[str, Mapping[str, str]], spoken: Callable[[str], str]
) -> str:
    kind, text = holder
    label = spoken(LABELS.get(kind) or RECIPIENTS.get(kind, kind))
    if kind == "applicationRole":
        return f"{label} ({PRODUCTS.get(text, text) if text else 'Any logged in user'})"
    if text is None:
        return label
    table = "field" if kind.endswith("CustomField") else _AS.get(kind, kind)
    return f"{label} ({names.get(table, {}).get(text, text)})"


def _of_groups(texts: set[str]) -> dict[str, str]:
    if not texts:
        return {}
    return dict(Group.objects.filter(uuid__in=sorted(texts)).values_list("uuid", "name"))


def _of_users(texts: set[str]) -> dict[str, str]:
    if not texts:
        return {}
    rows = User.objects.filter(account_id__in=sorted(texts))
    return dict(rows.values_list("account_id", "display_name"))


def _of_roles(texts: set[str]) -> dict[str, str]:
    keys = sorted(int(text) for text in texts if is_digits(text))
    if not keys:
        return {}
    rows = ProjectRole.objects.filter(id__in=keys)
    return {str(key): name for key, name in rows.values_list("id", "name")}


def _of_fields(texts: set[str]) -> dict[str, str]:
    numbers = sorted(number for text in texts if (number := custom_number(text)) is not None)
    if not numbers:
        return {}
    rows = CustomField.objects.filter(id__in=numbers)
    return {f"customfield_{key}": name for key, name in rows.values_list("id", "name")}
