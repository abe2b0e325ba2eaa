"""Reports: listed, described, run, kept, copied, changed and taken away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.core.operations.inputs import Query
from clones.crm.api.analytics.presenting import (
    FactMap,
    present_extended,
    present_listed,
    present_metadata,
    present_type,
    present_type_metadata,
)
from clones.crm.api.operations import root, version_of, versioned
from clones.crm.api.views.recent import mark_seen
from clones.crm.api.views.rows import plain_members
from clones.crm.domain.reports import (
    KEPT,
    bad_request,
    change_report,
    create_report,
    definition_of,
    find_report,
    keep_run,
    meant_report,
    remove_report,
)
from clones.crm.errors import NotFound
from clones.crm.models import ReportInstance, SObjectRow, rows_of
from clones.crm.queries.manners import manner_of
from clones.crm.queries.recent import seen_records
from clones.crm.queries.reports import run_report
from clones.crm.queries.schema import org_schema
from clones.crm.queries.soql.asking import calendar_of
from clones.crm.rules.record_ids import read_id
from clones.crm.rules.reports import report_type, report_types
from clones.crm.rules.reports.columns import default_columns
from clones.crm.rules.shown_values import moment_text

_REPORT = "Report"


class ReportQuery(Query):
    """Whether rows are wanted, and the report to copy."""

    details: bool = Field(False, alias="includeDetails")
    clone: str | None = Field(None, alias="cloneId")


@versioned("GetReports", "GET", "/analytics/reports", summary="List the reports seen last.")
def show_reports(call: Call) -> list[dict[str, Any]]:
    """Answer with the reports that the caller saw, the last one first."""
    seen = seen_records(call.actor.subject, of=_REPORT)
    rows = {row.Id: row for row in rows_of(_REPORT).filter(Id__in=seen, IsDeleted=False)}
    return [present_listed(rows[id], root(call)) for id in seen if id in rows]


@versioned(
    "PostReport",
    "POST",
    "/analytics/reports",
    summary="Keep a new report, or a copy of one.",
    query=ReportQuery,
    body=Any,
)
def make_report(call: Call) -> dict[str, Any]:
    """Answer with the report's metadata."""
    given, actor = _metadata(call), call.actor.subject
    if call.query.clone:
        source = _named(call, call.query.clone)
        given = {**definition_of(source.Id), "folderId": source.OwnerId, **given}
    else:
        given = _with_defaults(given)
    row = create_report(given, actor=actor, zone=calendar_of(actor).zone)
    mark_seen(call, _REPORT, row.Id)
    return _described(call, row)


@versioned(
    "PostReportQuery",
    "POST",
    "/analytics/reports/query",
    summary="Run a report that is not kept.",
    query=ReportQuery,
    body=Any,
    writes=False,
)
def query_report(call: Call) -> dict[str, Any]:
    """Answer with what the report finds."""
    given = _with_defaults(_metadata(call))
    return _run(call, None, given, rows=call.query.details or given.get("hasDetailRows") is True)


@versioned(
    "GetReport", "GET", "/analytics/reports/{id}", summary="Run a report.", query=ReportQuery
)
def show_report(call: Call) -> dict[str, Any]:
    """Answer with what the report finds."""
    row = _named(call, call.path["id"])
    return _run(call, row, definition_of(row.Id), rows=call.query.details)


@versioned(
    "PostReportRun",
    "POST",
    "/analytics/reports/{id}",
    summary="Run a report with other metadata.",
    query=ReportQuery,
    body=Any,
    writes=False,
)
def run_with(call: Call) -> dict[str, Any]:
    """Answer with what the report finds; what is kept of it stays as it is."""
    row = _named(call, call.path["id"])
    given = {**definition_of(row.Id), **_metadata(call, needed=False)}
    return _run(call, row, given, rows=call.query.details)


@versioned("PatchReport", "PATCH", "/analytics/reports/{id}", summary="Change a report.", body=Any)
def alter_report(call: Call) -> dict[str, Any]:
    """Answer with the report's metadata."""
    row, actor = _named(call, call.path["id"]), call.actor.subject
    change_report(row, _metadata(call), actor=actor, zone=calendar_of(actor).zone)
    return _described(call, row)


@versioned(
    "DeleteReport", "DELETE", "/analytics/reports/{id}", summary="Delete a report.", status=204
)
def drop_report(call: Call) -> None:
    """Answer with nothing."""
    remove_report(_named(call, call.path["id"]), actor=call.actor.subject)


@versioned(
    "GetReportDescribe", "GET", "/analytics/reports/{id}/describe", summary="Describe a report."
)
def describe_report(call: Call) -> dict[str, Any]:
    """Answer with the report's metadata, its columns and what it could show."""
    row = _named(call, call.path["id"])
    mark_seen(call, _REPORT, row.Id)
    return _described(call, row)


@versioned(
    "GetReportInstances",
    "GET",
    "/analytics/reports/{id}/instances",
    summary="List the runs of a report.",
)
def show_runs(call: Call) -> list[dict[str, Any]]:
    """Answer with the runs that the caller began, the last one first."""
    row = _named(call, call.path["id"])
    runs = ReportInstance.objects.filter(report=row.Id, user=call.actor.subject)
    return [_present_run(call, one) for one in runs.order_by("-asked_at", "-id")[:200]]


@versioned(
    "PostReportInstance",
    "POST",
    "/analytics/reports/{id}/instances",
    summary="Run a report, to be asked for later.",
    query=ReportQuery,
    body=Any,
)
def begin_run(call: Call) -> dict[str, Any]:
    """Answer with the run."""
    row, user = _named(call, call.path["id"]), call.actor.subject
    given = {**definition_of(row.Id), **_metadata(call, needed=False)}
    kept = {name: given[name] for name in KEPT if given.get(name) is not None}
    meant_report(kept, calendar_of(user).zone)
    return _present_run(call, keep_run(row.Id, kept, user=user, rows=call.query.details))


@versioned(
    "GetReportInstance",
    "GET",
    "/analytics/reports/{id}/instances/{run}",
    summary="Show what a run of a report found.",
)
def show_run(call: Call) -> dict[str, Any]:
    """Answer with what it finds at this moment."""
    row, one = _named(call, call.path["id"]), _run_of(call)
    found = _run(call, row, one.definition, rows=one.has_details)
    shown = _present_run(call, one)
    attributes = {**found["attributes"], "id": one.id, "type": "ReportInstance"}
    keys = ("completionDate", "ownerId", "requestDate", "status")
    attributes |= {name: shown[name] for name in keys}
    return {**found, "attributes": attributes}


@versioned(
    "DeleteReportInstance",
    "DELETE",
    "/analytics/reports/{id}/instances/{run}",
    summary="Forget a run of a report.",
    status=204,
)
def drop_run(call: Call) -> None:
    """Answer with nothing."""
    _named(call, call.path["id"])
    _run_of(call).delete()


@versioned("GetReportTypes", "GET", "/analytics/reportTypes", summary="List the report types.")
def show_types(call: Call) -> list[dict[str, Any]]:
    """Answer with the report types under one heading."""
    shown = [
        {
            "describeUrl": f"{root(call)}/analytics/reportTypes/{one.name}",
            "isEnabled": True,
            "isHidden": False,
            "isHistorical": False,
            "label": one.label,
            "supportsJoinedFormat": False,
            "type": one.name,
        }
        for one in report_types(org_schema())
    ]
    return [{"label": "Other Reports", "reportTypes": shown}]


@versioned(
    "GetReportType",
    "GET",
    "/analytics/reportTypes/{type}",
    summary="Describe a report type.",
)
def show_type(call: Call) -> dict[str, Any]:
    """Answer with what reports of the type can show."""
    found = report_type(call.path["type"], org_schema())
    if found is None:
        raise NotFound
    return present_type(found)


def _named(call: Call, id: str) -> SObjectRow:
    return find_report(read_id(id) or "", user=call.actor.subject)


def _run_of(call: Call) -> ReportInstance:
    rows = ReportInstance.objects.filter(
        id=read_id(call.path["run"]) or "",
        report=read_id(call.path["id"]) or "",
        user=call.actor.subject,
    )
    found = rows.first()
    if found is None:
        raise NotFound
    return found


def _metadata(call: Call, *, needed: bool = True) -> dict[str, Any]:
    """Return the metadata of a body.

    Raises:
        CrmError: there are none where there have to be.
    """
    if call.body is None and not needed:
        return {}
    found = plain_members(call).get("reportMetadata")
    if found is None and not needed:
        return {}
    if not isinstance(found, dict):
        raise bad_request("Specify the report metadata.")
    return found


def _with_defaults(given: dict[str, Any]) -> dict[str, Any]:
    """Return metadata with columns where they name none."""
    if given.get("detailColumns") is not None:
        return given
    type_ = given.get("reportType")
    name = type_.get("type") if isinstance(type_, Mapping) else type_
    found = report_type(name, org_schema()) if isinstance(name, str) else None
    return given if found is None else {**given, "detailColumns": default_columns(found.of)}


def _described(call: Call, row: SObjectRow) -> dict[str, Any]:
    given = definition_of(row.Id)
    report = meant_report(given, calendar_of(call.actor.subject).zone)
    return {
        "attributes": _attributes(call, row),
        "reportExtendedMetadata": present_extended(report),
        "reportMetadata": present_metadata(given, report.type, row),
        "reportTypeMetadata": present_type_metadata(report.type),
    }


def _attributes(call: Call, row: SObjectRow | None) -> dict[str, Any]:
    own = f"{root(call)}/analytics/reports/{'query' if row is None else row.Id}"
    return {
        "describeUrl": None if row is None else f"{own}/describe",
        "instancesUrl": None if row is None else f"{own}/instances",
        "reportId": None if row is None else row.Id,
        "reportName": None if row is None else row.Name,
        "type": "Report",
    }


def _run(
    call: Call, row: SObjectRow | None, given: Mapping[str, Any], *, rows: bool
) -> dict[str, Any]:
    user = call.actor.subject
    report = meant_report(given, calendar_of(user).zone)
    if row is not None:
        mark_seen(call, _REPORT, row.Id)
    found = run_report(report, user=user, version=version_of(call), root=root(call), with_rows=rows)
    return {
        "allData": found.has_all_rows,
        "attributes": _attributes(call, row),
        **FactMap(found, manner_of(user)).body(with_rows=rows),
        "hasDetailRows": rows,
        "picklistColors": {},
        "reportExtendedMetadata": present_extended(report),
        "reportMetadata": present_metadata(given, report.type, row),
    }


def _present_run(call: Call, one: ReportInstance) -> dict[str, Any]:
    moment = moment_text(one.asked_at).replace("+0000", "Z")
    return {
        "completionDate": moment,
        "hasDetailRows": one.has_details,
        "id": one.id,
        "ownerId": one.user,
        "queryable": False,
        "requestDate": moment,
        "status": "Success",
        "url": f"{root(call)}/analytics/reports/{one.report}/instances/{one.id}",
    }
