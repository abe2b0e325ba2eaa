"""What the customer writes each time, by whichever channel, and what agents take down."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final, Literal

Channel = Literal["email", "web", "native_messaging", "voice"]


@dataclass(frozen=True, slots=True)
class Matter:
    """A trouble with a machine: how its subject lines and its reports run."""

    name: str
    category: str
    subjects: tuple[str, ...]
    reports: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """One machine: the model's name and option, and the serial number on its plate."""

    model: str
    option: str
    serial: str


MATTERS: Final = (
    Matter(
        "no_beam",
        "no_beam",
        (
            "No beam",
            "laser does not fire",
            "Machine moves but does not cut",
            "beam gone since this morning",
            "No power at the tube?",
            "not firing any more",
        ),
        (
            "The head runs through the whole job but nothing is burnt.",
            "There is no beam at all, not even with the test button.",
            "It moves as it should, the milliamp meter stays at 0.",
            "It stopped firing in the middle of a job and has not fired since.",
            "The red pointer is on, the laser itself does nothing.",
            "We get motion and air, and no light out of the tube.",
        ),
    ),
    Matter(
        "homing",
        "general",
        (
            "Does not home",
            "Grinding at start",
            "axis bangs into the frame",
            "Homing fails",
            "X axis noise at switch on",
            "Machine loses its zero",
        ),
        (
            "At switch on the head runs into the left rail and grinds until I pull the plug.",
            "It does not find its home position any more.",
            "Homing ends with a bang at the frame, every single time.",
            "The X axis does not stop at the switch and the belt jumps.",
            "After switching on it looks for zero and then stands still, humming.",
            "It homes about one time in five, otherwise it hits the rail.",
        ),
    ),
    Matter(
        "cooling",
        "general",
        (
            "Cooling alarm",
            "Water alarm won't go away",
            "chiller beeps all day",
            "Temperature warning",
            "alarm E2 again",
            "Stops with a water alarm",
        ),
        (
            "After ten minutes it stops with the cooling alarm.",
            "The water alarm comes although the chiller is full and cold.",
            "It beeps and will not go on until it has stood for an hour.",
            "The panel shows E2 and the job is lost.",
            "The flow sensor seems to see no water, though I can see it running.",
            "Cooling alarm with every job that is longer than a few minutes.",
        ),
    ),
    Matter(
        "connection",
        "general",
        (
            "Studio does not find the machine",
            "offline all the time",
            "No connection to the laser",
            "Machine not in the list",
            "drops off the network",
            "USB and network both dead",
        ),
        (
            "Studio shows it as offline although it is on and warm.",
            "It is not in the list of machines any more.",
            "The connection drops in the middle of sending a job.",
            "Neither the cable nor the network works, the PC sees nothing.",
            "It shows up for a minute after switching on and is gone again.",
            "We changed cable, socket and PC, and it is still not found.",
        ),
    ),
)
OPENERS: Final = ("Hello,", "Hi,", "Good morning,", "Hello Kestrel team,", "Hi there,", "Dear all,")
CHASES: Final = (
    "I have not heard anything yet, so I am trying it this way.",
    "Not sure whether my message reached anybody.",
    "Still the same here, we are standing still.",
    "Did somebody get round to this?",
    "Trying again, since it is getting urgent.",
    "We have orders waiting and I need to know where we stand.",
)
ASKS: Final = (
    "What can we do?",
    "Please get back to me.",
    "Can somebody call or write?",
    "How do we go on from here?",
    "Please advise.",
)
PLATES: Final = (
    "It is the {model}, serial {serial}.",
    "Machine: {model}, {serial}.",
    "Our {model} ({serial}).",
    "This is about the {model} with the number {serial}.",
)


def subject(matter: Matter, unit: Unit, channel: Channel, name: str, chance: Random) -> str:
    """Return the subject that a ticket of that channel has."""
    if channel == "voice":
        return f"Call from {name}"
    if channel == "native_messaging":
        return f"Conversation with {name.split(maxsplit=1)[0]}"
    text = chance.choice(matter.subjects)
    return f"{text} - {unit.model}" if chance.random() < 0.4 else text


def message(
    matter: Matter, unit: Unit, channel: Channel, name: str, chance: Random, *, again: bool
) -> str:
    """Return what is written or taken down; `again` is of those who had written before."""
    report = chance.choice(matter.reports)
    plate = chance.choice(PLATES).format(model=unit.model, serial=unit.serial)
    chase = chance.choice(CHASES) if again else ""
    ask = chance.choice(ASKS)
    first = name.split(maxsplit=1)[0]
    if channel == "voice":
        told = f"{report} {plate}"
        asks = f" Has called or written before: {chase[0].lower()}{chase[1:]}" if chase else ""
        return f"Caller: {name}.\n{told}{asks}"
    if channel == "native_messaging":
        return " ".join(filter(None, (f"Hi, {first} here.", chase, report, plate)))
    body = " ".join(filter(None, (chase, report, plate, ask)))
    return f"{chance.choice(OPENERS)}\n\n{body}\n\n{name}"
