"""Record types, business processes and profiles, as metadata has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from clones.crm.models import PicklistOffer, RecordTypeVisibility, SObjectRow, rows_of

Shown = tuple[SObjectRow, str, dict[str, Any]]


def record_type_metadata() -> Iterator[Shown]:
    """Yield each record type: its row, its whole name, and what metadata say of it."""
    processes = dict(rows_of("BusinessProcess").values_list("Id", "Name"))
    kept = dict(PicklistOffer.objects.values_list("id", "definition"))
    for row in rows_of("RecordType").order_by("SobjectType", "DeveloperName"):
        body: dict[str, Any] = {"fullName": row.DeveloperName, "active": row.IsActive}
        if row.BusinessProcessId:
            body["businessProcess"] = processes.get(row.BusinessProcessId)
        if row.Description:
            body["description"] = row.Description
        body["label"] = row.Name
        offers = kept.get(row.pk, {})
        if offers:
            body["picklistValues"] = [
                {"picklist": name, "values": _values(said)} for name, said in sorted(offers.items())
            ]
        yield row, f"{row.SobjectType}.{row.DeveloperName}", body


def business_process_metadata() -> Iterator[Shown]:
    """Yield each business process: its row, its whole name, and what metadata say of it."""
    kept = dict(PicklistOffer.objects.values_list("id", "definition"))
    for row in rows_of("BusinessProcess").order_by("TableEnumOrId", "Name"):
        body: dict[str, Any] = {"fullName": row.Name}
        if row.Description:
            body["description"] = row.Description
        body["isActive"] = row.IsActive
        (said,) = kept[row.pk].values()
        yield row, f"{row.TableEnumOrId}.{row.Name}", {**body, "values": _values(said)}


def profile_metadata(names: dict[str, str]) -> Iterator[Shown]:
    """Yield each profile; `names` has what metadata call them where it is not their own name."""
    sets = rows_of("PermissionSet").filter(IsOwnedByProfile=True).values_list("ProfileId", "Id")
    own, types, shown = dict(sets), _types(), _visible()
    for row in rows_of("Profile").order_by("Name", "Id"):
        visible = shown.get(own.get(row.pk, ""), {})
        name = names.get(row.Name, row.Name)
        body = {"fullName": name, "custom": row.Name not in names}
        listed = [
            {"default": visible.get(id, False), "recordType": one, "visible": id in visible}
            for id, one in types.items()
        ]
        yield row, name, {**body, "recordTypeVisibilities": listed}


def permission_set_metadata() -> Iterator[Shown]:
    """Yield each permission set that is no profile's: its row, its name, what metadata say."""
    types, shown = _types(), _visible()
    for row in rows_of("PermissionSet").filter(IsOwnedByProfile=False).order_by("Name", "Id"):
        visible = shown.get(row.pk, {})
        listed = [
            {"recordType": one, "visible": True} for id, one in types.items() if id in visible
        ]
        body = {"fullName": row.Name, "label": row.Label, "recordTypeVisibilities": listed}
        yield row, row.Name, body


def _types() -> dict[str, str]:
    """Return the whole names of record types, in their order, by their ids."""
    rows = rows_of("RecordType").order_by("SobjectType", "DeveloperName")
    return {
        id: f"{of}.{own}" for id, of, own in rows.values_list("Id", "SobjectType", "DeveloperName")
    }


def _visible() -> dict[str, dict[str, bool]]:
    """Return by permission sets which record types they open, and whether each is the default."""
    found: dict[str, dict[str, bool]] = {}
    rows = RecordTypeVisibility.objects.order_by("id")
    for parent, id, is_default in rows.values_list("parent", "record_type", "is_default"):
        found.setdefault(parent, {})[id] = is_default
    return found


def _values(said: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"fullName": one, "default": one == said.get("default")} for one in said["values"]]
