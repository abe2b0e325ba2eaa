"""Properties of issues: setting and deleting them, of one or of very many by a task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.events import Event, publish
from clones.tracker.domain.properties import (
    check_property,
    delete_for_many,
    delete_property,
    set_for_many,
    set_properties,
    set_property,
    values_of,
)
from clones.tracker.domain.tasks import carries_out, start_task
from clones.tracker.models import Issue, Task
from clones.tracker.queries.rights import Rights

NOT_ALLOWED: Final = "You do not have permission to edit issues in this project."
PROPERTIES: Final = 10  # in one request
ISSUES: Final = 10_000  # in one request; of many with properties of their own a hundred
ISSUES_APART: Final = 100
ABSENT: Final = object()


@dataclass(frozen=True, slots=True)
class IssueSelection:
    """Which issues a bulk change is of; what is None chooses nothing out.

    `ids` are the issues' ids, `current` the value that they have now, `has` whether they have one.
    """

    ids: Sequence[int] | None = None
    current: Any = ABSENT
    has: bool | None = None

    def as_json(self) -> dict[str, Any]:
        """Return it for a task's payload."""
        found: dict[str, Any] = {"ids": None if self.ids is None else list(self.ids)}
        if self.current is not ABSENT:
            found["current"] = self.current
        return found | {"has": self.has}

    @classmethod
    def of_json(cls, told: Mapping[str, Any]) -> IssueSelection:
        """Return what a task's payload says."""
        return cls(told["ids"], told.get("current", ABSENT), told["has"])


def set_issue_property(issue: Issue, key: str, value: Any, *, actor: Rights) -> bool:
    """Set a property of an issue; tell whether it is new.

    Raises:
        Forbidden: the actor may not edit the issue.
        Invalid: key or value are too long.
    """
    _require(issue, actor)
    is_new = set_property("issue", str(issue.id), key, value)
    details = {"key": key, "value": value}
    publish(Event("issue_property_set", actor, issue=issue, details=details))
    return is_new


def delete_issue_property(issue: Issue, key: str, *, actor: Rights) -> None:
    """Delete a property of an issue.

    Raises:
        Forbidden: the actor may not edit the issue.
        NotFound: there is none under this key.
    """
    _require(issue, actor)
    delete_property("issue", str(issue.id), key)
    publish(Event("issue_property_deleted", actor, issue=issue, details={"key": key}))


def start_setting(
    properties: Mapping[str, Any], choice: IssueSelection, *, actor: Rights, whole: bool = True
) -> Task:
    """Begin to set properties of many issues.

    `whole` says that every issue named has to be one that the actor may edit.

    Raises:
        Invalid: no or too many properties or issues, a property that is too long, an issue that is
            none, or a choice that chooses nothing.
    """
    _check(properties, choice)
    if whole and choice.ids is not None:
        _check_all(choice.ids, actor)
    payload = {"properties": dict(properties), "choice": choice.as_json()}
    return start_task("issue_properties_set", payload, actor=actor)


def start_setting_apart(apart: Mapping[int, Mapping[str, Any]], *, actor: Rights) -> Task:
    """Begin to set properties of many issues, each its own.

    Raises:
        Invalid: no or too many issues or properties, or a property that is too long.
    """
    if not apart or len(apart) > ISSUES_APART:
        raise Invalid(f"The number of issues must be between 1 and {ISSUES_APART}.")
    for properties in apart.values():
        _check(properties, IssueSelection())
    payload = {"issues": {str(id): dict(properties) for id, properties in apart.items()}}
    return start_task("issue_properties_set_apart", payload, actor=actor)


def start_deleting(key: str, choice: IssueSelection, *, actor: Rights) -> Task:
    """Begin to delete a property of many issues.

    Raises:
        Invalid: too many issues.
    """
    _check({key: None}, choice)
    payload = {"key": key, "choice": choice.as_json()}
    return start_task("issue_properties_delete", payload, actor=actor)


@carries_out("issue_properties_set")
def _set(task: Task, rights: Rights) -> Any:
    choice = IssueSelection.of_json(task.payload["choice"])
    count = 0
    for key, value in task.payload["properties"].items():
        chosen = _chosen(key, choice, rights)
        set_for_many("issue", chosen, key, value)
        count = max(count, len(chosen))
    return f"Successfully updated {count} issues."


@carries_out("issue_properties_set_apart")
def _set_apart(task: Task, rights: Rights) -> Any:
    told: dict[str, dict[str, Any]] = task.payload["issues"]
    chosen = set(_chosen("", IssueSelection(ids=[int(id) for id in told]), rights))
    for id, properties in told.items():
        if id in chosen:
            set_properties("issue", id, properties)
    failed = sorted(int(id) for id in told if id not in chosen)
    return {
        "successfulIssues": sorted(int(id) for id in chosen),
        "failedIssues": {str(id): [NOT_ALLOWED] for id in failed},
    }


@carries_out("issue_properties_delete")
def _delete(task: Task, rights: Rights) -> Any:
    key = task.payload["key"]
    chosen = _chosen(key, IssueSelection.of_json(task.payload["choice"]), rights)
    delete_for_many("issue", chosen, key)
    return f"Successfully updated {len(chosen)} issues."


def _require(issue: Issue, actor: Rights) -> None:
    if not actor.may_on("EDIT_ISSUES", issue):
        raise Forbidden(NOT_ALLOWED)


def _check(properties: Mapping[str, Any], choice: IssueSelection) -> None:
    if not properties or len(properties) > PROPERTIES:
        raise Invalid(f"The number of properties must be between 1 and {PROPERTIES}.")
    for key, value in properties.items():
        check_property(key, value)
    if choice.ids is not None and len(choice.ids) > ISSUES:
        raise Invalid(f"The number of issues must not exceed {ISSUES}.")
    if choice.has is False and choice.current is not ABSENT:
        raise Invalid("currentValue cannot be specified when hasProperty is false.")


def _check_all(ids: Sequence[int], actor: Rights) -> None:
    if not ids:
        raise Invalid("The list of issue IDs must not be empty.")
    found = set(_chosen("", IssueSelection(ids=ids), actor))
    missing = [str(id) for id in ids if str(id) not in found]
    if missing:
        raise Invalid(f"Issues with these IDs do not exist or cannot be edited: {missing[0]}.")


def _chosen(key: str, choice: IssueSelection, actor: Rights) -> list[str]:
    """Return the ids of the issues that a choice names and the actor sees and may edit."""
    rows = Issue.objects.filter(actor.issues_with("BROWSE_PROJECTS"))
    rows = rows.filter(actor.issues_with("EDIT_ISSUES")).order_by("id")
    if choice.ids is not None:
        rows = rows.filter(id__in=[id for id in choice.ids if 0 < id < 2**63])
    found = [str(id) for id in rows.values_list("id", flat=True)]
    if choice.current is ABSENT and choice.has is None:
        return found
    kept = values_of("issue", found, [key])
    return [id for id in found if _fits(kept.get(id, {}).get(key, ABSENT), choice)]


def _fits(value: Any, choice: IssueSelection) -> bool:
    if choice.has is not None and choice.has != (value is not ABSENT):
        return False
    return bool(choice.current is ABSENT or value == choice.current)
