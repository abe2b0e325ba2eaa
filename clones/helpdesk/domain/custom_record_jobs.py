"""Many records of a custom object at once, as jobs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clones.helpdesk.domain import bulk, custom_records
from clones.helpdesk.domain.errors import (
    InvalidAttribute,
    MissingParameter,
    TooManyValues,
)
from clones.helpdesk.domain.object_access import check_scope
from clones.helpdesk.models import CustomObject, JobStatus, User
from clones.helpdesk.queries.custom_objects import object_of_key, record

LIMIT = 100
# What each action needs of a role, and what its items must have (None: they are plain keys).
ACTIONS: dict[str, tuple[tuple[str, ...], str | None]] = {
    "create": (("create",), ""),
    "update": (("update",), "id"),
    "create_or_update_by_external_id": (("create", "update"), "external_id"),
    "create_or_update_by_name": (("create", "update"), "name"),
    "delete": (("delete",), None),
    "delete_by_external_id": (("delete",), None),
}


def start_record_job(
    found: CustomObject, action: str, items: list[Any], *, actor: User, client: str | None
) -> JobStatus:
    """Queue a bulk change of an object's records.

    Raises:
        AccessDenied: the actor's role does not allow it.
        InvalidAttribute: there is no such action, or an item is not what it takes.
        MissingParameter: there are no items, or one lacks what it is looked up by.
        RecordInvalid: records are named by names that need not be unique.
        TooManyValues: there are more than a hundred items.
    """
    if action not in ACTIONS:
        raise InvalidAttribute("job.action", f"one of {', '.join(ACTIONS)}")
    scopes, needed = ACTIONS[action]
    for scope in scopes:
        check_scope(actor, found, scope)
    if not items:
        raise MissingParameter("job.items")
    if len(items) > LIMIT:
        raise TooManyValues(LIMIT)
    if needed == "name":
        custom_records.check_by_name(found, "name")
    work = [{"object": found.key, **_item(item, needed)} for item in items]
    return bulk.start_job(f"{action}_records", work, actor=actor, client=client)


def _item(given: Any, needed: str | None) -> bulk.Item:
    """Return an item in the form that jobs keep it in.

    Raises:
        InvalidAttribute: it is not what the action takes.
        MissingParameter: it lacks what it is looked up by.
    """
    if needed is None:
        if not isinstance(given, (str, int)) or isinstance(given, bool):
            raise InvalidAttribute("job.items", "an array of strings")
        return {"id": str(given)}
    if not isinstance(given, dict):
        raise InvalidAttribute("job.items", "an array of objects")
    key = given.get(needed) if needed else None
    if needed and key in (None, ""):
        raise MissingParameter(f"job.items.{needed}")
    changes = {name: given[name] for name in custom_records.WRITTEN if name in given}
    return {"changes": changes, **({"id": str(key)} if needed else {})}


def _object(item: bulk.Item) -> CustomObject:
    return object_of_key(item["object"])


def _create(index: int, item: bulk.Item, job: JobStatus) -> bulk.Item:
    made = custom_records.create_record(
        _object(item), actor=job.requested_by, changes=item["changes"]
    )
    return {
        "index": index,
        "action": "create",
        "id": made.id,
        "status": "Created",
        "success": True,
    }


def _update(index: int, item: bulk.Item, job: JobStatus) -> bulk.Item:
    found = record(_object(item), item["id"])
    custom_records.update_record(found, actor=job.requested_by, changes=item["changes"])
    return _done(index, found.id)


def _save_by(column: custom_records.Column) -> bulk.Worker:
    def save(index: int, item: bulk.Item, job: JobStatus) -> bulk.Item:
        found = custom_records.save_record(
            _object(item), column, item["id"], actor=job.requested_by, changes=item["changes"]
        )
        return _done(index, found.id)

    return save


def _delete(index: int, item: bulk.Item, job: JobStatus) -> bulk.Item:
    custom_records.delete_record(record(_object(item), item["id"]), actor=job.requested_by)
    return _done(index, item["id"], "delete")


def _delete_by_external_id(index: int, item: bulk.Item, job: JobStatus) -> bulk.Item:
    key = custom_records.delete_record_by(
        _object(item), "external_id", item["id"], actor=job.requested_by
    )
    return _done(index, key, "delete")


def _done(index: int, key: str, action: str = "update") -> bulk.Item:
    status = "Deleted" if action == "delete" else "Updated"
    return {"index": index, "action": action, "id": key, "status": status, "success": True}


_WORKERS: dict[str, Callable[[int, bulk.Item, JobStatus], bulk.Item]] = {
    "create": _create,
    "update": _update,
    "create_or_update_by_external_id": _save_by("external_id"),
    "create_or_update_by_name": _save_by("name"),
    "delete": _delete,
    "delete_by_external_id": _delete_by_external_id,
}
for _action, _worker in _WORKERS.items():
    _label = "Delete" if _action.startswith("delete") else _action.partition("_")[0].capitalize()
    bulk.does(f"{_action}_records", f"Bulk {_label} Custom Object Record")(_worker)
