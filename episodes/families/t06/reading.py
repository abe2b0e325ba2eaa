"""What a careful agent understands of a request for notes, and what of a version goes in them.

An item is {"key", "summary", "type", "priority", "labels", "components", "category", "status",
"resolution", "due"}: names, `due` as a date's text or "".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

VERSION: Final = re.compile(
    r"(?:release|mark) (\S+) (?:with the release date|as released, with) (\d{4}-\d\d-\d\d)"
)
TITLE: Final = re.compile(r'(?:called|with the summary) "([^"]+)"')
REVERTS: Final = re.compile(r"^Revert ([A-Z][A-Z0-9]+-\d+)\b")
SCHEMES: Final = (
    ("asked", "You asked for it"),
    ("priority", "Highlights"),
    ("two", "Bug fixes"),
    ("component", "component"),
    ("three", "Changed"),
)
LEAVES: Final = (
    ("internal", "label internal"),
    ("embargo", "label security"),
    ("reverted", '"Revert"'),
)
# What of the open work gets which version: some one, the rest the last one named.
TWO: Final = r" (?:gets?|moves? on to) (\S+?)(?: as|,).*?(?:gets|is open to) (\S+?)\.(?:\s|$)"
ONE: Final = r"(?: loses|: no).*?(?:rest gets|otherwise:) (\S+) instead"
RESTS: Final = (
    ("split_type", re.compile("[Bb]ugs" + TWO)),
    ("split_priority", re.compile("High or Highest" + TWO)),
    ("drop_low", re.compile("Low or Lowest" + ONE)),
    ("drop_todo", re.compile(r"To Do\)?" + ONE)),
    ("next", re.compile(r"gets (\S+) as its fix version instead")),
)
HIGH: Final = ("High", "Highest")
LOW: Final = ("Low", "Lowest")

Item = Mapping[str, Any]


class NotUnderstood(ValueError):
    """Raised when a request lacks what notes and release need."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked for; `title` is None where the notes go into a comment."""

    version: str
    date: str
    title: str | None
    scheme: str
    leaves: tuple[str, ...]
    rest: str
    next: str
    patch: str

    def notes(self, items: Sequence[Item]) -> dict[str, list[str]]:
        """Return the keys that go in the notes, by heading, headings in alphabetical order."""
        matches = [REVERTS.match(item["summary"]) for item in items]
        taken = {match[1] for match in matches if match is not None}
        found: dict[str, list[str]] = {}
        for item in items:
            done = item["category"] == "done" and item["resolution"] == "Done"
            if done and not self._stays_out(item, taken):
                found.setdefault(self._heading(item), []).append(item["key"])
        return {heading: sorted(found[heading]) for heading in sorted(found)}

    def leftovers(self, items: Iterable[Item]) -> dict[str, str]:
        """Return the name of the version that each open item gets, "" for none."""
        return {item["key"]: self._target(item) for item in items if item["category"] != "done"}

    def _stays_out(self, item: Item, taken: set[str]) -> bool:
        reverted = item["key"] in taken or REVERTS.match(item["summary"]) is not None
        late = "security" in item["labels"] and item["due"] > self.date
        return (
            ("internal" in self.leaves and "internal" in item["labels"])
            or ("embargo" in self.leaves and late)
            or ("reverted" in self.leaves and reverted)
        )

    def _heading(self, item: Item) -> str:
        bug = item["type"] == "Bug"
        if self.scheme == "component":
            return item["components"][0] if item["components"] else "Other"
        if self.scheme == "priority":
            return "Highlights" if item["priority"] in HIGH else "Also in this release"
        if self.scheme == "two":
            return "Bug fixes" if bug else "Improvements"
        if self.scheme == "asked" and "customer-reported" in item["labels"]:
            return "You asked for it"
        if self.scheme == "asked":
            return "Fixed" if bug else "New"
        return "Fixed" if bug else "Changed" if item["type"] == "Task" else "New"

    def _target(self, item: Item) -> str:
        if self.rest == "split_type":
            return self.patch if item["type"] == "Bug" else self.next
        if self.rest == "split_priority":
            return self.patch if item["priority"] in HIGH else self.next
        dropped = (self.rest == "drop_low" and item["priority"] in LOW) or (
            self.rest == "drop_todo" and item["status"] == "To Do"
        )
        return "" if dropped else self.next


def read_request(text: str) -> Request:
    """Return what a request asks for.

    Raises:
        NotUnderstood: it lacks a version with its date, headings, or what becomes of leftovers.
    """
    flat = " ".join(text.split())
    version, title = VERSION.search(flat), TITLE.search(flat)
    scheme = next((name for name, words in SCHEMES if words in flat), None)
    rest = next(((name, found) for name, way in RESTS if (found := way.search(flat))), None)
    if version is None or scheme is None or rest is None:
        raise NotUnderstood("notes need a version, its date, headings and a rule for the rest")
    name, found = rest
    targets = found.groups()
    return Request(
        version=version[1],
        date=version[2],
        title=title[1] if title is not None else None,
        scheme=scheme,
        leaves=tuple(leaving for leaving, words in LEAVES if words in flat),
        rest=name,
        next=targets[-1],
        patch=targets[0] if len(targets) > 1 else "",
    )


def notes_text(notes: Mapping[str, Sequence[str]], summaries: Mapping[str, str]) -> str:
    """Return notes as text: a paragraph for each heading, a list of keys and summaries below."""
    parts = []
    for heading, keys in notes.items():
        in_order = sorted(keys, key=lambda key: int(key.rpartition("-")[2]))
        parts += [heading, "\n".join(f"- {key} {summaries[key]}" for key in in_order)]
    return "\n\n".join(parts)
