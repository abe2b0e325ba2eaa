"""The rules for first replies: one typed table that words the note and says who gets what."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Matter = Literal["safety", "legal", "dispute", "data", "press"]

ESCALATIONS: Final = "Escalations"
HARDWARE: Final = "Hardware & Repairs"
BILLING: Final = "Billing"
STUDIO: Final = "Studio & Cloud"
DEALERS: Final = "Dealer Desk"
LOGISTICS: Final = "Returns & Logistics"
LINES: Final[Mapping[Matter, str]] = {
    "safety": "Smoke, fire or an injury",
    "legal": "A lawyer or a court",
    "dispute": "A payment disputed at the bank",
    "data": "Personal data to be shown or deleted",
    "press": "Press, radio or television",
}
OTHER: Final = "Anything else that no macro answers for the customer's machine"
FAMILY_OF_MACROS: Final = "First reply"


@dataclass(frozen=True, slots=True)
class Rules:
    """Which group gets each matter that tier 1 does not answer, and all that no macro answers."""

    safety: str = ESCALATIONS
    legal: str = ESCALATIONS
    dispute: str = ESCALATIONS
    data: str = ESCALATIONS
    press: str = ESCALATIONS
    other: str = ESCALATIONS

    def group(self, matter: Matter | None) -> str:
        """Return the group that a matter goes to; None is what no macro answers."""
        return str(getattr(self, matter or "other"))

    def text(self) -> str:
        """Return the rules as the pinned note words them."""
        lines = [f"- {line}: {self.group(matter)}" for matter, line in LINES.items()]
        table = "\n".join([*lines, f"- {OTHER}: {self.other}"])
        return f"{BEFORE}\n\n{table}\n\n{AFTER}"


RULES: Final = (
    Rules(other=HARDWARE),
    Rules(safety=HARDWARE, dispute=BILLING),
    Rules(safety=HARDWARE, legal=BILLING, dispute=BILLING, data=STUDIO, press=DEALERS),
    Rules(data=STUDIO, other=LOGISTICS),
    Rules(safety=HARDWARE, press=DEALERS, dispute=BILLING, other=STUDIO),
)
BEFORE: Final = (
    "First replies in the first line.\n\n"
    "1. Work in the order of the next breach of the first reply target, the nearest first. Neither"
    " priority nor age counts, and neither says when a target runs out: some are of business hours"
    " and some are not.\n\n"
    f'2. Answer what a macro under "{FAMILY_OF_MACROS}::" answers for the customer\'s machine. The'
    " reply gives what the macro gives for that machine and for no other; the words are yours."
    " Macros with an end in their title no longer count. Read the whole conversation first: people"
    " correct themselves. Set what you have answered to Pending, not to Solved.\n\n"
    "3. What is in the list below is not ours to answer, whatever else is asked with it. Before the"
    " first reply is breached put it into the group, with an internal note that gives the serial"
    " number. New or Open makes no difference, and nobody is assigned. Do not write to the customer"
    " there: that group does."
)
AFTER: Final = (
    "4. That we are looking into it is no first reply. Priority, type and tags stay as they are."
    " What has breached already is mine, and what somebody else has answered or taken is theirs:"
    " leave those alone."
)
