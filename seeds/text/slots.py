"""What fills the slots of patterns: facts first, then words that stay the same for a record."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random

from seeds.draw import zipf
from seeds.kestrel.catalogue import CLOUD_HOST, DOMAIN, FIRMWARES, STATUS_HOST, STUDIO_VERSIONS
from seeds.pools import Half, pool
from seeds.text.bank import SLOT

FOLDER = Path(__file__).parent / "bank" / "slots"
POOLS = (
    "material",
    "material2",
    "work",
    "trade",
    "place",
    "tool",
    "client",
    "event",
    "app",
    "thing",
    "job",
    "logline",
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January February March April May June July August September October November December"
).split()
DAY_AND_MONTH = re.compile(r"(\d+) ([A-Z][a-z]+)")
DATES = {
    **dict.fromkeys(("fr", "it", "nl"), r"\1 \2"),
    **dict.fromkeys(("es", "pt"), r"\1 de \2"),
    "de": r"\1. \2",
}
CARRIERS = (
    "Parcelwing",
    "Nordexa",
    "Transline",
    "Swiftvan",
    "Palletways East",
    "Hermione Parcel",
    "Roadrunner Freight",
)
NUMBERS = {"n": (2, 9), "nn": (11, 95), "nnn": (104, 980)}
MEASURES: dict[str, tuple[tuple[str, ...], str]] = {
    "mm": (("0.1", "0.15", "0.2", "0.3", "0.4", "0.5", "0.8", "1.2", "1.5", "2"), "mm"),
    "thick2": (("2", "3", "4", "5", "6", "8", "10"), "mm"),
    "speed": (("4", "6", "8", "10", "12", "15", "20", "25", "80", "120", "200", "300"), "mm/s"),
}
THICKNESSES = tuple('3 mm|3mm|4 mm|5mm|6 mm|6mm|8 mm|10 mm|2 mm|1.5 mm|1/8"|1/4"'.split("|"))
HOSTS: dict[str, str] = {"cloudhost": CLOUD_HOST, "statushost": STATUS_HOST, "domain": DOMAIN}
DATED = frozenset({"weekday", "month", "month2", "deadline", "promised", "due", "date", "termend"})
FRESH = frozenset(
    {
        "n",
        "nn",
        "nnn",
        "mm",
        "clock",
        "clock2",
        "percent",
        "hex",
        "temp",
        "speed",
        "hot",
        "power",
        "thick2",
    }
)
# What the desk promises is counted from the day it writes.
PROMISED = frozenset({"deadline", "promised"})


@cache
def words(name: str) -> tuple[str, ...]:
    """Return the values of a slot's word list."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line)


@cache
def calendar() -> dict[str, dict[str, list[str]]]:
    """Return the names of days and months by language, English left out."""
    text = (FOLDER.parent / "calendar.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, list[str]]] = json.loads(text)
    return found


class Slots:
    """The words of one ticket: facts stay facts, drawn words stay the same throughout."""

    def __init__(
        self,
        rng: Random,
        half: Half,
        facts: dict[str, str],
        at: datetime,
        *,
        names: str = "en",
        language: str = "en",
        desk: bool = False,
    ) -> None:
        self.rng, self.half, self.at, self.names, self.language = rng, half, at, names, language
        self.values, self.now, self.desk = dict(facts), at, desk

    def __call__(self, slot: str) -> str | None:
        """Return the value of a slot, or None if the record has none."""
        if slot in FRESH:
            return self._fresh(slot)
        if self.desk and slot in PROMISED:
            return self._promised()
        if slot in DATED and self.language in calendar():
            return self._local(slot)
        if slot not in self.values:
            drawn = self._drawn(slot)
            if drawn is None:
                return None
            self.values[slot] = SLOT.sub(lambda found: self(found.group(1)) or "", drawn)
        return self.values[slot]

    def _promised(self) -> str:
        """Return a working day soon after now, as the desk names it."""
        day = self.now + timedelta(days=self.rng.randint(1, 9))
        day += timedelta(days=max(7 - day.weekday(), 0) if day.weekday() > 4 else 0)
        near = (day - self.now).days < 6
        text = DAYS[day.weekday()] if near else f"{day.day} {MONTHS[day.month - 1]}"
        return self._on(self._translated(text))

    def _fresh(self, slot: str) -> str:
        rng = self.rng
        if slot in NUMBERS:
            return str(rng.randint(*NUMBERS[slot]))
        if slot in ("clock", "clock2"):
            return self._clock()
        if slot == "hex":
            return f"{rng.getrandbits(rng.choice((24, 32, 40))):x}"
        if slot == "temp":
            return f"{rng.randint(12, 24)}{rng.choice(self._degrees())}"
        if slot == "hot":
            return f"{rng.randint(27, 36)}{rng.choice(self._degrees())}"
        if slot in MEASURES:
            values, unit = MEASURES[slot]
            return f"{rng.choice(values)} {unit}"
        low = 35 if slot == "power" else 4
        marks = ("%", " %", " percent", "%") if self.language == "en" else ("%", " %")
        return f"{rng.randint(low, 97)}{rng.choice(marks)}"

    def _degrees(self) -> tuple[str, ...]:
        return (" °C", "°C", " degrees", "C") if self.language == "en" else (" °C", "°C", " °")

    def _clock(self) -> str:
        """Return a time of day, written one of the ways people write it."""
        rng = self.rng
        hour = rng.randint(7, 17)
        minute = rng.choice((0, 5, 10, 15, 20, 30, 40, 45, 50, rng.randrange(60)))
        forms = (
            f"{hour}:{minute:02d}",
            f"{hour:02d}:{minute:02d}",
            f"{hour}.{minute:02d}",
            f"{(hour - 1) % 12 + 1}{'am' if hour < 12 else 'pm'}",
        )
        return rng.choice(forms if self.language == "en" else forms[:2])

    def _drawn(self, slot: str) -> str | None:
        rng = self.rng
        if slot in POOLS:
            return zipf(rng, words(slot), 0.35)
        if slot in ("work2", "app2", "trade2"):
            return rng.choice(words(slot[:-1]))
        if slot == "thick":
            return rng.choice(THICKNESSES[: len(THICKNESSES) - (0 if self.language == "en" else 2)])
        if slot in ("colleague", "colleague2", "agent2"):
            return rng.choice(pool(self.half, f"given_{self.names}"))
        if slot == "city2":
            return rng.choice(pool(self.half, f"city_{self.names}"))
        if slot == "street":
            return f"{rng.randint(1, 180)} {rng.choice(pool(self.half, f'street_{self.names}'))}"
        return self._dated(slot) or self._technical(slot)

    def _dated(self, slot: str) -> str | None:
        rng = self.rng
        if slot == "weekday":
            return DAYS[(self.at - timedelta(days=rng.randint(1, 6))).weekday()]
        if slot in ("month", "month2"):
            return MONTHS[(self.at.month - 1 - rng.randint(1, 5)) % 12]
        if slot in PROMISED:
            return self._deadline()
        if slot in ("due", "date"):
            day = self.at + timedelta(days=rng.randint(3, 30) * (1 if slot == "due" else -1))
            return f"{day.day} {MONTHS[day.month - 1]}"
        if slot == "days":
            return str(rng.randint(2, 12))
        if slot == "hours":
            months = int(self.values.get("age", "8"))
            return str(months * rng.randint(14, 70) + rng.randint(3, 60))
        if slot == "termend":
            return self._term_end()
        return None

    def _term_end(self) -> str:
        """Return when the term in hand ends: the day of the month on which it is paid."""
        paid = self.values.get("date", "")
        day = int(paid.split()[0]) if paid[:1].isdigit() else self.at.day
        month = self.at.month if day > self.at.day else self.at.month % 12 + 1
        return f"{min(day, 28)} {MONTHS[month - 1]}"

    def _deadline(self) -> str:
        day = self.at + timedelta(days=self.rng.randint(1, 16))
        forms = [DAYS[day.weekday()], f"{day.day} {MONTHS[day.month - 1]}"]
        if self.language == "en":
            forms += [f"the {day.day}{_ordinal(day.day)}", f"{DAYS[day.weekday()]} week"]
        return self.rng.choice(forms)

    def _local(self, slot: str) -> str | None:
        """Return a date's words in the author's language."""
        key = f"{slot}@{self.language}"
        if key not in self.values:
            text = self.values.get(slot) or self._dated(slot) or ""
            local = self._translated(text)
            self.values[key] = self._on(local) if slot in PROMISED else local
        return self.values[key]

    def _translated(self, text: str) -> str:
        if self.language not in calendar():
            return text
        names = calendar()[self.language]
        text = DAY_AND_MONTH.sub(DATES[self.language], text)
        for english, local in (
            *zip(DAYS, names["days"], strict=True),
            *zip(MONTHS, names["months"], strict=True),
        ):
            text = text.replace(english, local)
        return text.removeprefix("the ").removesuffix(" week")

    def _on(self, text: str) -> str:
        """Return a day with the article that the author's language wants before a date."""
        if not text[:1].isdigit():
            return text
        if self.language == "it":
            return f"l'{text}" if text.split(maxsplit=1)[0] in ("8", "11") else f"il {text}"
        return {"fr": "le ", "pt": "dia "}.get(self.language, "") + text

    def _technical(self, slot: str) -> str | None:
        rng = self.rng
        if slot == "error":
            return f"{rng.choice(('E', 'ERR', 'KS', 'F'))}-{rng.randint(101, 899)}"
        if slot == "file":
            return self._file()
        if slot in ("ip", "ip2", "dealerno"):
            return self._numbered(slot)
        if slot == "host":
            return (
                rng.choice(("WORKSHOP", "DESKTOP", "LAPTOP", "laser-pc", "KST", "PC"))
                + f"-{rng.getrandbits(20):05X}"
            )
        if slot == "carrier":
            return rng.choice(CARRIERS)
        if slot in ("newversion", "oldversion"):
            known = [*(version for version, _ in STUDIO_VERSIONS), "5.1.1"]
            here = known.index(self.values["version"]) if self.values.get("version") in known else 4
            return (
                known[min(here + 1, len(known) - 1)]
                if slot == "newversion"
                else known[max(here - 1, 0)]
            )
        if slot in ("newfirmware", "oldfirmware"):
            known = [*FIRMWARES, "3.1.2"]
            here = (
                known.index(self.values["firmware"]) if self.values.get("firmware") in known else 3
            )
            return (
                known[min(here + 1, len(known) - 1)]
                if slot == "newfirmware"
                else known[max(here - 1, 0)]
            )
        return HOSTS.get(slot)

    def _numbered(self, slot: str) -> str:
        """Return an address in the network or the number of a dealer."""
        rng = self.rng
        if slot == "dealerno":
            return f"D-{rng.randint(1040, 9899)}"
        if slot == "ip":
            return f"192.168.{rng.choice((0, 1, 1, 2, 10, 50, 178))}.{rng.randint(2, 250)}"
        return f"{(self('ip') or '').rpartition('.')[0]}.{rng.randint(2, 250)}"

    def _file(self) -> str:
        rng = self.rng
        stem = zipf(rng, words("filestem"), 0.3)
        stem += rng.choice(
            (
                "",
                "",
                "_v2",
                "_v3",
                f"_{rng.randint(2, 40)}",
                " new",
                "-final",
                "_final2",
                f" {rng.choice(DAYS)[:3].lower()}",
                f"_{rng.randint(80, 900)}x{rng.randint(50, 600)}",
            )
        )
        return f"{stem}.{rng.choice(('dxf', 'svg', 'pdf', 'ai', 'kst', 'dxf', 'svg', 'eps'))}"


def _ordinal(day: int) -> str:
    if day in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
