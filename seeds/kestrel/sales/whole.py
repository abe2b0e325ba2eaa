"""The sales story: a pure function of the world's seed, beside the company's own."""

from __future__ import annotations

from seeds.kestrel.sales.campaigns import fill_campaigns, make_campaigns
from seeds.kestrel.sales.deals import Deals
from seeds.kestrel.sales.leads import Leads
from seeds.kestrel.sales.market import make_market
from seeds.kestrel.sales.model import Sales
from seeds.kestrel.sales.people import make_sellers
from seeds.kestrel.sales.service import make_cases
from seeds.kestrel.sales.touches import Touches
from seeds.kestrel.story.whole import Story


def tell_sales(story: Story, taken: set[str]) -> Sales:
    """Return what sales does in a story; `taken` are addresses of other colleagues."""
    draws, half, size = story.draws, story.half, story.size.name
    sellers = make_sellers(draws, half, size, set(taken))
    market = make_market(story)
    deals = Deals(draws, size, sellers, market).make(story.units, story.people)
    campaigns = make_campaigns(draws, sellers)
    leads = Leads(draws, half, sellers, market, campaigns).make(size, deals)
    fill_campaigns(draws, sellers, market, campaigns, leads)
    touches = Touches(draws, sellers, market).make(deals, leads)
    return Sales(sellers, market, deals, touches, leads, campaigns, make_cases(story, market))
