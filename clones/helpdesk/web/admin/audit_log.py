"""Admin Center's audit log: who changed what, found by action and kind, and its export."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q
from django.http import HttpResponse
from django.urls import reverse

from clones.core import sightings
from clones.core.tenancy.middleware import SandboxRequest
from clones.helpdesk.api.audit_logs import LABELS
from clones.helpdesk.domain.audit_logs import export_audit_logs
from clones.helpdesk.models import AuditLog
from clones.helpdesk.queries import can_be
from clones.helpdesk.queries.audit_logs import AuditLogFilter, audit_logs
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import frame
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.paging import page_of
from clones.helpdesk.web.times import ShownTime, Times

ACTIVE = "admin_audit_log"


@dataclass(frozen=True, slots=True)
class LogRow:
    """A log as the page shows it."""

    time: ShownTime
    actor: str
    action: str
    item: str
    kind: str
    lines: tuple[str, ...]


@admin_page
def audit_log(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List who changed configuration and people, the latest first."""
    asked, wanted = _asked(request), request.GET.get("q", "").strip()
    rows = audit_logs(agent.user, asked)
    if wanted:
        named = Q(source_label__icontains=wanted) | Q(actor_name__icontains=wanted)
        rows = rows.filter(named) if can_be(wanted) else rows.none()
    shown = page_of(request, rows.order_by("-created_at", "-id"))
    times = Times(agent.user)
    kinds = AuditLog.objects.order_by("source_type").values_list("source_type", flat=True)
    context = {
        "page": shown,
        "wanted": wanted,
        "logs": [_row(log, times) for log in shown.rows],
        "action": asked.action or "",
        "kind": asked.source_type or "",
        "actions": sorted(LABELS.items(), key=lambda item: item[1]),
        "kinds": list(kinds.distinct()),
        "export_url": reverse("helpdesk:admin_audit_log_export"),
    }
    return frame.page(
        request, agent, "helpdesk/admin/audit_log.html", context, title="Audit log", active=ACTIVE
    )


@admin_page
def export(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Have a table of the logs made; its address comes by mail."""
    if request.method == "POST":
        with transaction.atomic():
            export_audit_logs(AuditLogFilter(), actor=agent.user)
        return shell.go(reverse(f"helpdesk:{ACTIVE}"), "exported", agent.user.email or "")
    return shell.go(reverse(f"helpdesk:{ACTIVE}"))


def _asked(request: SandboxRequest) -> AuditLogFilter:
    return AuditLogFilter(
        source_type=request.GET.get("kind") or None, action=request.GET.get("action") or None
    )


def _row(log: AuditLog, times: Times) -> LogRow:
    sightings.note(log, "list")
    return LogRow(
        times.show(log.created_at),
        log.actor_name,
        LABELS[log.action],
        log.source_label,
        log.source_type,
        tuple(log.change_description.splitlines()),
    )
