"""Secrets that name their sandbox and are stored nowhere.

A secret is 40 letters and digits: the sandbox's ten, one for the kind, eight for the credential's
number, twenty-one of an HMAC over all of it with the server's key and the sandbox's credential
epoch. Raising the epoch ends every secret at once, so a request still on the wire when an episode
starts is refused. Secrets that the control plane uses for an agent's own acts have upper-case
kinds.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass

from clones.core.ids import BASE62, base62_text

KINDS = {
    "password": "p",
    "api_token": "t",
    "oauth_token": "o",
    "secret_key": "k",
    "session": "s",
    "csrf": "x",
    "handover": "h",
    "attachment": "a",
}
NAMES = {letter: name for name, letter in KINDS.items()}
PATTERN = re.compile(r"^([a-z2-7]{10})([a-zA-Z])([0-9A-Za-z]{8})([0-9A-Za-z]{21})$")
# What proves an account; the others open one form, one page, one file.
PROVING = frozenset({"password", "api_token", "oauth_token", "secret_key", "session"})
# One in which letters lost their case, and what somebody put between them was taken out.
BARE_TOKEN = re.compile(r"(?=([a-z2-7]{10})([a-z])[0-9a-z]{20})")
BETWEEN = re.compile(r"[\s\-_|*,;]")
TOKEN = re.compile(r"(?<![0-9A-Za-z])[a-z2-7]{10}[a-zA-Z][0-9A-Za-z]{29}(?![0-9A-Za-z])")


@dataclass(frozen=True, slots=True)
class Claim:
    """What a well-formed secret says of itself, before it is verified."""

    sandbox: str
    kind: str
    number: int
    own_client: bool
    text: str


def mint(
    key: bytes, sandbox: str, epoch: int, kind: str, number: int, *, own_client: bool = True
) -> str:
    """Return the secret of a credential.

    `own_client` is False for the copies that the control plane keeps for itself: requests made with
    them are part of an act, not steps.
    """
    letter = KINDS[kind] if own_client else KINDS[kind].upper()
    body = sandbox.removeprefix("sb-") + letter + base62_text(number, 8)
    return body + _mac(key, epoch, body)


def read(text: str) -> Claim | None:
    """Return what a secret claims, or None when it is not one of ours."""
    found = PATTERN.match(text)
    if found is None:
        return None
    body, letter, number, _ = found.groups()
    kind = NAMES.get(letter.lower())
    if kind is None:
        return None
    return Claim("sb-" + body, kind, _number(number), letter.islower(), text)


def shows_proof(text: str, sandbox: str) -> bool:
    """Tell whether a text holds a secret that proves an account, verified or not.

    One of any sandbox is known by its form; one of `sandbox` also with blanks, dashes or the like
    in it, or cut short.
    """
    for found in TOKEN.finditer(text):
        claim = read(found.group())
        drawn = found.group()[10:]
        mixed = any(map(str.isupper, drawn)) and any(map(str.isdigit, drawn))
        if claim is not None and claim.kind in PROVING and mixed:
            return True
    bare = BETWEEN.sub("", text).lower()
    own = sandbox.removeprefix("sb-")
    letters = {KINDS[name].lower() for name in PROVING}
    return any(found[1] == own and found[2] in letters for found in BARE_TOKEN.finditer(bare))


def verify(key: bytes, epoch: int, claim: Claim) -> bool:
    """Tell whether the secret was minted by this server for this epoch."""
    return hmac.compare_digest(_mac(key, epoch, claim.text[:19]), claim.text[19:])


def _mac(key: bytes, epoch: int, body: str) -> str:
    mac = hmac.new(key, f"{epoch}|{body}".encode(), hashlib.sha256).digest()
    return base62_text(int.from_bytes(mac), 21)


def _number(text: str) -> int:
    number = 0
    for letter in text:
        number = number * 62 + BASE62.index(letter)
    return number
