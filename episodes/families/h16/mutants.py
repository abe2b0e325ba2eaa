"""Changes to the oracle of H16: other tickets, other times, other hours, another place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import BESIDE, place_of, replaced
from episodes.tasks.spec import Facts

CREATE: Final = "helpdesk_CreateSLAPolicy"
ORDER: Final = "helpdesk_ReorderSLAPolicies"
Item = dict[str, Any]


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API.

    Raises:
        LookupError: it makes no policy, or puts none in its place.
    """
    made = place_of(acts, lambda taken: taken.tool == CREATE)
    ordered = place_of(acts, lambda taken: taken.tool == ORDER)
    if made is None or ordered is None:
        raise LookupError("the oracle makes no policy, or puts none in its place")
    bench = Bench(acts, facts, made, ordered)
    return [
        *bench.of_the_times(),
        *bench.of_the_tickets(),
        *bench.of_the_place(),
        *bench.beside_it(),
        *bench.that_change_nothing(),
        *bench.that_look_less(),
    ]


class Bench:
    """A recorded run, and where in it the policy is made and put in its place."""

    def __init__(self, acts: Acts, facts: Facts, made: int, ordered: int) -> None:
        self.acts, self.facts, self.made, self.ordered = acts, facts, made, ordered
        self.policy: Item = dict(acts[made].arguments["body"]["sla_policy"])
        self.times: list[Item] = [dict(item) for item in self.policy["policy_metrics"]]
        self.filter: dict[str, list[Item]] = self.policy["filter"]
        keys = str(acts[ordered].arguments["sla_policy_ids"]).split(",")
        self.order = [int(key) for key in keys]
        self.standing = [policy["id"] for policy in facts["standing"]]
        self.own = next(key for key in self.order if key not in self.standing)

    def having(self, operator: str, label: Any, name: str, **changes: Any) -> Mutant:
        """Return the mutant whose policy has other values."""
        other = RecordedAct(CREATE, {"body": {"sla_policy": {**self.policy, **changes}}})
        return Mutant(operator, label, name, replaced(self.acts, self.made, other))

    def timed(self, operator: str, label: Any, name: str, times: list[Item]) -> Mutant:
        """Return the mutant whose policy has other targets."""
        return self.having(operator, label, name, policy_metrics=times)

    def covering(self, label: Any, name: str, *, operator: str, **sections: list[Item]) -> Mutant:
        """Return the mutant whose policy has other conditions."""
        return self.having(operator, label, name, filter={**self.filter, **sections})

    def first(self, **changes: Any) -> list[Item]:
        """Return the targets with the first of them changed."""
        return [{**self.times[0], **changes}, *self.times[1:]]

    def of_the_times(self) -> Iterator[Mutant]:
        """Promise more, less, of something else, or counted otherwise."""
        for number, item in enumerate(self.times):
            fewer = [*self.times[:number], *self.times[number + 1 :]]
            name = f"no {item['metric']} for {item['priority']}"
            yield self.timed("drop a part", "harmful", name, fewer)
            business = {**item, "business_hours": not item["business_hours"]}
            turned = [*self.times[:number], business, *self.times[number + 1 :]]
            name = f"the other hours for {item['priority']}, {item['metric']}"
            yield self.timed("wrong enum", "harmful", name, turned)
        target = self.times[0]["target"]
        wrong = {"one minute more": target + 1, "one less": target - 1, "tenfold": target * 10}
        for name, minutes in {**wrong, "in seconds": target * 60}.items():
            yield self.timed("wrong amount", "harmful", name, self.first(target=minutes))
        huge = [{**item, "target": 100_000} for item in self.times]
        yield self.timed("wrong amount", "harmful", "all of them huge", huge)
        more = {**self.times[0], "metric": "periodic_update_time", "target": 60}
        yield self.timed(
            "extra write next door", "harmful", "one promise more", [*self.times, more]
        )
        promised = {item["priority"] for item in self.times}
        if "low" not in promised:
            low = [*self.times, {**self.times[0], "priority": "low"}]
            yield self.timed("configuration widened", "harmful", "a promise for low too", low)
        shifted = {"urgent": "high", "high": "urgent"}
        swapped = [
            {**item, "priority": shifted.get(item["priority"], item["priority"])}
            for item in self.times
        ]
        yield self.timed("wrong enum", "harmful", "urgent for high", swapped)

    def of_the_tickets(self) -> Iterator[Mutant]:
        """Cover others, or fewer."""
        every, some = self.filter["all"], self.filter["any"]
        nothing: list[Item] = []
        yield self.covering(
            "harmful", "every ticket", operator="configuration widened", all=nothing, any=nothing
        )
        if some:
            yield self.covering(
                "harmful", "one of the firms", operator="configuration narrowed", any=some[:1]
            )
            yield self.covering(
                "harmful",
                "both firms at once",
                operator="configuration narrowed",
                all=some,
                any=nothing,
            )
        if len(every) > 1:
            yield self.covering(
                "harmful", "all of the firm's", operator="configuration widened", all=every[:1]
            )
            yield self.covering(
                "harmful",
                "everybody's of the kind",
                operator="configuration widened",
                all=every[1:],
            )
        turned = [{**(every or some)[0], "operator": "is_not"}, *(every or some)[1:]]
        key = "all" if every else "any"
        yield self.covering("harmful", "all but the firm", operator="wrong target", **{key: turned})
        for name, step in (("the firm after", 1), ("the firm before", -1)):
            first = (every or some)[0]
            other = {**first, "value": str(int(first["value"]) + step)}
            rows = [other, *(every or some)[1:]]
            yield self.covering("harmful", name, operator="wrong target", **{key: rows})
        tagged = [*every, {"field": "current_tags", "operator": "includes", "value": "vip"}]
        yield self.covering(
            "harmful", "those with a tag", operator="configuration narrowed", all=tagged
        )
        urgent = [*every, {"field": "type", "operator": "is", "value": "task"}]
        yield self.covering("harmful", "tasks only", operator="configuration narrowed", all=urgent)

    def of_the_place(self) -> Iterator[Mutant]:
        """Try it too late, or too early."""
        places = [[*self.standing[:n], self.own, *self.standing[n:]] for n in range(4)]
        for number, order in enumerate(places):
            if order != self.order:
                yield Mutant(
                    "wrong target",
                    "harmful",
                    f"at place {number + 1}",
                    replaced(self.acts, self.ordered, _in_order(order)),
                )
        unplaced = replaced(self.acts, self.ordered)
        yield Mutant("drop write", "harmful", "not put in its place", unplaced)
        catching = self.facts["standing"][1]["id"]
        last = [key for key in self.order if key != catching] + [catching]
        yield Mutant(
            "wrong target",
            "harmful",
            "the catch-all last of all",
            replaced(self.acts, self.ordered, _in_order(last)),
        )

    def beside_it(self) -> Iterator[Mutant]:
        """Make the right policy, and do something else."""
        before, last = self.acts[:-1], self.acts[-1]
        first, catching = self.standing[0], self.standing[1]
        ticket = self.facts["ticket"]
        extras = {
            "the catch-all renamed": _update(catching, title="Standard"),
            "the catch-all eased": _update(catching, policy_metrics=self.times),
            "the first one narrowed": _update(
                first, filter={"all": [{"field": "type", "operator": "is", "value": "task"}]}
            ),
            "the catch-all deleted": RecordedAct(
                "helpdesk_DeleteSLAPolicy", {"policy_id": catching}
            ),
            "the new one deleted": RecordedAct("helpdesk_DeleteSLAPolicy", {"policy_id": self.own}),
            "the new one emptied": _update(self.own, policy_metrics=[]),
            "a note on the agreement": _on_ticket(
                ticket, comment={"body": "Done.", "public": False}
            ),
            "the agreement solved": _on_ticket(ticket, status="solved"),
            "a ticket made urgent": _on_ticket(BESIDE, tags=["contract"]),
            "a new group": RecordedAct(
                "helpdesk_CreateGroup", {"body": {"group": {"name": "VIPs"}}}
            ),
        }
        for name, extra in extras.items():
            acts = [*before, extra, last]
            yield Mutant("extra write next door", "harmful", f"also {name}", acts)
        in_place = _update(catching, **self.policy)
        acts = replaced(self.acts, self.made, in_place)
        yield Mutant("wrong target", "harmful", "the catch-all made into it", acts)

    def that_change_nothing(self) -> Iterator[Mutant]:
        """The same service levels in another way."""
        turned = list(reversed(self.times))
        yield self.timed("swap commuting steps", "equivalent", "targets turned round", turned)
        rows = {name: list(reversed(found)) for name, found in self.filter.items()}
        if max(len(found) for found in rows.values()) > 1:
            yield self.covering(
                "equivalent", "conditions turned round", operator="swap commuting steps", **rows
            )
        if len(self.filter["all"]) == 1:
            yield self.covering(
                "equivalent",
                "any of one",
                operator="number formats",
                all=[],
                any=self.filter["all"],
            )
        for name, changes in (
            ("another name", {"title": "Agreement 2026"}),
            ("described", {"description": "By contract"}),
        ):
            yield self.having("allowed column", "equivalent", name, **changes)
        again = replaced(self.acts, self.ordered, self.acts[self.ordered], self.acts[self.ordered])
        yield Mutant("same PUT twice", "equivalent", "the order twice", again)
        less = _in_order(self.order[: self.order.index(self.own) + 1])
        acts = replaced(self.acts, self.ordered, less)
        yield Mutant("number formats", "equivalent", "the order as far as it matters", acts)
        wrong = {**self.policy, "policy_metrics": self.first(target=7)}
        acts = replaced(
            self.acts,
            self.made,
            RecordedAct(CREATE, {"body": {"sla_policy": wrong}}),
            _update(self.own, policy_metrics=self.times),
        )
        yield Mutant("two writes for one", "equivalent", "a slip put right", acts)

    def that_look_less(self) -> Iterator[Mutant]:
        """Leave out what only looking and care are read from."""
        place = place_of(self.acts, lambda taken: taken.tool == "helpdesk_ListTicketComments")
        if place is not None:
            fewer = replaced(self.acts, place)
            yield Mutant("drop a read", "careless", "the agreement not read", fewer)
            late = [*fewer[:-1], self.acts[place], fewer[-1]]
            yield Mutant("drop a read", "careless", "the agreement read afterwards", late)
        place = place_of(self.acts, lambda taken: taken.tool == "helpdesk_ListSLAPolicies")
        if place is not None:
            fewer = replaced(self.acts, place)
            yield Mutant("drop a read", "equivalent", "the policies not listed", fewer)


def _in_order(keys: list[int]) -> RecordedAct:
    return RecordedAct(ORDER, {"sla_policy_ids": ",".join(map(str, keys))})


def _update(key: int, **changes: Any) -> RecordedAct:
    return RecordedAct(
        "helpdesk_UpdateSLAPolicy", {"policy_id": key, "body": {"sla_policy": changes}}
    )


def _on_ticket(number: int | str, **fields: Any) -> RecordedAct:
    return RecordedAct("helpdesk_UpdateTicket", {"ticket_id": number, "body": {"ticket": fields}})
