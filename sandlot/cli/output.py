"""How commands talk: data on stdout, talk on stderr, one line per failure."""

from __future__ import annotations

import json
import sys
from typing import Any, NoReturn

import click

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_NO_SERVER = 3


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
    return str(value) if value not in ([], {}) else "(none)"


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
            total += float(number) * units[letter]
            number = ""
        else:
            raise click.BadParameter(f"{text!r} is no duration: use 90, 30s, 15m, 2h, 3d or 1h30m")
    if number:
        total += float(number)
    return total
