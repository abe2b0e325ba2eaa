"""What typing does to values: shapes of numbers, words for states and countries, junk."""

from __future__ import annotations

from random import Random

from seeds.draw import Draws, Weighted, chance
from seeds.kestrel.story.model import Firm
from seeds.pools import Half, pool

COUNTRY_NAMES = {
    "GB": Weighted({"United Kingdom": 0.62, "UK": 0.27, "GB": 0.05, "England": 0.06}),
    "US": Weighted({"United States": 0.35, "USA": 0.3, "US": 0.3, "U.S.": 0.05}),
    "DE": Weighted({"Germany": 0.8, "Deutschland": 0.12, "DE": 0.08}),
    "NL": Weighted({"Netherlands": 0.75, "The Netherlands": 0.2, "Holland": 0.05}),
}
PLAIN_COUNTRIES = {
    "FR": "France",
    "ES": "Spain",
    "IT": "Italy",
    "PL": "Poland",
    "PT": "Portugal",
    "SE": "Sweden",
    "IE": "Ireland",
    "AU": "Australia",
    "CA": "Canada",
}
# The usual sign of each state, the whole name and a short form that some write.
STATES = {
    "US": (
        ("CA", "California", "Calif."),
        ("NY", "New York", "N.Y."),
        ("TX", "Texas", "Tex."),
        ("OH", "Ohio", "Oh."),
        ("MA", "Massachusetts", "Mass."),
        ("WA", "Washington", "Wash."),
        ("PA", "Pennsylvania", "Penn."),
        ("IL", "Illinois", "Ill."),
    ),
    "CA": (("ON", "Ontario", "Ont."), ("BC", "British Columbia", "B.C."), ("QC", "Quebec", "Que.")),
    "AU": (
        ("NSW", "New South Wales", "N.S.W."),
        ("VIC", "Victoria", "Vic"),
        ("QLD", "Queensland", "Qld"),
    ),
}
FORMS = Weighted({0: 0.7, 1: 0.27, 2: 0.03})
JUNK = Weighted(
    {
        "n/a": 0.26,
        "-": 0.2,
        "unknown": 0.13,
        "TBD": 0.13,
        ".": 0.1,
        "none": 0.1,
        "asdf": 0.04,
        "xxx": 0.04,
    }
)
JUNK_PHONES = ("0000000000", "00", "123456", "555-", "n/a", "+44")
CASES = Weighted({"": 0.93, "upper": 0.03, "lower": 0.04})


def country_name(rng: Random, code: str) -> str:
    """Return what somebody calls a country."""
    names = COUNTRY_NAMES.get(code)
    return PLAIN_COUNTRIES.get(code, code) if names is None else names.draw(rng)


def state_name(rng: Random, draws: Draws, firm: Firm) -> str | None:
    """Return what somebody calls the state that a firm's city lies in, None if there is none."""
    states = STATES.get(firm.country.code)
    if states is None:
        return None
    return draws.rng("state", f"{firm.country.code}-{firm.city}").choice(states)[FORMS.draw(rng)]


def street(half: Half, draws: Draws, firm: Firm) -> str:
    """Return a firm's street and number, the same whenever it is asked for."""
    rng = draws.rng("street", firm.index)
    name = rng.choice(pool(half, f"street_{firm.country.names}"))
    number = rng.randrange(1, 190)
    return (
        f"{number} {name}"
        if firm.country.code in ("GB", "US", "IE", "CA", "AU", "FR")
        else f"{name} {number}"
    )


def postal_code(draws: Draws, firm: Firm) -> str:
    """Return a firm's postal code in its country's form."""
    rng = draws.rng("postal-code", firm.index)
    code = firm.country.code
    if code == "GB":
        return f"{firm.city[:2].upper()}{rng.randrange(1, 30)} {rng.randrange(1, 10)}ZZ"
    if code == "NL":
        return f"{rng.randrange(1000, 9999)} ZZ"
    if code == "AU":
        return f"{rng.randrange(1000, 9999)}"
    if code == "PL":
        return f"{rng.randrange(10, 99)}-{rng.randrange(100, 999)}"
    if code == "CA":
        return f"K{rng.randrange(1, 9)}Z {rng.randrange(1, 9)}Z{rng.randrange(1, 9)}"
    return f"{rng.randrange(10_000, 99_999)}"


def switchboard(draws: Draws, firm: Firm) -> str | None:
    """Return a firm's number, of a range kept for fiction, where its country keeps one."""
    rng = draws.rng("switchboard", firm.index)
    number = rng.randrange(1000)
    forms = {
        "GB": f"+44 1632 960{number:03d}",
        "US": f"+1 {rng.randrange(201, 989)}-555-01{number % 100:02d}",
        "CA": f"+1 {rng.randrange(201, 989)}-555-01{number % 100:02d}",
        "DE": f"+49 30 23125{number:03d}",
        "FR": f"+33 1 99 00 {number // 10:02d} {number % 100:02d}",
        "AU": f"+61 2 5550 {number * 7 % 10_000:04d}",
    }
    return forms.get(firm.country.code)


def shaped(rng: Random, phone: str) -> str:
    """Return a number in one of the shapes that people type it in: the same digits."""
    digits = "".join(one for one in phone if one in "0123456789")
    point = rng.random()
    if point < 0.25 and phone.startswith("+"):
        return f"+{digits}"
    if point < 0.4:
        return digits
    if point < 0.5:
        return phone.replace(" ", ".").replace("-", ".")
    if point < 0.58:
        return f"{phone} ext {rng.randrange(10, 60)}"
    return phone


def cased(rng: Random, name: str) -> str:
    """Return a name as some type it: in capitals, or in none."""
    form = CASES.draw(rng)
    return name.upper() if form == "upper" else name.lower() if form == "lower" else name


def junk(rng: Random, odds: float) -> str | None:
    """Return a value that says nothing, now and then."""
    return JUNK.draw(rng) if chance(rng, odds) else None
