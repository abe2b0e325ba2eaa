"""Which browser BrowserGym starts: Playwright's own unless told otherwise."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserType


def use_chromium(program: str | Path, switches: Sequence[str] = ()) -> None:
    """Have every browser of this process be the Chromium at a path, started with `switches`.

    BrowserGym starts one for the pages and another for its chat, and passes `pw_chromium_kwargs` to
    the first alone. What such arguments say counts before what is said here, and the last call of
    this counts before those before it.

    Raises:
        FileNotFoundError: there is no such program.
    """
    if not Path(program).is_file():
        raise FileNotFoundError(f"there is no browser at {program}: name Chromium's program")
    launch = getattr(BrowserType.launch, "__wrapped__", BrowserType.launch)

    @functools.wraps(launch)
    def launch_it(browser: BrowserType, **options: Any) -> Any:
        if browser.name == "chromium":
            options.setdefault("executable_path", str(program))
            options["args"] = [*(options.get("args") or ()), *switches]
        return launch(browser, **options)

    # Playwright has no other place to say so.
    BrowserType.launch = launch_it  # type: ignore[assignment, method-assign]
