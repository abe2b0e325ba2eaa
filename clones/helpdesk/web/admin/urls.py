"""The addresses of Admin Center."""

from __future__ import annotations

from django.urls import path

from clones.helpdesk.web.admin import audit_log, frame, groups, objects_urls, rules_urls

urlpatterns = [
    path("admin", frame.home, name="admin"),
    path("admin/account/logs/audit_log", audit_log.audit_log, name="admin_audit_log"),
    path("admin/account/logs/audit_log/export", audit_log.export, name="admin_audit_log_export"),
    *groups.PAGES.urls("admin/people/team/groups"),
    *rules_urls.urlpatterns,
    *objects_urls.urlpatterns,
]
