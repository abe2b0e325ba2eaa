"""How commands talk: data on stdout, talk on stderr, one line per failure."""

from __future__ import annotations

import json
import sys
from typing import Any, NoReturn

import click

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_NO_SERVER = 3
LONGEST = 36_525 * 86_400


def fail(message: str, code: int = EXIT_FAILED) -> NoReturn:
    """Say in one line what is wrong, and stop."""
    click.echo(f"sandlot: {message}", err=True)
    sys.exit(code)


def show(data: Any, *, as_json: bool) -> None:
    """Print data: JSON when asked, else as lines."""
    if as_json:
        click.echo(json.dumps(data, indent=1, ensure_ascii=False))
        return
    for line in lines(data):
        click.echo(line)


def lines(data: Any, indent: str = "") -> list[str]:
    """Return plain data as indented lines."""
    if isinstance(data, dict):
        found: list[str] = []
        for name, value in data.items():
            if isinstance(value, dict | list) and value:
                found.append(f"{indent}{name}:")
                found.extend(lines(value, indent + "  "))
            else:
                found.append(f"{indent}{name}: {_plain(value)}")
        return found
    if isinstance(data, list):
        found = []
        for value in data:
            block = lines(value, indent + "  ")
            if isinstance(value, dict | list) and block:
                block[0] = f"{indent}- {block[0].strip()}"
                found.extend(block)
            else:
                found.append(f"{indent}- {_plain(value)}")
        return found
    return [f"{indent}{_plain(data)}"]


def _plain(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value) if value not in ([], {}) else "(none)"
    # A line holds one value: what has lines of its own is quoted.
    return text if len(text.splitlines()) < 2 else json.dumps(text, ensure_ascii=False)


def duration(text: str) -> float:
    """Return the seconds of `90`, `30s`, `15m`, `2h`, `3d` or sums such as `1h30m`.

    Raises:
        click.BadParameter: it is none of these.
    """
    units = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
    total, number = 0.0, ""
    for letter in text.strip().lower():
        if letter.isdigit() or letter == ".":
            number += letter
        elif letter in units and number:
            total += _number(number, text) * units[letter]
            number = ""
        else:
            raise _no_duration(text)
    if number:
        total += _number(number, text)
    if not 0 <= total <= LONGEST:
        raise click.BadParameter(f"{text!r} is too long: a clock is moved by a century at most")
    return total


def _number(number: str, text: str) -> float:
    try:
        return float(number)
    except ValueError:
        raise _no_duration(text) from None


def _no_duration(text: str) -> click.BadParameter:
    return click.BadParameter(f"{text!r} is no duration: use 90, 30s, 15m, 2h, 3d or 1h30m")
