"""Attachments: rows and the bytes behind them."""

from __future__ import annotations

import hashlib
import struct
import zlib
from datetime import datetime, time
from random import Random

from clones.core.models import Blob
from clones.helpdesk import models as helpdesk
from seeds.bulk import RowWriter, Stamps
from seeds.draw import Draws
from seeds.kestrel.story.model import Attachment

DRAWING = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="%dmm" height="%dmm">'
    b'<rect width="%d" height="%d"/></svg>\n'
)


class Files:
    """Writes attachments; equal bytes are kept once."""

    def __init__(self, writer: RowWriter, ids: Stamps, draws: Draws) -> None:
        self.writer, self.ids, self.draws = writer, ids, draws
        self._known: set[str] = set()
        # How many files there are before the next one.
        self.count = 0

    def write(self, file: Attachment, comment: int, at: datetime) -> None:
        """Write one attachment of a comment."""
        self.count += 1
        data = content(self.draws.rng("file", self.count), file)
        digest = hashlib.sha256(data).hexdigest()
        if digest not in self._known:
            self._known.add(digest)
            self.writer.add(Blob, {"sha256": digest, "data": data})
        self.writer.add(
            helpdesk.Attachment,
            {
                "id": self.ids.stamp(helpdesk.Attachment, at),
                "comment_id": comment,
                "blob_id": digest,
                "file_name": file.name,
                "content_type": file.content_type,
                "size": len(data),
                "inline": file.inline,
                "created_at": at,
            },
        )


def content(rng: Random, file: Attachment) -> bytes:
    """Return bytes of a file's kind: a small picture, a few lines of log, a drawing."""
    if file.inline:
        return picture(24, 8, (38, 70, 110))
    if file.content_type == "image/png":
        return picture(
            rng.randint(20, 60),
            rng.randint(16, 40),
            (rng.randrange(256), rng.randrange(256), rng.randrange(256)),
        )
    if file.name.endswith((".svg", ".dxf")):
        wide, high = rng.randint(20, 500), rng.randint(20, 300)
        return DRAWING % (wide, high, wide, high)
    lines = []
    for _ in range(rng.randint(4, 30)):
        at = time(rng.randint(7, 19), rng.randrange(60), rng.randrange(60))
        lines.append(f"{at:%H:%M:%S} {rng.getrandbits(28):07x}")
    return ("\n".join(lines) + "\n").encode()


def picture(wide: int, high: int, colour: tuple[int, int, int]) -> bytes:
    """Return a plain PNG, stored without compression: compressors differ between machines."""
    raw = (b"\0" + bytes(colour) * wide) * high
    stored = (
        b"\x78\x01\x01"
        + struct.pack("<HH", len(raw), 0xFFFF - len(raw))
        + raw
        + struct.pack(">I", zlib.adler32(raw))
    )
    head = struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", head)
        + _chunk(b"IDAT", stored)
        + _chunk(b"IEND", b"")
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
