"""What a text states, by typed extraction: sums, days, identifiers. Style is never judged."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from clones.core.plaintext import plain_of_html
from seeds.people.extraction import Extracted, IdKind, extract

QUOTED = re.compile(r"^\s*>.*$", re.MULTILINE)


def visible(text: str) -> str:
    """Return what the writer says: html as its text, quoted lines left out."""
    plain = plain_of_html(text) if re.search(r"<[a-zA-Z/!][^>]*>", text) else text
    return QUOTED.sub("", plain)


def facts_of(text: str) -> Extracted:
    """Return the typed facts of what the writer says."""
    return extract(visible(text))


def states_sum(text: str, minor: int, currency: str) -> bool:
    """Tell whether a text names a sum, in whatever form."""
    return facts_of(text).names_sum(minor, currency)


def states_id(text: str, kind: IdKind, value: str) -> bool:
    """Tell whether a text names an identifier."""
    return value in facts_of(text).ids(kind)


def states_day(text: str, day: date) -> bool:
    """Tell whether a text names a day, in whatever form."""
    return any(mention.matches(day) for mention in facts_of(text).days)


def shown(text: str, private: Iterable[str]) -> tuple[str, ...]:
    """Return which private values a text shows as whole words."""
    seen = visible(text).casefold()
    return tuple(
        value
        for value in private
        if re.search(rf"(?<!\w){re.escape(value.casefold())}(?!\w)", seen)
    )
