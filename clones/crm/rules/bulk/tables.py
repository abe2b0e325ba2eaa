"""Tables of comma-separated values, as the vendor reads and writes them.

A table is read strictly: marks of quotation stand around a value and are doubled within it. What a
client sent is sent back as it was written, so each row is kept as text beside its cells.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from clones.crm.rules.bulk.words import LONGEST_CELL


class UnreadableTable(Exception):
    """Raised where a text is no table; the message says why, in the vendor's words."""


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: its text without the end of its line, and its cells."""

    text: str
    cells: list[str]


def read_table(text: str, *, delimiter: str, ending: str | None = None) -> Iterator[Line]:
    """Yield the rows of a table, the head first; rows of nothing are left out.

    `ending` is what each line has to end with, None where either ending does.

    Raises:
        UnreadableTable: a row ends otherwise, or is not quoted as it has to be.
    """
    lines = _lines(text)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    form, before = _form(delimiter), 0
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise UnreadableTable(f"Failed to parse CSV. {_reason(error)}") from None
        raw = "".join(lines[before : reader.line_num])
        before = reader.line_num
        bare = raw.removesuffix("\n").removesuffix("\r")
        _check_ending(raw, bare, ending)
        if not bare:
            continue
        if '"' in bare and form.fullmatch(bare) is None:
            raise UnreadableTable(
                "Failed to parse CSV. Found unescaped quote. A value with quote should be within"
                " a quote"
            )
        if any(len(cell) > LONGEST_CELL for cell in cells):
            raise UnreadableTable(f"Failed to parse CSV. A value is longer than {LONGEST_CELL}")
        yield Line(bare, cells)


def _lines(text: str) -> list[str]:
    """Return lines that end at a line feed alone: one that stands within a value is none."""
    found = text.split("\n")
    last = found.pop()
    return [f"{one}\n" for one in found] + ([last] if last else [])


def _check_ending(raw: str, bare: str, ending: str | None) -> None:
    found = raw[len(bare) :]
    if ending is None or not found or found == ending:
        return
    name = "LF" if ending == "\n" else "CRLF"
    raise UnreadableTable(
        f"LineEnding is invalid on user data. Current LineEnding setting is {name}"
    )


def _reason(error: csv.Error) -> str:
    if "field larger" in str(error):
        return f"A value is longer than {LONGEST_CELL}"
    if "unexpected end" in str(error):
        return "EOF reached before closing an opened quote"
    return "Found unescaped quote. A value with quote should be within a quote"


@cache
def _form(delimiter: str) -> re.Pattern[str]:
    """Return the form of a row in which quotes stand where they may."""
    cell = rf'(?:"(?:[^"]|"")*+"|[^"{re.escape(delimiter)}]*+)'
    return re.compile(rf"{cell}(?:{re.escape(delimiter)}{cell})*+", re.DOTALL)


def quoted(cells: Iterable[str], *, delimiter: str = ",") -> str:
    """Return a row with each of its cells between quotes."""
    return delimiter.join('"' + cell.replace('"', '""') + '"' for cell in cells)


def cell_of(value: object) -> str:
    """Return a value of JSON as a cell has it: numbers with their point, nothing for null.

    Large and small numbers are written with an exponent, as the vendor's own language does.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _double(value)
    return str(value)


def _double(number: float) -> str:
    size = abs(number)
    if number == 0 or 1e-3 <= size < 1e7:
        return repr(float(number))
    sign, digits, exponent = Decimal(repr(number)).normalize().as_tuple()
    run = "".join(map(str, digits))
    power = int(exponent) + len(run) - 1
    return f"{'-' if sign else ''}{run[0]}.{run[1:] or '0'}E{power}"


def same_width(line: Line, head: Sequence[str]) -> list[str]:
    """Return the cells of a row, as many as the head has: those that are missing are empty.

    Raises:
        UnreadableTable: there are more.
    """
    if len(line.cells) > len(head):
        raise UnreadableTable(
            f"The number of columns in a row ({len(line.cells)}) is more than that of the header"
            f" ({len(head)})"
        )
    return line.cells + [""] * (len(head) - len(line.cells))
