"""What a customer is called, and the time zone in which they read times."""

from __future__ import annotations

from zoneinfo import available_timezones

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain.people import ZONE, set_preference
from clones.tracker.web.access import Visitor, page_of_anybody
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.parts.choices import Choice
from clones.tracker.web.portal.access import PROFILE, portal_page
from clones.tracker.web.shell import go


@page_of_anybody
def profile(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show the profile of the visitor, or take another time zone."""
    problems: list[str] = []
    zone = who.user.time_zone
    if request.method == "POST":
        zone = posted_text(request, "zone")
        _, refusal = attempt(lambda: set_preference(who.user, ZONE, zone))
        if refusal is None:
            return go(PROFILE, "Your profile was saved")
        problems = refusal.sentences
    context = {
        "problems": problems,
        "zones": [Choice(one, one, one == zone) for one in sorted(available_timezones())],
    }
    status = 422 if problems else 200
    return portal_page(request, who, "profile", context, title="Profile", status=status)
