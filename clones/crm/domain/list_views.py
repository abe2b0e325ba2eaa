"""Making list views, changing them and taking them away."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.core import clock
from clones.crm.domain.customizing import require_admin
from clones.crm.domain.new_ids import new_id
from clones.crm.errors import RecordError
from clones.crm.models import ListViewDefinition, SObjectRow, model_of, rows_of
from clones.crm.queries.soql.asking import ask
from clones.crm.rules.listing import Filter, FilterError, ListView, column_path
from clones.crm.rules.schema import SObject
from clones.crm.rules.schema.custom import is_name

LONGEST_LABEL: Final = 40
MOST_COLUMNS: Final = 15
MOST_FILTERS: Final = 10
_SCOPES: Final = ("everything", "mine", "mru", "queue")


@dataclass(frozen=True, slots=True)
class NamedView:
    """A list view as somebody gives it: its two names and what it shows."""

    name: str
    label: str
    shows: ListView


def create_list_view(of: SObject, given: NamedView, *, actor: str) -> SObjectRow:
    """Make a list view of an object, and return its record.

    Raises:
        RecordError: a name is taken or will not do, or what it shows is not there; or it is for
            all, and the actor may not make such.
    """
    if given.shows.visibility != "Private":
        require_admin(actor)
    shows = checked_view(of, given.shows, actor=actor)
    label = _label(given.label)
    if not is_name(given.name):
        raise RecordError(
            "INVALID_FIELD",
            "The List View Unique Name can only contain underscores and alphanumeric characters.",
            ["DeveloperName"],
        )
    if rows_of("ListView").filter(SobjectType=of.name, DeveloperName__iexact=given.name).exists():
        raise RecordError(
            "DUPLICATE_DEVELOPER_NAME",
            f"The List View Unique Name {given.name} is already in use.",
            ["DeveloperName"],
        )
    now = clock.now().replace(microsecond=0)
    model = model_of("ListView")
    row = model(
        Id=new_id(model.sobject.prefix, model),
        Name=label,
        DeveloperName=given.name,
        SobjectType=of.name,
        IsSoqlCompatible=True,
        CreatedDate=now,
        CreatedById=actor,
        LastModifiedDate=now,
        LastModifiedById=actor,
        SystemModstamp=now,
    )
    row.save(force_insert=True)
    ListViewDefinition(id=row.Id, definition=shows.as_json()).save(force_insert=True)
    return row


def change_list_view(
    of: SObject, row: SObjectRow, *, label: str, shows: ListView, actor: str
) -> None:
    """Give a list view another label, and let it show something else.

    Raises:
        RecordError: as `create_list_view` does, or it is another's.
    """
    if shows.visibility != "Private" or row.CreatedById != actor:
        require_admin(actor)
    shows = checked_view(of, shows, actor=actor)
    now = clock.now().replace(microsecond=0)
    row.Name, row.LastModifiedDate, row.SystemModstamp = _label(label), now, now
    row.LastModifiedById = actor
    row.save()
    ListViewDefinition.objects.update_or_create(id=row.Id, defaults={"definition": shows.as_json()})


def remove_list_view(row: SObjectRow, *, actor: str) -> None:
    """Take a list view away.

    Raises:
        RecordError: it is another's, and the actor no administrator.
    """
    if row.CreatedById != actor:
        require_admin(actor)
    ListViewDefinition.objects.filter(id=row.Id).delete()
    row.delete()


def checked_view(of: SObject, shows: ListView, *, actor: str) -> ListView:
    """Return what a list view shows, its fields by their own names.

    Raises:
        RecordError: a scope, a column or a field is not there, or a condition cannot be meant.
    """
    if shows.scope not in _SCOPES or shows.visibility not in ("Public", "Private"):
        raise _refused(f"Invalid filter scope: {shows.scope}")
    if len(shows.columns) > MOST_COLUMNS or len(shows.filters) > MOST_FILTERS:
        raise _refused("A list view has at most 15 columns and 10 filters")
    found = replace(
        shows,
        columns=tuple(_path(of, one) for one in shows.columns),
        order=tuple((_path(of, path), ascends) for path, ascends in shows.order),
        filters=tuple(
            Filter(_path(of, one.field), one.operation, one.value) for one in shows.filters
        ),
    )
    if shows.queue is not None and not rows_of("Group").filter(Id=shows.queue).exists():
        raise _refused(f"no Queue named {shows.queue} found")
    try:
        text = found.query(of, ZoneInfo("UTC"))
    except FilterError as error:
        raise _refused(str(error)) from error
    ask(text, user=actor, version=64.0)  # what cannot be asked is not kept
    return found


def opened_view(of: SObject) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the list view that a new object begins with: its record's fields, its definition."""
    row = {
        "Name": "All",
        "DeveloperName": "All",
        "SobjectType": of.name,
        "IsSoqlCompatible": True,
    }
    return row, ListView().as_json()


def _label(text: str) -> str:
    found = text.strip()
    if not found:
        raise RecordError("REQUIRED_FIELD_MISSING", "Required fields are missing: [Name]", ["Name"])
    if len(found) > LONGEST_LABEL:
        raise RecordError(
            "STRING_TOO_LONG",
            f"View Name: data value too large: {found[:80]} (max length={LONGEST_LABEL})",
            ["Name"],
        )
    return found


def _path(of: SObject, name: str) -> str:
    found = column_path(of, name)
    if found is None:
        raise _refused(f"Could not resolve list view column: {name}")
    return found


def _refused(message: str) -> RecordError:
    return RecordError("FIELD_INTEGRITY_EXCEPTION", message, [])
