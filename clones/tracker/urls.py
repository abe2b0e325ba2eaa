"""The tracker's addresses: its APIs and its pages."""

from __future__ import annotations

from django.urls import include, path, re_path

from clones.tracker.api import entry

urlpatterns = [
    # Whatever follows, a line's end too: what the API does not know, it refuses in its own words.
    re_path(r"^rest/(?P<rest>(?s:.+))", entry.api),
    path("", include("clones.tracker.web.urls")),
]
