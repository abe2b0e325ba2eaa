"""Audit logs: list, show, export."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.helpdesk.api.operations import (
    OPERATIONS,
    Query,
    SortedQuery,
    list_request,
    listed,
    show,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.context import Show, when
from clones.helpdesk.domain.audit_logs import export_audit_logs
from clones.helpdesk.models import AuditLog
from clones.helpdesk.queries.audit_logs import AuditLogFilter, audit_log, audit_logs

LABELS = {
    "create": "Created",
    "destroy": "Deleted",
    "exported": "Exported",
    "login": "Signed in",
    "update": "Updated",
}
SORTED_BY = ("created_at", "actor_id", "action", "source_type", "source_id", "ip_address")


class AuditLogFilters(Query):
    """Filters of the account's audit log: source, actor, address, action, time."""

    source_type: str | None = Field(None, alias="filter[source_type]")
    source_id: int | None = Field(
        None, alias="filter[source_id]", description="Needs filter[source_type] too."
    )
    actor_id: int | None = Field(None, alias="filter[actor_id]")
    ip_address: str | None = Field(None, alias="filter[ip_address]")
    created_at: list[str] | None = Field(
        None, alias="filter[created_at]", description="Given twice: a start and an end."
    )
    action: str | None = Field(
        None, alias="filter[action]", description="create, destroy, exported, login or update"
    )


class AuditLogList(AuditLogFilters, SortedQuery):
    """Filters, order and paging of the account's audit log."""

    sort: str | None = Field(None, description="created_at or -created_at; with cursors.")


def _wanted_entries(call: Call) -> AuditLogFilter:
    query = call.query
    return AuditLogFilter(
        query.source_type,
        query.source_id,
        query.actor_id,
        query.ip_address,
        tuple(query.created_at or ()),
        query.action,
    )


def present_audit_log(found: AuditLog, to: Show) -> dict[str, Any]:
    """Return a log as JSON."""
    to.note(found)
    return {
        "url": to.url(f"audit_logs/{found.id}"),
        "id": found.id,
        "action": found.action,
        "action_label": LABELS[found.action],
        "actor_id": found.actor_id,
        "actor_name": found.actor_name,
        "source_id": found.source_id,
        "source_type": found.source_type,
        "source_label": found.source_label,
        "change_description": found.change_description,
        "ip_address": found.ip_address,
        "created_at": when(found.created_at),
    }


@OPERATIONS.operation(
    "ListAuditLogs",
    "GET",
    "/audit_logs",
    summary="List who changed configuration and people, the latest first.",
    query=AuditLogList,
    access="admin",
)
def list_audit_logs(call: Call) -> dict[str, Any]:
    """List audit logs."""
    rows = audit_logs(call.actor, _wanted_entries(call))
    fields = ["-created_at", "-id"]
    if not list_request(call).by_cursor:
        name = call.query.sort_by if call.query.sort_by in SORTED_BY else "created_at"
        sign = "" if call.query.sort_order == "asc" else "-"
        fields = [f"{sign}{name}", f"{sign}id"]
    page = paginate(rows, list_request(call), Order(tuple(fields)))
    return listed("audit_logs", [present_audit_log(row, show(call)) for row in page.rows], page)


@OPERATIONS.operation(
    "ShowAuditLog",
    "GET",
    "/audit_logs/{audit_log_id:int}",
    summary="Show who changed what.",
    access="admin",
)
def show_audit_log(call: Call) -> dict[str, Any]:
    """Show an audit log."""
    found = audit_log(call.actor, call.path["audit_log_id"])
    return {"audit_log": present_audit_log(found, show(call, "detail"))}


@OPERATIONS.operation(
    "ExportAuditLogs",
    "POST",
    "/audit_logs/export",
    summary="Have a table of audit logs made; its address comes by mail.",
    query=AuditLogFilters,
    access="admin",
    status=202,
)
def export(call: Call) -> str:
    """Queue an export of audit logs."""
    export_audit_logs(_wanted_entries(call), actor=call.actor)
    return ""
