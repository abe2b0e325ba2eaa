"""The addresses of the tracker's pages."""

from __future__ import annotations

from django.urls import path, re_path

from clones.tracker.web import home, plain_pages, signin

app_name = "tracker"
urlpatterns = [
    path("login", signin.signin, name="signin"),
    path("logout", signin.signout, name="signout"),
    path("", home.root),
    path("jira", home.root),
    path("jira/for-you", home.home, name="home"),
    re_path(r"", plain_pages.page_not_found),
]
