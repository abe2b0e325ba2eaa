"""How colleagues put it when they ask for the notes of a version and its release."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

HEADINGS: Final = {
    "three": (
        'Three headings please: "New" for stories, "Fixed" for bugs, "Changed" for tasks.',
        (
            'As last time under three headings: stories under "New", bugs under "Fixed", tasks'
            " under"
            ' "Changed".'
        ),
    ),
    "two": (
        'Two headings please: "Bug fixes" for bugs, "Improvements" for everything else.',
        'Bugs come under the heading "Bug fixes", all the rest under "Improvements".',
    ),
    "priority": (
        (
            'Two headings please: "Highlights" for the priorities High and Highest, "Also in this'
            ' release" for the rest.'
        ),
        (
            'What has the priority High or Highest comes under the heading "Highlights", everything'
            ' else under "Also in this release".'
        ),
    ),
    "asked": (
        (
            'Whatever has the label customer-reported comes under the heading "You asked for'
            ' it"; of'
            ' the rest bugs come under "Fixed" and everything else under "New".'
        ),
        (
            'Three headings please: "You asked for it" for what has the label'
            " customer-reported, and of"
            ' the others "Fixed" for bugs, "New" for everything that is no bug.'
        ),
    ),
    "component": (
        'A heading for each component, named like it, and "Other" for what has no component.',
        'Sort it by component: each component is a heading, and what has none comes under "Other".',
    ),
}
LEAVES: Final = {
    "internal": (
        "Work with the label internal is nobody's business outside: it stays out.",
        "Nothing that carries the label internal goes in.",
    ),
    "embargo": (
        (
            "Work with the label security whose due date is later than the release must not be"
            " mentioned anywhere yet: its due date is when we may talk about it. What is due on the"
            " day or earlier goes in like the rest."
        ),
        (
            "Not a word about work with the label security that is due after the release,"
            " neither in"
            " the notes nor elsewhere: until its due date it is embargoed. Due on the day or"
            " before is"
            " fine and goes in."
        ),
    ),
    "reverted": (
        (
            "What was taken back stays out, and so does the work item that took it back: the"
            " title of"
            ' that one is "Revert" and the key.'
        ),
        (
            'If a work item "Revert" with the key of another is in the version, neither of the'
            " two goes"
            " in."
        ),
    ),
}
DONE: Final = (
    "Only what is done with the resolution Done goes in, nothing that was closed otherwise.",
    (
        "The notes list what was done with the resolution Done. Closed for other reasons does not"
        " count."
    ),
)
RESTS: Final = {
    "next": (
        "Whatever is not done by now moves on: it gets {next} as its fix version instead.",
        "What is still open gets {next} as its fix version instead.",
    ),
    "split_type": (
        (
            "Of what is still open bugs get {patch} as their fix version instead, everything"
            " else gets"
            " {next}."
        ),
        "Open bugs move on to {patch}, the rest of what is open to {next}.",
    ),
    "drop_low": (
        (
            "Of what is still open, anything of the priority Low or Lowest loses its fix"
            " version; the"
            " rest gets {next} instead."
        ),
        (
            "Still open and of the priority Low or Lowest: no fix version any more. Still open"
            " otherwise: {next} instead."
        ),
    ),
    "drop_todo": (
        (
            "Of what is still open, anything that nobody has begun (status To Do) loses its fix"
            " version; the rest gets {next} instead."
        ),
        (
            "Still open and still in To Do: no fix version any more. Still open otherwise: {next}"
            " instead."
        ),
    ),
    "split_priority": (
        (
            "Of what is still open, anything of the priority High or Highest gets {patch} as"
            " its fix"
            " version instead, everything else gets {next}."
        ),
        (
            "Open and of the priority High or Highest moves on to {patch}, the rest of what is"
            " open to"
            " {next}."
        ),
    ),
}
PLACES: Final = {
    "comment": (
        "Please put the notes into a comment here.",
        "The notes go here, as one comment.",
    ),
    "item": (
        'Please put the notes into the description of a new Task in this space, called "{title}".',
        (
            'The notes go into a new Task of this space with the summary "{title}", as its'
            " description."
        ),
    ),
}
RELEASES: Final = (
    "When all that is done, release {version} with the release date {date}.",
    "Then mark {version} as released, with {date} as its release date.",
)
SUBJECTS: Final = (
    "Notes and release of {version}",
    "{version} is ready to go",
    "Release {version}",
    "Please get {version} out",
    "{version}: notes, leftovers, release",
)
OPENINGS: Final = ("Hi,", "Hello,", "Hey,", "Good morning,")
STARTS: Final = (
    "{version} is due. Could you write the release notes and release it?",
    "we are done with {version} and need its notes and the release itself.",
    "please do {version} for us, notes and all.",
)
LINES: Final = (
    "A line for each work item, with its key.",
    "One line per work item please, and its key in it.",
)
CLOSINGS: Final = ("Thanks!", "Thank you", "Cheers")


def request(wish: Mapping[str, Any], chance: Random) -> str:
    """Return the description of the request. `wish` has the params' words and the names."""
    names = {name: wish[name] for name in ("version", "next", "patch", "date", "title")}
    notes = [
        chance.choice(PLACES[wish["place"]]),
        chance.choice(HEADINGS[wish["scheme"]]),
        chance.choice(LINES),
    ]
    outs = [chance.choice(LEAVES[name]) for name in wish["leaves"]]
    outs.append(chance.choice(DONE))
    chance.shuffle(outs)
    parts = [
        chance.choice(OPENINGS),
        chance.choice(STARTS),
        " ".join(notes),
        "\n".join(f"- {line}" for line in outs) if chance.random() < 0.5 else " ".join(outs),
        chance.choice(RESTS[wish["rest"]]),
        chance.choice(RELEASES),
        chance.choice(CLOSINGS),
    ]
    return "\n\n".join(parts).format(**names)
