"""Campaigns: fairs, mailings, school programmes; who was asked, and who came."""

from __future__ import annotations

import tomllib
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from random import Random
from typing import Any

from seeds.draw import Draws, chance
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.sales.hours import working_moment
from seeds.kestrel.sales.market import BEYOND
from seeds.kestrel.sales.model import CampaignMove, Market, SalesCampaign, Seller, StoryLead

FILE = Path(__file__).with_name("campaigns.toml")
YEARS = (2023, 2024, 2025, 2026)
FIRST_DAY = date(2023, 5, 1)
PREPARED = timedelta(days=75)
ANSWERS = {"Email": 0.05, "Trade Show": 0.45, "Webinar": 0.4, "Other": 0.22, "Partners": 0.75}
GROUPS = {"Trade Show": "Fairs", "Email": "Mailings"}


def make_campaigns(draws: Draws, sellers: list[Seller]) -> list[SalesCampaign]:
    """Return the campaigns, oldest first, without their members; two kinds have one above them."""
    given = tomllib.loads(FILE.read_text(encoding="utf-8"))["every_year"]
    found: list[SalesCampaign] = []
    for year in YEARS:
        for one in given:
            starts = date(year, one["month"], one["day"])
            created = _at(draws.rng("campaign", f"{one['name']}-{year}"), starts - PREPARED)
            if starts >= FIRST_DAY and created < PRESENT:
                found.append(_campaign(draws, sellers, one, starts, created))
    found.sort(key=lambda one: (one.created, one.name))
    groups = _groups(found)
    for place, one in enumerate([*groups, *found]):
        one.index = place
    above = {group.name: group.index for group in groups}
    for one in found:
        one.parent = above.get(f"{GROUPS.get(one.kind)} {one.starts.year}")
    return [*groups, *found]


def _groups(campaigns: list[SalesCampaign]) -> list[SalesCampaign]:
    """Return the campaigns that hold others of a kind and year together."""
    found: dict[str, SalesCampaign] = {}
    for one in campaigns:
        name = f"{GROUPS.get(one.kind)} {one.starts.year}"
        if one.kind in GROUPS and name not in found:
            year = one.starts.year
            found[name] = SalesCampaign(
                0,
                name,
                one.kind,
                date(year, 1, 1),
                date(year, 12, 31),
                one.created - timedelta(minutes=9),
                one.owner,
                0,
                None,
                0,
                "",
                (("Sent", False), ("Responded", True)),
            )
    return list(found.values())


def _campaign(
    draws: Draws,
    sellers: list[Seller],
    given: dict[str, Any],
    starts: date,
    created: datetime,
) -> SalesCampaign:
    rng = draws.rng("campaign-costs", f"{given['name']}-{starts.year}")
    year = starts.year
    name = given["name"].format(year=year, short=f"'{year % 100}", next=(year + 1) % 100)
    there = [one for one in sellers[1:5] if one.was_there(created)]
    begun = starts <= PRESENT.date()
    return SalesCampaign(
        0,
        name,
        given["kind"],
        starts,
        starts + timedelta(days=given["days"] - 1),
        created,
        rng.choice(there).index if there else 0,
        given["budget"],
        round(given["budget"] * rng.uniform(0.8, 1.3)) if begun else None,
        0,
        given["text"],
        tuple((label, answered) for label, answered in given["statuses"]),
    )


def _at(rng: Random, day: date) -> datetime:
    return datetime.combine(day, time(9), UTC) + timedelta(minutes=rng.randrange(420))


def fill_campaigns(
    draws: Draws,
    sellers: list[Seller],
    market: Market,
    campaigns: list[SalesCampaign],
    leads: list[StoryLead],
) -> None:
    """Put contacts into campaigns that began, and the leads that came from them."""
    given = tomllib.loads(FILE.read_text(encoding="utf-8"))["every_year"]
    shares = {one["text"]: (one["share"], one.get("segments")) for one in given}
    people = [(market.people[key], draws.rng("campaigns-of", key)) for key in sorted(market.people)]
    by_campaign: dict[int, list[StoryLead]] = {}
    for lead in leads:
        if lead.campaign is not None:
            by_campaign.setdefault(lead.campaign, []).append(lead)
    for one in campaigns:
        if one.cost is None:
            continue
        share, segments = shares[one.text]
        zone = sellers[one.owner].zone
        first = datetime.combine(one.starts, time(7), UTC)
        last = min(datetime.combine(one.ends, time(18), UTC) + timedelta(days=5), PRESENT)
        for person, rng in people:
            segment = person.firm.segment if person.firm is not None else ""
            known = person.since < one.created and (person.left_at or PRESENT) > first
            if known and (segments is None or segment in segments) and chance(rng, share):
                sent = working_moment(rng, one.created, first, zone)
                move = _moved(rng, one, sent, first, last, is_new=person.index >= BEYOND)
                one.members.append(CampaignMove(one.index, sent, *move, person=person))
        for lead in by_campaign.get(one.index, ()):
            rng = draws.rng(f"member-{one.index}", f"lead-{lead.index}")
            answered = [label for label, has_answered in one.statuses if has_answered]
            status = rng.choice(answered)
            one.members.append(
                CampaignMove(one.index, lead.created, status, lead.created, lead=lead.index)
            )
        one.members.sort(
            key=lambda move: (
                move.at,
                -1 if move.lead is None else move.lead,
                0 if move.person is None else move.person.index,
            )
        )
        one.sent = len(one.members)


def _moved(
    rng: Random,
    campaign: SalesCampaign,
    sent: datetime,
    first: datetime,
    last: datetime,
    *,
    is_new: bool,
) -> tuple[str, datetime | None]:
    """Return how far somebody came, and when they answered if they did."""
    odds = ANSWERS[campaign.kind] * (0.7 if is_new else 1.0)
    answers = [label for label, answered in campaign.statuses if answered]
    if chance(rng, odds) and max(first, sent) < last:
        at = max(first, sent) + (last - max(first, sent)) * rng.random()
        return rng.choice(answers), at.replace(microsecond=0)
    silent = [label for label, answered in campaign.statuses if not answered]
    if last < PRESENT and len(silent) > 1 and chance(rng, 0.5):
        return silent[-1], None
    return silent[0], None
