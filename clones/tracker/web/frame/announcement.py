"""The announcement that every page bears: an admin's text, until a browser dismisses it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.safestring import SafeString

from clones.core.pages import harmless_html
from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.site_settings import banner

# Which announcement a browser dismissed: another one is shown again.
DISMISSED: Final = "_tracker_banner"


@dataclass(frozen=True, slots=True)
class Announcement:
    """An announcement, and whether people can dismiss it."""

    text: SafeString
    dismissible: bool
    back: str


def announcement_of(request: SandboxRequest) -> Announcement | None:
    """Return the announcement that a page is to bear, None for none."""
    found = banner()
    if not found["isEnabled"] or not str(found["message"]).strip():
        return None
    dismissible = bool(found["isDismissible"])
    if dismissible and request.COOKIES.get(DISMISSED) == found["hashId"]:
        return None
    return Announcement(harmless_html(str(found["message"])), dismissible, request.get_full_path())
