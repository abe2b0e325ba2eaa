"""Plant a queue of held mail, as the desk's door holds it, and the rules for emptying it."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock, counters
from clones.core.journal import act
from clones.core.models import Account
from clones.helpdesk.domain.inbound import receive_message
from clones.helpdesk.domain.people import organization_of_email
from clones.helpdesk.models import Comment, SuspendedTicket, Ticket, TicketField, User
from episodes.families.h08.held import Letter, LetterPool, domain_of, letter
from episodes.families.h08.params import Kind, Params, params_of
from episodes.families.h08.words import names
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange, persona_at
from episodes.tasks.spec import Arranged, Stage
from episodes.tasks.team_documents import pin_note, publish_macro
from sandlot.service import Space
from seeds.kestrel.catalogue import ADDRESSES

RULES: Final = "Held mail"
# Days ago: what lies longer than a fortnight goes by itself.
OLDEST: Final = 9
# Spam, failed authentication, a stranger's reply: their texts have to be read.
DOUBTFUL: Final = frozenset({0, 5, 26})
REPLY_COLUMNS: Final = frozenset(
    {"status", "custom_status_id", "updated_at", "is_public", "sla_policy_id", "email_cc_ids"}
)


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world has too few customers, or the door lets a letter in.
    """
    params = params_of(stage.instance)
    chance = stage.chance("arrange")
    persona = persona_at("triage agent", group="support")
    papers = _publish(params, chance)
    desk = _desk(chance)
    letters = [letter(kind, desk) for kind in params.kinds]
    held = _plant(letters, chance)
    facts = {
        **_facts(params, held, papers),
        "agent": User.objects.get(email=persona.logins["helpdesk"]).id,
    }
    return Arranged(
        goal=_goal(stage.chance("goal"), params),
        persona=persona,
        facts=facts,
        allows=_allows(facts),
        start_path="/agent/dashboard",
        oracle_steps=_oracle_steps(facts),
    )


def _oracle_steps(facts: dict[str, Any]) -> dict[Space, int]:
    """Return how many steps the oracle takes: rules, queue, doubtful mail, deciding, finish."""
    real, junk = len(facts["real"]), len(facts["junk"])
    # Mail that is judged by its text is opened; of a reply, its ticket too.
    opened = 2 * facts["doubtful"] + 2 * facts["replies"]
    return {
        "api": 8,
        "browser": 4 + opened + real + 1 + (2 if real == 1 else 0) + bool(junk) * 2 + 1,
    }


def _publish(params: Params, chance: Random) -> dict[str, int]:
    """Keep the rules where the team keeps such things; return what they can be read in."""
    lead = User.objects.filter(role="admin", active=True).order_by("id").first()
    if lead is None:
        raise CannotArrange("the world has no admin who could set rules")
    at = clock.now() - timedelta(days=chance.randrange(20, 50), minutes=chance.randrange(600))
    text = params.policy.text()
    macro = publish_macro(RULES, "What we let in and what we delete", text, at=at)
    ticket = pin_note("held mail", text, by=lead, at=at + timedelta(minutes=7))
    return {"macro": macro.id, "ticket": ticket}


def _desk(chance: Random) -> LetterPool:
    """Return whom letters come from: customers, dealers, and tickets that get replies.

    Raises:
        CannotArrange: there are too few of them.
    """
    listed = set(Account.objects.filter(listed=True).values_list("subject", flat=True))
    users = list(User.objects.select_related("organization").order_by("id"))
    plain = [
        user
        for user in users
        if user.role == "end-user" and user.active and not user.suspended and user.email
    ]
    customers = [user for user in plain if " " in user.name and str(user.id) not in listed]
    dealers = [
        user
        for user in plain
        if user.organization is not None and "dealer" in user.organization.tags
    ]
    tickets = _tickets(chance)
    if len(customers) < 20 or not dealers or len(tickets) < 8:
        raise CannotArrange("the world has too few customers, dealers or open tickets")
    known = {(user.email or "").lower() for user in users}
    return LetterPool(chance.sample(customers, 20), dealers, tickets, chance, known)


def _tickets(chance: Random) -> list[Ticket]:
    """Return tickets under way, each of another firm that has a mail domain of its own."""
    rows = Ticket.objects.select_related("requester__organization").order_by("id")
    free = names("free_mail")
    found: dict[str, Ticket] = {}
    for ticket in rows.exclude(status="closed").filter(deleted_at=None):
        domain = domain_of(ticket.requester.email)
        single = domain and domain not in free and ticket.requester.organization is not None
        if single and " " in ticket.requester.name and ticket.subject.strip():
            found[domain] = ticket
    subjects = [ticket.subject for ticket in found.values()]
    kept = [ticket for ticket in found.values() if subjects.count(ticket.subject) == 1]
    return chance.sample(kept, len(kept))


def _plant(letters: list[Letter], chance: Random) -> list[tuple[Kind, SuspendedTicket]]:
    """Let the letters come in, one after the other; return what is held of each."""
    present = clock.now()
    minutes = sorted(chance.sample(range(40, OLDEST * 1440), len(letters)), reverse=True)
    order = chance.sample(letters, len(letters))
    found: list[tuple[Kind, SuspendedTicket]] = []
    for one, ago in zip(order, minutes, strict=True):
        found.append((one.kind, _hold(one, present - timedelta(minutes=ago))))
    return found


def _hold(one: Letter, at: datetime) -> SuspendedTicket:
    with clock.at(at), act(actor="world", label="mail"):
        made = receive_message(one.mail, ticket=one.ticket)
    if not isinstance(made, SuspendedTicket):
        raise CannotArrange(f"the door let {one.kind} mail in")
    return made


def _facts(
    params: Params, held: list[tuple[Kind, SuspendedTicket]], papers: dict[str, int]
) -> dict[str, Any]:
    real = [mail for kind, mail in held if params.policy.is_real(kind)]
    junk = [mail for kind, mail in held if not params.policy.is_real(kind)]
    note = Comment.objects.filter(ticket_id=papers["ticket"]).earliest("created_at", "id")
    return {
        "policy": asdict(params.policy),
        "rules": {"macro": papers["macro"], "ticket": papers["ticket"], "comment": note.id},
        "real": sorted(mail.id for mail in real),
        "junk": sorted(mail.id for mail in junk),
        "mails": {str(mail.id): _mail(mail) for _, mail in held},
        "doubtful": sum(mail.cause_id in DOUBTFUL for _, mail in held),
        "replies": sum(mail.ticket_id is not None for _, mail in held),
        "firms": _firms(real),
        "own": sorted(ADDRESSES.values()),
        "next_ticket": (counters.last("helpdesk.ticket.serial") or 0) + 1,
        "reason_field": TicketField.objects.get(title="Resolution reason").id,
        "obligations": [
            {"id": f"let_in:{mail.id}", "kind": "let_in", **_mail(mail)} for mail in real
        ],
        "giver_reply": "The rules for held mail say all I could say. Please go by them.",
    }


def _firms(mails: list[SuspendedTicket]) -> list[int]:
    """Return the firms, one for each writer, where mail domains put writers who are new."""
    found = [organization_of_email(mail.author_email) for mail in mails if mail.author_id is None]
    return sorted(firm.id for firm in found if firm is not None)


def _mail(mail: SuspendedTicket) -> dict[str, Any]:
    """Return by what a mail is known again once it was let in."""
    return {
        "subject": mail.subject,
        "email": mail.author_email,
        "content": mail.content,
        "ticket": mail.ticket_id,
    }


def _goal(chance: Random, params: Params) -> str:
    template = chance.choice(goals_of(__file__))["text"]
    return str(template.format(size=params.size))


def _allows(facts: dict[str, Any]) -> tuple[Allow, ...]:
    """Allow the end of what is held, and what the real mail becomes."""
    insert, keys = frozenset({"insert"}), frozenset({*facts["real"], *facts["junk"]})
    found = [Allow("helpdesk_suspendedticket", frozenset({"delete"}), keys=keys)]
    for key in facts["real"]:
        mail = facts["mails"][str(key)]
        if mail["ticket"] is None:
            found.append(
                Allow("helpdesk_ticket", insert, where={"subject": mail["subject"]}, at_most=1)
            )
        else:
            found.append(
                Allow(
                    "helpdesk_ticket",
                    frozenset({"update"}),
                    keys=frozenset({mail["ticket"]}),
                    columns=REPLY_COLUMNS,
                )
            )
        found += [
            Allow("helpdesk_comment", insert, where={"body": mail["content"]}, at_most=1),
            Allow("helpdesk_user", insert, where={"email": mail["email"]}, at_most=1),
            Allow("helpdesk_identity", insert, where={"value": mail["email"]}, at_most=1),
        ]
    # A new user has a place in the firm whose mail domain is theirs: where, nobody chooses.
    for firm in sorted(set(facts["firms"])):
        found.append(
            Allow(
                "helpdesk_organizationmembership",
                insert,
                where={"organization_id": firm},
                at_most=facts["firms"].count(firm),
            )
        )
    return tuple(found)
