"""What lies in a ZIP archive: read from its directory, nothing is unpacked."""

from __future__ import annotations

import mimetypes
import zipfile
from dataclasses import dataclass
from io import BytesIO
from typing import Final

# As many as the vendor lists of an archive.
LISTED: Final = 30
OTHERS: Final = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")
LABEL: Final = 40


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A file in an archive: its place, its whole name, its unpacked size in bytes."""

    index: int
    path: str
    size: int

    @property
    def media_type(self) -> str:
        """What its name says of its type."""
        return mimetypes.guess_type(self.path)[0] or "application/octet-stream"

    @property
    def name(self) -> str:
        """Its name without directories."""
        return self.path.rpartition("/")[2] or self.path

    @property
    def label(self) -> str:
        """Its path, without the middle where it is long."""
        parts = self.path.split("/")
        if len(self.path) <= LABEL or len(parts) <= 7:
            return self.path
        return "/".join([*parts[:4], "...", *parts[-3:]])

    @property
    def size_text(self) -> str:
        """Its size for people."""
        if self.size >= 1024 * 1024:
            return f"{self.size / 1024 / 1024:.2f} MB"
        if self.size >= 1024:
            return f"{self.size / 1024:.0f} kB"
        return f"{self.size / 1024:.1f} k"


def is_other_archive(name: str) -> bool:
    """Tell whether a file is an archive of a kind that is not read."""
    return name.lower().endswith(OTHERS)


def entries_of(data: bytes) -> tuple[list[ArchiveEntry], int]:
    """Return the first files of an archive and how many it has; none of what is no archive."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            files = [info for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError):
        return [], 0
    found = [
        ArchiveEntry(index, info.filename, info.file_size)
        for index, info in enumerate(files[:LISTED])
    ]
    return found, len(files)
