"""Filling in the forms of the administration."""

from __future__ import annotations

from typing import Any

from tests.tracker.site import Site
from tests.tracker.web.conftest import Visit
from tests.tracker.web.pages import Page


def fill(who: Visit, path: str, /, **changes: Any) -> Page:
    """Open a form, change what is given, and send it: it is taken."""
    return who.change(path, path.partition("?")[0], **changes)


def refused(who: Visit, path: str, /, **changes: Any) -> Page:
    """Open a form, change what is given, and send it: it is shown again with what is wrong."""
    action = path.partition("?")[0]
    return who.post(path, {**who.get(path).form(action), **changes}, status=422)


def name_of(found: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """Return the thing of a name of a list that the API gave."""
    return next(one for one in found if one["name"] == name)


def audited(site: Site) -> list[str]:
    """Return what the audit log tells, the latest first."""
    return [one["summary"] for one in site.get("auditing/record")["records"]]
