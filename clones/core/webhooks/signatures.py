"""Signatures, and the secrets that make them, which are stored nowhere."""

from __future__ import annotations

import base64
import hashlib
import hmac

from clones.core.server import server


def signing_secret(sandbox: str, clone: str, webhook: str, revision: int) -> str:
    """Return the secret of a webhook in a sandbox; another revision has another one."""
    material = f"webhook|{sandbox}|{clone}|{webhook}|{revision}".encode()
    return base64.b64encode(hmac.digest(server().key, material, hashlib.sha512)[:36]).decode()


def hmac_sha256(secret: str, message: bytes) -> str:
    """Return the base64 text of a message's HMAC-SHA256."""
    return base64.b64encode(_digest(secret, message)).decode()


def hmac_sha256_hex(secret: str, message: bytes) -> str:
    """Return a message's HMAC-SHA256 in hexadecimal digits."""
    return _digest(secret, message).hex()


def _digest(secret: str, message: bytes) -> bytes:
    return hmac.digest(secret.encode(), message, hashlib.sha256)
