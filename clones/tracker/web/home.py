"""The page at which people begin: what they worked on, looked at, and are to do."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import OuterRef, Subquery
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse

from clones.core import clock
from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.models import ChangeGroup
from clones.tracker.queries.rights import visible_issues
from clones.tracker.web.access import Visitor, page_of_anybody, page_of_staff
from clones.tracker.web.frame.starred import starred
from clones.tracker.web.shell import page
from clones.tracker.web.signin import beginning

SHOWN = 30
LATELY = timedelta(days=90)  # what somebody changed before that they do not work on any more
TABS = {
    "assigned": "Assigned to me",
    "worked": "Worked on",
    "viewed": "Viewed",
    "reported": "Reported by me",
    "starred": "Starred",
}


@page_of_anybody
def root(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Lead on to the page at which people begin."""
    return HttpResponseRedirect(beginning(who.user, reverse("tracker:home")))


@page_of_staff
def home(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Show the work of the one who looks."""
    tab = request.GET.get("tab", "assigned")
    tab = tab if tab in TABS else "assigned"
    if tab == "starred":
        found = {"tab": tab, "tabs": TABS, "starred": starred(who.rights)}
        return page(request, who, "tracker/home.html", found, title="For you", active="starred")
    rows = visible_issues(who.rights).select_related("project", "issue_type", "status", "priority")
    if tab == "assigned":
        rows = rows.filter(assignee=who.user).exclude(status__category="done")
        rows = rows.order_by("-updated", "-id")
    elif tab == "worked":
        mine = ChangeGroup.objects.filter(author=who.user)
        latest = mine.filter(issue=OuterRef("pk")).order_by("-created").values("created")[:1]
        rows = rows.filter(id__in=mine.filter(created__gte=clock.now() - LATELY).values("issue"))
        rows = rows.order_by(Subquery(latest).desc(), "-id")
    elif tab == "viewed":
        rows = rows.filter(views__user=who.user).order_by("-views__at", "-id")
    else:
        rows = rows.filter(reporter=who.user).order_by("-created", "-id")
    active = "recent" if tab == "viewed" else "home"
    context = {"tab": tab, "tabs": TABS, "issues": list(rows[:SHOWN])}
    return page(request, who, "tracker/home.html", context, title="For you", active=active)
