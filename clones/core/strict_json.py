"""What a JSON text of a request says, read as strictly as its standard has it."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Final, Never

# As many as Rails reads; what is kept can then be written, compared and shown by recursion.
DEPTH: Final = 100
TOO_DEEP: Final = "nested too deeply"
_HALF = re.compile("[\ud800-\udfff]")
# An escape of NUL whose backslash is not itself escaped.
_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def read_json(text: str | bytes, *, depth: int = DEPTH) -> Any:
    r"""Return the value that a JSON text holds.

    Half characters, which no text can hold, become U+FFFD where they are escaped (`\ud800`); bytes
    that are no UTF-8 are no JSON (RFC 8259, section 8.1), nor are NaN and the infinities (section
    6). A number beyond the largest float is none that can be kept.

    Args:
        text: the document.
        depth: how many lists and objects may stand within each other.

    Raises:
        ValueError: it is no JSON, or nested more deeply.
    """
    written = text.decode("utf-8-sig") if isinstance(text, bytes) else text
    try:
        found = json.loads(written, parse_constant=_refused, parse_float=_finite)
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error
    if written.count("[") + written.count("{") > depth and not nests_within(found, depth):
        raise ValueError(TOO_DEEP)
    if "\\ud" in written.lower() or _HALF.search(written):
        whole = json.dumps(found, ensure_ascii=False)
        found = json.loads(whole.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
    return found


def says_nul(text: bytes) -> bool:
    """Tell whether a JSON text has a NUL in one of its own texts: some databases refuse it."""
    return _NUL.search(text) is not None


def nests_within(value: Any, depth: int) -> bool:
    """Tell whether at most `depth` lists and objects stand within each other."""
    level = [value]
    for _ in range(depth):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return True
    return False


def _refused(name: str) -> Never:
    raise ValueError(f"{name} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text} is beyond what a number can be")
    return number
