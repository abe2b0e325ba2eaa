"""The routing guide: one typed table that words the document and says what each ticket becomes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

Kind = Literal[
    "sign_in",
    "file_import",
    "no_beam",
    "cut_quality",
    "connection",
    "charge_question",
    "return_refund",
    "delivery",
    "wrong_part",
    "dealership",
    "cancel_plan",
    "feature_wish",
    "safety",
]
Priority = Literal["low", "normal", "high", "urgent"]
TicketType = Literal["question", "incident", "problem", "task"]
VipRule = Literal["urgent", "escalations", "both", "step"]
LanguageRule = Literal["tag", "support", "named"]

PRIORITIES: Final[tuple[Priority, ...]] = ("low", "normal", "high", "urgent")
VIP_RULES: Final[tuple[VipRule, ...]] = ("urgent", "escalations", "both", "step")
LANGUAGE_RULES: Final[tuple[LanguageRule, ...]] = ("tag", "support", "named")
SUPPORT: Final = "Support"
STUDIO: Final = "Studio & Cloud"
HARDWARE: Final = "Hardware & Repairs"
BILLING: Final = "Billing"
LOGISTICS: Final = "Returns & Logistics"
DEALERS: Final = "Dealer Desk"
ESCALATIONS: Final = "Escalations"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the guide: what is asked for, and what a ticket about it becomes."""

    kind: Kind
    wants: str
    group: str
    type: TicketType
    priority: Priority
    tag: str


@dataclass(frozen=True, slots=True)
class Case:
    """What is true of one ticket: `machine` is the model it is about, `language` two letters."""

    kind: Kind
    machine: str | None = None
    standstill: bool = False
    vip: bool = False
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Routing:
    """What a ticket becomes: `machine` is a model's name, `tags` are those to add."""

    group: str
    type: TicketType
    priority: Priority
    machine: str | None
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GuideVersion:
    """A version of the routing guide.

    `connection` and `refunds` are the groups of what lies between two desks; `standstill` is the
    least priority where work stands still; `raised` are the lines with one step more of priority
    than usual.
    """

    valid_from: date
    replaces: date | None
    connection: str
    refunds: str
    standstill: Priority
    vip: VipRule
    language: LanguageRule
    raised: tuple[Kind, ...] = ()

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines, in the document's order."""
        between = {"connection": self.connection, "return_refund": self.refunds}
        return tuple(
            Line(
                kind,
                wants,
                between.get(kind, group),
                ticket_type,
                _higher(priority) if kind in self.raised else priority,
                tag,
            )
            for kind, wants, group, ticket_type, priority, tag in LINES
        )

    def route(self, case: Case) -> Routing:
        """Return what a ticket becomes, the guide's rules taken in their order."""
        line = next(line for line in self.lines if line.kind == case.kind)
        group, priority, tags = line.group, line.priority, [line.tag]
        if case.standstill:
            priority = max(priority, self.standstill, key=PRIORITIES.index)
        if case.language != "en":
            tags.append(f"lang_{case.language}" if self.language == "named" else "translate")
            group = SUPPORT if self.language == "support" else group
        if case.vip:
            group = ESCALATIONS if self.vip in ("escalations", "both") else group
            priority = "urgent" if self.vip in ("urgent", "both") else priority
            priority = _higher(priority) if self.vip == "step" else priority
        return Routing(group, line.type, priority, case.machine, tuple(tags))

    def text(self) -> str:
        """Return the guide as its documents word it."""
        head = f"Routing guide, valid from {_day(self.valid_from)}."
        if self.replaces is not None:
            head += f" It replaces the guide of {_day(self.replaces)}."
        rows = "\n".join(
            f"- {line.wants}: {line.group} | {line.type} | {line.priority} | {line.tag}"
            for line in self.lines
        )
        rules = "\n".join(f"{number}. {rule}" for number, rule in enumerate(self._rules(), start=1))
        return (
            f"{head}\n\n{OPENING}\n\n"
            f"What the customer asks for: group | type | priority | tag\n{rows}\n\n"
            f"Then, in this order, a later rule before an earlier one:\n{rules}\n\n{CLOSING}"
        )

    def _rules(self) -> tuple[str, str, str]:
        return (
            (
                f"Where the customer's work stands still until it is solved, the priority is"
                f" {self.standstill} at least. The word urgent alone changes nothing."
            ),
            LANGUAGE_TEXTS[self.language],
            VIP_TEXTS[self.vip],
        )


LINES: Final[tuple[tuple[Kind, str, str, TicketType, Priority, str], ...]] = (
    (
        "sign_in",
        "They cannot sign in to Studio or to their account",
        STUDIO,
        "incident",
        "normal",
        "login",
    ),
    (
        "file_import",
        "A drawing does not open or import in Studio",
        STUDIO,
        "problem",
        "normal",
        "import",
    ),
    (
        "no_beam",
        "The machine moves, but the laser does not fire or has lost its power",
        HARDWARE,
        "incident",
        "normal",
        "tube",
    ),
    (
        "cut_quality",
        "They want to know how to get a cleaner or deeper cut",
        HARDWARE,
        "question",
        "low",
        "settings",
    ),
    (
        "connection",
        "The machine drops off the network or Studio does not find it",
        HARDWARE,
        "incident",
        "normal",
        "wifi",
    ),
    (
        "charge_question",
        "They ask about a charge or an invoice",
        BILLING,
        "question",
        "normal",
        "invoice",
    ),
    (
        "return_refund",
        "They send a machine back and want their money",
        BILLING,
        "task",
        "normal",
        "rma",
    ),
    ("delivery", "They ask where an order is", LOGISTICS, "question", "normal", "delivery"),
    (
        "wrong_part",
        "A part that came is the wrong one, or is missing from the box",
        LOGISTICS,
        "task",
        "normal",
        "replacement",
    ),
    (
        "dealership",
        "They want to become a dealer of ours",
        DEALERS,
        "task",
        "low",
        "dealer_lead",
    ),
    ("cancel_plan", "They want to cancel or change their plan", BILLING, "task", "low", "cancel"),
    (
        "feature_wish",
        "They wish for something that Studio cannot do yet",
        SUPPORT,
        "question",
        "low",
        "feature",
    ),
    (
        "safety",
        "Smoke, fire, or a lid switch that does not stop the laser",
        ESCALATIONS,
        "problem",
        "urgent",
        "safety",
    ),
)
OPENING: Final = (
    "Triage sets five things on each new ticket, and nothing else: group, priority, type, Machine"
    " and tags. No replies, no notes, no assignee; whether the status stays New or becomes Open"
    " makes no difference.\n\n"
    "Go by what the customer asks us to do. The subject, and what they mention besides, do not"
    " count. Machine is the model that the request is about, and stays empty where it is about"
    " none. Add the tag of the line; tags that are there stay."
)
CLOSING: Final = (
    "What has nothing to do with us (advertising, phishing) is marked as spam, whoever it claims"
    " to be from: it is not routed, not solved and not merely deleted. Somebody we do not know yet"
    " is not spam. A ticket that has all five right already is left as it is."
)
LANGUAGE_TEXTS: Final[dict[LanguageRule, str]] = {
    "tag": "A message that is not in English is routed like any other, with the tag translate"
    " besides.",
    "support": "A message that is not in English goes to Support, who have it translated, with the"
    " tag translate besides. Priority, type, Machine and the tag of the line as for any other.",
    "named": "A message that is not in English is routed like any other, with a tag for its"
    " language besides: lang_ and the two letters of the language, as lang_sv for Swedish.",
}
VIP_TEXTS: Final[dict[VipRule, str]] = {
    "urgent": "Tickets of VIPs are urgent. VIPs are those whose tickets have the tag vip when they"
    " come in, nobody else.",
    "escalations": "Tickets of VIPs go to Escalations. VIPs are those whose tickets have the tag"
    " vip when they come in, nobody else.",
    "both": "Tickets of VIPs go to Escalations and are urgent. VIPs are those whose tickets have"
    " the tag vip when they come in, nobody else.",
    "step": "Tickets of VIPs get one step more of priority (low, normal, high, urgent). VIPs are"
    " those whose tickets have the tag vip when they come in, nobody else.",
}


def _higher(priority: Priority) -> Priority:
    return PRIORITIES[min(PRIORITIES.index(priority) + 1, len(PRIORITIES) - 1)]


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"
