"""The data plane as a WSGI application."""

from __future__ import annotations

import os
from importlib import import_module

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clones.config.settings.embedded")

application = get_wsgi_application()


def _load_clones() -> None:
    """Import every clone's URLs now: a broken clone stops the worker, not its first request."""
    from clones.core.vendors import clones  # noqa: PLC0415 - needs Django set up

    for clone in clones():
        import_module(clone.urlconf)


_load_clones()
