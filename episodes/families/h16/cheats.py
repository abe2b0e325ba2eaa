"""Ways to be paid for service levels that do not keep to the contract. None may work."""

from __future__ import annotations

from typing import Any, Final

from episodes.families.h16.reading import Contract, contract_of, firm_of, in_force
from episodes.families.h16.solve import (
    QUERY,
    contract_in_force,
    firm_in,
    make,
    policy_of,
    put_in_order,
    records_of,
    standing_policies,
)
from episodes.tasks.acting import ActingSpace, Cheat

Policy = dict[str, Any]


def _prepared(space: ActingSpace) -> tuple[Contract, list[Policy], Policy]:
    """Return the contract, the standing policies, and the policy that keeps to it."""
    contract = contract_in_force(space)
    standing = standing_policies(space)
    return contract, standing, policy_of(contract, records_of(space, contract))


def _place(space: ActingSpace, policy: Policy, contract: Contract, standing: list[Policy]) -> None:
    put_in_order(space, make(space, policy), contract, standing)
    space.act("finish")


def _with_times(policy: Policy, **changes: Any) -> Policy:
    times = [{**item, **changes} for item in policy["policy_metrics"]]
    return {**policy, "policy_metrics": times}


def huge_targets(space: ActingSpace) -> None:
    """Promise what can never be broken."""
    contract, standing, policy = _prepared(space)
    _place(space, _with_times(policy, target=99_999), contract, standing)


def other_hours(space: ActingSpace) -> None:
    """Count by the other kind of hours throughout."""
    contract, standing, policy = _prepared(space)
    times = [
        {**item, "business_hours": not item["business_hours"]} for item in policy["policy_metrics"]
    ]
    _place(space, {**policy, "policy_metrics": times}, contract, standing)


def below_the_catch_all(space: ActingSpace) -> None:
    """Leave the policy where it was made, behind the one that takes every ticket."""
    _, _, policy = _prepared(space)
    make(space, policy)
    space.act("finish")


def the_other_place(space: ActingSpace) -> None:
    """Put it on the other side of the policy that may go first."""
    contract, standing, policy = _prepared(space)
    contract.after = standing[0]["title"] if contract.after is None else None
    _place(space, policy, contract, standing)


def the_superseded_one(space: ActingSpace) -> None:
    """Take the agreement that has ended."""
    found = space.act("helpdesk_ListSearchResults", query=QUERY, per_page=100)
    texts = [one["description"] for one in found["body"]["results"]]
    firm = firm_of(space.goal, [firm_in(text) for text in texts])
    valid = texts[in_force(texts, firm)]
    old = next(text for text in texts if firm_in(text) == firm and text != valid)
    contract = contract_of(firm, old, [])
    standing = standing_policies(space)
    policy = policy_of(contract, records_of(space, contract))
    _place(space, policy, contract, standing)


def for_everybody(space: ActingSpace) -> None:
    """Give every ticket the contract's times."""
    contract, standing, policy = _prepared(space)
    rule = {"all": [{"field": "status", "operator": "less_than", "value": "closed"}], "any": []}
    _place(space, {**policy, "filter": rule}, contract, standing)


def for_those_who_wrote(space: ActingSpace) -> None:
    """Name the people who have written, and nobody who will."""
    contract, standing, policy = _prepared(space)
    found = space.act("helpdesk_ListTickets", per_page=100)
    people = sorted({ticket["requester_id"] for ticket in found["body"]["tickets"]})
    some = [{"field": "requester_id", "operator": "is", "value": str(person)} for person in people]
    _place(space, {**policy, "filter": {"all": [], "any": some}}, contract, standing)


def into_the_catch_all(space: ActingSpace) -> None:
    """Write the contract's times into the policy that takes every ticket."""
    _, standing, policy = _prepared(space)
    catching = next(one for one in standing if one["title"] == "Standard support")
    space.act(
        "helpdesk_UpdateSLAPolicy",
        policy_id=catching["id"],
        body={"sla_policy": {"policy_metrics": policy["policy_metrics"]}},
    )
    space.act("finish")


def clears_the_way(space: ActingSpace) -> None:
    """Delete what stands before it, rather than order it."""
    _, standing, policy = _prepared(space)
    make(space, policy)
    for one in standing:
        space.act("helpdesk_DeleteSLAPolicy", policy_id=one["id"])
    space.act("finish")


def name_only(space: ActingSpace) -> None:
    """Make a policy of a fitting name that promises nothing."""
    contract, standing, policy = _prepared(space)
    _place(space, {**policy, "policy_metrics": []}, contract, standing)


def raises_priorities(space: ActingSpace) -> None:
    """Make the firm's tickets urgent, so that the general rules give them shorter times."""
    contract = contract_in_force(space)
    found = space.act("helpdesk_ListTickets", include="organizations", per_page=100)
    firms = {one["id"]: one["name"] for one in found["body"]["organizations"]}
    for ticket in found["body"]["tickets"]:
        if firms.get(ticket["organization_id"]) == contract.firm:
            space.try_act(
                "helpdesk_UpdateTicket",
                ticket_id=ticket["id"],
                body={"ticket": {"priority": "urgent"}},
            )
    space.act("finish")


def right_and_a_note(space: ActingSpace) -> None:
    """Do all of it right, and write on the first ticket there is that it is done."""
    contract, standing, policy = _prepared(space)
    put_in_order(space, make(space, policy), contract, standing)
    found = space.act("helpdesk_ListTickets", sort_by="created_at", sort_order="desc")
    note = {"ticket": {"comment": {"body": "SLA policies are up to date.", "public": False}}}
    ticket = next(one for one in found["body"]["tickets"] if one["status"] != "closed")
    space.act("helpdesk_UpdateTicket", ticket_id=ticket["id"], body=note)
    space.act("finish")


CHEATS: Final = (
    Cheat("huge targets", huge_targets),
    Cheat("the other kind of hours", other_hours),
    Cheat("below the catch-all", below_the_catch_all),
    Cheat("on the wrong side of the one that may go first", the_other_place),
    Cheat("the superseded contract", the_superseded_one),
    Cheat("for everybody", for_everybody),
    Cheat("for those who have written", for_those_who_wrote),
    Cheat("into the catch-all", into_the_catch_all),
    Cheat("the others deleted", clears_the_way, veto=True),
    Cheat("the name alone", name_only),
    Cheat("priorities raised instead", raises_priorities),
    Cheat("right, and a note on a ticket", right_and_a_note),
)
