"""Outages and bugs that make many people write at once."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from random import Random

from seeds.draw import Draws, lognormal
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.sizes import Size
from seeds.kestrel.story.model import Incident

# (kind, domain, what the problem ticket is called, tracker project)
KINDS = (
    ("outage", "login", "Sign-in to Kestrel Cloud times out", "CLD"),
    ("bug", "update", "Studio {version} crashes when a project with bitmaps opens", "STU"),
    ("outage", "connect", "Machines show as offline in Studio (relay {region})", "CLD"),
    ("outage", "sync", "Cloud library empty or stale after storage migration", "CLD"),
    ("bug", "files", "DXF import scales everything by 25.4 in {version}", "STU"),
    ("bug", "billing", "Renewal run charged some customers twice", "PAY"),
    ("bug", "motion", "Firmware 3.0.6: homing fails after lid open", "FWR"),
)


def make_incidents(draws: Draws, size: Size) -> list[Incident]:
    """Return the incidents of the ticket history, at working times, spread over it."""
    found: list[Incident] = []
    share = size.days / max(size.incidents, 1)
    for index in range(size.incidents):
        rng = draws.rng("incident", index)
        kind, domain, title, project = KINDS[(rng.randrange(len(KINDS)) + index) % len(KINDS)]
        day = size.start + timedelta(days=share * (index + rng.uniform(0.15, 0.75)))
        while day.weekday() not in (1, 2, 3):
            day -= timedelta(days=1)
        onset = day.replace(hour=rng.randrange(8, 12), minute=rng.randrange(60), second=0)
        count = max(int(size.tickets * rng.uniform(*size.outbreak)), 6)
        version = (
            rng.choice(("5.0.0", "5.0.1")) if day.year == 2026 else rng.choice(("4.3.0", "4.4.0"))
        )
        found.append(
            Incident(
                index,
                kind,
                domain,
                title.format(version=version, region=rng.choice(("eu-west", "us-east"))),
                onset,
                lognormal(rng, 3.2, 0.4) if kind == "outage" else lognormal(rng, 30, 0.3),
                version,
                f"{project}-{rng.randrange(180, 2400)}",
                count,
            )
        )
    return found


def report_times(rng: Random, incident: Incident) -> list[datetime]:
    """Return when people report an incident: a burst that decays, then a tail of two days."""
    times = []
    for _ in range(incident.tickets):
        if rng.random() < 0.82:
            wait = 0.15 + rng.expovariate(math.log(2) / 2.2)
        else:
            wait = rng.uniform(6, 52)
        moment = incident.onset + timedelta(hours=min(wait, 54))
        if moment.hour < 6:
            moment += timedelta(hours=7)
        times.append(min(moment, PRESENT - timedelta(minutes=5)).replace(microsecond=0))
    return times
