"""The words of SOQL and SOSL: keywords with the terminals that they may be, and functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

UNITS: Final = ("DAY", "WEEK", "MONTH", "QUARTER", "YEAR", "FISCAL_QUARTER", "FISCAL_YEAR")
# Date literals without a number, in the vendor's casing.
PLAIN_LITERALS: Final = frozenset(
    {"YESTERDAY", "TODAY", "TOMORROW", "LAST_90_DAYS", "NEXT_90_DAYS"}
    | {f"{when}_{unit}" for when in ("LAST", "THIS", "NEXT") for unit in UNITS if unit != "DAY"}
)
# Those with a number after a colon.
COUNTED_LITERALS: Final = frozenset(
    {f"{when}_N_{unit}S" for when in ("LAST", "NEXT") for unit in UNITS}
    | {f"N_{unit}S_AGO" for unit in UNITS}
)

# Words that are neither fields nor aliases; two of them are objects, too.
RESERVED: Final = frozenset(
    "AND ASC DESC EXCLUDES FIRST FROM GROUP HAVING IN INCLUDES LAST LIKE LIMIT NOT NULL NULLS OR "
    "ORDER SELECT USING WHERE WITH".split()
)
OBJECTS_TOO: Final = frozenset({"GROUP", "ORDER"})

# Words that begin the next clause, and so name no object.
NO_ALIASES: Final = RESERVED | {"FOR", "OFFSET"}

# What each word may be, best first: the first that may stand at its place is meant.
TERMINALS: Final[dict[str, tuple[str, ...]]] = {
    **{
        word: (f"_{word}",)
        for word in (
            "SELECT FROM AS SCOPE WHERE WITH DATA CATEGORY GROUP BY HAVING ORDER NULLS LIMIT "
            "OFFSET ROWS FOR AND OR NOT IN INCLUDES EXCLUDES TYPEOF WHEN THEN ELSE END FIND FIELDS "
            "RETURNING LISTVIEW USING"
        ).split()
    },
    "SECURITY_ENFORCED": ("SECURITY_ENFORCED",),
    "ROLLUP": ("ROLLUP",),
    "CUBE": ("CUBE",),
    "LIKE": ("LIKE",),
    "ALL": ("SEARCH_GROUP", "_ALL"),
    "UPDATE": ("PURPOSE", "_UPDATE"),
    **dict.fromkeys(("VIEW", "REFERENCE"), ("PURPOSE",)),
    **dict.fromkeys(("TRACKING", "VIEWSTAT"), ("UPDATED",)),
    **dict.fromkeys(("ASC", "DESC"), ("DIRECTION",)),
    **dict.fromkeys(("FIRST", "LAST"), ("NULLS_PLACE",)),
    **dict.fromkeys(("TRUE", "FALSE"), ("BOOLEAN",)),
    "NULL": ("NULL",),
    **dict.fromkeys(("AT", "ABOVE", "BELOW", "ABOVE_OR_BELOW"), ("SELECTOR",)),
    **dict.fromkeys(("NAME", "EMAIL", "PHONE", "SIDEBAR"), ("SEARCH_GROUP",)),
    **dict.fromkeys(
        "DIVISION HIGHLIGHT METADATA NETWORK PRICEBOOKID SNIPPET SPELL_CORRECTION".split(),
        ("SEARCH_OPTION",),
    ),
    **dict.fromkeys(PLAIN_LITERALS | COUNTED_LITERALS, ("DATE_LITERAL",)),
}

Kind = Literal[
    "aggregate", "date", "zone", "shown", "money", "grouping", "distance", "place", "all"
]


@dataclass(frozen=True, slots=True)
class SoqlFunction:
    """A function of the language: its name in the vendor's casing, and how many arguments."""

    name: str
    kind: Kind
    fewest: int = 1
    most: int = 1


_DATE_FUNCTIONS: Final = (
    "CALENDAR_MONTH CALENDAR_QUARTER CALENDAR_YEAR DAY_IN_MONTH DAY_IN_WEEK DAY_IN_YEAR DAY_ONLY "
    "FISCAL_MONTH FISCAL_QUARTER FISCAL_YEAR HOUR_IN_DAY WEEK_IN_MONTH WEEK_IN_YEAR"
).split()
FUNCTIONS: Final[dict[str, SoqlFunction]] = {
    function.name.lower(): function
    for function in (
        SoqlFunction("COUNT", "aggregate", fewest=0),
        *(
            SoqlFunction(name, "aggregate")
            for name in ("COUNT_DISTINCT", "SUM", "AVG", "MIN", "MAX")
        ),
        *(SoqlFunction(name, "date") for name in _DATE_FUNCTIONS),
        SoqlFunction("convertTimezone", "zone"),
        SoqlFunction("toLabel", "shown"),
        SoqlFunction("FORMAT", "shown"),
        SoqlFunction("convertCurrency", "money"),
        SoqlFunction("GROUPING", "grouping"),
        SoqlFunction("DISTANCE", "distance", fewest=3, most=3),
        SoqlFunction("GEOLOCATION", "place", fewest=2, most=2),
        SoqlFunction("FIELDS", "all"),
    )
}


def kind_of(name: str) -> Kind:
    """Return the kind of a function, by its name in any casing.

    Raises:
        KeyError: there is no such function.
    """
    return FUNCTIONS[name.lower()].kind
