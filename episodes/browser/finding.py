"""Find a Chromium to drive."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import playwright

from episodes.browser.errors import BrowserMissing

SYSTEM_NAMES = (
    *("chromium-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome-stable", "google-chrome", "chrome"),
)
MAC_APPLICATIONS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)

# What set-up notes in a checkout: the browser that it has seen open a page; else why there is none.
NOTE = Path(__file__).resolve().parents[2] / ".sandlot" / "browser"
NO_BROWSER = "no-browser"
NONE = "no browser was found: install Chromium, then run `make setup`"

# Folder of the download -> where the program lies in it, on the platforms we run on.
DOWNLOADS = {
    "chromium_headless_shell": ("chrome-headless-shell-*/chrome-headless-shell",),
    "chromium": (
        "chrome-linux*/chrome",
        "chrome-mac*/*.app/Contents/MacOS/*",
    ),
}


def find_browser(
    *, named: Path | None = None, note: Path = NOTE, downloads: Path | None = None
) -> Path | None:
    """Return the browser's program: the first there is of the places below, or None.

    1. `named`, what a setting says; 2. the path written in the file `note`; 3. Playwright's own
    download, of the very revision that the installed Playwright drives; 4. the system's. The note
    comes before what merely lies there: set-up has seen that program open a page. Where set-up has
    noted that no browser opens one, what merely lies there is none.

    Args:
        named: the program that the caller was told to use.
        note: a file whose first line is the path of a program; the checkout's unless given.
        downloads: where Playwright keeps its downloads, when not in its usual folder.

    Raises:
        BrowserMissing: `named` is given and is no file.
    """
    if named is not None:
        if not named.is_file():
            raise BrowserMissing(f"there is no browser at {named}")
        return named
    if (found := _noted(note)) is not None:
        return found
    if note.with_name(NO_BROWSER).is_file():
        return None
    downloads = downloads or _usual_folder()
    return (_downloaded(downloads) if downloads is not None else None) or _installed()


def why_none(note: Path = NOTE) -> str:
    """Return in one line why no browser is found, and what to do: set-up's words if it had any."""
    told = note.with_name(NO_BROWSER)
    return (told.read_text().strip() if told.is_file() else "") or NONE


def _usual_folder() -> Path | None:
    """Return where Playwright keeps its downloads, None for who has no home."""
    if not has_home():
        return None
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "ms-playwright"
    return home / ".cache" / "ms-playwright"


def _downloaded(folder: Path) -> Path | None:
    manifest = Path(playwright.__file__).parent / "driver" / "package" / "browsers.json"
    revisions = {
        entry["name"].replace("-", "_"): entry["revision"]
        for entry in json.loads(manifest.read_text())["browsers"]
    }
    for name, patterns in DOWNLOADS.items():
        download = folder / f"{name}-{revisions.get(name)}"
        for pattern in patterns:
            for program in sorted(download.glob(pattern)):
                if program.is_file():
                    return program
    return None


def _noted(note: Path) -> Path | None:
    if not note.is_file():
        return None
    lines = note.read_text().splitlines()
    program = Path(lines[0].strip()) if lines else None
    return program if program is not None and program.is_file() else None


def _installed() -> Path | None:
    for name in SYSTEM_NAMES:
        found = shutil.which(name) or shutil.which(name, path="/usr/bin:/usr/local/bin:/snap/bin")
        if found:
            return Path(found)
    for application in MAC_APPLICATIONS:
        if Path(application).is_file():
            return Path(application)
    return None


def has_home() -> bool:
    """Tell whether this user has a home: a container's may be a mere number."""
    try:
        Path.home()
    except RuntimeError:
        return False
    return True
