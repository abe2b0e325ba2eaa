"""Start Playwright's driver, and the browser through it; say in one line why it does not start."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from playwright._impl._driver import compute_driver_executable
from playwright.async_api import Browser, Error, Playwright, async_playwright

from episodes.browser.errors import BrowserLost, BrowserMissing
from episodes.browser.finding import has_home

START_SECONDS = 60.0
END_SECONDS = 5.0
# What the system's loader says of a program whose libraries are not there.
LOADER = "error while loading shared libraries: "
# Set-up passes over what it has tried before.
REMEDY = "`rm -f .sandlot/tried && make setup` says what to do"

HOMELESS = "it needs a home folder, and its user has none: set HOME"


async def start_driver() -> Playwright:
    """Start Playwright's driver, the program of its own that it steers browsers with.

    Raises:
        BrowserMissing: it does not start.
    """
    if not has_home():
        raise BrowserMissing(f"Playwright's driver does not start: {HOMELESS}")
    await _check_node()
    before = asyncio.all_tasks()
    try:
        return await async_playwright().start()
    except Exception as error:  # what Playwright raises where its driver ends is an `Exception`
        # Playwright still waits for the end of its driver, whose pipes it closes then.
        if begun := asyncio.all_tasks() - before:
            await asyncio.wait(begun, timeout=END_SECONDS)
        raise BrowserMissing(_driver_failed(in_one_line(str(error)))) from error


async def start_browser(driver: Playwright, program: Path, switches: Sequence[str]) -> Browser:
    """Start a browser.

    Raises:
        BrowserLost: it does not start.
    """
    try:
        return await driver.chromium.launch(
            executable_path=program,
            args=switches,
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
            timeout=START_SECONDS * 1000,
        )
    except (Error, OSError) as error:
        said = in_one_line(str(error))
        raise BrowserLost(f"the browser did not start: {program}: {said}: {REMEDY}") from error


def in_one_line(said: str) -> str:
    """Return the line that tells most: the loader's of a missing library, else the first."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for line in lines:
        if LOADER in line:
            library = line.partition(LOADER)[2].partition(":")[0]
            return f"{library} is not installed"
    return lines[0] if lines else "it said nothing"


async def _check_node() -> None:
    """Look whether the driver's Node starts: Playwright itself would let it complain on our stderr.

    Raises:
        BrowserMissing: it does not.
    """
    try:
        node, _ = compute_driver_executable()
        trial = await asyncio.create_subprocess_exec(
            node, "--version", stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
        )  # fmt: skip
    except (Error, OSError) as error:
        raise BrowserMissing(_driver_failed(in_one_line(str(error)))) from error
    said, _ = await trial.communicate()
    if trial.returncode:
        raise BrowserMissing(_driver_failed(in_one_line(said.decode(errors="replace"))))


def _driver_failed(said: str) -> str:
    return f"Playwright's driver does not start: {said}: {REMEDY}"
