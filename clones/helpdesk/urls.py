"""The helpdesk's addresses: the API, attachments, and the pages."""

from __future__ import annotations

from django.urls import include, path

from clones.helpdesk.api import entry

urlpatterns = [
    path("api/v2/<path:rest>", entry.api),
    path("attachments/token/<str:token>/", entry.attachment),
    path("", include("clones.helpdesk.web.urls")),
]
