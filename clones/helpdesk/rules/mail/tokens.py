"""Encoded IDs: how a ticket is named in addresses and bodies of mail, for machines to find it.

An encoded ID is two groups of capitals and digits, as `1G7EOR-0Q2J`: the ticket's number, moved and
written to the base of 36, and a check that only the account's key makes. Mail carries it as
`support+id1G7EOR-0Q2J@...` and, in brackets, at the end of the text.
"""

from __future__ import annotations

import hashlib
import re

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
WIDTH = 6
CHECK_WIDTH = 4
SPACE = 36**WIDTH
_TOKEN = rf"[0-9A-Z]{{{WIDTH}}}-[0-9A-Z]{{{CHECK_WIDTH}}}"
_IN_BODY = re.compile(rf"\[({_TOKEN})\]")
_IN_ADDRESS = re.compile(rf"(?P<local>[^@+]+)\+id(?P<token>{_TOKEN})@(?P<domain>.+)", re.IGNORECASE)


def encoded_id(ticket_id: int, key: str) -> str:
    """Return the encoded ID of a ticket under an account's key."""
    moved = (ticket_id + _hash(f"{key}|place", SPACE)) % SPACE
    return f"{_written(moved, WIDTH)}-{_check(ticket_id, key)}"


def ticket_of(token: str, key: str) -> int | None:
    """Return the ticket that an encoded ID names under a key, None if it names none."""
    number, _, check = token.upper().partition("-")
    if not re.fullmatch(_TOKEN, token.upper()):
        return None
    ticket_id = (int(number, 36) - _hash(f"{key}|place", SPACE)) % SPACE
    return ticket_id if check == _check(ticket_id, key) else None


def tokens_in(text: str) -> list[str]:
    """Return the encoded IDs in brackets in a body, in their order."""
    return _IN_BODY.findall(text)


def with_token(address: str, token: str) -> str:
    """Return an address that says which ticket is meant."""
    local, _, domain = address.rpartition("@")
    return f"{local}+id{token}@{domain}"


def split_address(address: str) -> tuple[str, str | None]:
    """Return an address without the encoded ID in it, and that ID."""
    found = _IN_ADDRESS.fullmatch(address.strip())
    if found is None:
        return address.strip().lower(), None
    return f"{found['local']}@{found['domain']}".lower(), found["token"].upper()


def _check(ticket_id: int, key: str) -> str:
    return _written(_hash(f"{key}|{ticket_id}", 36**CHECK_WIDTH), CHECK_WIDTH)


def _hash(material: str, space: int) -> int:
    return int.from_bytes(hashlib.blake2b(material.encode(), digest_size=16).digest()) % space


def _written(number: int, width: int) -> str:
    letters = []
    for _ in range(width):
        number, digit = divmod(number, 36)
        letters.append(DIGITS[digit])
    return "".join(reversed(letters))
