"""What is written in the queue of T15: requests, notes on them, the desk's guide, approvals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Final

from episodes.families.t15.kinds import Decision, Need, SlaName


@dataclass(frozen=True, slots=True)
class Topic:
    """What somebody asks for: the summary and what they write.

    `message` is what they are to be told once it is done, with one of `tells` in it.
    """

    summary: str
    text: str
    message: str = ""
    tells: tuple[str, ...] = ()


ROOMS: Final = ("1.07", "1.22", "2.14", "2.31", "3.05", "3.18")
READY: Final = (
    Topic(
        "Laptop does not charge any more",
        "The light at the plug is off since Monday. It is KL-2841.",
        "the new charger lies in room {tell}",
        ROOMS,
    ),
    Topic(
        "Prints have grey stripes",
        "Every page has them, on both sides. We are on the second floor.",
        "print to {tell} until the drum is changed",
        ("PRN-31", "PRN-36", "PRN-42", "PRN-58"),
    ),
    Topic(
        "VPN does not connect from home",
        "It stays at connecting and then gives up. My client is 5.2.11.",
        "connect to {tell} instead, the old gateway is gone",
        ("gate-4", "gate-7", "gate-9", "gate-12"),
    ),
    Topic(
        "Cannot open the price lists",
        "It says that I have no permission. My team lead owns that folder and agrees.",
        "sign out and in once, you are in the group {tell} now",
        ("grp-sales-2", "grp-sales-5", "grp-trade-3", "grp-trade-8"),
    ),
    Topic(
        "Headset works on one side only",
        "The left side is silent. I have tried it on another machine, it is the same there.",
        "a tested one lies in room {tell}",
        ROOMS,
    ),
    Topic(
        "Screen stays dark on the dock",
        "The second screen is dark whenever the dock was unplugged.",
        "take the cable from locker {tell}, with that one it stays on",
        ("L-17", "L-23", "L-38", "L-44"),
    ),
    Topic(
        "Mailbox is full again",
        "I cannot send anything since this morning, and I need the old mails too.",
        "everything older than a year is in the archive {tell} now",
        ("ARC-203", "ARC-217", "ARC-251", "ARC-266"),
    ),
    Topic(
        "Phone at the front desk does not ring",
        "Callers hear that it rings, we hear nothing.",
        "the phone answers to {tell} from now on",
        ("4417", "4462", "4538", "4591"),
    ),
)
LACKING: Final[Mapping[Need, tuple[Topic, ...]]] = {
    "asset tag": (
        Topic(
            "Does not wake up from sleep",
            "Since yesterday the laptop stays dark until I hold the power button for ten seconds.",
        ),
        Topic(
            "Battery is empty after an hour",
            "The laptop is two years old and hardly lasts for a meeting.",
        ),
    ),
    "floor": (
        Topic(
            "Paper jams at every second page",
            "The printer by the kitchen does nothing else today. I took all paper out twice.",
        ),
        Topic("Toner is low since Friday", "The printer next to the lifts says so, nobody came."),
    ),
    "version": (
        Topic("Drops every few minutes", "I work from home, and the VPN is gone all the time."),
        Topic("Code that never arrives", "The VPN asks for a code, and no message comes."),
    ),
    "owner": (
        Topic(
            "No access for the trade fair team",
            "We need to get at the shared folder with last year's plans, it says no permission.",
        ),
        Topic(
            "Cannot save the catalogue",
            "I can open everything in the shared folder but save nothing since the move.",
        ),
    ),
    "cost centre": (
        Topic("Starter in sales", "She begins on Monday: a new account please, mail and drive."),
        Topic("Trainee for the summer", "He needs a new account for eight weeks, mail only."),
    ),
}
# What a request is about, as its customer writes, and as the guide has it.
AREAS: Final[Mapping[Need, tuple[str, str]]] = {
    "asset tag": ("laptop", "laptops"),
    "floor": ("printer", "printers"),
    "version": ("VPN", "the VPN"),
    "owner": ("shared folder", "shared folders"),
    "cost centre": ("new account", "new accounts"),
}
QUESTIONS: Final[Mapping[Need, str]] = {
    "asset tag": "Hello, which asset tag does it have? It stands on the sticker below.",
    "floor": "Hello, on which floor is it?",
    "version": "Hello, which version of the client do you have?",
    "owner": "Hello, who is the owner of that folder?",
    "cost centre": "Hello, which cost centre does it go to?",
}
HARDWARE: Final = (
    Topic("Second screen for invoices", "We compare two lists all day and print half of them."),
    Topic("Docking station for the workshop", "The cables are pulled out ten times a day."),
    Topic("Tablet for the trade fair", "To show the planner at the stand, three days a month."),
    Topic("Scanner for delivery notes", "The old one takes a minute for each page."),
    Topic("Microphone for the meeting room", "Those at the far end are not heard at all."),
)
NOTES: Final = (
    "Done from our side, it came out of order {code}. Tell the customer: {message}.",
    "Finished, booked on {code}. Tell the customer: {message}.",
    "All set here, {code} is paid. Tell the customer: {message}.",
)
TAKEN: Final = (
    "We have it here. It goes on once it is approved.",
    "Thank you, it waits for the approval now.",
)
GUIDES: Final = (
    "How we work the queue of {space}",
    "Working the queue: the rules of {space}",
    "The queue of {space} and how we work it",
)
REMINDER: Final = "Could you look at this one, please? It waits for your approval."
APPROVING: Final = (
    "Approved, it is in the budget.",
    "Fine with me. Approved.",
)
DECLINING: Final = (
    "I have to decline this one, the budget is used up. They can ask again from {day}.",
    "Not now, sorry. Ask again from {day}, then there is money for it.",
)
DAYS: Final = (4, 6, 7, 9, 11, 12)


def day_words(day: date) -> str:
    """Return a day as people write it: 2 July 2026."""
    return f"{day.day} {day:%B %Y}"


def note_text(topic: Topic, tell: str, code: str, chance: Random) -> str:
    """Return what a colleague notes once a request is done."""
    return chance.choice(NOTES).format(code=code, message=topic.message.format(tell=tell))


def decision_text(decision: Decision, day: date, chance: Random) -> str:
    """Return what an approver says to a decision; `day` is from when one may ask again."""
    if decision == "approved":
        return chance.choice(APPROVING)
    return chance.choice(DECLINING).format(day=day_words(day))


def guide_text(promise: SlaName, days: int, buyer: str, chance: Random) -> str:
    """Return the desk's rules."""
    needs = "; ".join(f"of {area}: the {need}" for need, (_, area) in AREAS.items())
    late = chance.choice(
        ("What is late already comes before the rest.", "What is late already goes first.")
    )
    parts = [
        (
            f"We take requests in the order of the time that is left until {promise} is missed,"
            f" the shortest first. {late} Where the clock rests there is no hurry."
        ),
        (
            "What a colleague has finished has an internal note on the request. Tell the customer"
            " in a reply what the note has for them, then resolve the request with the resolution"
            " Done. Order numbers (PO and digits) stay among us, no customer reads them."
        ),
        (
            f"There are things that we must know before anybody begins, {needs}. Where it is"
            " missing and nobody has begun, ask the customer for it in a reply, for that and for"
            " nothing else, and set the request to Waiting for customer. Nobody sets a request to"
            " that without a question: a clock that rests on paper only is worse than a late one."
        ),
        "What waits for a customer's answer is left alone until it comes.",
        (
            "Hardware is approved by whoever the request has under Approvers, and by nobody else"
            " in their place. Call it to mind in a reply on the request: they see no internal"
            " notes. Who is away says so below. Then put whoever stands in there instead, that is"
            " call enough."
        ),
        (
            f"Once it is approved, tell the customer that it comes within {days} working days, and"
            f" assign the request to {buyer}, who orders it. If it is declined, tell the customer"
            " from which day on they can ask again."
        ),
    ]
    return "\n\n".join(parts)


def away_text(first: date, last: date, deputy: str) -> str:
    """Return what somebody who approves writes before going on leave."""
    return (
        f"I am away from {day_words(first)} to {day_words(last)}. In that time {deputy} approves in"
        " my place."
    )


def old_guide_text(days: int, buyer: str) -> str:
    """Return the rules that were in force before."""
    return (
        "We take requests as they come, the oldest first.\n\nWhat is approved comes within"
        f" {days} working days, {buyer} orders it. A request that has to wait for anything is set"
        " to Waiting for customer."
    )
