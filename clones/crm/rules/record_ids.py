"""Ids of records: 15 characters that tell upper from lower case, and three that say which is which.

The first three characters name the object. The last three hold, for each five of the others, which
of them are capitals, so that 18 characters tell ids apart even where case is lost.
"""

from __future__ import annotations

import re
from typing import Final

_FORM: Final = re.compile(r"[0-9A-Za-z]{15}([0-9A-Za-z]{3})?")
_SUFFIX: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"
LONG: Final = 18
# What stands behind the first three: the servers of the vendor's that hold the organization.
POD: Final = "5g0"
MASTER_RECORD_TYPE: Final = "012000000000000AAA"


def long_id(short: str) -> str:
    """Return the 18 characters of an id of 15."""
    suffix = ""
    for start in (0, 5, 10):
        bits = sum(
            1 << place for place, one in enumerate(short[start : start + 5]) if one.isupper()
        )
        suffix += _SUFFIX[bits]
    return short + suffix


def read_id(text: str) -> str | None:
    """Return the 18 characters of an id of either length; None if the text is no id."""
    if not text.isascii() or not _FORM.fullmatch(text):
        return None
    whole = long_id(text[:15])
    return whole if len(text) == len(whole[:15]) or text.upper() == whole.upper() else None


def short_id(id: str) -> str:
    """Return the 15 characters of an id, which some messages name it by."""
    return id[:15]
