"""Changes to the oracle of T06 that need to know the job: notes, leftovers, dates, versions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, Final

from episodes.tasks.acting import Acts, Mutant, RecordedAct
from episodes.tasks.mutating import place_of, replaced
from episodes.tasks.spec import Facts
from episodes.tasks.tracker_acts import document, text_of

EDIT: Final = "tracker_editIssue"
RELEASE: Final = "tracker_updateVersion"
READS: Final = ("tracker_getIssue",)
OWN: Final = re.compile(r"assignee = currentUser\(\)")


def mutants(acts: Acts, facts: Facts) -> list[Mutant]:
    """Return the mutants of one recorded run of the oracle by API."""
    telling = place_of(acts, lambda taken: _text(taken) is not None)
    releasing = place_of(acts, lambda taken: taken.tool == RELEASE)
    if telling is None or releasing is None:
        return []
    bench = Bench(acts, facts, telling, releasing)
    return [
        *bench.of_the_notes(),
        *bench.of_the_release(),
        *bench.of_the_leftovers(),
        *bench.beside_it(),
        *bench.that_change_nothing(),
        *bench.that_look_less(),
    ]


def _text(taken: RecordedAct) -> str | None:
    """Return the text of the notes that an act writes, None if it writes none."""
    body = taken.arguments.get("body") or {}
    if taken.tool == "tracker_addComment":
        return text_of(body.get("body"))
    if taken.tool == "tracker_createIssue":
        return text_of(body["fields"].get("description"))
    return None


class Bench:
    """A recorded run, and the places in it where the notes are written and the version released."""

    def __init__(self, acts: Acts, facts: Facts, telling: int, releasing: int) -> None:
        self.acts, self.facts = acts, facts
        self.telling, self.releasing = telling, releasing
        self.lines = (_text(acts[telling]) or "").split("\n")
        self.keys = [key for keys in facts["notes"].values() for key in keys]

    def saying(self, operator: str, label: Any, name: str, lines: list[str]) -> Mutant:
        """Return the mutant whose notes have other lines."""
        taken = self.acts[self.telling]
        text = document("\n\n".join(lines))
        arguments = dict(taken.arguments)
        if taken.tool == "tracker_addComment":
            arguments["body"] = {"body": text}
        else:
            arguments["body"] = {"fields": {**arguments["body"]["fields"], "description": text}}
        acts = replaced(self.acts, self.telling, RecordedAct(taken.tool, arguments))
        return Mutant(operator, label, name, acts)

    def releasing_as(self, operator: str, label: Any, name: str, /, **changes: Any) -> Mutant:
        """Return the mutant that changes the version otherwise; None takes a part out."""
        taken = self.acts[self.releasing]
        body = {**taken.arguments["body"], **changes}
        kept = {part: value for part, value in body.items() if value is not None}
        other = RecordedAct(RELEASE, {**taken.arguments, "body": kept})
        return Mutant(operator, label, name, replaced(self.acts, self.releasing, other))

    def with_line(self, key: str, line: str | None) -> list[str]:
        """Return the notes with another line for a key, or none."""
        found = [line if _names(one, key) else one for one in self.lines]
        return [one for one in found if one is not None]

    def of_the_notes(self) -> Iterator[Mutant]:
        """Leave out, add, misplace or mistype what is told."""
        first, last = self.keys[0], self.keys[-1]
        for key in (first, last):
            yield self.saying(
                "told fact altered", "harmful", f"{key} left out", self.with_line(key, None)
            )
        other = f"{first.partition('-')[0]}-99999"
        yield self.saying(
            "told fact altered", "harmful", "a key mistyped", self.with_line(first, other)
        )
        bare = [line for line in self.lines if line not in self.facts["notes"]]
        yield self.saying("told fact altered", "harmful", "without headings", bare)
        yield self.saying(
            "told fact altered", "harmful", "another heading", ["Miscellaneous", *bare]
        )
        if len(self.facts["notes"]) > 1:
            moved = [line for line in self.lines if not _names(line, last)]
            yield self.saying(
                "told fact altered", "harmful", "under the wrong heading",
                [moved[0], last, *moved[1:]],
            )  # fmt: skip
        for role, keys in self.facts["silent"].items():
            name = f"{role} told"
            yield self.saying("told fact altered", "harmful", name, [*self.lines, keys[0]])
        if self.facts["hushed"]:
            more = [*self.lines, f"And one thing more: {self.facts['hushed'][0]}."]
            yield self.saying("told fact altered", "harmful", "embargoed by its title", more)
        key = next(iter(self.facts["leftovers"]))
        yield self.saying("told fact altered", "harmful", "open work told", [*self.lines, key])
        yield self.saying("drop write", "harmful", "no key told", ["All of it is done."])

    def of_the_release(self) -> Iterator[Mutant]:
        """Release on another day, or not at all, or another version."""
        day = date.fromisoformat(self.facts["date"])
        for name, days in (("a day early", -1), ("a day late", 1), ("a month late", 30)):
            other = (day + timedelta(days=days)).isoformat()
            yield self.releasing_as("wrong date", "harmful", name, releaseDate=other)
        yield self.releasing_as("drop write", "harmful", "on the planned day", releaseDate=None)
        yield self.releasing_as("wrong enum", "harmful", "not released", released=False)
        yield self.releasing_as("wrong enum", "harmful", "archived, too", archived=True)
        yield self.releasing_as("extra write next door", "harmful", "renamed, too", name="Final")
        yield self.releasing_as(
            "extra write next door", "harmful", "with another start", startDate="2026-01-01"
        )
        taken = self.acts[self.releasing]
        for name in ("patch_id", "next_id"):
            other_one = RecordedAct(RELEASE, {**taken.arguments, "id": str(self.facts[name])})
            yield Mutant(
                "wrong target", "harmful", f"releases {name[:-3]}",
                replaced(self.acts, self.releasing, other_one),
            )  # fmt: skip
        both = RecordedAct(RELEASE, {**taken.arguments, "id": str(self.facts["patch_id"])})
        yield Mutant(
            "extra write next door", "harmful", "releases another, too",
            replaced(self.acts, self.releasing, taken, both),
        )  # fmt: skip

    def of_the_leftovers(self) -> Iterator[Mutant]:
        """Give what is open another version, none, or leave it where it is."""
        ids = {self.facts["next_id"], self.facts["patch_id"], self.facts["version_id"], None}
        for place, taken in enumerate(self.acts):
            if taken.tool != EDIT:
                continue
            key = taken.arguments["issueIdOrKey"]
            for wrong in sorted(ids - {self.facts["leftovers"][key]}, key=str):
                value = [] if wrong is None else [{"id": str(wrong)}]
                body = {"fields": {"fixVersions": value}}
                other = RecordedAct(EDIT, {"issueIdOrKey": key, "body": body})
                name = f"{key} to {'none' if wrong is None else wrong}"
                acts = replaced(self.acts, place, other)
                yield Mutant("wrong enum", "harmful", name, acts)

    def beside_it(self) -> Iterator[Mutant]:
        """Do everything, and something more."""
        own = {"issueIdOrKey": self.facts["request_key"]}
        done = self.keys[0]
        extras = {
            "the request closed": RecordedAct(
                "tracker_doTransition", {**own, "body": {"transition": {"id": "61"}}}
            ),
            "the request given back": RecordedAct(
                "tracker_assignIssue", {**own, "body": {"accountId": None}}
            ),
            "done work out of the version": RecordedAct(
                EDIT, {"issueIdOrKey": done, "body": {"fields": {"fixVersions": []}}}
            ),
            "a label on done work": RecordedAct(
                EDIT,
                {"issueIdOrKey": done, "body": {"update": {"labels": [{"add": "released"}]}}},
            ),
            "a new version besides": RecordedAct(
                "tracker_createVersion",
                {"body": {"name": "Later", "projectId": self.facts["space_id"]}},
            ),
        }
        for name, extra in extras.items():
            acts = [*self.acts[:-1], extra, self.acts[-1]]
            yield Mutant("extra write next door", "harmful", name, acts)

    def that_change_nothing(self) -> Iterator[Mutant]:
        """Say or do the same otherwise."""
        headings = set(self.facts["notes"])
        marked = [f"## {line}" if line in headings else line for line in self.lines]
        yield self.saying("reworded", "equivalent", "headings marked", marked)
        starred = [f"* {line}:" if line in headings else line for line in self.lines]
        yield self.saying("reworded", "equivalent", "headings with a colon", starred)
        keys = [line if line in headings else line.split()[0] for line in self.lines if line]
        yield self.saying("reworded", "equivalent", "keys alone", keys)
        turned = [
            line if line in headings else f"{line.partition(' ')[2]} ({line.split()[0]})"
            for line in self.lines
            if line
        ]
        yield self.saying("reworded", "equivalent", "keys behind", turned)
        yield self.saying(
            "reworded", "equivalent", "with a word before", ["Here are the notes.", *self.lines]
        )
        loud = [line.upper() if line in headings else line for line in self.lines]
        yield self.saying("reworded", "equivalent", "headings in capitals", loud)
        edits = [place for place, taken in enumerate(self.acts) if taken.tool == EDIT]
        acts = list(self.acts)
        one, two = edits[0], edits[-1]
        acts[one], acts[two] = acts[two], acts[one]
        if one != two:
            yield Mutant("swap commuting steps", "equivalent", "leftovers the other way", acts)
        later = [*replaced(self.acts, self.telling)[:-1], self.acts[self.telling], self.acts[-1]]
        yield Mutant("swap commuting steps", "equivalent", "notes after the release", later)

    def that_look_less(self) -> Iterator[Mutant]:
        """Leave out what only looking is read from."""
        unread = [
            taken
            for taken in self.acts
            if taken.tool not in READS and not OWN.match(str(taken.arguments.get("jql")))
        ]
        yield Mutant("drop a read", "careless", "the request not read", unread)


def _names(line: str, key: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(key)}(?!\w)", line) is not None
