"""The facts of H08 a second time: plain loops over whole tables, and nothing of `arrange`."""

from __future__ import annotations

from typing import Any, Final

from clones.helpdesk.models import Comment, Macro, SuspendedTicket, Ticket, User

# By what a sort of mail is known: the vendor's numbers of causes.
SPAM, AUTOMATIC, STRANGER, FORGED, NO_REPLY = 0, 3, 5, 26, 27
NEVER: Final = (7, 8, 9, 11, 22)
WORDS: Final = ("kite", "merlin", "osprey", "swift", "harrier", "studio", "kl-", "warranty")
TRAPS: Final = ("password", "bank details")


def derive(goal: str) -> dict[str, Any]:
    """Return the facts of the instance. The sandbox is bound for reading.

    Raises:
        LookupError: there are no rules, or nothing is held.
    """
    macro = next((row for row in _all(Macro) if row.title == "Held mail"), None)
    pinned = next((row for row in _all(Ticket) if row.subject == "PINNED: held mail"), None)
    mails = _all(SuspendedTicket)
    if macro is None or pinned is None or not mails:
        raise LookupError("there are no rules for held mail, or nothing is held")
    text = str(macro.actions[0]["value"])
    note = next(row for row in _all(Comment) if row.ticket_id == pinned.id)
    policy = {
        "dealer_orders": "send by themselves are deleted" not in text,
        "carrier_notices": "A carrier's notice is deleted" not in text,
        "outsiders": "from any other domain it is deleted" not in text,
    }
    emails = {user.id: user.email or "" for user in _all(User)}
    owners = {ticket.id: emails[ticket.requester_id] for ticket in _all(Ticket)}
    real: list[int] = []
    junk: list[int] = []
    for mail in mails:
        (real if _is_real(mail, policy, owners) else junk).append(mail.id)
    return {
        "policy": policy,
        "rules": {"macro": macro.id, "ticket": pinned.id, "comment": note.id},
        "real": sorted(real),
        "junk": sorted(junk),
        "replies": len([mail for mail in mails if mail.ticket_id is not None]),
        "doubtful": len([mail for mail in mails if mail.cause_id in (SPAM, STRANGER, FORGED)]),
    }


def _all(model: Any) -> list[Any]:
    """Return every row of a table, oldest first."""
    rows = list(model.objects.all())
    rows.sort(key=lambda row: row.pk)
    return rows


def _is_real(mail: SuspendedTicket, policy: dict[str, bool], owners: dict[int, str]) -> bool:
    text = f"{mail.subject} {mail.content}".lower()
    if mail.cause_id in NEVER:
        return False
    if mail.cause_id == AUTOMATIC:
        return policy["dealer_orders"] and "purchase order" in text
    if mail.cause_id == NO_REPLY:
        return policy["carrier_notices"] and "shipment" in text
    if mail.cause_id == STRANGER:
        owner = owners[mail.ticket_id or 0]
        return policy["outsiders"] or mail.author_email.split("@")[1] == owner.split("@")[1].lower()
    for trap in TRAPS:
        if trap in text:
            return False
    return any(word in text for word in WORDS)
