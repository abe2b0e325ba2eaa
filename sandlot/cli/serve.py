"""`sandlot serve`."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from types import FrameType

import click

from sandlot.cli.connection import default_data
from sandlot.cli.output import EXIT_USAGE, fail
from sandlot.cli.serving import Engine, NoPostgres, RunningServer, ServeOptions
from sandlot.cli.workers import WorkerFailed

NOT_BUILT = {
    "tls": "--tls is not built yet: serve without it",
    "runtime": "--runtime docker is not built yet: use process",
    "gateway_port": "--gateway-port is not built yet: there are no gateways to serve",
}


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8800, show_default=True, help="Port of the bare host.")
@click.option("--control-port", default=8801, show_default=True, help="Port of the control plane.")
@click.option("--workers", default=None, type=click.IntRange(1, 64), help="Default: one per core.")
@click.option("--data", type=click.Path(path_type=Path), default=None, help="Data directory.")
@click.option("--domain", default="localhost", show_default=True, help="Domain of the sandboxes.")
@click.option("--tls", is_flag=True, help="Serve https with a private authority.")
@click.option(
    "--engine",
    default="sqlite",
    show_default=True,
    envvar="SANDLOT_ENGINE",
    type=click.Choice(["sqlite", "postgres"]),
    help="Where sandboxes live: SQLite files, or the server that SANDLOT_POSTGRES names.",
)
@click.option("--runtime", default="process", type=click.Choice(["process", "docker"]))
@click.option("--gateway-port", type=int, default=None, help="Port of the protocol gateways.")
def serve(
    host: str,
    port: int,
    control_port: int,
    workers: int | None,
    data: Path | None,
    domain: str,
    tls: bool,
    engine: Engine,
    runtime: str,
    gateway_port: int | None,
) -> None:
    """Serve sandboxes until stopped."""
    started = time.perf_counter()
    for name, unbuilt in (
        ("tls", tls),
        ("runtime", runtime == "docker"),
        ("gateway_port", gateway_port is not None),
    ):
        if unbuilt:
            fail(NOT_BUILT[name], EXIT_USAGE)
    options = ServeOptions(
        data=(data or default_data()).resolve(),
        host=host,
        port=port,
        control_port=control_port,
        workers=workers or os.cpu_count() or 1,
        domain=domain,
        engine=engine,
    )
    try:
        server = RunningServer(options)
    except NoPostgres as error:
        fail(str(error), EXIT_USAGE)
    except WorkerFailed as error:
        fail(str(error))
    with server:
        seconds = time.perf_counter() - started
        click.echo(f"data plane    http://{host}:{port}", err=True)
        click.echo(
            f"control plane {server.control_url}  (token in {options.data}/control-token)", err=True
        )
        click.echo(f"ready in {seconds:.2f} s; stop with Ctrl-C", err=True)
        _wait_for_signal()


def _wait_for_signal() -> None:
    stopped: list[int] = []

    def stop(number: int, _: FrameType | None) -> None:
        stopped.append(number)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    while not stopped:
        signal.pause()
