"""`sandlot demo`: the whole thing once, on this machine."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sandlot.cli.episodes import play, summary
from sandlot.cli.output import fail
from sandlot.cli.ports import free_port
from sandlot.cli.serving import CannotServe, RunningServer, ServeOptions
from sandlot.cli.workers import WorkerFailed
from sandlot.client import ControlClient

if TYPE_CHECKING:
    from episodes.browser import BrowserPool

TASK = "H05"


@click.command()
@click.option(
    "--data", type=click.Path(path_type=Path), default=None, help="Default: a new folder."
)
@click.option("--seed", default=13, show_default=True, help="Which instance to play.")
def demo(data: Path | None, seed: int) -> None:
    """Build the world, serve it, play one task by API and one in a browser, print the rewards."""
    folder = (data or Path(tempfile.mkdtemp(prefix="sandlot-demo-"))).resolve()
    port, control = free_port("127.0.0.1"), free_port("127.0.0.1")
    try:
        with _timed("server"):
            server = RunningServer(
                ServeOptions(data=folder, port=port, control_port=control, workers=1)
            )
    except (WorkerFailed, CannotServe) as error:
        fail(str(error))
    with server, ControlClient(server.control_url, server.token) as client:
        with _timed("world"):
            client.post("/v1/worlds", {"name": "kestrel", "size": "tiny", "seed": 1})
        with _timed("episode by API"):
            by_api = play(client, TASK, "oracle", {"space": "api", "seed": seed})
        _print(by_api)
        if _starts(server.host.browsers):
            with _timed("episode in a browser"):
                in_browser = play(
                    client, TASK, "oracle", {"space": "browser", "seed": seed, "screenshots": True}
                )
            _print(in_browser)
            pictures = sorted((Path(in_browser["folder"]) / "screenshots").glob("*.png"))
            if pictures:
                click.echo(f"screenshot of the last page: {pictures[-1]}")
    click.echo(f"look again:  .venv/bin/sandlot serve --data {folder}")


def _starts(browsers: BrowserPool) -> bool:
    """Start the browser; where it does not start, say in one line why its part is skipped."""
    from episodes.browser import BrowserError  # noqa: PLC0415 - server side

    try:
        browsers.start()
    except BrowserError as error:
        click.echo(f"episode in a browser: skipped: {error}", err=True)
        return False
    return True


def _print(found: dict[str, Any]) -> None:
    for line in summary(found):
        click.echo(line)
    click.echo("row changes:")
    for step in found["steps"]:
        for change in step["changes"]:
            click.echo(
                f"  step {step['step']}: {change['operation']} {change['table']} {change['key']}"
            )
    click.echo("")


@contextmanager
def _timed(phase: str) -> Iterator[None]:
    started = time.perf_counter()
    yield
    click.echo(f"{phase}: {time.perf_counter() - started:.1f} s", err=True)
