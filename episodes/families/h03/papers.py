"""The routing guide in a world, and the one before it: macros, and notes pinned for the team."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from random import Random

from clones.helpdesk.models import User
from episodes.families.h03.guide import GuideVersion
from episodes.families.h03.params import Params
from episodes.tasks.team_documents import pin_note, publish_macro


@dataclass(frozen=True, slots=True)
class Published:
    """The guide in force and where it is kept: a macro and an internal ticket."""

    guide: GuideVersion
    macro: int
    note: int


def publish_guides(params: Params, lead: User, chance: Random, *, before: datetime) -> Published:
    """Write down both guides, each some days before it came to be valid."""
    began = before.date() - timedelta(days=chance.randrange(40, 120))
    earlier = began - timedelta(days=chance.randrange(240, 420))
    _publish(params.superseded(earlier), earlier, lead, chance)
    return _publish(params.guide(began, earlier), began, lead, chance)


def _publish(guide: GuideVersion, valid_from: date, lead: User, chance: Random) -> Published:
    day = valid_from - timedelta(days=chance.randrange(2, 9))
    morning = datetime.combine(day, time(8), tzinfo=UTC)
    at = morning + timedelta(minutes=chance.randrange(0, 540))
    shown = f"{valid_from.day} {valid_from:%B %Y}"
    macro = publish_macro(
        f"Triage::Routing guide, valid from {shown}",
        "Where new tickets go, and as what",
        guide.text(),
        at=at,
    )
    note = pin_note(
        f"routing guide, valid from {shown}",
        guide.text(),
        by=lead,
        at=at + timedelta(minutes=chance.randrange(2, 30)),
    )
    return Published(guide, macro.id, note)
