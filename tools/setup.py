"""Make a fresh clone ready: virtual environment, packages, browser.

    python -m tools.setup

Runs on the machine's own Python, with nothing installed. Each phase prints one line and is skipped
when its result is there already; the whole takes a blink then. What it finds is tried as it is used
later, and what is missing is installed where we may, else named in one line. It keeps what it finds
out in `.sandlot/` (the browser's path in `.sandlot/browser`) and in `.venv/`.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import importlib
import importlib.util
import json
import os
import shutil
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

from tools import distribution
from tools.distribution import run

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = ("browser", "stack", "tls", "dev")
# Chromium without windows takes less of a processor than the whole one beside it.
SHELL = "chromium-headless-shell"
SYSTEM_BROWSERS = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DOWNLOAD_SECONDS = 240
CONNECT_MILLISECONDS = 5000
# As in the images (compose/Dockerfile).
FONTS = "fonts-dejavu-core"
NO_FONTS = "the browser has no font to draw letters with"
CHROMIUM = "(Debian: apt-get install chromium; macOS: brew install chromium)"
NONE_FOUND = f"none found: install Chromium {CHROMIUM}"
AGAIN = "then run `make setup` again; the browser part is skipped until then"
NO_VENV = (
    "this Python cannot make virtual environments: install its venv package"
    " (Debian, Ubuntu: apt-get install python3-venv), then run `make setup` again"
)
# What pip says, among much else, where nobody answers it.
NO_NETWORK = (
    *("NewConnectionError", "Temporary failure in name resolution", "Network is unreachable"),
    *("ConnectTimeoutError", "ProxyError", "Connection refused"),
)
# What the tables and the search indexes need of SQLite.
SQLITE = (
    "import sqlite3; c = sqlite3.connect(':memory:'); c.execute('CREATE TABLE t (a INT) STRICT');"
    " c.execute(\"CREATE VIRTUAL TABLE w USING fts5(a, content='', detail=none, columnsize=0)\")"
)
NO_SQLITE = (
    "this Python's SQLite is not enough ({}): 3.37 or newer with FTS5 is needed:"
    " name another Python (make PYTHON=/path/to/python3.12)"
)


class SetupError(Exception):
    """What hinders the set-up, in words that say what to do."""


def announce(phase: str, result: str, since: float | None = None) -> None:
    """Print the line of one phase."""
    seconds = "" if since is None else f" ({time.monotonic() - since:.1f} s)"
    print(f"setup: {phase}: {result}{seconds}", flush=True)


def last_line(output: str) -> str:
    """Return what a program said last."""
    return (output.strip().splitlines() or ["it said nothing"])[-1]


# The virtual environment and its packages


def fingerprint(root: Path) -> str:
    """Return the hash of what decides which packages are installed."""
    project = tomllib.loads((root / "pyproject.toml").read_text())
    decisive = [project["build-system"], project["project"], EXTRAS, sys.version, str(root)]
    return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()


def make_environment(root: Path) -> None:
    """Make `.venv` unless a working one is there.

    Raises SetupError when this Python cannot, or is not enough.
    """
    python = root / ".venv" / "bin" / "python"
    if run([python, "-c", "import pip"], seconds=60)[0] == 0:
        return
    since = time.monotonic()
    code, output = run([sys.executable, "-c", SQLITE], seconds=60)
    if code:
        raise SetupError(NO_SQLITE.format(last_line(output)))
    if not has_ensurepip() and not install_ensurepip():
        raise SetupError(NO_VENV)
    code, output = run([sys.executable, "-m", "venv", "--clear", root / ".venv"], seconds=300)
    if code:
        raise SetupError(NO_VENV if "ensurepip" in output else f"python -m venv failed: {output}")
    announce("environment", f"made .venv with Python {sys.version.split()[0]}", since)


def has_ensurepip() -> bool:
    """Tell whether this Python has what virtual environments are made with."""
    importlib.invalidate_caches()
    return importlib.util.find_spec("ensurepip") is not None


def install_ensurepip() -> bool:
    """Install what Debian parts from its Python, where we may; tell whether it is there now."""
    major, minor = sys.version_info[:2]
    package = f"python{major}.{minor}-venv"
    ours = Path(sys.executable).resolve().parent != Path("/usr/bin")
    return not ours and distribution.install(package) and has_ensurepip()


def install_packages(root: Path) -> None:
    """Install the project and what it needs into `.venv`, unless that is done.

    Raises SetupError when pip fails.
    """
    stamp, wanted = root / ".venv" / "installed", fingerprint(root)
    if stamp.is_file() and stamp.read_text() == wanted:
        return
    make_environment(root)
    since = time.monotonic()
    stamp.unlink(missing_ok=True)
    announce("packages", "installing (about a minute the first time)")
    target = f"{root}[{','.join(EXTRAS)}]"
    pip: list[str | Path] = [root / ".venv" / "bin" / "python", "-m", "pip", "install", "--quiet"]
    pip += ["--disable-pip-version-check", "--no-input", "--editable", target]
    code, output = run(pip, seconds=1800)
    if code:
        log = root / ".sandlot" / "pip.log"
        log.parent.mkdir(exist_ok=True)
        log.write_text(output, encoding="utf-8")
        if any(words in output for words in NO_NETWORK):
            raise SetupError(f"pip reaches no package index: is there a network? (see {log})")
        last = (output.strip().splitlines() or ["it said nothing"])[-1]
        raise SetupError(f"pip failed: {last} (see {log})")
    stamp.write_text(wanted)
    announce("packages", "installed", since)


# The browser


def driver(root: Path) -> Path | None:
    """Return the program of Playwright's driver, which comes with its package: a Node."""
    if named := os.environ.get("PLAYWRIGHT_NODEJS_PATH"):
        return Path(named)
    found = root.glob(".venv/lib/python*/site-packages/playwright/driver/node")
    return next(found, None)


def has_home() -> bool:
    """Tell whether this user has a home: a container's may be a mere number."""
    try:
        Path.home()
    except RuntimeError:
        return False
    return True


def mend_driver(root: Path, *, install: bool) -> str:
    """Return why Playwright's driver does not start, "" if it does; install what it lacks."""
    if not has_home():
        return "Playwright's driver needs a home folder, and its user has none: set HOME"
    node = driver(root)
    if node is None or run([node, "--version"], seconds=60)[0] == 0:
        return ""
    if install and distribution.may_install() and distribution.missing_libraries(node):
        announce("browser", "installing what Playwright's driver lacks")
        distribution.install_libraries(node)
    code, output = run([node, "--version"], seconds=60)
    lacks = distribution.missing_libraries(node)
    if code == 0:
        return ""
    if lacks:
        return f"Playwright's driver lacks {to_install(lacks)}"
    return f"Playwright's driver does not start: {last_line(output)}: mend that"


def to_install(libraries: list[str]) -> str:
    """Return libraries with the command that would install them."""
    command = " ".join(["apt-get install", *map(distribution.package_of, libraries)])
    return f"{', '.join(libraries)}: install what has it (Debian, Ubuntu, as root: {command})"


def try_browser(root: Path, program: str) -> str:
    """Return why a page cannot be opened with a browser as episodes do it, "" if it can."""
    python = root / ".venv" / "bin" / "python"
    code, output = run([python, "-m", "episodes.browser.trial", program], seconds=180)
    return "" if code == 0 else last_line(output)


def download_browser(root: Path) -> str | None:
    """Return the path of Playwright's own Chromium, fetched if need be; None where that fails."""
    python = root / ".venv" / "bin" / "python"
    env = {"PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT": str(CONNECT_MILLISECONDS)}
    install: list[str | Path] = [python, "-m", "playwright", "install", "--no-shell", "chromium"]
    if run(install, seconds=DOWNLOAD_SECONDS, env=env)[0]:
        return None
    where = (
        "from playwright.sync_api import sync_playwright as p\n"
        "with p() as found: print(found.chromium.executable_path)"
    )
    code, output = run([python, "-c", where], seconds=60)
    return output.strip() if code == 0 else None


class Search:
    """A search for a browser that opens a page: `path` if one does, `why` the last does not.

    `own` is Playwright's, if its download worked.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.own: str | None = None
        self.path: str | None = None
        self.why = ""
        self.installs = distribution.may_install()

    def go(self) -> None:
        """Look for one, each where those before it failed."""
        announce("browser", "looking for one (a download may take minutes)")
        self.own = download_browser(self.root)
        _ = (
            self.take(self.own)
            or (shutil.which(SHELL) is None and self.take_package(SHELL))
            or self.take_installed()
            or self.take_package("chromium")
            or self.take_mended()
        )

    def go_again(self, own: str | None) -> None:
        """Look for one without what takes long: nothing is fetched or installed."""
        self.own, self.installs = own, False
        _ = self.take(own) or self.take_installed() or self.take_mended()

    def take(self, program: str | None) -> bool:
        """Try a program, with fonts installed where it has none and we may."""
        if program is None or not Path(program).is_file():
            return False
        self.why = try_browser(self.root, program)
        if self.why == NO_FONTS and self.installs and distribution.install(FONTS):
            self.why = try_browser(self.root, program)
        if self.why == NO_FONTS:
            self.why += f": install some (Debian: apt-get install {FONTS})"
        elif self.why:
            self.why += f": install another {CHROMIUM}"
        self.path = None if self.why else program
        return not self.why

    def take_installed(self) -> bool:
        """Try what the machine has."""
        paths = [shutil.which(name) for name in SYSTEM_BROWSERS]
        paths.append("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
        return any(map(self.take, paths))

    def take_package(self, package: str) -> bool:
        """Try a package of Debian's Chromium, installed where we may."""
        return distribution.install(package) and self.take(shutil.which(package))

    def take_mended(self) -> bool:
        """Try Playwright's own again with the libraries that it lacks, installed where we may."""
        lacks = distribution.missing_libraries(Path(self.own)) if self.own else []
        if self.own is None or not lacks:
            return False
        if self.installs:
            lacks = distribution.install_libraries(Path(self.own))
        if lacks:
            self.why = f"{self.own} lacks {to_install(lacks)}"
        return not lacks and self.take(self.own)


def find_browser(root: Path) -> None:
    """Write the path of a browser that opens a page to `.sandlot/browser`, or say what to do.

    Where none does, `.sandlot/no-browser` has the words that say why and what to do. What takes
    long is tried once, until the packages change: `.sandlot/tried` says with which, and how far.
    """
    kept = root / ".sandlot"
    found, missing, stamp = kept / "browser", kept / "no-browser", kept / "tried"
    done, stopped = f"all of {fingerprint(root)}", f"the driver of {fingerprint(root)}"
    before, _, own = (stamp.read_text() if stamp.is_file() else "").partition("\n")
    if before == done and found.is_file() and os.access(found.read_text().strip(), os.X_OK):
        return
    since = time.monotonic()
    found.unlink(missing_ok=True)
    why, search = mend_driver(root, install=before != stopped), Search(root)
    if not why and before == done and missing.is_file():
        search.go_again(own.strip() or None)
    elif not why:
        search.go()
    stamp.write_text(f"{stopped if why else done}\n{search.own or ''}\n")
    if search.path is None:
        said = f"{why or search.why or NONE_FOUND}, {AGAIN}"
        missing.write_text(said + "\n")
        announce("browser", said)
        return
    missing.unlink(missing_ok=True)
    found.write_text(search.path + "\n")
    announce("browser", search.path, since)


@contextlib.contextmanager
def alone(root: Path) -> Iterator[None]:
    """Let one set-up run at a time in this clone."""
    (root / ".sandlot").mkdir(exist_ok=True)
    with (root / ".sandlot" / "setup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> int:
    """Run what is not done yet."""
    try:
        with alone(ROOT):
            install_packages(ROOT)
            find_browser(ROOT)
    except SetupError as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
