"""Make a fresh clone ready: virtual environment, packages, browser.

Runs on the machine's own Python, with nothing installed. Each phase prints one line and is skipped
when its result is there already; the whole takes a blink then. What it finds out is kept in
`.sandlot/` (the browser's path in `.sandlot/browser`) and in `.venv/`.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXTRAS = ("browser", "stack", "tls", "dev")
# Chromium without windows takes less of a processor than the whole one beside it.
SHELL = "chromium-headless-shell"
SYSTEM_BROWSERS = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DOWNLOAD_SECONDS = 240
CONNECT_MILLISECONDS = 5000
NO_BROWSER = (
    "none found: install Chromium (Debian: apt-get install chromium; macOS: brew install chromium),"
    " then run `make setup` again; the browser part is skipped until then"
)
NO_VENV = (
    "this Python cannot make virtual environments: install its venv package"
    " (Debian, Ubuntu: apt-get install python3-venv), then run `make setup` again"
)


class SetupError(Exception):
    """What hinders the set-up, in words that say what to do."""


def announce(phase: str, result: str, since: float | None = None) -> None:
    """Print the line of one phase."""
    seconds = "" if since is None else f" ({time.monotonic() - since:.1f} s)"
    print(f"setup: {phase}: {result}{seconds}", flush=True)


def run(
    command: list[str | Path], *, seconds: float, env: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """Run a command quietly and return its exit code and its output; 124 when it took too long."""
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=seconds,
            check=False,
            env={**os.environ, **(env or {})},
        )
    except subprocess.TimeoutExpired:
        return 124, f"gave up after {seconds:.0f} s"
    except OSError as error:
        return 127, str(error)
    return done.returncode, done.stdout


# The virtual environment and its packages


def fingerprint(root: Path) -> str:
    """Return the hash of what decides which packages are installed."""
    project = tomllib.loads((root / "pyproject.toml").read_text())
    decisive = [project["build-system"], project["project"], EXTRAS, sys.version, str(root)]
    return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()


def make_environment(root: Path) -> None:
    """Make `.venv` unless a working one is there.

    Raises SetupError when this Python cannot.
    """
    python = root / ".venv" / "bin" / "python"
    if run([python, "-c", "import pip"], seconds=60)[0] == 0:
        return
    since = time.monotonic()
    if importlib.util.find_spec("ensurepip") is None:
        raise SetupError(NO_VENV)
    code, output = run([sys.executable, "-m", "venv", "--clear", root / ".venv"], seconds=300)
    if code:
        raise SetupError(NO_VENV if "ensurepip" in output else f"python -m venv failed: {output}")
    announce("environment", f"made .venv with Python {sys.version.split()[0]}", since)


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
        raise SetupError("pip failed:\n" + "\n".join(output.strip().splitlines()[-15:]))
    stamp.write_text(wanted)
    announce("packages", "installed", since)


# The browser


def starts(browser: str) -> bool:
    """Tell whether a browser opens a page: it may be a stub, or lack libraries."""
    with tempfile.TemporaryDirectory() as profile:
        command: list[str | Path] = [browser, "--headless", "--no-sandbox", "--disable-gpu"]
        command += [f"--user-data-dir={profile}", "--dump-dom", "about:blank"]
        code, output = run(command, seconds=60)
    return code == 0 and "<html" in output


def find_system_browser() -> str | None:
    """Return the path of the machine's own Chromium, if it has one that starts."""
    paths = [shutil.which(name) for name in SYSTEM_BROWSERS]
    paths.append("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")
    return next((p for p in paths if p and Path(p).is_file() and starts(p)), None)


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
    path = output.strip()
    return path if code == 0 and starts(path) else None


def install_system_browser(package: str) -> str | None:
    """Install a package of Debian's Chromium where we may; return its path, None where it fails."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        return None
    env = {"DEBIAN_FRONTEND": "noninteractive"}
    if run(["apt-get", "-qq", "update"], seconds=300, env=env)[0]:
        return None
    if run(["apt-get", "-qq", "install", "-y", package], seconds=900, env=env)[0]:
        return None
    path = shutil.which(package)
    return path if path and starts(path) else None


def find_browser(root: Path) -> None:
    """Write the path of a browser that starts to `.sandlot/browser`, or say what to install."""
    found, missing = root / ".sandlot" / "browser", root / ".sandlot" / "no-browser"
    if found.is_file() and os.access(found.read_text().strip(), os.X_OK):
        return
    found.unlink(missing_ok=True)
    since = time.monotonic()
    # A download that failed once is not tried at each `make`: only when the packages changed.
    tried = missing.is_file() and missing.read_text() == fingerprint(root)
    if not tried:
        announce("browser", "looking for one (a download may take minutes)")
    path = None if tried else download_browser(root)
    if not (path or tried or shutil.which(SHELL)):
        path = install_system_browser(SHELL)
    path = path or find_system_browser()
    path = path or (None if tried else install_system_browser("chromium"))
    if path is None:
        missing.write_text(fingerprint(root))
        announce("browser", NO_BROWSER)
        return
    missing.unlink(missing_ok=True)
    found.write_text(path + "\n")
    announce("browser", path, since)


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
