"""What smart values can do with days and moments: the vendor's functions, in small letters.

Patterns are Java's, as the vendor's are: `yyyy-MM-dd HH:mm`.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from clones.tracker.rules.automation.smart.parsing import SmartValueError
from clones.tracker.rules.automation.smart.values import SmartRecord, number_of, text_of

Arguments = Sequence[Any]
FURTHEST: Final = 1_000_000_000
_RUN: Final = re.compile(r"'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']+")
_DAYS: Final = ("MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY")
_UNITS: Final = {"weeks": 604_800, "days": 86_400, "hours": 3600, "minutes": 60, "seconds": 1}
_NAMED: Final = {
    "jiradate": "yyyy-MM-dd",
    "jiradatetime": "yyyy-MM-dd'T'HH:mm:ss.SSSZ",
    "jqldate": "yyyy-MM-dd",
    "jqldatetime": "yyyy-MM-dd HH:mm",
    "shortdate": "M/d/yy",
    "mediumdate": "MMM d, yyyy",
    "longdate": "MMMM d, yyyy",
    "fulldate": "EEEE, MMMM d, yyyy",
    "shorttime": "h:mm a",
    "mediumtime": "h:mm:ss a",
    "longtime": "h:mm:ss a z",
    "fulltime": "h:mm:ss a z",
    "shortdatetime": "M/d/yy h:mm a",
    "mediumdatetime": "MMM d, yyyy h:mm:ss a",
    "longdatetime": "MMMM d, yyyy h:mm:ss a z",
    "fulldatetime": "EEEE, MMMM d, yyyy h:mm:ss a z",
}


def as_moment(value: Any) -> datetime | None:
    """Return a day or a text of one as the moment at which it begins; None of what is none."""
    if isinstance(value, datetime):
        return value if value.tzinfo is not None else value.replace(tzinfo=UTC)
    if isinstance(value, date):
        return datetime.combine(value, time(), UTC)
    return read_moment(text_of(value), "") if value is not None else None


def read_moment(text: str, pattern: str) -> datetime | None:
    """Return the moment that a text tells, None if it tells none; without a pattern as ISO 8601."""
    found: datetime | None
    try:
        if pattern:
            found = datetime.strptime(text.strip(), _python_pattern(pattern))  # noqa: DTZ007 - below
        else:
            found = datetime.fromisoformat(text.strip())
    except (ValueError, re.error):  # the second of a pattern that has the same twice
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def formatted(moment: datetime, pattern: str) -> str:
    """Return a moment as a pattern of Java's says.

    Raises:
        SmartValueError: the pattern has a letter that means nothing.
    """
    parts: list[str] = []
    for match in _RUN.finditer(pattern):
        run = match.group()
        if run.startswith("'"):
            parts.append(run[1:-1].replace("''", "'") or "'")
        elif run[0].isalpha():
            parts.append(_field(moment, run[0], len(run)))
        else:
            parts.append(run)
    return "".join(parts)


def _field(moment: datetime, letter: str, width: int) -> str:
    if letter in _WORDS:
        return _WORDS[letter](moment, width)
    if letter not in _FIGURES:
        raise SmartValueError(f"The letter {letter} means nothing in a pattern of dates.")
    return str(_FIGURES[letter](moment)).zfill(width)


def _month(moment: datetime, width: int) -> str:
    if width >= 4:
        return f"{moment:%B}"
    return f"{moment:%b}" if width == 3 else str(moment.month).zfill(width)


def _year(moment: datetime, width: int) -> str:
    return f"{moment.year % 100:02d}" if width == 2 else str(moment.year).zfill(width)


def _zone(moment: datetime, width: int) -> str:
    del width
    return moment.tzname() or "UTC"


def _offset(moment: datetime, width: int) -> str:
    found = f"{moment:%z}" or "+0000"
    return f"{found[:3]}:{found[3:]}" if width > 2 else found


def _iso_offset(moment: datetime, width: int) -> str:
    found = f"{moment:%z}" or "+0000"
    if found == "+0000":
        return "Z"
    return {1: found[:3], 2: found}.get(width, f"{found[:3]}:{found[3:]}")


_WORDS: Final[dict[str, Callable[[datetime, int], str]]] = {
    "y": _year,
    "u": _year,
    "Y": _year,
    "M": _month,
    "L": _month,
    "E": lambda moment, width: f"{moment:%A}" if width >= 4 else f"{moment:%a}",
    "a": lambda moment, _: f"{moment:%p}",
    "S": lambda moment, width: f"{moment.microsecond:06d}"[:width].ljust(width, "0"),
    "z": _zone,
    "V": lambda moment, _: str(moment.tzinfo or "UTC"),
    "Z": _offset,
    "X": _iso_offset,
    "x": _offset,
}
_FIGURES: Final[dict[str, Callable[[datetime], int]]] = {
    "d": lambda moment: moment.day,
    "D": lambda moment: moment.timetuple().tm_yday,
    "H": lambda moment: moment.hour,
    "k": lambda moment: moment.hour or 24,
    "h": lambda moment: moment.hour % 12 or 12,
    "K": lambda moment: moment.hour % 12,
    "m": lambda moment: moment.minute,
    "s": lambda moment: moment.second,
    "w": lambda moment: moment.isocalendar().week,
    "e": lambda moment: moment.isoweekday(),
    "Q": lambda moment: (moment.month + 2) // 3,
}
_READ: Final = {
    "yyyy": "%Y", "yy": "%y", "y": "%Y", "MMMM": "%B", "MMM": "%b", "MM": "%m", "M": "%m",
    "dd": "%d", "d": "%d", "HH": "%H", "H": "%H", "hh": "%I", "h": "%I", "mm": "%M", "m": "%M",
    "ss": "%S", "s": "%S", "SSS": "%f", "a": "%p", "EEEE": "%A", "EEE": "%a", "E": "%a",
    "Z": "%z", "X": "%z", "XXX": "%z",
}  # fmt: skip


def _python_pattern(pattern: str) -> str:
    parts: list[str] = []
    for match in _RUN.finditer(pattern):
        run = match.group()
        quoted = run[1:-1] if run.startswith("'") else run
        parts.append(_READ.get(run, quoted.replace("%", "%%")))
    return "".join(parts)


def in_zone(moment: datetime, name: str, *, keep: bool = False) -> datetime:
    """Return a moment in a zone; `keep` the clock's face and change the moment instead.

    Raises:
        SmartValueError: there is no such zone.
    """
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise SmartValueError(f"There is no time zone {name[:60]}.") from error
    return moment.replace(tzinfo=zone) if keep else moment.astimezone(zone)


def moved(moment: datetime, unit: str, count: float) -> datetime:
    """Return a moment so many units later; `unit` is years, months, weeks, days...

    Raises:
        SmartValueError: that lies beyond all calendars.
    """
    try:
        if unit in ("years", "months"):
            return _months_later(moment, int(count) * (12 if unit == "years" else 1))
        if unit == "millis":
            return moment + timedelta(milliseconds=count)
        if unit in ("days", "weeks"):
            return moment + timedelta(days=count * (7 if unit == "weeks" else 1))
        return (moment.astimezone(UTC) + timedelta(seconds=count * _UNITS[unit])).astimezone(
            moment.tzinfo
        )
    except (OverflowError, ValueError) as error:
        raise SmartValueError("The date lies too far away.") from error


def _months_later(moment: datetime, count: int) -> datetime:
    months = moment.year * 12 + moment.month - 1 + count
    year, month = divmod(months, 12)
    last = calendar.monthrange(year, month + 1)[1] if 1 <= year <= 9999 else 28
    return moment.replace(year=year, month=month + 1, day=min(moment.day, last))


def business_days_later(moment: datetime, count: int) -> datetime:
    """Return a moment so many working days later, or earlier: Mondays to Fridays."""
    step = 1 if count >= 0 else -1
    left = min(abs(count), 20_000)
    try:
        while left:
            moment += timedelta(days=step)
            if moment.weekday() < 5:
                left -= 1
    except OverflowError as error:
        raise SmartValueError("The date lies too far away.") from error
    return moment


def _count(given: Arguments) -> float:
    found = number_of(given[0]) if given else None
    if found is None or abs(found) > FURTHEST:
        raise SmartValueError("A function of dates needs a number.")
    return found


def _mover(unit: str, sign: int) -> Callable[[datetime, Arguments], datetime]:
    return lambda moment, given: moved(moment, unit, sign * _count(given))


def _setter(name: str) -> Callable[[datetime, Arguments], datetime]:
    def act(moment: datetime, given: Arguments) -> datetime:
        try:
            if name == "month":
                return _months_later(moment, int(_count(given)) - moment.month)
            return moment.replace(**{name: int(_count(given))})  # type: ignore[arg-type]
        except (ValueError, OverflowError) as error:
            raise SmartValueError(f"The date has no such {name}.") from error

    return act


def _weekday(given: Arguments) -> int:
    name = text_of(given[0]).strip().upper() if given else ""
    found = [place for place, day in enumerate(_DAYS) if len(name) >= 3 and day.startswith(name)]
    if not found:
        raise SmartValueError(f"There is no day of the week {name[:20]}.")
    return found[0]


def _next_weekday(moment: datetime, given: Arguments) -> datetime:
    ahead = (_weekday(given) - moment.weekday()) % 7 or 7
    return moment + timedelta(days=ahead)


def _first_weekday(moment: datetime, given: Arguments) -> datetime:
    first = moment.replace(day=1)
    return first + timedelta(days=(_weekday(given) - first.weekday()) % 7)


def _midnight(moment: datetime, _: Arguments = ()) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _end_of_month(moment: datetime, _: Arguments = ()) -> datetime:
    last = calendar.monthrange(moment.year, moment.month)[1]
    return moment.replace(day=last, hour=23, minute=59, second=59, microsecond=999_000)


def _truncated(moment: datetime, given: Arguments) -> datetime:
    unit = text_of(given[0]).strip().lower() if given else "days"
    if unit.startswith("day"):
        return _midnight(moment)
    kept = {"hour": ("minute", "second"), "minu": ("second",), "seco": ()}.get(unit[:4])
    if kept is None:
        raise SmartValueError(f"Dates cannot be truncated to {unit[:20]}.")
    return moment.replace(microsecond=0, **dict.fromkeys(kept, 0))  # type: ignore[arg-type]


class TimeSpan(SmartRecord):
    """The time between two moments: `{{now.diff(issue.created).days}}`."""

    def __init__(self, seconds: float, months: int, working: int) -> None:
        self.seconds = seconds
        self.months = months
        self.working = working

    @property
    def shown(self) -> str:
        """The days and hours between."""
        hours = int(abs(self.seconds) // 3600)
        return f"{'-' if self.seconds < 0 else ''}{hours // 24}d {hours % 24}h"

    def part(self, name: str) -> Any:
        """Return how many whole units lie between."""
        unit = name.lower()
        if unit in _UNITS:
            return float(int(self.seconds / _UNITS[unit]))
        whole = {
            "millis": int(self.seconds * 1000),
            "months": self.months,
            "years": int(self.months / 12),
            "businessdays": self.working,
            "abs": None,
        }.get(unit)
        if unit == "abs":
            return TimeSpan(abs(self.seconds), abs(self.months), abs(self.working))
        return None if whole is None else float(whole)


def _diff(moment: datetime, given: Arguments) -> TimeSpan:
    other = as_moment(given[0]) if given else None
    if other is None:
        raise SmartValueError("diff needs another date.")
    months = (other.year - moment.year) * 12 + other.month - moment.month
    if months > 0 and moved(moment, "months", months) > other:
        months -= 1
    if months < 0 and moved(moment, "months", months) < other:
        months += 1
    return TimeSpan((other - moment).total_seconds(), months, _working_days(moment, other))


def _working_days(moment: datetime, other: datetime) -> int:
    early, late = sorted((moment, other))
    days = min((late - early).days, 200_000)
    weeks, rest = divmod(days, 7)
    found = weeks * 5 + sum((early + timedelta(days=n + 1)).weekday() < 5 for n in range(rest))
    return found if moment <= other else -found


def _compare(moment: datetime, given: Arguments) -> float:
    other = as_moment(given[0]) if given else None
    if other is None:
        raise SmartValueError("A date can only be compared with another.")
    return (moment - other).total_seconds()


def _named(name: str) -> Callable[[datetime, Arguments], str]:
    return lambda moment, _: formatted(moment, _NAMED[name])


def _pattern_of(moment: datetime, given: Arguments) -> str:
    pattern = text_of(given[0]) if given else ""
    return formatted(moment, _NAMED.get(pattern.lower(), pattern))


def _zone_of(given: Arguments) -> str:
    return text_of(given[0]) if given else "UTC"


_SIMPLE: Final[dict[str, Callable[[datetime, Arguments], Any]]] = {
    "as": _pattern_of,
    "format": _pattern_of,
    "atstartofday": _midnight,
    "converttotimezone": lambda moment, given: in_zone(moment, _zone_of(given)),
    "settimezone": lambda moment, given: in_zone(moment, _zone_of(given), keep=True),
    "dayofmonth": lambda moment, _: float(moment.day),
    "dayofweek": lambda moment, _: _DAYS[moment.weekday()],
    "dayofyear": lambda moment, _: float(moment.timetuple().tm_yday),
    "diff": _diff,
    "endofmonth": _end_of_month,
    "firstofthemonth": _first_weekday,
    "hour": lambda moment, _: float(moment.hour),
    "isafter": lambda moment, given: _compare(moment, given) > 0,
    "isbefore": lambda moment, given: _compare(moment, given) < 0,
    "isequal": lambda moment, given: _compare(moment, given) == 0,
    "isequals": lambda moment, given: _compare(moment, given) == 0,
    "equals": lambda moment, given: _compare(moment, given) == 0,
    "millis": lambda moment, _: float(int(moment.timestamp() * 1000)),
    "minusbusinessdays": lambda moment, given: business_days_later(moment, -int(_count(given))),
    "minute": lambda moment, _: float(moment.minute),
    "month": lambda moment, _: float(moment.month),
    "plusbusinessdays": lambda moment, given: business_days_later(moment, int(_count(given))),
    "startofmonth": lambda moment, _: _midnight(moment.replace(day=1)),
    "todate": lambda moment, _: moment.date(),
    "todatetimeatstartofday": _midnight,
    "tostartofday": _midnight,
    "truncatedto": _truncated,
    "withdayofmonth": _setter("day"),
    "withhour": _setter("hour"),
    "withminute": _setter("minute"),
    "withmonth": _setter("month"),
    "withnano": lambda moment, _: moment.replace(microsecond=0),
    "withnextdayofweek": _next_weekday,
    "withsecond": _setter("second"),
    "withyear": _setter("year"),
    "year": lambda moment, _: float(moment.year),
}
FUNCTIONS: Final[dict[str, Callable[[datetime, Arguments], Any]]] = {
    **_SIMPLE,
    **{name: _named(name) for name in _NAMED},
    **{
        f"{word}{unit}": _mover(unit, sign)
        for word, sign in (("plus", 1), ("minus", -1))
        for unit in ("years", "months", "weeks", "days", "hours", "minutes", "seconds", "millis")
    },
}
