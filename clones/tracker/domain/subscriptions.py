"""Subscriptions of filters: their results by mail, on a schedule.

subscribe(saved, cron, *, actor, group=None, email_on_empty=False) -> Subscription
unsubscribe(subscription, *, actor) -> None
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from clones.core import clock, jobs, post
from clones.core.addresses import with_name
from clones.tracker.domain.errors import Forbidden, Invalid, NotFound, Unauthenticated
from clones.tracker.domain.notifications import HOME, SENDER, TITLE
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.settings import setting
from clones.tracker.models import Filter, Group, GroupMember, Issue, Subscription, User
from clones.tracker.queries import searching
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.sharing import visible_filters
from clones.tracker.rules.automation.cron import BadCron, read_cron
from clones.tracker.rules.jql import JqlError

JOB: Final = "tracker.filter_subscription"
SHOWN: Final = 200  # issues in one mail, as the vendor has it
GROUPS: Final = "MANAGE_GROUP_FILTER_SUBSCRIPTIONS"
GONE: Final = "The subscription does not exist."


def subscribe(
    saved: Filter,
    cron: str,
    *,
    actor: Rights,
    group: Group | None = None,
    email_on_empty: bool = False,
) -> Subscription:
    """Have a filter's results mailed to the actor, or to a group of theirs.

    Args:
        saved: a filter that they see.
        cron: when, in their time zone.
        actor: who wants it.
        group: whose people get it, each what they see themselves; None for the actor alone.
        email_on_empty: whether mail is sent where nothing is found.

    Raises:
        Unauthenticated: nobody is signed in.
        NotFound: they do not see the filter.
        Forbidden: they may not subscribe groups, or are not in that one.
        Invalid: the schedule is none.
    """
    user = actor.user
    if user is None:
        raise Unauthenticated
    if not visible_filters(actor).filter(id=saved.id).exists():
        raise NotFound("The filter does not exist or you cannot see it.")
    if group is not None and (not actor.holds_global(GROUPS) or group.id not in actor.group_ids):
        raise Forbidden("You do not have permission to subscribe this group.")
    try:
        read_cron(cron)
    except BadCron as error:
        raise Invalid(fields={"cron": f"The schedule is not valid: {error}"}) from error
    made = Subscription.objects.create(
        id=next_id(Subscription),
        filter=saved,
        user=user,
        group=group,
        cron=cron.strip(),
        email_on_empty=email_on_empty,
    )
    _set_timer(made)
    return made


def unsubscribe(subscription: Subscription, *, actor: Rights) -> None:
    """Take a subscription back: who made it does, or an admin.

    Raises:
        Forbidden: the actor is neither.
    """
    mine = actor.user is not None and subscription.user_id == actor.user.id
    if not mine and not actor.is_admin:
        raise Forbidden("You can only remove your own subscriptions.")
    jobs.cancel(_key(subscription))
    subscription.delete()


def find_subscription(saved: Filter, id: int) -> Subscription:
    """Return a subscription of a filter.

    Raises:
        NotFound: there is none.
    """
    found = Subscription.objects.filter(filter=saved, id=id).select_related("user").first()
    if found is None:
        raise NotFound(GONE)
    return found


def next_time(subscription: Subscription, after: datetime) -> datetime | None:
    """Return when a subscription is due next, in the zone of who made it."""
    try:
        cron = read_cron(subscription.cron)
    except BadCron:
        return None
    return cron.next_after(after, ZoneInfo(subscription.user.time_zone))


def _key(subscription: Subscription) -> str:
    return f"{JOB}:{subscription.id}"


def _set_timer(subscription: Subscription) -> None:
    due = next_time(subscription, clock.now())
    if due is not None:
        payload = {"subscription": subscription.id}
        jobs.enqueue(JOB, due=due, payload=payload, key=_key(subscription))


@jobs.handles(JOB)
def deliver(payload: dict[str, Any]) -> None:
    """Mail the results of a filter, and set the timer for the next time."""
    rows = Subscription.objects.select_related("filter", "user", "group")
    found = rows.filter(id=payload["subscription"]).first()
    if found is None:
        return
    for user in _readers(found):
        _mail(found, user)
    found.last_sent = clock.now()
    found.save(update_fields=["last_sent"])
    _set_timer(found)


def _readers(subscription: Subscription) -> Sequence[User]:
    if subscription.group is None:
        people = User.objects.filter(id=subscription.user_id)
    else:
        members = GroupMember.objects.filter(group=subscription.group).values("user")
        people = User.objects.filter(id__in=members)
    return list(people.filter(active=True, email__isnull=False).order_by("id"))


def _mail(subscription: Subscription, user: User) -> None:
    """Mail somebody what they see of a filter's results."""
    saved = subscription.filter
    rights = Rights(user)
    if not visible_filters(rights).filter(id=saved.id).exists():
        return
    try:
        rows = searching.search(saved.jql, rights)
    except JqlError:
        return  # it names what is gone: nothing can be said until somebody mends it
    total = rows.order_by().count()
    if not total and not subscription.email_on_empty:
        return
    shown = list(rows.select_related("status", "assignee")[:SHOWN])
    home = setting("jira.baseurl", HOME)
    lines = [
        f"Filter: {saved.name}",
        f"{total} work item{'' if total == 1 else 's'}" if total else "No work items were found.",
        "\n".join(_line(issue) for issue in shown),
        f"View all: {home}/issues/?filter={saved.id}",
        "You get this message because of a subscription of this filter.",
    ]
    post.send(
        clone="tracker",
        sender=with_name(TITLE, SENDER),
        recipients=[with_name(user.display_name, user.email or "")],
        subject=f"[{setting('jira.title', TITLE)}] Subscription: {saved.name}",
        text="\n\n".join(filter(None, lines)),
        headers={"Auto-Submitted": "auto-generated", "X-Jira-Event": "filter_subscription"},
        about=f"tracker.filter:{saved.id}",
    )


def _line(issue: Issue) -> str:
    name = "Unassigned" if issue.assignee is None else issue.assignee.display_name
    return f"{issue.key} {issue.summary} ({issue.status.name}, {name})"
