"""What a JSON text of a request says, read as strictly as its standard has it."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Never

# An escape of NUL whose backslash is not itself escaped.
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def read_json(text: str | bytes) -> Any:
    """Return the value that a JSON text holds.

    Half characters, which no text can hold, become U+FFFD. NaN and the infinities are no JSON
    (RFC 8259, section 6), a number beyond the largest float is none that can be kept.

    Raises:
        ValueError: it is no JSON.
        RecursionError: it is nested too deeply.
    """
    found = json.loads(text, parse_constant=_refused, parse_float=_finite)
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    if b"\\ud" in raw.lower():
        written = json.dumps(found, ensure_ascii=False)
        found = json.loads(written.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    return found


def says_nul(text: bytes) -> bool:
    """Tell whether a JSON text has a NUL in one of its own texts: some databases refuse it."""
    return _NUL.search(text) is not None


def _refused(name: str) -> Never:
    raise ValueError(f"{name} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text} is beyond what a number can be")
    return number
