"""The tracker's addresses: its APIs and its pages."""

from __future__ import annotations

from django.urls import include, path

from clones.tracker.api import entry

urlpatterns = [
    path("rest/<path:rest>", entry.api),
    path("", include("clones.tracker.web.urls")),
]
