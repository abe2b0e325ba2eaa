"""What happened, and which triggers it sets off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from clones.core.digits import is_digits
from clones.core.patterns import is_found
from clones.tracker.rules.automation.catalogue.starting import EVENT

MULTIPLE: Final = "jira.multiple.issue.event"
FIELD_CHANGED: Final = "jira.issue.field.changed"
SCHEDULED: Final = "jira.jql.scheduled"
MANUAL: Final = "jira.manual.trigger.issue"
INCOMING: Final = "jira.incoming.webhook"
SLA: Final = "jira.sla.threshold"
# Changes that do not count as an update: other triggers tell of them.
_NOT_UPDATES: Final = frozenset(
    {"status", "assignee", "resolution", "issuelinks", "timespent", "timeestimate", "", "Rank"}
)


@dataclass(frozen=True, slots=True)
class ChangedField:
    """A field that changed, as histories tell it."""

    id: str
    name: str
    old: str | None = None
    old_text: str | None = None
    new: str | None = None
    new_text: str | None = None


@dataclass(frozen=True, slots=True)
class Happened:
    """An event. `kind` is the domain's word; `details` what only this kind has."""

    kind: str
    changed: Sequence[ChangedField] = ()
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def triggers(self) -> frozenset[str]:
        """The types of triggers that it may set off."""
        found = {_SIMPLE[self.kind]} if self.kind in _SIMPLE else set()
        ids = {one.id for one in self.changed}
        if self.kind == "issue_updated":
            if self.details.get("moved"):
                found.add(EVENT + "moved")
            elif ids - _NOT_UPDATES and "transition" not in self.details:
                found.add(EVENT + "updated")
            if "assignee" in ids:
                found.add(EVENT + "assigned")
            if ids:
                found.add(FIELD_CHANGED)
        if self.kind == "issue_created":  # its values are set, which monitors may ask for
            found.add(FIELD_CHANGED)
        if any(name.startswith(EVENT) for name in found):
            found.add(MULTIPLE)
        return frozenset(found)


_SIMPLE: Final = {
    "issue_created": EVENT + "created",
    "issue_transitioned": EVENT + "transitioned",
    "issue_deleted": EVENT + "deleted",
    "comment_created": EVENT + "commented",
    "worklog_created": EVENT + "worklog",
    "issuelink_created": EVENT + "link",
    "sprint_created": "jira.sprint.event.trigger:created",
    "sprint_started": "jira.sprint.event.trigger:started",
    "sprint_closed": "jira.sprint.event.trigger:completed",
    "version_created": "jira.version.event.trigger:created",
    "version_updated": "jira.version.event.trigger:updated",
    "version_released": "jira.version.event.trigger:released",
    "version_unreleased": "jira.version.event.trigger:unreleased",
    "sla_breached": SLA,
    "approval_asked": "jira.approval.required",
    "approval_decided": "jira.approval.completed",
}


def fires(trigger: Mapping[str, Any], happened: Happened) -> bool:
    """Tell whether an event sets a trigger off, by what the trigger's form says."""
    kind = str(trigger.get("type", ""))
    if kind not in happened.triggers:
        return False
    value = trigger.get("value")
    if not isinstance(value, Mapping):
        return True
    check = _CHECKS.get(kind) or _CHECKS.get(kind.rpartition(":")[0])
    return check is None or check(value, happened)


def _transitioned(value: Mapping[str, Any], happened: Happened) -> bool:
    details = happened.details
    names = {"from": details.get("from_name"), "to": details.get("to_name")}
    for place, key in (("from", "fromStatus"), ("to", "toStatus")):
        wanted = named(value.get(key))
        if wanted and not _is_wanted(wanted, details.get(place), names[place]):
            return False
    return True


def _is_wanted(wanted: Sequence[tuple[str, str]], id: Any, name: Any) -> bool:
    return any(
        text == str(id) if kind == "ID" else text.casefold() == str(name).casefold()
        for kind, text in wanted
    )


def named(value: Any) -> list[tuple[str, str]]:
    """Return the things that a value names: pairs of ID or NAME and the text."""
    found: list[tuple[str, str]] = []
    for one in value if isinstance(value, list) else ([] if value in (None, "") else [value]):
        if isinstance(one, Mapping):
            text = one.get("value", one.get("id"))
            if text not in (None, ""):
                found.append((str(one.get("type", "ID")), str(text)))
        elif one not in (None, ""):
            found.append(("NAME" if not is_digits(str(one)) else "ID", str(one)))
    return found


def _field_changed(value: Mapping[str, Any], happened: Happened) -> bool:
    return bool(changes_of(value, happened))


def changes_of(value: Mapping[str, Any], happened: Happened) -> list[ChangedField]:
    """Return the changes of an event that a monitor of fields is about."""
    doing = str(happened.details.get("doing", "update"))
    actions = [text for _, text in named(value.get("actions"))]
    if actions and doing not in actions and not (set(actions) - _DOINGS):
        return []
    if not actions and doing == "create":
        return []
    wanted = named(value.get("fields"))
    found = [
        one
        for one in happened.changed
        if not wanted
        or any(text in (one.id, one.name) if kind == "ID" else _is_name(text, one)
               for kind, text in wanted)
    ]  # fmt: skip
    way = value.get("changeType", "ANY_CHANGE")
    if way == "VALUE_ADDED":
        return [one for one in found if _added(one.old_text, one.new_text)]
    if way == "VALUE_DELETED":
        return [one for one in found if _added(one.new_text, one.old_text)]
    return found


_DOINGS: Final = frozenset({"create", "update", "transition", "assign"})


def _is_name(text: str, changed: ChangedField) -> bool:
    return text.casefold() in (changed.name.casefold(), changed.id.casefold())


def _added(before: str | None, after: str | None) -> bool:
    """Tell whether a value has something that it had not before."""
    old = {one.strip() for one in (before or "").split(",")}
    return any(one.strip() and one.strip() not in old for one in (after or "").split(","))


def _linked(value: Mapping[str, Any], happened: Happened) -> bool:
    wanted = [text for _, text in named(value.get("linkTypes"))]
    plain = {text.rpartition(":")[2] for text in wanted}
    held = {str(happened.details.get("link_type")), str(happened.details.get("link_name"))}
    return not wanted or bool(plain & held)


def _commented(value: Mapping[str, Any], happened: Happened) -> bool:
    return bool(value.get("internal", True)) or bool(happened.details.get("public", True))


def _moved(value: Mapping[str, Any], happened: Happened) -> bool:
    for key, place in (("sourceProject", "from_project"), ("targetProject", "to_project")):
        wanted = str(value.get(key) or "-1999")
        if not wanted.startswith("-") and wanted != str(happened.details.get(place)):
            return False
    return True


def _name_matches(key: str) -> Any:
    def check(value: Mapping[str, Any], happened: Happened) -> bool:
        pattern = str(value.get(key) or "")
        name = str(happened.details.get("name", ""))
        return not pattern or is_found(pattern, name, "java", otherwise=False)

    return check


def _threshold(value: Mapping[str, Any], happened: Happened) -> bool:
    wanted = named(value.get("sla"))
    if wanted and not _is_wanted(wanted, happened.details.get("sla"), happened.details.get("name")):
        return False
    return str(value.get("threshold", "BREACHED")) == str(
        happened.details.get("threshold", "BREACHED")
    )


def _decided(value: Mapping[str, Any], happened: Happened) -> bool:
    wanted = str(value.get("decision") or "")
    return not wanted or wanted == str(happened.details.get("decision"))


def _one_of(value: Mapping[str, Any], happened: Happened) -> bool:
    wanted = {
        text.removeprefix("issue_").rpartition(":")[2] for _, text in named(value.get("events"))
    }
    wanted = {name.removeprefix("issue_") for name in wanted}
    return any(EVENT + name in happened.triggers for name in wanted)


_CHECKS: Final[dict[str, Any]] = {
    EVENT + "transitioned": _transitioned,
    EVENT + "link": _linked,
    EVENT + "commented": _commented,
    EVENT + "moved": _moved,
    FIELD_CHANGED: _field_changed,
    MULTIPLE: _one_of,
    "jira.sprint.event.trigger": _name_matches("sprintNameFilter"),
    "jira.version.event.trigger": _name_matches("versionNameFilter"),
    SLA: _threshold,
    "jira.approval.completed": _decided,
}
