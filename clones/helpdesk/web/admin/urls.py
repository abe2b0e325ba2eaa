"""The addresses of Admin Center."""

from __future__ import annotations

from django.urls import path

from clones.helpdesk.web.admin import frame, groups

urlpatterns = [
    path("admin", frame.home, name="admin"),
    path("admin/people/team/groups", groups.groups, name="admin_groups"),
    path("admin/people/team/groups/new", groups.new_group, name="admin_group_new"),
    path("admin/people/team/groups/<int:key>", groups.group, name="admin_group"),
    path(
        "admin/people/team/groups/<int:key>/delete", groups.delete_group, name="admin_group_delete"
    ),
]
