"""The addresses of the tracker's pages."""

from __future__ import annotations

from django.urls import include, path, re_path

from clones.tracker.web import home, plain_pages, signin

app_name = "tracker"
urlpatterns = [
    path("login", signin.signin, name="signin"),
    path("logout", signin.signout, name="signout"),
    path("", home.root),
    path("jira", home.root),
    path("jira/for-you", home.home, name="home"),
    path("", include("clones.tracker.web.boards.urls")),
    path("", include("clones.tracker.web.automation.urls")),
    path("", include("clones.tracker.web.settings.urls")),
    path("", include("clones.tracker.web.admin.urls")),
    path("", include("clones.tracker.web.reports.urls")),
    path("", include("clones.tracker.web.releases.urls")),
    path("", include("clones.tracker.web.space.urls")),
    path("", include("clones.tracker.web.frame.urls")),
    path("", include("clones.tracker.web.issue.urls")),
    path("", include("clones.tracker.web.navigator.urls")),
    path("", include("clones.tracker.web.filters.urls")),
    path("", include("clones.tracker.web.dashboards.urls")),
    path("", include("clones.tracker.web.desk.urls")),
    path("", include("clones.tracker.web.portal.urls")),
    re_path(r"", plain_pages.page_not_found),
]
