"""Mail of service desks to customers: that their request came, what is said, how it ends.

Customers involved are the reporter and the participants, but for staff who see the issue itself:
the scheme of the space tells them. Nobody is told of what they did themselves, but for the
confirmation of their request; who said that they want no mail of a request gets none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from clones.core import post
from clones.core.addresses import with_name
from clones.tracker.domain.events import Event, listen
from clones.tracker.domain.notifications import HOME, SENDER, sender_of
from clones.tracker.domain.richtext import plain_of
from clones.tracker.domain.settings import setting
from clones.tracker.models import (
    Approver,
    ChangeItem,
    Issue,
    Request,
    RequestParticipant,
    RequestSubscription,
    ServiceDesk,
    User,
)
from clones.tracker.queries.recipients import reachable
from clones.tracker.rules.desk.notices import NOTICES, is_told

LINE: Final = "—-—-—-—"


@listen("request_created")
def confirm(event: Event) -> None:
    """Tell the reporter that their request came."""
    issue = event.issue
    if issue is not None and issue.reporter is not None:
        _mail("created", event, issue, [issue.reporter], own=True)


@listen("comment_created", "comment_updated")
def tell_comment(event: Event) -> None:
    """Tell customers of what is said to them."""
    issue, comment = event.issue, event.comment
    if issue is None or comment is None or not comment.public or comment.visibility is not None:
        return
    if _is_request(issue) and event.notify:
        key = "comment" if event.kind == "comment_created" else "comment_edited"
        _mail(key, event, issue, _involved(issue), text=plain_of(comment.body))


@listen("issue_updated")
def tell_end(event: Event) -> None:
    """Tell customers that a request was resolved, or opened again."""
    issue = event.issue
    if issue is None or event.changes is None or issue.project.type != "service_desk":
        return
    rows = ChangeItem.objects.filter(group=event.changes, field_id="resolution")
    for old, new in rows.values_list("old", "new"):
        if bool(old) != bool(new) and _is_request(issue):
            _mail("resolved" if new else "reopened", event, issue, _involved(issue))


@listen("request_participants_added")
def tell_participants(event: Event) -> None:
    """Tell those who take part in a request from now on."""
    if event.issue is not None:
        users = User.objects.filter(account_id__in=event.details["users"]).order_by("id")
        _mail("participant", event, event.issue, users)


@listen("approval_asked")
def tell_approvers(event: Event) -> None:
    """Tell those whose approval a request waits for."""
    issue = event.issue
    if issue is not None:
        rows = Approver.objects.filter(approval=event.details["approval"]).select_related("user")
        _mail("approval", event, issue, [row.user for row in rows.order_by("id")])


def _is_request(issue: Issue) -> bool:
    return (
        issue.project.type == "service_desk"
        and Request.objects.filter(issue=issue, request_type__isnull=False).exists()
    )


def _involved(issue: Issue) -> list[User]:
    rows = RequestParticipant.objects.filter(issue=issue).select_related("user").order_by("id")
    first = [] if issue.reporter is None else [issue.reporter]
    found = [*first, *(row.user for row in rows)]
    staff = {user.id for user in reachable([user.id for user in found], issue)}
    return [user for user in found if user.id not in staff]


def _mail(
    key: str,
    event: Event,
    issue: Issue,
    users: Iterable[User],
    *,
    text: str = "",
    own: bool = False,
) -> None:
    """Send a notice to each who has an address and wants it."""
    desk = ServiceDesk.objects.filter(project=issue.project_id).first()
    if desk is None or not is_told(desk.settings, key):
        return
    author = event.actor.user
    silent = RequestSubscription.objects.filter(issue=issue, subscribed=False)
    no_mail = set(silent.values_list("user_id", flat=True))
    if author is not None and not own:
        no_mail.add(author.id)
    name = author.display_name if author is not None else desk.portal_name
    address = f"{setting('jira.baseurl', HOME)}/servicedesk/customer/portal/{desk.id}/{issue.key}"
    said = "\n\n".join(filter(None, [NOTICES[key].line.format(author=name), text]))
    thread = f"<request.{issue.id}@{SENDER.rpartition('@')[2]}>"
    for user in users:
        if user.email is None or not user.active or user.id in no_mail:
            continue
        post.send(
            clone="tracker",
            sender=_sender(issue, event, desk),
            recipients=[with_name(user.display_name, user.email)],
            subject=f"{issue.key} {issue.summary}",
            text=f"{said}\n\n{LINE}\n{issue.key} {issue.summary}\nView request: {address}",
            headers={"In-Reply-To": thread, "References": thread},
            about=f"tracker.request:{issue.id}",
        )


def _sender(issue: Issue, event: Event, desk: ServiceDesk) -> str:
    if event.actor.user is None:
        return with_name(desk.portal_name, desk.email or SENDER)
    return sender_of(issue, event.actor)
