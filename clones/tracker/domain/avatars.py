"""Pictures of spaces, types of issues, priorities and people: the site's own, and loaded ones."""

from __future__ import annotations

import hashlib
import struct
from typing import Final

from clones.core.models import Blob
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.numbering import next_id
from clones.tracker.models import Avatar
from clones.tracker.rules.pictures import SYSTEM

MOST: Final = 2 * 1024 * 1024
GONE: Final = "The avatar was not found."
KINDS: Final = ("project", "issuetype", "priority", "user")


def checked_kind(text: str) -> str:
    """Return a kind of avatars.

    Raises:
        NotFound: there is no such kind.
    """
    kind = text.lower()
    if kind not in KINDS:
        raise NotFound(f"The avatar type '{text}' is not supported.")
    return kind


def create_avatar(
    kind: str,
    entity: str,
    data: bytes,
    *,
    token: str | None,
    crop: tuple[int, int, int] = (0, 0, 0),
) -> Avatar:
    """Load a picture for something; whoever calls has checked that the actor may.

    Args:
        kind: project, issuetype or priority.
        entity: the thing's id.
        data: a PNG, JPEG or GIF. It is kept whole: pages show its square.
        token: the header X-Atlassian-Token, which must be `no-check`.
        crop: x, y and the side of the square to be shown, in pixels.

    Raises:
        Invalid: it is no picture, too large, or the square lies beyond its edges.
    """
    if token not in ("no-check", "nocheck"):
        raise Invalid("XSRF check failed")
    if not data:
        raise Invalid("An image must be included in the request.")
    if len(data) > MOST:
        raise Invalid("The image is too large.")
    mime_type, width, height = _measured(data)
    x, y, side = crop
    if min(crop) < 0 or x + side > width or y + side > height:
        raise Invalid("The crop region extends beyond the edge of the image.")
    key = hashlib.sha256(data).hexdigest()
    blob = Blob.objects.filter(sha256=key).first() or Blob.objects.create(sha256=key, data=data)
    return Avatar.objects.create(
        id=next_id(Avatar), kind=kind, entity=entity, mime_type=mime_type, blob=blob
    )


def _measured(data: bytes) -> tuple[str, int, int]:
    """Return a picture's type, width and height.

    Raises:
        Invalid: it is none that is known.
    """
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        return "image/png", *struct.unpack(">II", data[16:24])
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        return "image/gif", *struct.unpack("<HH", data[6:10])
    if data[:2] == b"\xff\xd8":
        return "image/jpeg", *_jpeg_size(data)
    raise Invalid("The image type is not supported: use JPEG, GIF or PNG.")


def _jpeg_size(data: bytes) -> tuple[int, int]:
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        marker, length = data[place + 1], int.from_bytes(data[place + 2 : place + 4])
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return width, height
        place += 2 + length
    raise Invalid("The image type is not supported: use JPEG, GIF or PNG.")


def avatar_of(kind: str, entity: str, key: int) -> Avatar | None:
    """Return the loaded avatar of a key that something may have; None for one of the site's own.

    Raises:
        NotFound: there is neither.
    """
    if key in SYSTEM.get(kind, {}):
        return None
    found = Avatar.objects.filter(id=key, kind=kind, entity=entity).first()
    if found is None:
        raise NotFound(GONE)
    return found


def delete_avatar(kind: str, entity: str, key: int) -> None:
    """Remove a loaded avatar; whoever calls has checked that the actor may.

    Raises:
        Invalid: it is one of the site's own.
        NotFound: there is none.
    """
    found = avatar_of(kind, entity, key)
    if found is None:
        raise Invalid("System avatars cannot be deleted.")
    found.delete()
