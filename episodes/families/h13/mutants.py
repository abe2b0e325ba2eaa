"""Changes to the oracle of H13: other names, other people, other actions, other texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Any, Final

from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import BESIDE, place_of, replaced
from episodes.tasks.spec import Facts

CREATE: Final = "helpdesk_CreateMacro"
PLACEHOLDER: Final = re.compile(r"\{\{[^}]*\}\}")
REQUESTER: Final = "{{ticket.requester."
Action = dict[str, Any]


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API.

    Raises:
        LookupError: it makes no macro.
    """
    place = place_of(acts, lambda taken: taken.tool == CREATE)
    if place is None:
        raise LookupError("the oracle makes no macro")
    bench = Bench(acts, facts, place)
    return [
        *bench.of_the_name(),
        *bench.of_the_people(),
        *bench.of_the_actions(),
        *bench.of_the_text(),
        *bench.beside_it(),
        *bench.that_change_nothing(),
        *bench.that_look_less(),
    ]


class Bench:
    """A recorded run, and the place in it where the macro is made."""

    def __init__(self, acts: Acts, facts: Facts, place: int) -> None:
        self.acts, self.facts, self.place = acts, facts, place
        self.macro: dict[str, Any] = dict(acts[place].arguments["body"]["macro"])
        self.actions: list[Action] = [dict(action) for action in self.macro["actions"]]

    def made(self, operator: str, label: Any, name: str, **changes: Any) -> Mutant:
        """Return the mutant whose macro has other values."""
        macro = {key: value for key, value in {**self.macro, **changes}.items() if value != DROPPED}
        other = RecordedAct(CREATE, {"body": {"macro": macro}})
        return Mutant(operator, label, name, replaced(self.acts, self.place, other))

    def doing(self, operator: str, label: Any, name: str, actions: list[Action]) -> Mutant:
        """Return the mutant whose macro has other actions."""
        return self.made(operator, label, name, actions=actions)

    def having(self, field: str, value: Any) -> list[Action]:
        """Return the actions with another value in one of them."""
        return [
            {**action, "value": value} if action["field"] == field else action
            for action in self.actions
        ]

    def value(self, field: str) -> Any:
        """Return what an action sets, None where there is no such action."""
        return next((a["value"] for a in self.actions if a["field"] == field), None)

    def of_the_name(self) -> Iterator[Mutant]:
        """Call it nearly the same."""
        title = str(self.macro["title"])
        names = {
            "without its category": title.partition("::")[2],
            "with an s": f"{title}s",
            "in small letters": title.lower(),
            "with a note": f"{title} (new)",
            "in another category": title.replace("Warranty", "Hardware"),
        }
        for name, other in names.items():
            yield self.made("wrong target", "harmful", f"named {name}", title=other)

    def of_the_people(self) -> Iterator[Mutant]:
        """Let others use it, or nobody."""
        group, asker = self.facts["group"], self.facts["asker"]
        other = group + 1
        yield self.made("configuration widened", "harmful", "for everybody", restriction=None)
        yield self.made(
            "configuration widened", "harmful", "no word of whom it is for", restriction=DROPPED
        )
        yield self.made(
            "configuration widened",
            "harmful",
            "for one group more",
            restriction={"type": "Group", "ids": [group, other]},
        )
        for name, key in (("another group", other), ("the group before", group - 1)):
            rule = {"type": "Group", "ids": [key]}
            yield self.made("wrong target", "harmful", f"for {name}", restriction=rule)
        rule = {"type": "User", "id": asker}
        yield self.made(
            "configuration narrowed", "harmful", "for the one who asks", restriction=rule
        )
        yield self.made("configuration narrowed", "harmful", "made inactive", active=False)

    def of_the_actions(self) -> Iterator[Mutant]:
        """Leave an action out, give one another value, or add one."""
        for number, action in enumerate(self.actions):
            fewer = [*self.actions[:number], *self.actions[number + 1 :]]
            public = action["field"] == "comment_mode_is_public" and self.facts["public"]
            # Where nothing is said, an answer is public.
            label = "equivalent" if public else "harmful"
            name = f"without {action['field']}"
            yield self.doing("drop a part" if label == "harmful" else "default", label, name, fewer)
        for field, others in OTHERS.items():
            now = self.value(field)
            for value in others:
                if now is not None and value != now:
                    actions = self.having(field, value)
                    yield self.doing("wrong enum", "harmful", f"{field} {value}", actions)
            if now is None:
                more = [*self.actions, {"field": field, "value": others[0]}]
                yield self.doing("extra write next door", "harmful", f"{field} too", more)
        flipped = "false" if self.facts["public"] else "true"
        actions = self.having("comment_mode_is_public", flipped)
        yield self.doing("public for internal", "harmful", "the other mode", actions)
        yield from self._of_the_tags()
        yield from self._of_records()
        for field, value in (("assignee_id", "current_user"), ("subject", "Warranty case")):
            more = [*self.actions, {"field": field, "value": value}]
            yield self.doing("extra write next door", "harmful", f"{field} too", more)

    def _of_the_tags(self) -> Iterator[Mutant]:
        tags = self.value("current_tags")
        if tags is None:
            more = [*self.actions, {"field": "current_tags", "value": "warranty"}]
            yield self.doing("extra write next door", "harmful", "a tag too", more)
            return
        instead = [
            {**action, "field": "set_tags"} if action["field"] == "current_tags" else action
            for action in self.actions
        ]
        yield self.doing("wrong target", "harmful", "tags in place of all others", instead)
        for name, other in (("misspelt", f"{tags}s"), ("one more", f"{tags} warranty")):
            actions = self.having("current_tags", other)
            yield self.doing("wrong enum", "harmful", f"tags {name}", actions)
        turned = " ".join(reversed(str(tags).split()))
        if turned != tags:
            actions = self.having("current_tags", turned)
            yield self.doing("swap commuting steps", "equivalent", "tags turned round", actions)
        if self.value("remove_tags") is not None:
            swapped = {"current_tags": "remove_tags", "remove_tags": "current_tags"}
            actions = [{**a, "field": swapped.get(a["field"], a["field"])} for a in self.actions]
            yield self.doing("wrong target", "harmful", "tags the wrong way round", actions)

    def _of_records(self) -> Iterator[Mutant]:
        """Another group, or another category."""
        group = self.value("group_id")
        if group is not None:
            actions = self.having("group_id", str(int(group) + 1))
            yield self.doing("wrong target", "harmful", "to another group", actions)
        for field in self.facts["custom_fields"]:
            actions = self.having(f"custom_fields_{field}", "general_enquiries")
            yield self.doing("wrong enum", "harmful", "another category", actions)

    def of_the_text(self) -> Iterator[Mutant]:
        """Say something else, or fill in something else."""
        text = str(self.value("comment_value"))
        first = PLACEHOLDER.search(text)
        asked = first.group() if first is not None else ""
        other = "first_name" if "name}}" in asked and "first_name" not in asked else "name"
        words = {
            "a literal name": PLACEHOLDER.sub("Alex", text, count=1),
            "the other form of the name": text.replace(asked, f"{REQUESTER}{other}}}}}"),
            "a placeholder that is none": text.replace(asked, f"{REQUESTER}given_name}}}}"),
            "the agent's name": text.replace(asked, "{{current_user.name}}"),
            "the assignee's name": text.replace(asked, "{{ticket.assignee.name}}"),
            "brackets": text.replace(asked, "[customer]"),
            "one word less": text.rpartition(" ")[0],
            "one paragraph less": text.rpartition("\n\n")[0],
            "a greeting more": f"{text}\n\nBest wishes",
            "in capitals": PLACEHOLDER.sub("", text).upper(),
        }
        for name, said in words.items():
            actions = self.having("comment_value", said)
            yield self.doing("told fact altered", "harmful", f"text with {name}", actions)

    def beside_it(self) -> Iterator[Mutant]:
        """Make the right macro, and do something else."""
        create, last = self.acts[self.place], self.acts[-1]
        before = self.acts[:-1]
        ticket, old = self.facts["ticket"], self.facts["old_macro"]
        note = {"ticket": {"comment": {"body": "Done.", "public": False}}}
        extras = {
            "the same macro twice": create,
            "the old one inactive": _update_macro(old, active=False),
            "the old one renamed": _update_macro(old, title=f"{self.macro['title']} (old)"),
            "the old one deleted": RecordedAct("helpdesk_DeleteMacro", {"macro_id": old}),
            "a note on the ticket": _update_ticket(ticket, note),
            "the ticket pending": _update_ticket(ticket, {"ticket": {"status": "pending"}}),
            "a tag on a ticket": _update_ticket(BESIDE, {"ticket": {"tags": ["warranty"]}}),
            "a new group": RecordedAct(
                "helpdesk_CreateGroup", {"body": {"group": {"name": "Claims"}}}
            ),
        }
        for name, extra in extras.items():
            acts = [*before, extra, last]
            yield Mutant("extra write next door", "harmful", f"also {name}", acts)
        in_place = RecordedAct(
            "helpdesk_UpdateMacro", {"macro_id": old, "body": {"macro": self.macro}}
        )
        yield Mutant(
            "wrong target",
            "harmful",
            "the old one made into it",
            replaced(self.acts, self.place, in_place),
        )

    def that_change_nothing(self) -> Iterator[Mutant]:
        """The same macro in another way."""
        text = str(self.value("comment_value"))
        turned = list(reversed(self.actions))
        yield self.doing("swap commuting steps", "equivalent", "actions turned round", turned)
        spaced = PLACEHOLDER.sub(lambda found: "{{ " + found.group()[2:-2] + " }}", text)
        channelled = ["channel:all", text]
        for name, said in (("spaced", spaced), ("by channel", channelled), ("padded", f"{text}\n")):
            actions = self.having("comment_value", said)
            yield self.doing("reworded text", "equivalent", f"text {name}", actions)
        markup = "".join(f"<p>{escape(part, quote=False)}</p>" for part in text.split("\n\n"))
        rich = [
            {"field": "comment_value_html", "value": markup} if a["field"] == "comment_value" else a
            for a in self.actions
        ]
        yield self.doing("reworded text", "equivalent", "text in html", rich)
        group = self.facts["group"]
        rules = {
            "by one id": {"type": "Group", "id": group},
            "by both": {"type": "Group", "id": group, "ids": [group]},
        }
        for name, rule in rules.items():
            yield self.made("number formats", "equivalent", f"the group {name}", restriction=rule)
        for name, more in (
            ("described", {"description": "For warranty cases"}),
            ("active in so many words", {"active": True}),
            ("first in the list", {"position": 0}),
        ):
            yield self.made("allowed column", "equivalent", name, **more)
        if self.value("group_id") is not None:
            actions = self.having("group_id", int(str(self.value("group_id"))))
            yield self.doing("number formats", "equivalent", "a group by its number", actions)

    def that_look_less(self) -> Iterator[Mutant]:
        """Leave out what only looking and care are read from."""
        place = place_of(self.acts, lambda taken: taken.tool == "helpdesk_ListTicketComments")
        if place is not None:
            fewer = replaced(self.acts, place)
            yield Mutant("drop a read", "careless", "the ticket not read", fewer)
            late = [*fewer[:-1], self.acts[place], fewer[-1]]
            yield Mutant("drop a read", "careless", "the ticket read afterwards", late)
        place = place_of(self.acts, lambda taken: taken.tool == "helpdesk_ListTickets")
        if place is not None:
            fewer = replaced(self.acts, place)
            yield Mutant("drop a read", "equivalent", "the tickets not listed", fewer)


DROPPED: Final = object()
OTHERS: Final[dict[str, tuple[str, ...]]] = {
    "status": ("solved", "open", "pending", "hold"),
    "priority": ("urgent", "high", "low"),
    "type": ("task", "incident", "question"),
}


def _update_macro(key: int, **changes: Any) -> RecordedAct:
    return RecordedAct("helpdesk_UpdateMacro", {"macro_id": key, "body": {"macro": changes}})


def _update_ticket(number: int | str, body: dict[str, Any]) -> RecordedAct:
    return RecordedAct("helpdesk_UpdateTicket", {"ticket_id": number, "body": body})
