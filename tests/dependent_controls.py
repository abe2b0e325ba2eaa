"""Finds controls of a page's forms that a choice beside them may make meaningless.

A control is a candidate where its name shares a word with a choice of the form ("Agents in specific
groups" beside "Groups"), or says a condition of its own ("Name of the new status", "Groups (for
...)"). Candidates are guesses: each is declared, with what its page does about it, or why it
depends on nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final, NamedTuple

CONDITION: Final = re.compile(
    r"\((?:for|if|when|only)\b|\bof the new\b|\bonly (?:for|if|when)\b|\bif (?:it|there|you)\b",
    re.IGNORECASE,
)
# Words that many choices and controls have in common, and that tell nothing.
COMMON: Final = frozenset(
    "the and for this that with from all any none new name not are has its other default select"
    " only into more than type value user field date time".split()
)
MANY: Final = 8  # choices past which they are records to choose from, and no ways of doing


class Pair(NamedTuple):
    """A control, and the choice beside it that it may depend on; "" where it says so itself."""

    choice: str
    control: str


@dataclass
class Control:
    """A control of a form: what it sends, its words, and those of its choices."""

    name: str
    kind: str
    label: str = ""
    choices: list[str] = field(default_factory=list)


class Forms(HTMLParser):
    """The controls of each form of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[dict[str, Control]] = []
        self._controls: dict[str, Control] | None = None
        self._by_id: dict[str, Control] = {}
        self._labels: list[tuple[str, str]] = []
        self._label: tuple[str, list[str], list[Control]] | None = None
        self._legend: list[str] | None = None
        self._group = ""
        self._option: tuple[Control, list[str]] | None = None
        self._select: Control | None = None
        self._hidden = 0
        self.feed(html)
        for id, text in self._labels:
            if id in self._by_id and not self._by_id[id].label:
                self._by_id[id].label = text

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take in the beginning of an element."""
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._controls = {}
            self.forms.append(self._controls)
        elif tag == "legend":
            self._legend = []
        elif tag == "fieldset":
            self._group = ""
        elif tag == "label":
            self._label = (given.get("for", ""), [], [])
        elif tag == "option" and self._select is not None:
            self._option = (self._select, [])
        elif tag in ("input", "select", "textarea") and given.get("name"):
            self._take(tag, given)

    def _take(self, tag: str, given: dict[str, str]) -> None:
        kind = given.get("type", "text") if tag == "input" else tag
        if self._controls is None or kind in ("hidden", "submit", "button"):
            return
        found = self._controls.setdefault(given["name"], Control(given["name"], kind))
        found.label = found.label or given.get("aria-label", "")
        if kind in ("radio", "checkbox") and self._group:
            found.label = found.label or self._group
        if given.get("id"):
            self._by_id.setdefault(given["id"], found)
        if self._label is not None:
            self._label[2].append(found)
        if tag == "select":
            self._select = found

    def handle_endtag(self, tag: str) -> None:
        """Take in the end of an element."""
        if tag == "form":
            self._controls = None
        elif tag == "fieldset":
            self._group = ""
        elif tag == "select":
            self._select = None
        elif tag == "option" and self._option is not None:
            self._option[0].choices.append(_text(self._option[1]))
            self._option = None
        elif tag == "legend" and self._legend is not None:
            self._group, self._legend = _text(self._legend), None
        elif tag == "label" and self._label is not None:
            at, words, inside = self._label
            text = _text(words)
            if at:
                self._labels.append((at, text))
            for control in inside:
                if control.kind == "radio":
                    control.choices.append(text)
                else:
                    control.label = control.label or text
            self._label = None

    def handle_data(self, data: str) -> None:
        """Take in words."""
        if self._option is not None:
            self._option[1].append(data)
        elif self._legend is not None:
            self._legend.append(data)
        elif self._label is not None and self._select is None:
            self._label[1].append(data)


def _text(words: list[str]) -> str:
    return " ".join("".join(words).split())


def _words(text: str) -> set[str]:
    found = {word.rstrip("s") for word in re.findall(r"[a-z]{3,}", text.lower())}
    return found - {word.rstrip("s") for word in COMMON}


def pairs_of(html: str) -> set[Pair]:
    """Return the candidates of a page's forms."""
    found = set[Pair]()
    for form in Forms(html).forms:
        for control in form.values():
            if CONDITION.search(control.label):
                found.add(Pair("", control.name))
            for other in form.values():
                if other is control or other.kind not in ("radio", "select"):
                    continue
                if len(other.choices) > MANY:
                    continue
                if any(_words(choice) & _words(control.label) for choice in other.choices):
                    found.add(Pair(other.name, control.name))
    return found
