"""What `~` looks for: words, phrases, and how they go together."""

from __future__ import annotations

import re
from dataclasses import dataclass

LONGEST = 4096  # characters of a text that is looked for
# As `clones.core.words.ASKED`, which the language does not know.
TERMS = 40  # words and phrases of a text that is looked for
_TOKENS = re.compile(r'([+\-!]?)(?:"((?:\\.|[^"\\])*)"(?:~[0-9]*)?|((?:\\.|[^\s"\\])+))', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_WORD = re.compile(r"\w")  # without a letter or digit there is no word
_WEIGHT = re.compile(r"(?<=[^\\])[~^][0-9.]*$")
_JOINTS = {"AND": "AND", "&&": "AND", "OR": "OR", "||": "OR", "NOT": "NOT"}


@dataclass(frozen=True, slots=True)
class Term:
    """A word or a phrase. In a pattern `*` stands for any letters, `?` for one."""

    text: str
    phrase: bool = False
    pattern: bool = False
    negated: bool = False


@dataclass(frozen=True, slots=True)
class TextQuery:
    """Groups that must all be met, each by one of its terms."""

    groups: tuple[tuple[Term, ...], ...]


def parse_text(text: str) -> TextQuery | None:
    """Return what a text looks for; None if it cannot be read.

    Words stand together by AND; `OR` joins its neighbours, `-`, `!` and `NOT` deny the next.
    """
    if len(text) > LONGEST:
        return None
    groups: list[list[Term]] = []
    joint, negated, complete = "AND", False, True
    for sign, phrase, word in _TOKENS.findall(text):
        if not phrase and not sign and word in _JOINTS:
            kind = _JOINTS[word]
            if kind == "NOT":
                negated, complete = True, False
                continue
            if not complete or not groups:
                return None
            joint, complete = kind, False
            continue
        term = _term(phrase, word, negated=negated or sign in {"-", "!"})
        if term is None:
            continue
        if joint == "OR" and groups:
            groups[-1].append(term)
        else:
            groups.append([term])
        joint, negated, complete = "AND", False, True
    if not complete or not groups or sum(map(len, groups)) > TERMS:
        return None
    return TextQuery(tuple(map(tuple, groups)))


def _term(phrase: str, word: str, *, negated: bool) -> Term | None:
    """Return what is to be found, None of marks alone: without a word in it every text has it."""
    if phrase:
        text = _ESCAPED.sub(r"\1", phrase)
        return Term(text, phrase=True, negated=negated) if _WORD.search(text) else None
    plain = _WEIGHT.sub("", word.strip("()"))
    pattern = re.search(r"(?<!\\)[*?]", plain) is not None
    text = _ESCAPED.sub(r"\1", plain)
    if not text.strip('*?()"+-!') or not (pattern or _WORD.search(text)):
        return None
    return Term(text, pattern=pattern, negated=negated)
