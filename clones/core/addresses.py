"""Lines of addresses as mail has them: read, and written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from email.utils import formataddr, parseaddr

ADDRESS = re.compile(r"[^@\s<>\"(),;:]+@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?")
LENGTH = 254
NAME_LENGTH = 64
# One entry of a field: what lies between commas, unless the comma is quoted.
_ENTRY = re.compile(r'(?:"(?:\\.|[^"\\])*"|[^,;\n"])+')


def address_of(line: str) -> str:
    """Return the bare address of `Name <address>` in small letters, empty if it has none."""
    found = parseaddr(line)[1].strip().lower()
    return found if ADDRESS.fullmatch(found) else ""


def name_of(line: str) -> str:
    """Return the name of `Name <address>`, the address if it has none."""
    name, address = parseaddr(line)
    return name.strip() or address


def with_name(name: str, address: str) -> str:
    """Return `Name <address>`, quoted where the name needs it; its letters stay as they are."""
    name = " ".join(name.split())[:NAME_LENGTH].strip()
    if not name:
        return address
    return formataddr((name, address)) if name.isascii() else f'"{_escaped(name)}" <{address}>'


def split_addresses(text: str) -> tuple[list[str], list[str]]:
    """Return the lines of a field of addresses, and what in it is none."""
    good: dict[str, str] = {}
    bad: list[str] = []
    for entry in _ENTRY.findall(text):
        line = entry.strip()
        address = address_of(line)
        if address and len(address) <= LENGTH:
            good.setdefault(address, with_name(parseaddr(line)[0], address))
        elif line:
            bad.append(line)
    return list(good.values()), bad


def addresses_in(lines: Iterable[str]) -> list[str]:
    """Return the bare addresses of lines with or without names, in small letters."""
    return [address for line in lines if (address := address_of(line))]


def without(lines: Iterable[str], *taken: str) -> list[str]:
    """Return the lines whose addresses are none of `taken`, each address once."""
    left: dict[str, str] = {}
    for line in lines:
        address = address_of(line)
        if address and address not in taken:
            left.setdefault(address, line)
    return list(left.values())


def _escaped(name: str) -> str:
    return name.replace("\\", r"\\").replace('"', r"\"")
