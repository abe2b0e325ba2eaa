"""Signed assertions of who somebody is (RFC 7523), and the certificates that they are checked by.

Of a certificate only its RSA key is read; nobody's signature on it is asked for. Pure.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from clones.core.strict_json import read_json

LONGEST: Final = 10_000  # characters of an assertion, and of a certificate
_PEM: Final = re.compile(
    r"-----BEGIN CERTIFICATE-----([0-9A-Za-z+/=\s]+)-----END CERTIFICATE-----", re.ASCII
)
_PART: Final = re.compile(r"[0-9A-Za-z_\-]+", re.ASCII)
# What names a key of RSA (1.2.840.113549.1.1.1), and stands before a digest of SHA-256 (RFC 8017).
_RSA: Final = bytes.fromhex("2a864886f70d010101")
_SHA256: Final = bytes.fromhex("3031300d060960864801650304020105000420")
_SEQUENCE, _INTEGER, _BITS, _NAME = 0x30, 0x02, 0x03, 0x06
_DEEPEST: Final = 12
_BITS_OF_KEY: Final = range(1024, 8193)


@dataclass(frozen=True, slots=True)
class RsaKey:
    """The public key of a certificate."""

    modulus: int
    exponent: int


@dataclass(frozen=True, slots=True)
class SignedClaims:
    """An assertion taken apart: what it claims, what was signed, and the signature."""

    claims: Mapping[str, Any]
    signed: bytes
    signature: bytes

    def said(self, name: str) -> str:
        """Return a claim that is a text, empty where there is none."""
        found = self.claims.get(name)
        return found if isinstance(found, str) else ""

    def is_signed_by(self, key: RsaKey) -> bool:
        """Tell whether the owner of a key has signed it, by RSA with SHA-256."""
        size = (key.modulus.bit_length() + 7) // 8
        number = int.from_bytes(self.signature)
        if len(self.signature) != size or number >= key.modulus:
            return False
        found = pow(number, key.exponent, key.modulus).to_bytes(size)
        digest = _SHA256 + hashlib.sha256(self.signed).digest()
        wanted = b"\x00\x01" + b"\xff" * (size - len(digest) - 3) + b"\x00" + digest
        return hmac.compare_digest(found, wanted)


def read_assertion(text: str) -> SignedClaims:
    """Return what an assertion claims; whether it may is not looked at.

    Raises:
        ValueError: it is none, or is signed in another way than by RSA with SHA-256.
    """
    parts = text.split(".") if len(text) <= LONGEST else []
    if len(parts) != 3 or not all(map(_PART.fullmatch, parts)):
        raise ValueError("an assertion has three parts")
    head, claims = (read_json(_bytes_of(part)) for part in parts[:2])
    if not isinstance(head, dict) or head.get("alg") != "RS256" or not isinstance(claims, dict):
        raise ValueError("an assertion is signed by RS256")
    return SignedClaims(claims, f"{parts[0]}.{parts[1]}".encode(), _bytes_of(parts[2]))


def read_certificate(pem: str) -> RsaKey:
    """Return the key of a certificate.

    Raises:
        ValueError: it is none, or its key is none of RSA that is of a common size.
    """
    found = _PEM.search(pem) if len(pem) <= LONGEST else None
    if found is None:
        raise ValueError("no certificate")
    try:
        body = base64.b64decode("".join(found[1].split()), validate=True)
    except binascii.Error as error:
        raise ValueError("no certificate") from error
    kind = b""
    for tag, content in _inside(body):
        if tag == _NAME:
            kind = content
        if tag == _BITS and kind == _RSA and content[:1] == b"\x00":
            numbers = [one for what, one in _inside(content[1:]) if what == _INTEGER]
            if len(numbers) == 2:
                key = RsaKey(*(int.from_bytes(one) for one in numbers))
                if key.modulus.bit_length() in _BITS_OF_KEY and key.exponent in range(3, 2**32):
                    return key
    raise ValueError("no key of RSA")


def _bytes_of(part: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    except binascii.Error as error:
        raise ValueError("no base64") from error


def _inside(data: bytes, depth: int = 0) -> Iterator[tuple[int, bytes]]:
    """Yield the values of a DER document that are no sequences, in their order.

    What cannot be read ends it: a document of another form has fewer values.
    """
    place = 0
    while place + 2 <= len(data) and depth < _DEEPEST:
        tag, size, place = data[place], data[place + 1], place + 2
        if size & 0x80:
            width = size & 0x7F
            size, place = int.from_bytes(data[place : place + width]), place + width
        content = data[place : place + size]
        place += size
        if tag == _SEQUENCE:
            yield from _inside(content, depth + 1)
        else:
            yield tag, content
