"""Telling people of tickets: whom, in which words, and the event that records it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from clones.core import post
from clones.core.addresses import with_name
from clones.core.digits import is_digits
from clones.helpdesk.domain.audits import Event
from clones.helpdesk.domain.correspondence import about_ticket, next_in_thread, token_of
from clones.helpdesk.models import Audit, Brand, Comment, Ticket, User
from clones.helpdesk.queries.dynamic_content import contents
from clones.helpdesk.queries.hot import (
    LATEST_COMMENT,
    LATEST_PUBLIC_COMMENT,
    PUBLIC_COMMENTS,
    REACHABLE_AGENTS,
    REACHABLE_IN_GROUP,
    REACHABLE_USER,
    SUPPORT_ADDRESSES,
)
from clones.helpdesk.rules.actions import Notice
from clones.helpdesk.rules.dynamic_content import has_references
from clones.helpdesk.rules.mail.template import html_mail, text_mail
from clones.helpdesk.rules.placeholders import names_in, render

LATEST = {f"ticket.latest_comment{form}" for form in ("", "_html", "_rich")}
LATEST_PUBLIC = {f"ticket.latest_public_comment{form}" for form in ("", "_html", "_rich")}
FOLLOWER_SUBJECT = "[{{ticket.account}}] Re: {{ticket.title}}"
FOLLOWER_BODY = (
    "You are registered as a follower on this request ({{ticket.id}}). "
    "Reply to this email to add an internal note to the request.\n\n{{ticket.latest_comment}}"
)
THREAD = {"ticket.comments_formatted", "ticket.public_comments_formatted"}


@dataclass(frozen=True, slots=True)
class Occasion:
    """What a message is sent on: the update's audit, its comment, who made it, the rule's via."""

    audit: Audit
    comment: Comment | None
    actor: User | None
    via: dict[str, Any]


def send_notice(ticket: Ticket, notice: Notice, occasion: Occasion) -> Event | None:
    """Send a rule's message and return the event that records it, None if nobody gets it.

    The event keeps the texts as the rule has them; the message has them filled in. The requester
    and the CCs get one message, which names them all; others get one each. Where the texts refer to
    dynamic content, readers of different languages get a message each. Addresses of the ticket lead
    end users to their request. What is private is never sent to requester and CCs.
    """
    copied = notice.target == "requester_and_ccs"
    comment = occasion.comment
    if copied and comment is not None and not comment.public:
        return None
    people = _recipients(ticket, notice, comment, occasion.actor)
    if not people:
        return None
    wanted = names_in(notice.subject) | names_in(notice.body)
    for locale, readers in _by_words(people, notice, together=copied):
        values = placeholder_values(
            ticket,
            actor=occasion.actor,
            wanted=wanted,
            locale=locale,
            to_agents=all(reader.is_agent for reader in readers),
        )
        subject, body = render(notice.subject, values), render(notice.body, values)
        for some in [readers] if copied else [[reader] for reader in readers]:
            _post(ticket, occasion, some, subject, body)
    event = {
        "via": occasion.via,
        "subject": notice.subject,
        "body": notice.body,
        "recipients": [user.id for user in people],
    }
    return ("NotificationWithCcs" if copied else "Notification"), event


def tell_followers(ticket: Ticket, occasion: Occasion) -> Event | None:
    """Send each follower what was said, its author aside; return the event that records it."""
    comment = occasion.comment
    if comment is None or not ticket.follower_ids:
        return None
    keys = [key for key in ticket.follower_ids if key != comment.author_id]
    followers = [
        user for user in (REACHABLE_USER.first(key) for key in keys) if user and user.is_agent
    ]
    if not followers:
        return None
    wanted = names_in(FOLLOWER_SUBJECT) | names_in(FOLLOWER_BODY)
    values = placeholder_values(ticket, actor=occasion.actor, wanted=wanted)
    for follower in followers:
        subject, body = render(FOLLOWER_SUBJECT, values), render(FOLLOWER_BODY, values)
        _post(ticket, occasion, [follower], subject, body)
    event = {
        "via": occasion.via,
        "subject": FOLLOWER_SUBJECT,
        "body": FOLLOWER_BODY,
        "recipients": [user.id for user in followers],
    }
    return "FollowerNotificationEvent", event


def _post(
    ticket: Ticket, occasion: Occasion, readers: Sequence[User], subject: str, body: str
) -> None:
    """Send a message of a ticket's thread; of several readers the requester is written to."""
    sender = _sender(ticket)
    answered = occasion.audit.metadata.get("system", {}).get("message_id")
    thread = next_in_thread(ticket, sender, answered=answered)
    direct = [user for user in readers if user.id == ticket.requester_id] or list(readers)
    copied = [user for user in readers if user not in direct]
    brand = ticket.brand.name if ticket.brand else "Helpdesk"
    headers: dict[str, Any] = {
        **thread.headers,
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "X-Delivery-Context": f"event-id-{occasion.audit.id}",
        "X-Ticket-Id": ticket.id,
    }
    source = occasion.via.get("source", {})
    rule = source.get("from", {})
    if "title" in rule:
        headers["X-Rule"] = f"{source.get('rel')} {rule['id']}: {rule['title']}"
    draft = post.Draft(
        sender=sender,
        recipients=[user.email for user in direct if user.email],
        cc=[user.email for user in copied if user.email],
        subject=subject,
        text=text_mail(body, brand=brand, token=thread.token),
        html=html_mail(body, brand=brand, token=thread.token),
        message_id=thread.message_id,
        headers=headers,
    )
    post.post(draft, clone="helpdesk", about=about_ticket(ticket.id))


def _by_words(
    people: list[User], notice: Notice, *, together: bool
) -> list[tuple[str | None, list[User]]]:
    """Return who gets the same words, and in which language (None: the requester's).

    Languages count where texts are kept in several; whether somebody is an agent, unless all are
    written to `together`.
    """
    spoken = has_references(notice.subject + notice.body)
    found: dict[tuple[str | None, bool], list[User]] = {}
    for user in people:
        key = (user.locale if spoken else None, user.is_agent and not together)
        found.setdefault(key, []).append(user)
    return [(locale, readers) for (locale, _), readers in found.items()]


def placeholder_values(
    ticket: Ticket,
    *,
    actor: User | None,
    wanted: set[str],
    locale: str | None = None,
    to_agents: bool = True,
) -> dict[str, str]:
    """Return the values of the wanted placeholders; those that need queries only if wanted.

    `locale` is the reader's language: the requester's if it is not given. Agents are led to the
    ticket, others to the request.
    """
    texts = contents(wanted, locale or ticket.requester.locale)
    wanted = wanted.union(*(names_in(text) for text in texts.values()))
    values = _plain_values(ticket, actor, wanted)
    link = f"/agent/tickets/{ticket.id}" if to_agents else f"/hc/requests/{ticket.id}"
    values |= {"ticket.url": link, "ticket.link": link}
    return values | {name: render(text, values) for name, text in texts.items()}


def _plain_values(ticket: Ticket, actor: User | None, wanted: set[str]) -> dict[str, str]:
    requester, assignee, group = ticket.requester, ticket.assignee, ticket.group
    brand = ticket.brand
    values = {
        "ticket.id": str(ticket.id),
        "ticket.title": ticket.subject or ticket.description[:150],
        "ticket.description": ticket.description,
        "ticket.status": ticket.status.capitalize(),
        "ticket.priority": (ticket.priority or "-").capitalize(),
        "ticket.ticket_type": (ticket.type or "-").capitalize(),
        "ticket.external_id": ticket.external_id or "",
        "ticket.tags": " ".join(ticket.tags),
        "ticket.due_date": ticket.due_at.strftime("%B %d, %Y") if ticket.due_at else "",
        "ticket.account": brand.name if brand else "",
        "ticket.brand.name": brand.name if brand else "",
        "ticket.group.name": group.name if group else "",
        **_person("ticket.requester", requester),
        **_person("ticket.assignee", assignee),
        **_person("current_user", actor),
    }
    organization = ticket.organization
    name = organization.name if organization else ""
    values["ticket.organization.name"] = values["ticket.requester.organization.name"] = name
    for key, value in ticket.custom_fields.items():
        values[f"ticket.ticket_field_{key}"] = str(value)
    for key, value in requester.user_fields.items():
        values[f"ticket.requester.custom_fields.{key}"] = str(value)
    for key, value in (organization.organization_fields if organization else {}).items():
        values[f"ticket.organization.custom_fields.{key}"] = str(value)
    values.update(_survey(ticket))
    values.update(_conversation(ticket, wanted))
    return values


def _survey(ticket: Ticket) -> dict[str, str]:
    """Return the placeholders that lead a requester to the rating of a ticket."""
    link = f"/requests/{ticket.id}/satisfaction/new"
    good, bad = f"{link}?intention=16", f"{link}?intention=17"
    section = f"How would you rate the help you received?\n\nGood: {good}\n\nBad: {bad}"
    return {
        "satisfaction.rating_section": section,
        "satisfaction.rating_url": link,
        "satisfaction.positive_rating_url": good,
        "satisfaction.negative_rating_url": bad,
        "satisfaction.current_rating": ticket.satisfaction_score.capitalize(),
    }


def _person(prefix: str, user: User | None) -> dict[str, str]:
    name = user.name if user else ""
    first, _, last = name.partition(" ")
    return {
        f"{prefix}.name": name,
        f"{prefix}.first_name": first,
        f"{prefix}.last_name": last,
        f"{prefix}.email": (user.email or "") if user else "",
        f"{prefix}.id": str(user.id) if user else "",
        f"{prefix}.signature": (user.signature or "") if user else "",
    }


def _conversation(ticket: Ticket, wanted: set[str]) -> dict[str, str]:
    """Return the placeholders of what was said, of those that are wanted."""
    values: dict[str, str] = {}
    if "ticket.encoded_id" in wanted:
        values["ticket.encoded_id"] = token_of(ticket.id)
    if wanted & LATEST:
        found = LATEST_COMMENT.first(ticket.id)
        values |= dict.fromkeys(LATEST, found.body if found else "")
    if wanted & LATEST_PUBLIC:
        found = LATEST_PUBLIC_COMMENT.first(ticket.id)
        values |= dict.fromkeys(LATEST_PUBLIC, found.body if found else "")
    if wanted & THREAD:
        thread = "\n\n".join(
            f"----------------------------------------------\n"
            f"{author}, {moment:%b %d, %Y, %H:%M}\n\n{body}"
            for author, moment, body in PUBLIC_COMMENTS.all(ticket.id)
        )
        values |= dict.fromkeys(THREAD, thread)
    return values


def _recipients(
    ticket: Ticket, notice: Notice, comment: Comment | None, actor: User | None
) -> list[User]:
    target = notice.target
    if notice.kind == "group":
        group = ticket.group_id if target == "group_id" else _digits(target)
        return [] if group is None else REACHABLE_IN_GROUP.all(group)
    if target == "all_agents":
        return REACHABLE_AGENTS.all()
    keys: list[int | None]
    if target == "requester_and_ccs":
        writer = comment.author_id if comment is not None else None
        keys = [ticket.requester_id, *(key for key in ticket.email_cc_ids if key != writer)]
    elif target == "requester_id":
        keys = [ticket.requester_id]
    elif target == "assignee_id":
        keys = [ticket.assignee_id]
    elif target == "current_user":
        keys = [actor.id if actor else None]
    else:
        keys = [_digits(target)]
    found = (REACHABLE_USER.first(key) for key in dict.fromkeys(keys) if key is not None)
    return [user for user in found if user is not None]


def _digits(text: str) -> int | None:
    return int(text) if is_digits(text) else None


def _sender(ticket: Ticket) -> str:
    brand: Brand | None = ticket.brand
    addresses = SUPPORT_ADDRESSES.all()
    if not addresses:
        return f"support@{brand.subdomain if brand else 'desk'}.example"
    own = (address for address in addresses if address[0] == ticket.recipient)
    email, name = next(own, addresses[0])
    return with_name(name, email)
