"""Say that something takes a while, and how long it has taken."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

PATIENCE = 2.0
PAUSE = 0.5


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show on stderr that `what` is under way once it takes longer than two seconds.

    On a terminal one line counts the seconds; elsewhere one line is printed when it is done.
    """
    started = time.monotonic()
    done = threading.Event()

    def show() -> None:
        if done.wait(PATIENCE):
            return
        while not done.wait(PAUSE):
            click.echo(f"\r{what}: {time.monotonic() - started:.0f} s", err=True, nl=False)

    teller = threading.Thread(target=show, daemon=True)
    if sys.stderr.isatty():
        teller.start()
    try:
        yield
    except BaseException:
        if teller.is_alive():
            click.echo("", err=True)
        raise
    finally:
        done.set()
    seconds = time.monotonic() - started
    if seconds > PATIENCE:
        lead = "\r" if sys.stderr.isatty() else ""
        click.echo(f"{lead}{what}: {seconds:.1f} s", err=True)
