"""`sandlot control`: the control plane alone, with the data plane's workers elsewhere."""

from __future__ import annotations

import signal
import socket
from pathlib import Path
from types import FrameType

import click

from clones.config.web import ports_of
from clones.core.garbage import uncollected
from sandlot.cli.connection import default_data
from sandlot.cli.data_folder import private_folder
from sandlot.cli.idling import idle_flag
from sandlot.cli.output import fail
from sandlot.cli.serving import control_token, setup_django


def routes_of(web: tuple[str, ...]) -> dict[int, str]:
    """Return, by port, where `HOST:PORTS` says that workers are reached.

    Raises:
        click.BadParameter: it says nothing of the kind, or a port twice.
    """
    found: dict[int, str] = {}
    for place in web:
        host, _, ports = place.rpartition(":")
        try:
            numbers = ports_of(ports)
        except ValueError:
            numbers = []
        if not host or not numbers or found.keys() & set(numbers):
            raise click.BadParameter(
                f"--web {place}: use HOST:PORT or HOST:FIRST-LAST, each port once"
            )
        found |= {port: f"{host}:{port}" for port in numbers}
    return found


def _nothing_more(number: int, _: FrameType | None) -> None:
    """Let the program end in its own way."""


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8801, show_default=True, help="Port of the control plane.")
@click.option(
    "--web",
    multiple=True,
    required=True,
    metavar="HOST:PORTS",
    help="Where workers are reached from here (web:8800-8803); may be given several times.",
)
@click.option(
    "--web-host",
    default="127.0.0.1",
    show_default=True,
    help="The data plane's address as callers know it; ports are the same.",
)
@click.option("--domain", default="localhost", show_default=True, help="Domain of the sandboxes.")
@click.option("--data", type=click.Path(path_type=Path), default=None, help="Data directory.")
@idle_flag
def control(
    host: str,
    port: int,
    web: tuple[str, ...],
    web_host: str,
    domain: str,
    data: Path | None,
    episode_idle: float,
) -> None:
    """Serve the control plane alone; workers run elsewhere, over the same data directory."""
    routes = routes_of(web)
    folder = (data or default_data()).resolve()
    private_folder(folder)
    try:
        token = control_token(folder)
    except OSError as error:
        fail(f"the control plane's token cannot be had: {error}")
    setup_django(folder, domain)
    with uncollected():
        from django.db import DatabaseError  # noqa: PLC0415 - needs Django set up

        from episodes.control.app import make_app  # noqa: PLC0415 - needs Django set up
        from episodes.control_plane import ControlPlane  # noqa: PLC0415 - needs Django set up
        from episodes.presentation import Addresses  # noqa: PLC0415 - needs Django set up
        from sandlot.cli.asgi_server import asgi_server  # noqa: PLC0415 - serving only

    # Uvicorn raises anew, at its end, the signal that ended it: there is still work then.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _nothing_more)
    addresses = Addresses(web_host, domain, tuple(routes), routes=routes)
    found = ControlPlane(addresses, token, idle_seconds=episode_idle)
    try:
        found.open()
        with socket.create_server((host, port)) as listening:
            # Connections inherit it; without it each answer waits 40 ms for an acknowledgement.
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            click.echo(f"control plane {host}:{port}, workers at {', '.join(web)}", err=True)
            asgi_server(make_app(found)).run(sockets=[listening])
    except (OSError, DatabaseError) as error:
        fail(str(error).strip().partition("\n")[0])
    finally:
        found.close()
