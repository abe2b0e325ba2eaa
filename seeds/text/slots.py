"""What fills the slots of patterns: the record's facts first, then words that stay the same for it."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random

from seeds.draw import zipf
from seeds.kestrel.catalogue import CLOUD_HOST, DOMAIN, FIRMWARES, STATUS_HOST, STUDIO_VERSIONS
from seeds.pools import Half, pool

FOLDER = Path(__file__).parent / "bank" / "slots"
POOLS = ("material", "material2", "work", "trade", "place", "tool", "client", "event", "app", "thing", "job", "logline")
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January February March April May June July August September October November December"
).split()
CALENDAR = {
    "de": ("Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag", "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
    "fr": ("lundi mardi mercredi jeudi vendredi samedi dimanche", "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
    "es": ("lunes martes miércoles jueves viernes sábado domingo", "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
    "nl": ("maandag dinsdag woensdag donderdag vrijdag zaterdag zondag", "januari februari maart april mei juni juli augustus september oktober november december"),
    "it": ("lunedì martedì mercoledì giovedì venerdì sabato domenica", "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
    "pt": ("segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo", "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
}  # fmt: skip
CARRIERS = ("Parcelwing", "Nordexa", "Transline", "Swiftvan", "Palletways East", "Hermione Parcel", "Roadrunner Freight")
DATED = frozenset({"weekday", "month", "month2", "deadline", "due", "date"})
FRESH = frozenset({"n", "nn", "nnn", "mm", "clock", "clock2", "percent", "hex", "ip", "ip2", "temp", "speed", "power", "thick2"})


@cache
def words(name: str) -> tuple[str, ...]:
    """Return the values of a slot's word list."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line)


class Slots:
    """The words of one ticket: facts stay facts, drawn words stay the same throughout."""

    def __init__(
        self, rng: Random, half: Half, facts: dict[str, str], at: datetime, names: str = "en", language: str = "en"
    ) -> None:
        self.rng, self.half, self.at, self.names, self.language = rng, half, at, names, language
        self.values = dict(facts)

    def __call__(self, slot: str) -> str | None:
        """Return the value of a slot, or None if the record has none."""
        if slot in FRESH:
            return self._fresh(slot)
        if slot in DATED and self.language in CALENDAR:
            return self._local(slot)
        if slot not in self.values:
            drawn = self._drawn(slot)
            if drawn is None:
                return None
            self.values[slot] = drawn
        return self.values[slot]

    def _fresh(self, slot: str) -> str:
        rng = self.rng
        if slot in ("n", "nn", "nnn"):
            low, high = {"n": (2, 9), "nn": (11, 95), "nnn": (104, 980)}[slot]
            return str(rng.randint(low, high))
        if slot in ("clock", "clock2"):
            hour, minute = rng.randint(7, 17), rng.choice((0, 5, 10, 15, 20, 30, 40, 45, 50, rng.randrange(60)))
            return rng.choice((f"{hour}:{minute:02d}", f"{hour:02d}:{minute:02d}", f"{hour}.{minute:02d}", f"{(hour - 1) % 12 + 1}{'am' if hour < 12 else 'pm'}"))
        if slot == "hex":
            return f"{rng.getrandbits(rng.choice((24, 32, 40))):x}"
        if slot in ("ip", "ip2"):
            return f"192.168.{rng.choice((0, 1, 1, 2, 10, 50, 178))}.{rng.randint(2, 250)}"
        if slot == "temp":
            return f"{rng.randint(14, 38)}{rng.choice((' °C', '°C', ' degrees', 'C'))}"
        if slot == "mm":
            return f"{rng.choice(('0.1', '0.15', '0.2', '0.3', '0.4', '0.5', '0.8', '1.2', '1.5', '2'))} mm"
        if slot == "thick2":
            return f"{rng.choice((2, 3, 4, 5, 6, 8, 10))} mm"
        if slot == "speed":
            return f"{rng.choice((4, 6, 8, 10, 12, 15, 20, 25, 80, 120, 200, 300, 400))} mm/s"
        return f"{rng.randint(3, 99)}{rng.choice(('%', ' %', ' percent', '%'))}"

    def _drawn(self, slot: str) -> str | None:
        rng = self.rng
        if slot in POOLS:
            return zipf(rng, words(slot), 0.35)
        if slot == "work2":
            return rng.choice(words("work"))
        if slot == "app2":
            return rng.choice(words("app"))
        if slot == "trade2":
            return rng.choice(words("trade"))
        if slot == "thick":
            return rng.choice(("3 mm", "3mm", "4 mm", "5mm", "6 mm", "6mm", "8 mm", "10 mm", "2 mm", "1.5 mm", "1/8\"", "1/4\""))
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
            return MONTHS[(self.at.month - 1 - rng.randint(1, 7)) % 12]
        if slot == "deadline":
            day = self.at + timedelta(days=rng.randint(1, 16))
            return rng.choice((DAYS[day.weekday()], f"{day.day} {MONTHS[day.month - 1]}", *(() if self.language != "en" else (f"the {day.day}{_ordinal(day.day)}", f"{DAYS[day.weekday()]} week"))))
        if slot in ("due", "date"):
            day = self.at + timedelta(days=rng.randint(3, 30) * (1 if slot == "due" else -1))
            return f"{day.day} {MONTHS[day.month - 1]}"
        if slot == "days":
            return str(rng.randint(2, 12))
        return None

    def _local(self, slot: str) -> str | None:
        """Return a date's words in the author's language."""
        key = f"{slot}@{self.language}"
        if key not in self.values:
            text = self.values.get(slot) or self._dated(slot) or ""
            days, months = (names.split() for names in CALENDAR[self.language])
            for english, local in (*zip(DAYS, days, strict=True), *zip(MONTHS, months, strict=True)):
                text = text.replace(english, local)
            self.values[key] = text.removeprefix("the ").removesuffix(" week")
        return self.values[key]

    def _technical(self, slot: str) -> str | None:
        rng = self.rng
        if slot == "error":
            return f"{rng.choice(('E', 'ERR', 'KS', 'F'))}-{rng.randint(101, 899)}"
        if slot == "file":
            return self._file()
        if slot == "host":
            return rng.choice(("WORKSHOP", "DESKTOP", "LAPTOP", "laser-pc", "KST", "PC")) + f"-{rng.getrandbits(20):05X}"
        if slot == "carrier":
            return rng.choice(CARRIERS)
        if slot in ("newversion", "oldversion"):
            known = [version for version, _ in STUDIO_VERSIONS]
            here = known.index(self.values["version"]) if self.values.get("version") in known else 4
            return known[min(here + 1, len(known) - 1)] if slot == "newversion" else known[max(here - 1, 0)]
        if slot in ("newfirmware", "oldfirmware"):
            known = list(FIRMWARES)
            here = known.index(self.values["firmware"]) if self.values.get("firmware") in known else 3
            return known[min(here + 1, len(known) - 1)] if slot == "newfirmware" else known[max(here - 1, 0)]
        return {"cloudhost": CLOUD_HOST, "statushost": STATUS_HOST, "domain": DOMAIN}.get(slot)

    def _file(self) -> str:
        rng = self.rng
        stem = zipf(rng, words("filestem"), 0.3)
        stem += rng.choice(("", "", "_v2", "_v3", f"_{rng.randint(2, 40)}", " new", "-final", "_final2", f" {rng.choice(DAYS)[:3].lower()}", f"_{rng.randint(80, 900)}x{rng.randint(50, 600)}"))
        return f"{stem}.{rng.choice(('dxf', 'svg', 'pdf', 'ai', 'kst', 'dxf', 'svg', 'eps'))}"


def _ordinal(day: int) -> str:
    if day in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
