"""Reading pages as a browser would: their words, their links, and what their forms send."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import Any

_CONTROL = re.compile(
    r"<(input|button)\b([^>]*)>|<select\b([^>]*)>(.*?)</select>|<textarea\b([^>]*)>(.*?)</textarea>",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it was answered; `path` is where it was asked for."""

    path: str
    status: int
    html: str
    location: str
    headers: Any

    @property
    def text(self) -> str:
        """The words of the page: no tags, single spaces."""
        return words_of(self.html.partition("<body")[2] or self.html)

    @property
    def main(self) -> str:
        """The words of the page without bar and sidebar."""
        return words_of(self.html.partition("<main")[2].partition("</main>")[0])

    @property
    def said(self) -> list[str]:
        """What the page says of what was refused."""
        marks = r'<(div|p)[^>]*(?:role="alert"|class="field__error")[^>]*>(.*?)</\1>'
        return [words_of(text) for _, text in re.findall(marks, self.html, flags=re.DOTALL)]

    def part(self, test_id: str) -> str:
        """Return the words of what follows a test id, up to the end of its element's kind."""
        found = re.search(rf'<(\w+)[^>]*data-testid="{re.escape(test_id)}"[^>]*>', self.html)
        assert found is not None, test_id
        rest = self.html[found.end() :]
        return words_of(rest.partition(f"</{found[1]}>")[0])

    def links(self, name: str = "") -> dict[str, str]:
        """Return the addresses of the links that have words or a label, by these."""
        found = {}
        for head, inner in re.findall(r"<a\b([^>]*)>(.*?)</a>", self.html, flags=re.DOTALL):
            said = _attribute(head, "aria-label") or words_of(inner)
            if name in said:
                found[said] = _attribute(head, "href")
        return found

    def form(self, action: str) -> dict[str, Any]:
        """Return what a browser would send of the form with that action, untouched.

        `action` may be the end of it. Buttons are left out.
        """
        for head, inner in re.findall(r"<form\b([^>]*)>(.*?)</form>", self.html, flags=re.DOTALL):
            if _attribute(head, "action").partition("?")[0].endswith(action):
                return sent_by(inner)
        raise AssertionError(f"no form for {action} on {self.path}: {self.main}")

    def has_form(self, action: str) -> bool:
        """Tell whether there is a form with that action, or that end of it."""
        heads = re.findall(r"<form\b([^>]*)>", self.html)
        return any(_attribute(one, "action").partition("?")[0].endswith(action) for one in heads)


def words_of(html: str) -> str:
    """Return the words of a piece of HTML: no tags, single spaces."""
    plain = re.sub(r"<(script|style)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", plain)).split())


def sent_by(form: str) -> dict[str, Any]:
    """Return the values of a form's controls by name: lists where several may be chosen."""
    sent: dict[str, Any] = {}
    for tag, head, select, options, area, text in _CONTROL.findall(form):
        if area:
            sent[_attribute(area, "name")] = unescape(text.removeprefix("\n"))
        elif select:
            _choose(sent, select, options)
        elif tag == "input":
            _type(sent, head)
    return sent


def _type(sent: dict[str, Any], head: str) -> None:
    name, kind = _attribute(head, "name"), _attribute(head, "type") or "text"
    if not name or kind == "file":
        return
    if kind == "checkbox":
        chosen = sent.setdefault(name, [])
        if re.search(r"\bchecked\b", head):
            chosen.append(_attribute(head, "value") or "on")
    elif kind != "radio" or re.search(r"\bchecked\b", head):
        sent[name] = _attribute(head, "value")


def _choose(sent: dict[str, Any], head: str, options: str) -> None:
    heads = re.findall(r"<option\b([^>]*)>", options)
    chosen = [_attribute(one, "value") for one in heads if re.search(r"\bselected\b", one)]
    if re.search(r"\bmultiple\b", head):
        sent[_attribute(head, "name")] = chosen
    elif heads:
        sent[_attribute(head, "name")] = chosen[0] if chosen else _attribute(heads[0], "value")


def _attribute(head: str, name: str) -> str:
    found = re.search(rf'(?<![\w-]){name}="([^"]*)"', head)
    return unescape(found.group(1)) if found else ""
