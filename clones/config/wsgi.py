"""The data plane as a WSGI application."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from importlib import import_module
from typing import Any

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponseBase

from clones.core.garbage import uncollected

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clones.config.settings.embedded")

Application = Callable[[dict[str, Any], Any], HttpResponseBase]


def _over_tls(answer: Application) -> Application:
    """Tell the application that its clients came by https: its own server did not see it."""

    def answer_over_tls(environ: dict[str, Any], start_response: Any) -> HttpResponseBase:
        environ["wsgi.url_scheme"] = "https"
        return answer(environ, start_response)

    return answer_over_tls


def _load_clones() -> None:
    """Import every clone's URLs and operations now: a broken clone stops the worker."""
    from clones.core.vendors import clones  # noqa: PLC0415 - needs Django set up

    for clone in clones():
        import_module(clone.urlconf)
        if clone.operations is not None:
            clone.operations.load()


with uncollected():
    application: Application = get_wsgi_application()
    _load_clones()
    # What was loaded stays for good. It is some hundred thousand objects: a request that happened
    # to set off a full collection took a tenth of a second longer than the others.
    gc.freeze()
if settings.SCHEME == "https":
    application = _over_tls(application)
