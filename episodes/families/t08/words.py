"""What is written on the issues of T08: the work, its look-alike, and the team's guide."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Final

from episodes.families.t08.params import NAMES, Asked, End, Params


@dataclass(frozen=True, slots=True)
class Topic:
    """A piece of work: its summary, how a goal describes it, what it says, its sub-tasks.

    `twin` is the summary of another that is much like it.
    """

    summary: str
    described: str
    text: str
    parts: tuple[str, str, str]
    twin: str


TOPICS: Final = (
    Topic(
        "Export of the usage list drops the last row",
        "the export that drops its last row",
        "Whoever exports the usage list gets one row less than the page shows.",
        ("Write the row after the loop", "Cover it with a regression test", "Update the help page"),
        "Export of the usage list has the columns in the wrong order",
    ),
    Topic(
        "Remember the chosen filter between visits",
        "the chosen filter that should be remembered",
        "People choose the same filter every morning. It should be as they left it.",
        ("Keep the choice with the profile", "Offer a reset", "Tell support about it"),
        "Remember the chosen language between visits",
    ),
    Topic(
        "Warn before an unsaved form is left",
        "the warning before an unsaved form is left",
        "Several people lost long texts by clicking a link. Ask them first.",
        ("Notice unsaved changes", "Word the question", "Leave out the search box"),
        "Warn before a session ends",
    ),
    Topic(
        "Second page of the list repeats the last entry",
        "the list whose second page repeats an entry",
        "With more than fifty entries, the fiftieth stands on the first page and on the second.",
        ("Order by a second column", "Check the other lists", "Remove the old workaround"),
        "Second page of the list loads slowly",
    ),
    Topic(
        "Show times in the reader's own zone",
        "the times in the reader's own zone",
        "All times are in UTC, which nobody expects. Show them as the profile says.",
        ("Read the zone from the profile", "Name the zone in tooltips", "Check mails as well"),
        "Show dates in the reader's own format",
    ),
    Topic(
        "Retry a lost upload by itself",
        "the lost upload that should be tried again",
        "An upload that is cut off has to be begun by hand. Try again, three times at most.",
        ("Keep the parts that arrived", "Say how far it got", "Give up after the third time"),
        "Retry a lost download by itself",
    ),
    Topic(
        "Search forgets accents in names",
        "the search that forgets accents",
        "Searching for Zoe does not find Zoë, nor the other way round.",
        ("Fold accents in the index", "Fold them in the query", "Rebuild the index at night"),
        "Search forgets words in quotes",
    ),
    Topic(
        "Copying a record copies its notes too",
        "the copies that take the notes along",
        "A copy should begin without the notes of the original. They end up with other customers.",
        ("Leave out notes", "Leave out attachments", "Say so in the dialog"),
        "Copying a record copies its labels too",
    ),
)
GUIDES: Final = (
    "How we close work in {space}",
    "Closing work: the rules of {space}",
    "From To Do to Done in {space}",
)
FIRST: Final[dict[Asked, tuple[str, ...]]] = {
    "fixVersions": ("This goes into {value}.", "Planned for {value}."),
    "customfield_10026": ("Estimated together: {value} points.", "We put {value} points on it."),
    "duedate": ("This has to be out by {value}.", "Promised for {value}."),
}
LATER: Final[dict[Asked, tuple[str, ...]]] = {
    "fixVersions": (
        "It no longer fits there. It goes into {value} instead.",
        "Moved in planning: it ships with {value}.",
    ),
    "customfield_10026": (
        "We looked at it again after the spike: {value} points, not what we said before.",
        "Estimated anew this morning. It is {value} points.",
    ),
    "duedate": (
        "The date has moved, it is {value} now.",
        "Agreed with sales today: {value} it is, not earlier.",
    ),
}
READY: Final[dict[End, tuple[str, ...]]] = {
    "Done": (
        "Tested on staging from end to end, all as it should be. It is in, take it through.",
        "Checked with two customers, works for both. From my side this is finished.",
    ),
    "Won't Do": (
        (
            "Talked it over with support and product: we decided against it. It is not going to be"
            " made, please close it accordingly."
        ),
        "Decision of today's round: this is dropped, we will not do it. Please bring it to an end.",
    ),
}
PART_IN: Final[dict[End, str]] = {
    "Done": "Merged, nothing left here.",
    "Won't Do": "Not needed any more, see the parent.",
}
NOT_YET: Final = "Still waiting for an answer from the customer, leave it where it is for now."


def day_words(day: date) -> str:
    """Return a day as people write it: 2 July 2026."""
    return f"{day.day} {day:%B %Y}"


def guide_text(params: Params, approver: str, chance: Random) -> str:
    """Return the team's rules. `approver` is who they name; nobody where nobody approves."""
    field = NAMES[params.asked]
    steps = "To Do, In Progress, In Review"
    steps += ", Approved and Done" if params.approved else " and Done"
    parts = [
        (
            f"Work goes through {steps}, one after the other. Nobody skips a step. The direct way"
            " to Done is left over from the old board: do not use it, it leaves the resolution"
            " empty."
        ),
        f"Before work is sent to review, {field} must hold what was agreed last in the comments.",
        _approval_text(params, approver, chance),
        (
            "The last step is Close, which asks for the resolution: Done where the work is in,"
            " Won't Do where it was decided against."
        ),
        (
            "Sub-tasks that are still open are closed before, by Close as well and with the same"
            " resolution as the work they belong to."
        ),
    ]
    return "\n\n".join(part for part in parts if part)


def _approval_text(params: Params, approver: str, chance: Random) -> str:
    if not params.approved:
        return "Nobody needs to approve it: whoever did the review closes it."
    asking = chance.choice(
        (
            (
                "Assign it to them once it is in review and say in a comment what there is to look"
                " at. They approve it and hand it back."
            ),
            (
                "Once it is in review, assign it to them, with a comment that says what was done."
                " It comes back to you approved."
            ),
        )
    )
    if params.approval == "lead":
        return f"Only the lead of this space, {approver}, can approve. {asking}"
    return f"Whoever sends work to review does not approve it: {approver} does. {asking}"


def away_text(first: date, last: date, deputy: str) -> str:
    """Return what somebody who approves writes before going on leave."""
    return (
        f"I am away from {day_words(first)} to {day_words(last)}. In that time {deputy} approves in"
        " my place."
    )


def old_guide_text(approver: str) -> str:
    """Return the rules that were in force before."""
    return (
        "Work goes from To Do over In Progress to Done.\n\nBefore it is done it is shown to"
        f" {approver}, who approves it. The resolution may be left empty."
    )
