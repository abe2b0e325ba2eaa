"""How a careful lead puts a contract into service levels: from goal, accounts and acts alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from episodes.families.h16.looking import LOOKS
from episodes.families.h16.reading import Contract, contract_of, firm_of, in_force
from episodes.families.h16.solve_browser import in_browser
from episodes.tasks.acting import ActingSpace, Script
from episodes.tasks.retrying_client import RetryingSpace
from sandlot.service import Space

QUERY = "type:ticket Kestrel Laser Works agreement"


def by_api(space: ActingSpace) -> None:
    """Read the agreement in force and its note, look up whom it names, make and place a policy."""
    space = RetryingSpace(space, LOOKS)
    contract = contract_in_force(space)
    standing = standing_policies(space)
    made = make(space, policy_of(contract, records_of(space, contract)))
    put_in_order(space, made, contract, standing)
    space.act("finish", status="done")


def contract_in_force(space: ActingSpace) -> Contract:
    """Find the firm's agreements, read the one in force and what was noted below it."""
    found = space.act("helpdesk_ListSearchResults", query=QUERY, per_page=100)
    pinned = [one for one in found["body"]["results"] if one["subject"].startswith("PINNED:")]
    texts = [one["description"] for one in pinned]
    firm = firm_of(space.goal, [firm_in(text) for text in texts])
    ticket = pinned[in_force(texts, firm)]
    shown = space.act("helpdesk_ListTicketComments", ticket_id=ticket["id"])
    said = [comment["body"] for comment in shown["body"]["comments"]]
    return contract_of(firm, said[0], said[1:])


def firm_in(text: str) -> str:
    """Return whom an agreement is with, empty if the text is none."""
    first = text.partition("\n")[0]
    return first.partition("Works with ")[2].removesuffix(".")


def standing_policies(space: ActingSpace) -> list[dict[str, Any]]:
    """Return the policies in order."""
    found = space.act("helpdesk_ListSLAPolicies", per_page=100)
    return list(found["body"]["sla_policies"])


def records_of(space: ActingSpace, contract: Contract) -> dict[str, str]:
    """Return the ids of the firms and the group that a contract names, by name."""
    names = [contract.firm, *([contract.second] if contract.second else [])]
    ids: dict[str, str] = {}
    for name in names:
        found = space.act("helpdesk_AutocompleteOrganizations", name=name)
        ids |= {one["name"]: str(one["id"]) for one in found["body"]["organizations"]}
    if contract.group is not None:
        found = space.act("helpdesk_ListGroups", per_page=100)
        ids |= {one["name"]: str(one["id"]) for one in found["body"]["groups"]}
    return ids


def policy_of(contract: Contract, ids: Mapping[str, str]) -> dict[str, Any]:
    """Return the policy that keeps to a contract."""
    first = {"field": "organization_id", "operator": "is", "value": ids[contract.firm]}
    every, some = [first], []
    if contract.second is not None:
        second = {"field": "organization_id", "operator": "is", "value": ids[contract.second]}
        every, some = [], [first, second]
    if contract.type is not None:
        every.append({"field": "type", "operator": "is", "value": contract.type.lower()})
    if contract.group is not None:
        every.append({"field": "group_id", "operator": "is", "value": ids[contract.group]})
    return {
        "title": f"Contract: {contract.firm}",
        "filter": {"all": every, "any": some},
        "policy_metrics": contract.metrics(),
    }


def make(space: ActingSpace, policy: dict[str, Any]) -> int:
    """Create a policy and return its id."""
    made = space.act("helpdesk_CreateSLAPolicy", body={"sla_policy": policy})
    return int(made["body"]["sla_policy"]["id"])


def order_of(made: int, contract: Contract, standing: list[dict[str, Any]]) -> list[int]:
    """Return the order in which the policies are to be tried."""
    order = [policy["id"] for policy in standing]
    titles = [policy["title"] for policy in standing]
    place = 0 if contract.after is None else titles.index(contract.after) + 1
    return [*order[:place], made, *order[place:]]


def put_in_order(
    space: ActingSpace, made: int, contract: Contract, standing: list[dict[str, Any]]
) -> None:
    """Put the new policy where the contract wants it."""
    keys = ",".join(map(str, order_of(made, contract, standing)))
    space.act("helpdesk_ReorderSLAPolicies", sla_policy_ids=keys)


SOLVE: Mapping[Space, Script] = {"api": by_api, "browser": in_browser}
