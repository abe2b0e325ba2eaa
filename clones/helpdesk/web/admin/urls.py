"""The addresses of Admin Center."""

from __future__ import annotations

from django.urls import path

from clones.helpdesk.web.admin import audit_log, frame, groups, objects_urls, rules_urls

urlpatterns = [
    path("admin", frame.home, name="admin"),
    path("admin/account/logs/audit_log", audit_log.audit_log, name="admin_audit_log"),
    path("admin/account/logs/audit_log/export", audit_log.export, name="admin_audit_log_export"),
    path("admin/people/team/groups", groups.groups, name="admin_groups"),
    path("admin/people/team/groups/new", groups.group, name="admin_group_new"),
    path("admin/people/team/groups/<int:key>", groups.group, name="admin_group"),
    path(
        "admin/people/team/groups/<int:key>/delete", groups.delete_group, name="admin_group_delete"
    ),
    *rules_urls.urlpatterns,
    *objects_urls.urlpatterns,
]
