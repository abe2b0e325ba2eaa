"""What a macro does to a ticket, as the helpdesk shows it, and what it should do by the facts.

The first is read from the helpdesk's own preview; the second is worked out here from the rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core.plaintext import plain_of_html
from clones.helpdesk.domain.macros import preview_macro
from clones.helpdesk.models import CustomStatus, Macro, Ticket, User
from episodes.tasks.spec import Facts

# Actions whose effect a preview shows; others do things elsewhere, and nobody asked for those.
SHOWN: Final = frozenset(
    {
        "assignee_id",
        "brand_id",
        "cc",
        "comment_mode_is_public",
        "comment_value",
        "comment_value_html",
        "current_tags",
        "custom_status_id",
        "follower",
        "group_id",
        "priority",
        "remove_tags",
        "satisfaction_score",
        "set_tags",
        "status",
        "subject",
        "ticket_form_id",
        "type",
    }
)
KEPT: Final = (
    "status",
    "priority",
    "type",
    "group_id",
    "assignee_id",
    "subject",
    "brand_id",
    "ticket_form_id",
    "satisfaction_score",
)
After = dict[str, Any]


def probe_tickets(facts: Facts) -> list[Ticket]:
    """Return the tickets that a macro is tried on; some may be gone."""
    rows = Ticket.objects.filter(id__in=facts["probes"]).select_related(
        "requester", "assignee", "group", "organization", "brand"
    )
    return list(rows.order_by("id"))


def does_more(macro: Macro) -> bool:
    """Tell whether a macro has actions that no preview shows."""
    names = {str(action["field"]) for action in macro.actions}
    return any(name not in SHOWN and not name.startswith("custom_fields_") for name in names)


def shown_after(macro: Macro, ticket: Ticket, user: User) -> After:
    """Return a ticket as the macro's preview leaves it, and what it would have said."""
    preview = preview_macro(macro, actor=user, ticket=ticket)
    found = _before(ticket)
    for name, value in preview.changes.items():
        if name == "tags":
            found["tags"] = sorted(set(value))
        elif name == "custom_fields":
            found["custom_fields"] = _filled(ticket, value)
        elif name == "custom_status_id":
            found["status"] = _status_of(value)
        elif name in KEPT:
            found[name] = _plain(value)
        else:
            found[name] = value
    html = None if preview.html_body is None else _words(plain_of_html(preview.html_body))
    plain = None if preview.body is None else _words(preview.body)
    found["said"] = plain if html is None else html if plain in (None, html) else None
    found["public"] = preview.public is not False
    return found


def asked_after(facts: Facts, ticket: Ticket, user: User) -> After:
    """Return a ticket as the macro that was asked for leaves it, and what that would have said."""
    found = _before(ticket)
    found.update({name: _plain(value) for name, value in facts["set"].items()})
    kept = set(ticket.tags) - set(facts["remove_tags"])
    found["tags"] = sorted(kept | set(facts["add_tags"]))
    found["custom_fields"] = _filled(ticket, facts["custom_fields"])
    text = facts["text"]
    for bracket, slot in facts["slots"].items():
        text = text.replace(bracket, _value(slot, ticket, user))
    found["said"] = _words(text)
    found["public"] = facts["public"]
    return found


def _before(ticket: Ticket) -> After:
    found: After = {name: _plain(getattr(ticket, name)) for name in KEPT}
    found["tags"] = sorted(set(ticket.tags))
    found["custom_fields"] = _filled(ticket, {})
    return found


def _filled(ticket: Ticket, more: Mapping[str, Any]) -> dict[str, str]:
    values = {**ticket.custom_fields, **more}
    return {str(key): str(value) for key, value in values.items() if value not in (None, "", [])}


def _plain(value: Any) -> str | None:
    return None if value in (None, "") else str(value)


def _status_of(value: Any) -> str | None:
    text = str(value)
    found = CustomStatus.objects.filter(id=int(text)).first() if text.isdigit() else None
    return found.status_category if found is not None else None


def _value(slot: str, ticket: Ticket, user: User) -> str:
    requester, organization = ticket.requester, ticket.organization
    return {
        "first_name": requester.name.partition(" ")[0],
        "name": requester.name,
        "id": str(ticket.id),
        "title": ticket.subject or ticket.description[:150],
        "organization": organization.name if organization is not None else "",
        "agent": user.name.partition(" ")[0],
    }[slot]


def _words(text: str) -> str:
    return " ".join(text.split())
