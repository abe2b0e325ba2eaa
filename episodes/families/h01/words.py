"""What is written on the tickets of H01, and how a goal asks about one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Final

from episodes.families.h01.params import Fact, Way


@dataclass(frozen=True, slots=True)
class Topic:
    """A complaint and its near-twin: subjects, and how a goal describes the first."""

    subject: str
    described: str
    twin: str
    sentence: str
    twin_sentence: str


TOPICS: Final = (
    Topic(
        "Exhaust adapter does not fit our duct",
        "the exhaust adapter that does not fit the duct",
        "Exhaust adapter arrived cracked",
        "the exhaust adapter is a size too small, it does not fit our duct.",
        "the exhaust adapter came out of the box cracked.",
    ),
    Topic(
        "Rotary attachment slips on glasses",
        "the rotary attachment that slips on glasses",
        "Rotary attachment squeaks when it turns",
        "the rotary attachment slips as soon as there are glasses on it.",
        "the rotary attachment squeaks with every turn.",
    ),
    Topic(
        "honeycomb bed sags in the middle",
        "the honeycomb bed that sags in the middle",
        "honeycomb bed has sharp edges",
        "our honeycomb bed sags by 3 mm in the middle.",
        "the honeycomb bed has edges sharp enough to cut a finger.",
    ),
    Topic(
        "Air assist hose pops off",
        "the air assist hose that pops off",
        "Air assist hose too short for the new bench",
        "the air assist hose pops off whenever the compressor starts.",
        "the air assist hose is too short now that the bench has moved.",
    ),
    Topic(
        "Foot switch needs two presses",
        "the foot switch that needs two presses",
        "Foot switch cable is frayed",
        "the foot switch only reacts to the second of two presses.",
        "the cable of the foot switch is frayed near the plug.",
    ),
    Topic(
        "camera bracket shakes loose",
        "the camera bracket that shakes loose",
        "camera bracket came without screws",
        "the camera bracket shakes loose within a day.",
        "the bag with the screws for the camera bracket was empty.",
    ),
    Topic(
        "Lid damper will not hold",
        "the lid damper that will not hold",
        "Lid damper leaks oil",
        "the lid damper will not hold the lid any more.",
        "the lid damper leaks oil onto the rail.",
    ),
    Topic(
        "Chiller beeps at every start",
        "the chiller that beeps at every start",
        "Chiller display stays dark",
        "the chiller beeps at every start and then runs.",
        "the display of the chiller stays dark.",
    ),
    Topic(
        "pass-through door rubs on the frame",
        "the pass-through door that rubs on the frame",
        "pass-through door lost its handle",
        "the pass-through door rubs on the frame on the left.",
        "the handle of the pass-through door came off.",
    ),
    Topic(
        "Crumb tray warped by the heat",
        "the crumb tray warped by the heat",
        "Crumb tray delivered in the wrong size",
        "the crumb tray is warped, by the heat I suppose.",
        "you delivered the crumb tray in the wrong size.",
    ),
)
GREETINGS: Final = ("Hello,", "Hi there,", "Good morning,", "hi", "Dear all,")
QUESTIONS: Final[dict[Fact, tuple[str, ...]]] = {
    "opened": ("when it was opened", "at what time it was opened"),
    "first_reply": (
        "how long the customer waited for our first public reply",
        "how much time passed until our first public reply",
    ),
    "visit": (
        "for which day the technician's visit was agreed in the end",
        "on which day the technician finally comes",
    ),
    "quoted": ("what sum we quoted for a replacement", "which sum was quoted for a replacement"),
    "serial": ("which serial number is on record there", "the serial number in its fields"),
    "assignee": ("who it is assigned to now", "which colleague it is assigned to now"),
    "pieces": (
        "how many pieces the customer would take",
        "the number of pieces that the customer would take",
    ),
    "copied": ("who is in copy (CC)", "which people are in copy (CC)"),
}
FORMS: Final[dict[Fact, str]] = {
    "opened": (
        "Give date and time to the minute as YYYY-MM-DD HH:MM, in the time of {zone}"
        " (the helpdesk's pages show the time of {page_zone})."
    ),
    "first_reply": "Give whole minutes by the calendar, nights included, as a number.",
    "visit": "Give the date as YYYY-MM-DD.",
    "quoted": "Give an amount in {currency}, as a number.",
    "serial": "Give it as it is written there.",
    "assignee": "Give the full name as the helpdesk shows it.",
    "pieces": "Give a whole number.",
    "copied": "Give a list of all their e-mail addresses.",
}
WAY_WORDS: Final[dict[Way, tuple[str, ...]]] = {
    "topic": ("the ticket from {requester} about {topic}",),
    "order": (
        "the ticket about order {order}",
        "the ticket in which the customer quotes order {order}",
    ),
    "day": ("the ticket that {requester} sent us on {day}",),
    "colleague": ("the ticket from {firm} that {colleague} answered",),
}


def day_words(day: date) -> str:
    """Return a day as people write it: 2 July 2026."""
    return f"{day.day} {day:%B %Y}"


def opening(
    sentence: str, name: str, *, order: str, budget: str, pieces: int, chance: Random
) -> str:
    """Return the customer's first mail."""
    wanted = chance.choice(
        (
            f"If it has to be replaced we would take {pieces} pieces.",
            f"For a replacement: we would take {pieces} pieces.",
        )
    )
    return (
        f"{chance.choice(GREETINGS)}\n\n{sentence[0].upper()}{sentence[1:]} It came with order"
        f" {order}. {wanted} We have set aside {budget} for that.\n\n{name}"
    )


def first_answer(first_name: str, agent: str, *, quoted: str, visit: str, chance: Random) -> str:
    """Return our first reply: what a replacement costs, and a day for the visit."""
    price = chance.choice(
        (f"A replacement comes to {quoted}", f"The price of a replacement is {quoted}")
    )
    return (
        f"Hello {first_name},\n\nThank you for telling us. {price} before shipping. Our technician"
        f" can come on {visit}.\n\nBest regards,\n{agent}"
    )


def last_answer(first_name: str, agent: str, *, visit: str) -> str:
    """Return our last reply: the day that was agreed."""
    return (
        f"Hello {first_name},\n\nas we said on the phone, the technician will come on {visit}"
        f" instead. The price stays as quoted.\n\nBest regards,\n{agent}"
    )
