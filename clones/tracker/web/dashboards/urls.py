"""The addresses of dashboards."""

from __future__ import annotations

from django.urls import path

from clones.tracker.web.dashboards import gadgets, pages

urlpatterns = [
    path("jira/dashboards", pages.dashboard_list, name="dashboards"),
    path("jira/dashboards/new", pages.create, name="dashboard_new"),
    path("jira/dashboards/<int:key>", pages.show, name="dashboard"),
    path("jira/dashboards/<int:key>/edit", pages.edit, name="dashboard_edit"),
    path("jira/dashboards/<int:key>/delete", pages.delete, name="dashboard_delete"),
    path("jira/dashboards/<int:key>/star", pages.star, name="dashboard_star"),
    path("jira/dashboards/<int:key>/layout", pages.layout, name="dashboard_layout"),
    path("jira/dashboards/<int:key>/gadgets/add", gadgets.add, name="gadget_add"),
    path("jira/dashboards/<int:key>/gadgets/<int:gadget>", gadgets.configure, name="gadget"),
    path("jira/dashboards/<int:key>/gadgets/<int:gadget>/move", gadgets.move, name="gadget_move"),
    path(
        "jira/dashboards/<int:key>/gadgets/<int:gadget>/remove",
        gadgets.remove,
        name="gadget_remove",
    ),
]
