"""Billing's operations as an agent's tools: nested arguments reach the API as the vendor wants."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from clones.config.wsgi import application
from clones.core.accounts import account_cards
from episodes.spaces.api import ApiSpace, Endpoint
from sandlot.service import Act
from tests.billing.shop import Api, add_charge, add_customer, reading, writing


@pytest.fixture
def space(api: Api) -> ApiSpace:
    """The API action space of a sandbox that has billing alone."""
    with reading(api.row):
        (card,) = account_cards(api.row)
    url = f"http://billing.{api.row.id}.localhost:8800"
    http = httpx.Client(transport=httpx.WSGITransport(app=application))
    return ApiSpace({"billing": Endpoint(url, card)}, "goal", http)


def play(space: ApiSpace, tool: str, **arguments: Any) -> Any:
    """Carry out an act and return what the observation shows."""
    return space.play(Act(tool=tool, arguments=arguments), "2026-06-16T14:00:00Z")


def test_every_operation_is_a_tool(space: ApiSpace) -> None:
    names = [tool["name"] for tool in space.tools()]
    assert {"billing_GetCharges", "billing_PostRefunds", "http_request"} <= set(names)
    assert len(names) == len(set(names))


def test_bounds_and_lists_are_nested(space: ApiSpace, api: Api) -> None:
    with writing(api.row):
        charge = add_charge(add_customer())
    at = int(charge.created.timestamp())
    shown = play(
        space, "billing_GetCharges", created={"gte": at}, limit=5, expand=["data.customer"]
    )
    text = str(shown)
    assert charge.id in text
    assert "ana@lima.example" in text
    assert charge.id not in str(play(space, "billing_GetCharges", created={"gt": at}))


def test_bodies_are_forms(space: ApiSpace, api: Api) -> None:
    with writing(api.row):
        charge = add_charge(add_customer())
    body = {"charge": charge.id, "amount": 100, "metadata": {"ticket": "17"}, "expand": ["charge"]}
    text = str(play(space, "billing_PostRefunds", body=body))
    assert "'ticket': '17'" in text or '"ticket": "17"' in text or '"ticket":"17"' in text
    assert api.get(f"/v1/charges/{charge.id}")["amount_refunded"] == 100
