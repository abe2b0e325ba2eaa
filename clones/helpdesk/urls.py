"""The helpdesk's addresses: the API, attachments, and the pages."""

from __future__ import annotations

from django.urls import include, path, re_path

from clones.helpdesk.api import entry

urlpatterns = [
    # Whatever follows, a line's end too: what the API does not know, it refuses in its own words.
    re_path(r"^api/v2/(?P<rest>(?s:.+))", entry.api),
    path("attachments/token/<str:token>/", entry.attachment),
    path("", include("clones.helpdesk.web.urls")),
]
