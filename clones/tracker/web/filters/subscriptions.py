"""Who gets a filter's results by mail, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpResponse

from clones.core import clock
from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.posted import posted_text
from clones.tracker.domain import filters, subscriptions
from clones.tracker.models import Filter, Group, Subscription
from clones.tracker.web.access import Visitor, form_of_staff, page_of_staff
from clones.tracker.web.parts.attempts import attempt
from clones.tracker.web.parts.times import when
from clones.tracker.web.shell import go, page

ADVANCED: Final = "advanced"
SCHEDULES: Final = (
    ("0 0 8 ? * *", "Daily at 8:00"),
    ("0 0 8 ? * MON-FRI", "Every working day at 8:00"),
    ("0 0 8 ? * MON", "Mondays at 8:00"),
    ("0 0 8 1 * ?", "The first day of each month at 8:00"),
    (ADVANCED, "Advanced: a cron expression"),
)
_CALLED: Final = dict(SCHEDULES)
NOT_ADVANCED = "Choose Advanced for a cron expression, or leave the expression empty."


@dataclass(frozen=True, slots=True)
class SubscriptionItem:
    """A subscription in the list."""

    subscription: Subscription
    who: str
    schedule: str
    next: str
    last: str
    removable: bool


@page_of_staff
def show(request: SandboxRequest, who: Visitor, key: int) -> HttpResponse:
    """Show the subscriptions of a filter, or make one."""
    saved = filters.find_filter(who.rights, key)
    problems: Sequence[str] = ()
    if request.method == "POST":
        problems = _subscribe(request, who, saved)
        if not problems:
            return go(f"/jira/filters/{key}/subscriptions", "Subscription saved")
    context = {
        "saved": saved,
        "lines": _lines(saved, who),
        "schedules": SCHEDULES,
        "groups": _groups(who),
        "problems": problems,
        "typed": posted_text(request, "cron", strip=False),
    }
    return page(
        request, who, "tracker/filters/subscriptions.html", context,
        title=f"Subscriptions: {saved.name}", active="filters", status=400 if problems else 200,
    )  # fmt: skip


def _subscribe(request: SandboxRequest, who: Visitor, saved: Filter) -> Sequence[str]:
    """Make the subscription that a form asks for, or return why it cannot be made."""
    cron, typed = posted_text(request, "schedule"), posted_text(request, "cron", strip=False)
    if cron == ADVANCED:
        cron = typed
    elif typed.strip():
        return (NOT_ADVANCED,)
    uuid = posted_text(request, "group")
    group = Group.objects.filter(uuid=uuid).first() if uuid else None
    made, refusal = attempt(
        lambda: subscriptions.subscribe(
            saved,
            cron,
            actor=who.rights,
            group=group,
            email_on_empty=bool(posted_text(request, "email_on_empty")),
        )
    )
    if made is not None:
        return ()
    return refusal.sentences if refusal else ()


def _groups(who: Visitor) -> list[tuple[str, str]]:
    """Return the groups that somebody may subscribe: their own."""
    if not who.rights.holds_global(subscriptions.GROUPS):
        return []
    rows = Group.objects.filter(id__in=sorted(who.rights.group_ids)).order_by("name", "id")
    return list(rows.values_list("uuid", "name"))


def _lines(saved: Filter, who: Visitor) -> list[SubscriptionItem]:
    rows = Subscription.objects.filter(filter=saved).select_related("user", "group")
    if not who.rights.is_admin:
        rows = rows.filter(user=who.user)
    now, zone = clock.now(), who.rights.zone
    return [
        SubscriptionItem(
            row,
            row.user.display_name if row.group is None else row.group.name,
            _CALLED.get(row.cron, row.cron),
            when(subscriptions.next_time(row, now), zone),
            when(row.last_sent, zone),
            who.rights.is_admin or row.user_id == who.user.id,
        )
        for row in rows.order_by("id")
    ]


@form_of_staff
def remove(request: SandboxRequest, who: Visitor, key: int, number: int) -> HttpResponse:
    """Take a subscription back."""
    saved = filters.find_filter(who.rights, key)
    found = subscriptions.find_subscription(saved, number)
    subscriptions.unsubscribe(found, actor=who.rights)
    return go(f"/jira/filters/{key}/subscriptions", "Subscription removed")
