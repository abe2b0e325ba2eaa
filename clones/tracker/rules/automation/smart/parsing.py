"""Texts with smart values, read into their parts.

{{issue.key}}                          a value
{{issue.assignee|"nobody"}}            a value, or what is said in place of nothing
{{#issue.comments}}{{body}}{{/}}       once for each; once if it is there
{{^issue.labels}}none{{/}}             if there is nothing; {{^last}} within a list
{{#if(equals(a, b))}}yes{{/}}          a condition
{{#=}}{{issue.Story points}} * 2{{/}}  a sum

What cannot be read is a `SmartValueError`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

DEEPEST: Final = 20
LONGEST: Final = 32_767
# Characters of a text on its way to another: functions that lengthen one can follow each other.
LONGEST_BETWEEN: Final = 1_000_000
_NUMBER: Final = re.compile(r"-?\d+(?:\.\d+)?(?=\s*(?:[,)|]|$))")
_NAME: Final = re.compile(r"[^.()|,\"“”\[\]]+")
_INDEX: Final = re.compile(r"\[(\d{1,6})\]")
_QUOTES: Final = {'"': '"', "“": "”"}


class SmartValueError(Exception):
    """Raised when a text with smart values cannot be read, or takes too much to write."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A text or a number that stands for itself."""

    value: str | float | bool


@dataclass(frozen=True, slots=True)
class Step:
    """A part of a chain: a name, with arguments if it is called."""

    name: str
    arguments: tuple[Expression, ...] | None = None


@dataclass(frozen=True, slots=True)
class Chain:
    """What a value is reached by: a first step or literal, the steps after it, and a default."""

    first: Step | Literal
    steps: tuple[Step, ...] = ()
    default: Literal | None = None


Expression = Chain


@dataclass(frozen=True, slots=True)
class Plain:
    """Words that stand as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A value in a text."""

    expression: Expression


@dataclass(frozen=True, slots=True)
class Section:
    """A part that is written for each item of a value, or (`inverted`) if there is none."""

    expression: Expression
    parts: tuple[Part, ...]
    inverted: bool = False


@dataclass(frozen=True, slots=True)
class Sum:
    """A part that is an arithmetic expression once it is written."""

    parts: tuple[Part, ...]


Part = Plain | ShownValue | Section | Sum


def parse(text: str) -> tuple[Part, ...]:
    """Return the parts of a text.

    Raises:
        SmartValueError: a value or a section is not closed, or one is closed that was not opened.
    """
    if len(text) > LONGEST:
        raise SmartValueError(f"The text is longer than {LONGEST} characters.")
    return _TextReader(text).read()


def parse_expression(text: str) -> Expression:
    """Return the expression of what stands between braces.

    Raises:
        SmartValueError: it is none.
    """
    return _Expressions(text).whole()


class _TextReader:
    """Reads one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def read(self) -> tuple[Part, ...]:
        parts, closed = self._parts(0)
        if closed:
            raise SmartValueError("A section is closed that was not opened: {{/}}")
        return tuple(parts)

    def _parts(self, depth: int) -> tuple[list[Part], bool]:
        """Return the parts up to the end of a section, and whether it was closed."""
        if depth > DEEPEST:
            raise SmartValueError("Sections lie too deep within each other.")
        parts: list[Part] = []
        while self.at < len(self.text):
            start = self.text.find("{{", self.at)
            if start < 0:
                parts.append(Plain(self.text[self.at :]))
                self.at = len(self.text)
                break
            if start > self.at:
                parts.append(Plain(self.text[self.at : start]))
            tag = self._tag(start)
            if tag.startswith("/"):
                return parts, True
            self._take(tag, parts, depth)
        return parts, False

    def _take(self, tag: str, parts: list[Part], depth: int) -> None:
        if tag.startswith("!") or not tag:
            return
        if tag[0] not in "#^":
            parts.append(ShownValue(parse_expression(tag)))
            return
        inside = tag[1:].strip()
        found, closed = self._parts(depth + 1)
        if not closed:
            raise SmartValueError(f"The section {{{{{tag}}}}} is not closed by {{{{/}}}}.")
        if inside == "=":
            parts.append(Sum(tuple(found)))
        else:
            parts.append(Section(parse_expression(inside), tuple(found), tag[0] == "^"))

    def _tag(self, start: int) -> str:
        """Return what stands between the braces that begin at a place, and go on behind them."""
        extra = self.text.startswith("{{{", start)
        at = start + (3 if extra else 2)
        ends = "}}}" if extra else "}}"
        begin, quote = at, ""
        while at < len(self.text):
            sign = self.text[at]
            if quote:
                if sign == "\\":
                    at += 1
                elif sign == quote:
                    quote = ""
            elif sign in _QUOTES and _QUOTES[sign] in self.text[at + 1 :]:
                quote = _QUOTES[sign]
            elif self.text.startswith(ends, at):
                self.at = at + len(ends)
                return self.text[begin:at].strip()
            at += 1
        raise SmartValueError(f"A smart value is not closed: {self.text[start : start + 60]}")


class _Expressions:
    """Reads what stands between braces."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def whole(self) -> Expression:
        found = self._chain(0)
        if self._peek():
            raise SmartValueError(f"The smart value cannot be read: {{{{{self.text}}}}}")
        return found

    def _chain(self, depth: int) -> Expression:
        if depth > DEEPEST:
            raise SmartValueError("Functions lie too deep within each other.")
        first: Step | Literal = self._literal() or self._step(depth)
        steps: list[Step] = []
        self._indexes(steps)
        while self._peek() == ".":
            self.at += 1
            if not self._peek() or self._peek() in ",)|":
                break
            steps.append(self._step(depth))
            self._indexes(steps)
        default = None
        if self._peek() == "|":
            self.at += 1
            default = self._literal() or Literal(self._bare())
        return Chain(first, tuple(steps), default)

    def _indexes(self, steps: list[Step]) -> None:
        while (found := _INDEX.match(self.text, self.at)) is not None:
            self.at = found.end()
            steps.append(Step("get", (Chain(Literal(float(found[1]))),)))

    def _step(self, depth: int) -> Step:
        if self._peek() == ".":  # the item at hand of a list
            return Step(".")
        found = _NAME.match(self.text, self.at)
        if found is None or not found[0].strip():
            raise SmartValueError(f"The smart value cannot be read: {{{{{self.text}}}}}")
        self.at = found.end()
        name = found[0].strip()
        if self._peek() != "(":
            return Step(name)
        self.at += 1
        return Step(name, tuple(self._arguments(depth)))

    def _arguments(self, depth: int) -> Sequence[Expression]:
        found: list[Expression] = []
        while True:
            sign = self._peek()
            if sign == ")":
                self.at += 1
                return found
            if not sign:
                raise SmartValueError(f"A bracket is not closed: {{{{{self.text}}}}}")
            if sign == ",":
                self.at += 1
                continue
            found.append(self._chain(depth + 1))

    def _literal(self) -> Literal | None:
        sign = self._peek()
        if sign in _QUOTES:
            return Literal(self._quoted(_QUOTES[sign]))
        found = _NUMBER.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
            return Literal(float(found[0]))
        for word, value in (("true", True), ("false", False)):
            after = self.text[self.at + len(word) :].lstrip()[:1]
            if self.text.startswith(word, self.at) and (not after or after in ",)|"):
                self.at += len(word)
                return Literal(value)
        return None

    def _quoted(self, ends: str) -> str:
        found: list[str] = []
        self.at += 1
        while self.at < len(self.text):
            sign = self.text[self.at]
            self.at += 1
            if sign == "\\" and self.at < len(self.text):
                escaped = self.text[self.at]
                # Patterns keep their own backslashes.
                found.append(escaped if escaped in '"\\“”' else "\\" + escaped)
                self.at += 1
            elif sign == ends:
                return "".join(found)
            else:
                found.append(sign)
        raise SmartValueError(f"A quotation is not closed: {{{{{self.text}}}}}")

    def _bare(self) -> str:
        rest = self.text[self.at :]
        cut = min((place for sign in ",)" if (place := rest.find(sign)) >= 0), default=len(rest))
        self.at += cut
        return rest[:cut].strip()

    def _peek(self) -> str:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]
