"""The tracker's addresses: its APIs."""

from __future__ import annotations

from django.urls import path

from clones.tracker.api import entry

urlpatterns = [path("rest/<path:rest>", entry.api)]
