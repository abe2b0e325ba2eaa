"""The sales story: a pure function of the world's seed, beside the company's own."""

from __future__ import annotations

from seeds.kestrel.sales.deals import Deals, make_touches
from seeds.kestrel.sales.leads import make_leads
from seeds.kestrel.sales.model import Sales
from seeds.kestrel.sales.people import make_sellers
from seeds.kestrel.story.whole import Story


def tell_sales(story: Story, taken: set[str]) -> Sales:
    """Return what sales does in a story; `taken` are addresses of other colleagues."""
    draws, size = story.draws, story.size.name
    sellers = make_sellers(draws, story.half, size, set(taken))
    deals = Deals(draws, sellers, story.firms, story.people).make(story.units, story.people)
    leads = make_leads(draws, story.half, size, sellers)
    return Sales(sellers, deals, make_touches(draws, deals), leads)
