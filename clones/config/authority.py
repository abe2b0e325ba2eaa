"""The private authority of `--tls`: one per data directory, and certificates on demand.

A wildcard covers one label, and sandboxes come and go while the server runs. So a certificate is
made when a client first names its host in the handshake, for exactly that name.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import ssl
from collections import OrderedDict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import trustme
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from cryptography.x509 import load_pem_x509_certificate

# Some clients refuse certificates that are valid for longer, whoever signed them.
VALID = timedelta(days=397)
RENEWED = timedelta(days=30)
# Contexts kept; each sandbox that is in use takes one for each clone.
KEPT = 512


def make_authority(folder: Path) -> Path:
    """Make the authority of a data directory unless it is there; return its certificate's path.

    It outlives the server, so that clients need to be told of it once only.
    """
    certificate, key = folder / "ca.pem", folder / "ca-key.pem"
    if not certificate.exists():
        folder.mkdir(parents=True, exist_ok=True)
        made = trustme.CA(organization_name="Sandlot", organization_unit_name="private authority")
        key.unlink(missing_ok=True)
        descriptor = os.open(key, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(made.private_key_pem.bytes())
        # Last: where the certificate is, the key is too.
        making = folder / "ca.pem.making"
        making.write_bytes(made.cert_pem.bytes())
        making.replace(certificate)
    return certificate


def key_hash(certificate: Path) -> str:
    """Return the hash of an authority's public key, by which Chromium is told to trust it."""
    found = load_pem_x509_certificate(certificate.read_bytes())
    key = found.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(hashlib.sha256(key).digest()).decode()


class Certificates:
    """The server's side of TLS: a context for each name that clients ask for.

    `names` are served besides those of the sandboxes under `domain`; a client that names none of
    these (or sends no name, as with addresses in numbers) gets the certificate of them all.
    """

    def __init__(self, folder: Path, domain: str, names: Sequence[str]) -> None:
        certificate, key = folder / "ca.pem", folder / "ca-key.pem"
        self._root = certificate.read_bytes()
        self._authority = trustme.CA.from_pem(self._root, key.read_bytes())
        self._names = tuple(dict.fromkeys(names))
        self._of_sandboxes = re.compile(rf"[a-z]+\.sb-[a-z2-7]{{10}}\.{re.escape(domain)}")
        self._made: OrderedDict[str, tuple[datetime, ssl.SSLContext]] = OrderedDict()
        self.context = self._context(self._names)
        self.context.sni_callback = self._choose

    def _choose(
        self, connection: ssl.SSLSocket | ssl.SSLObject, name: str | None, _: ssl.SSLContext
    ) -> None:
        if name is not None and self._of_sandboxes.fullmatch(name.lower()):
            connection.context = self._context_of(name.lower())

    def _context_of(self, name: str) -> ssl.SSLContext:
        now = datetime.now(UTC)
        made, context = self._made.pop(name, (now - RENEWED, None))
        if context is None or now - made >= RENEWED:
            made, context = now, self._context([name])
        self._made[name] = (made, context)
        if len(self._made) > KEPT:
            self._made.popitem(last=False)
        return context

    def _context(self, names: Sequence[str]) -> ssl.SSLContext:
        leaf = self._authority.issue_cert(*names, not_after=datetime.now(UTC) + VALID)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.set_alpn_protocols(["http/1.1"])
        # With the root in the chain Chromium finds the key that it is told to trust.
        chain = trustme.Blob(leaf.private_key_and_cert_chain_pem.bytes() + self._root)
        with chain.tempfile() as path:
            context.load_cert_chain(path)
        return context
