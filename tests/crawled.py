"""What the pages of a clone are made of, and which clones were crawled whole as they are.

`crawled.json` beside this file names for each clone the files that its walks were made with, by a
hash. Where they are others every walk of it is made before a merge, and every sweep over its pages;
where they are the same, each in its turn (`tests.turns`). A run in which every walk of a clone was
made and passed keeps the hash if `SANDLOT_CRAWLED=keep`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
KEPT: Final = ROOT / "tests" / "crawled.json"
# Of a clone, and of what all stand on.
FOLDERS: Final = ("web", "templates", "static", "templatetags")
CRAWLER: Final = ("tests/crawler.py", "tests/crawler.js", "tests/page_templates.py")


def sources_of(clone: str, root: Path = ROOT) -> str:
    """Return a name for the files that a clone's pages are made of, and the crawler's."""
    digest = hashlib.sha256()
    for path in _files(clone, root):
        name = path.relative_to(root).as_posix()
        digest.update(f"{name}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def _files(clone: str, root: Path) -> Iterator[Path]:
    for owner in ("core", clone):
        for folder in FOLDERS:
            for path in sorted((root / "clones" / owner / folder).rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    yield path
    yield root / "tests" / clone / "web" / "test_crawl.py"
    yield from (root / name for name in CRAWLER)


def is_as_crawled(clone: str) -> bool:
    """Tell whether a clone's pages are made of the files that were crawled whole.

    Those of a clone that is not crawled never are.
    """
    found = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    return clone in found and bool(found[clone] == sources_of(clone))


def keep(clone: str) -> None:
    """Keep that a clone was crawled whole as it is."""
    found = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    found[clone] = sources_of(clone)
    KEPT.write_text(json.dumps(found, indent=2, sort_keys=True) + "\n")
