"""Admin Center's audit log: who changed what, found by action and kind, and its export."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q
from django.http import HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.lists import Action, Cell, Link, ListPage, ListRow, Panel, SearchForm
from clones.helpdesk.api.audit_logs import LABELS
from clones.helpdesk.domain.audit_logs import export_audit_logs
from clones.helpdesk.models import AuditLog
from clones.helpdesk.queries import can_be
from clones.helpdesk.queries.audit_logs import AuditLogFilter, audit_logs
from clones.helpdesk.web import shell
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import pages
from clones.helpdesk.web.admin.frame import admin_page
from clones.helpdesk.web.admin.inputs import Filter
from clones.helpdesk.web.times import Times

ACTIVE = "admin_audit_log"


@admin_page
def audit_log(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """List who changed configuration and people, the latest first."""
    asked, wanted = _log_filter(request), pages.search_text(request)
    rows = audit_logs(agent.user, asked)
    if wanted:
        named = Q(source_label__icontains=wanted) | Q(actor_name__icontains=wanted)
        rows = rows.filter(named) if can_be(wanted) else rows.none()
    times = Times(agent.user)
    export_url = reverse("helpdesk:admin_audit_log_export")
    listing = ListPage(
        "Audit log",
        ACTIVE,
        [Panel(("Time", "Actor", "Action", "Item", "Change"), empty="No logs.")],
        acts=[Action("Export CSV", export_url, post=True, test_id="audit-log-export")],
        search=SearchForm("Search", wanted, _filters(asked), "Search by item or actor"),
    )
    return pages.show_list(
        request, agent, listing, rows.order_by("-created_at", "-id"), lambda log: _row(log, times)
    )


@admin_page
def export(request: SandboxRequest, agent: Agent) -> HttpResponse:
    """Have a table of the logs made; its address comes by mail."""
    if request.method == "POST":
        with transaction.atomic():
            export_audit_logs(AuditLogFilter(), actor=agent.user)
        return shell.go(reverse(f"helpdesk:{ACTIVE}"), "exported", agent.user.email or "")
    return shell.go(reverse(f"helpdesk:{ACTIVE}"))


def _log_filter(request: SandboxRequest) -> AuditLogFilter:
    return AuditLogFilter(
        source_type=request.GET.get("kind") or None, action=request.GET.get("action") or None
    )


def _filters(asked: AuditLogFilter) -> list[Filter]:
    kinds = AuditLog.objects.order_by("source_type").values_list("source_type", flat=True)
    actions = sorted(LABELS.items(), key=lambda item: item[1])
    return [
        Filter(
            "action",
            "Action",
            asked.action or "",
            [("", "All actions"), *actions],
            test_id="audit-log-action",
        ),
        Filter(
            "kind",
            "Item type",
            asked.source_type or "",
            [("", "All items"), *((kind, kind) for kind in kinds.distinct())],
            test_id="audit-log-item-type",
        ),
    ]


def _row(log: AuditLog, times: Times) -> ListRow:
    time = render_to_string("helpdesk/_time.html", {"time": times.show(log.created_at)})
    return ListRow(
        [
            Cell(picture=time),
            Cell(log.actor_name),
            Cell(LABELS[log.action]),
            Cell(log.source_label, below=log.source_type),
            Cell(links=[Link(line) for line in log.change_description.splitlines()]),
        ]
    )
