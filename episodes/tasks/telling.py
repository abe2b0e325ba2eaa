"""What replies tell: the part and the quantity that a macro gives for one machine.

`tells` is {"code", "number", "unit"}; `wrong` are such of other machines, or of another time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from episodes.checks import visible
from episodes.checks.quantities import quantities

Tells = Mapping[str, Any]


def names_code(text: str, code: str) -> bool:
    """Tell whether a text names a code, a part's or a serial number."""
    found = rf"(?<![\w-]){re.escape(code)}(?![\w-])"
    return re.search(found, visible(text), re.IGNORECASE) is not None


def is_fit(text: str, tells: Tells, wrong: Iterable[Tells]) -> bool:
    """Tell whether a reply gives part and quantity, and none of the wrong ones."""
    stated = quantities(text, tells["unit"])
    return (
        names_code(text, tells["code"])
        and tells["number"] in stated
        and not misleads(text, wrong)
        and not any(each["number"] in stated for each in wrong)
    )


def misleads(text: str, wrong: Iterable[Tells]) -> bool:
    """Tell whether a reply names a part that is not the customer's."""
    return any(names_code(text, each["code"]) for each in wrong)


def says_nothing(text: str, tells: Tells, wrong: Iterable[Tells]) -> bool:
    """Tell whether a reply gives neither part nor quantity, right or wrong."""
    return not (
        names_code(text, tells["code"])
        or tells["number"] in quantities(text, tells["unit"])
        or misleads(text, wrong)
    )
