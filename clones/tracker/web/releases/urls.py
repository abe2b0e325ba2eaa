"""The addresses of releases."""

from __future__ import annotations

from django.urls import path

from clones.tracker.web.releases import forms, list_page, version_page
from clones.tracker.web.settings.navigation import everywhere
from clones.tracker.web.space.redirects import to_releases

_VERSION = "projects/<str:place>/versions/<int:version>"
urlpatterns = [
    path("projects/<str:place>", list_page.classic, name="releases"),
    path("projects/<str:place>/versions/create", forms.create),
    path("projects/<str:place>/versions/move", forms.move),
    path(_VERSION, version_page.lead),
    path(f"{_VERSION}/tab/<str:tab>", version_page.show, name="version"),
    path(f"{_VERSION}/edit", forms.edit),
    path(f"{_VERSION}/release", forms.release),
    path(f"{_VERSION}/unrelease", forms.unrelease),
    path(f"{_VERSION}/archive", forms.archive),
    path(f"{_VERSION}/unarchive", forms.unarchive),
    path(f"{_VERSION}/merge", forms.merge),
    path(f"{_VERSION}/delete", forms.delete),
    path(f"{_VERSION}/work", version_page.add_work),
    path(f"{_VERSION}/work/<str:work>/delete", version_page.remove_work),
    path("secure/ReleaseNote.jspa", version_page.notes),
    *everywhere("versions", to_releases),
]
