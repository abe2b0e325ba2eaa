"""Keeping reports: making, copying, changing them, and taking them away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.core import clock
from clones.crm.domain.customizing import require_admin
from clones.crm.domain.new_ids import new_id
from clones.crm.errors import CrmError, NotFound
from clones.crm.models import ReportDefinition, ReportInstance, SObjectRow, model_of, rows_of
from clones.crm.queries.reports import check_report
from clones.crm.queries.schema import org_schema
from clones.crm.rules.organization import ORGANIZATION_ID
from clones.crm.rules.reports import Report, ReportError, read_report
from clones.crm.rules.schema.custom import is_name

PRIVATE, PUBLIC = "Private Reports", "Unfiled Public Reports"
LONGEST_NAME: Final = 40
# What is kept of a report's metadata; what else a body says is no part of it.
KEPT: Final = (
    *("aggregates", "buckets", "crossFilters", "detailColumns", "groupingsAcross"),
    *("groupingsDown", "reportBooleanFilter", "reportFilters", "reportFormat", "reportType"),
    *("scope", "showGrandTotal", "showSubtotals", "hasDetailRows", "sortBy"),
    "standardDateFilter",
)


def bad_request(message: str) -> CrmError:
    """Return the error of metadata that cannot be meant."""
    return CrmError(message, code="BAD_REQUEST", extra={"specificErrorCode": 0})


def meant_report(metadata: Mapping[str, Any], zone: ZoneInfo) -> Report:
    """Return the report that metadata describe.

    Raises:
        CrmError: they describe none.
    """
    try:
        return read_report(metadata, org_schema(), zone)
    except ReportError as error:
        raise bad_request(str(error)) from error


def create_report(metadata: Mapping[str, Any], *, actor: str, zone: ZoneInfo) -> SObjectRow:
    """Keep a report, and return its record.

    Raises:
        CrmError: its metadata describe none, or a name or folder will not do.
    """
    name = _name(metadata.get("name"))
    developer = _developer_name(metadata.get("developerName"), name)
    folder, folder_name = _folder(metadata.get("folderId"), actor)
    definition = _definition(metadata, zone, actor)
    now = clock.now().replace(microsecond=0)
    model = model_of("Report")
    row = model(
        Id=new_id(model.sobject.prefix, model),
        Name=name,
        DeveloperName=developer,
        Description=_description(metadata),
        OwnerId=folder,
        FolderName=folder_name,
        Format=str(definition.get("reportFormat") or "TABULAR").title(),
        CreatedDate=now,
        CreatedById=actor,
        LastModifiedDate=now,
        LastModifiedById=actor,
        SystemModstamp=now,
    )
    row.save(force_insert=True)
    ReportDefinition(id=row.Id, definition=definition).save(force_insert=True)
    return row


def change_report(
    row: SObjectRow, metadata: Mapping[str, Any], *, actor: str, zone: ZoneInfo
) -> None:
    """Change what a report asks and is called.

    Raises:
        CrmError: its metadata describe none any more, or it is another's.
    """
    _check_own(row, actor)
    definition = _definition({**definition_of(row.Id), **metadata}, zone, actor)
    if "name" in metadata:
        row.Name = _name(metadata["name"])
    if "description" in metadata:
        row.Description = _description(metadata)
    if "folderId" in metadata:
        row.OwnerId, row.FolderName = _folder(metadata["folderId"], actor)
    now = clock.now().replace(microsecond=0)
    row.Format = str(definition.get("reportFormat") or "TABULAR").title()
    row.LastModifiedDate, row.LastModifiedById, row.SystemModstamp = now, actor, now
    row.save()
    ReportDefinition.objects.update_or_create(id=row.Id, defaults={"definition": definition})


def remove_report(row: SObjectRow, *, actor: str) -> None:
    """Take a report away, and the runs of it that are kept.

    Raises:
        CrmError: it is another's.
    """
    _check_own(row, actor)
    ReportInstance.objects.filter(report=row.Id).delete()
    ReportDefinition.objects.filter(id=row.Id).delete()
    row.delete()


def find_report(id: str, *, user: str) -> SObjectRow:
    """Return the record of a report that a user (by id) may see.

    Raises:
        NotFound: there is none.
    """
    row: SObjectRow | None = rows_of("Report").filter(Id=id, IsDeleted=False).first()
    is_private = row is not None and row.OwnerId[:3] == "005" and row.OwnerId != user
    if row is None or is_private:
        raise NotFound("The data you're trying to access is unavailable.")
    return row


def definition_of(id: str) -> dict[str, Any]:
    """Return what a report (by id) asks."""
    found = ReportDefinition.objects.filter(id=id).values_list("definition", flat=True).first()
    return dict(found or {})


def keep_run(report: str, metadata: Mapping[str, Any], *, user: str, rows: bool) -> ReportInstance:
    """Keep that a report (by id) was run, to show later what it found."""
    made = ReportInstance(
        id=new_id("0LG", ReportInstance),
        report=report,
        user=user,
        has_details=rows,
        asked_at=clock.now().replace(microsecond=0),
        definition=dict(metadata),
    )
    made.save(force_insert=True)
    return made


def _definition(metadata: Mapping[str, Any], zone: ZoneInfo, actor: str) -> dict[str, Any]:
    found = {name: metadata[name] for name in KEPT if metadata.get(name) is not None}
    check_report(meant_report(found, zone), user=actor)
    return found


def _check_own(row: SObjectRow, actor: str) -> None:
    if row.CreatedById != actor:
        require_admin(actor)


def _name(given: Any) -> str:
    if not isinstance(given, str) or not given.strip() or "\0" in given:
        raise bad_request("Specify a name for the report.")
    if len(given) > LONGEST_NAME:
        raise bad_request(f"The report name can't be longer than {LONGEST_NAME} characters.")
    return given


def _description(metadata: Mapping[str, Any]) -> str | None:
    found = metadata.get("description")
    if found is not None and (not isinstance(found, str) or len(found) > 255 or "\0" in found):
        raise bad_request("The report description can't be longer than 255 characters.")
    return found


def _developer_name(given: Any, name: str) -> str:
    """Return the unique name of a report: the one that is given, or one made of its name."""
    if given is not None and not (isinstance(given, str) and is_name(given)):
        raise bad_request("The report unique name is not valid.")
    if given is not None and not rows_of("Report").filter(DeveloperName=given).exists():
        return str(given)
    words = "".join(one if one.isascii() and one.isalnum() else " " for one in name).split()
    base = "_".join(words) or "Report"
    base = base if base[0].isalpha() else f"X{base}"
    taken = set(
        rows_of("Report")
        .filter(DeveloperName__startswith=base)
        .values_list("DeveloperName", flat=True)
    )
    number, found = 0, base
    while found in taken:
        number += 1
        found = f"{base}{number}"
    return found


def _folder(given: Any, actor: str) -> tuple[str, str]:
    """Return the id and the name of the folder that a report lies in.

    Raises:
        CrmError: there is none with this id.
    """
    if given in (None, actor):
        return actor, PRIVATE
    if given == ORGANIZATION_ID:
        return ORGANIZATION_ID, PUBLIC
    name = None
    if isinstance(given, str):
        rows = rows_of("Folder").filter(Id=given, Type="Report")
        name = rows.values_list("Name", flat=True).first()
    if name is None:
        raise bad_request("The folder is not available.")
    return str(given), str(name)
