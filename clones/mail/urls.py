"""The mail clone's addresses: pages only, it has no API."""

from __future__ import annotations

from django.urls import include, path

urlpatterns = [path("", include("clones.mail.web.urls"))]
