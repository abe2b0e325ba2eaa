"""The words that the bank itself uses: a slip that makes one of them is no visible slip."""

from __future__ import annotations

import re
from functools import cache

from seeds.text.bank import FOLDER
from seeds.text.typos import misspellings

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


@cache
def vocabulary() -> frozenset[str]:
    """Return the lower-case words of every bank file, and the right spellings."""
    found = {word.lower() for word in misspellings()}
    for path in sorted(FOLDER.rglob("*.txt")):
        found.update(word.lower() for word in WORD.findall(path.read_text(encoding="utf-8")))
    return frozenset(found)
