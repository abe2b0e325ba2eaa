"""The engineering story: a pure function of the world's seed, beside the company's own."""

from __future__ import annotations

from datetime import timedelta

from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.engineering.epics import forget_epics
from seeds.kestrel.engineering.model import Engineering
from seeds.kestrel.engineering.moves import move_some
from seeds.kestrel.engineering.numbers import number_work
from seeds.kestrel.engineering.outages import Outages
from seeds.kestrel.engineering.people import make_engineers
from seeds.kestrel.engineering.releases import make_releases
from seeds.kestrel.engineering.spaces import spaces
from seeds.kestrel.engineering.sprints import Sprints
from seeds.kestrel.engineering.ties import make_ties
from seeds.kestrel.engineering.work import Works
from seeds.kestrel.story.whole import Story

SPRINTED = {"tiny": 260, "small": 520, "standard": 1_050, "large": 1_050}


def tell_engineering(story: Story) -> tuple[Engineering, dict[str, int]]:
    """Return what engineering does in a story, and the last number of each space's keys."""
    draws, size = story.draws, story.size.name
    engineers = make_engineers(draws, story.half, size, story.staff)
    releases = make_releases(draws, spaces())
    tickets = sorted((ticket.created, ticket.number) for ticket in story.tickets)
    works = Works(draws, size, spaces(), engineers, tickets)
    work = works.make(releases)
    # Smaller worlds have work from before the teams had sprints, so that those hold enough of it.
    first = max(works.first, PRESENT - timedelta(days=SPRINTED[size]))
    iterations = Sprints(draws, works.teams, first).make(spaces(), work)
    outages = Outages(draws, works.teams, releases, story.tickets)
    outages.make(story.incidents, len(work))
    ties = [*make_ties(draws, work), *outages.ties]
    every = sorted([*work, *outages.made], key=lambda item: (item.created, item.index))
    forget_epics(spaces(), every)
    keys = {incident.index: incident.key for incident in story.incidents}
    move_some(draws, spaces(), every, ties)
    last = number_work(draws, every, keys)
    found = Engineering(spaces(), engineers, releases, iterations, every, ties)
    return found, last
