"""`sandlot serve`."""

from __future__ import annotations

import ipaddress
import os
import re
import signal
import time
from pathlib import Path
from types import FrameType
from typing import Any

import click

from sandlot.cli.connection import default_data
from sandlot.cli.containers.flags import (
    container_flags,
    refuse_container_flags,
    serve_in_docker,
)
from sandlot.cli.output import EXIT_USAGE, fail
from sandlot.cli.serving import CannotServe, Engine, RunningServer, ServeOptions
from sandlot.cli.workers import WorkerFailed

NO_GATEWAYS = "--gateway-port is not built yet: there are no gateways to serve"

PORT = click.IntRange(1, 65535)
LABEL = r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"


def _domain(_: click.Context, __: click.Parameter, text: str) -> str:
    """Return a domain as names are compared: in small letters, no dot at its end."""
    name = text.lower().removesuffix(".")
    if not re.fullmatch(rf"({LABEL}\.)*{LABEL}", name) or name.rpartition(".")[2].isdigit():
        raise click.BadParameter(f"{text!r} is no domain: use a name such as sandlot.example.com")
    return name


def _host(_: click.Context, __: click.Parameter, text: str) -> str:
    """Return an address that is one of this machine's, or stands for all of them."""
    try:
        address = ipaddress.IPv4Address(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is no IPv4 address: use 127.0.0.1 or 0.0.0.0") from None
    return str(address)


def _webhook_hosts(_: click.Context, __: click.Parameter, text: str | None) -> str | None:
    """Return a list of hosts that can be read."""
    from clones.core.webhooks.hosts import InvalidHosts, read_hosts  # noqa: PLC0415 - serving only

    try:
        read_hosts(text or "")
    except InvalidHosts as error:
        raise click.BadParameter(str(error)) from None
    return text


def _check_ports(options: ServeOptions) -> None:
    ports = [*options.ports, options.control_port]
    if max(ports) > 65535:
        fail(f"{options.workers} workers need ports up to {max(ports)}: lower them", EXIT_USAGE)
    if len(set(ports)) < len(ports):
        used = ", ".join(map(str, options.ports))
        fail(
            f"--port, --control-port and those of further workers (after it) must differ: the"
            f" data plane would take {used}, the control plane {options.control_port}",
            EXIT_USAGE,
        )


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    callback=_host,
    help="Address of the data plane; 0.0.0.0 is every address of this machine.",
)
@click.option("--port", default=8800, show_default=True, type=PORT, help="Port of the bare host.")
@click.option(
    "--control-port",
    default=8801,
    show_default=True,
    type=PORT,
    help="Port of the control plane; those after it are of further workers.",
)
@click.option(
    "--control-host",
    default="127.0.0.1",
    show_default=True,
    help="Address of the control plane, which agents should not reach.",
)
@click.option("--workers", default=None, type=click.IntRange(1, 64), help="Default: one per core.")
@click.option("--data", type=click.Path(path_type=Path), default=None, help="Data directory.")
@click.option(
    "--domain",
    default="localhost",
    show_default=True,
    callback=_domain,
    help="Domain of the sandboxes: its wildcard, two labels deep, must lead here.",
)
@click.option("--tls", is_flag=True, help="Serve https, by a private authority whose path is told.")
@click.option(
    "--engine",
    default="sqlite",
    show_default=True,
    envvar="SANDLOT_ENGINE",
    type=click.Choice(["sqlite", "postgres"]),
    help="Where sandboxes live: SQLite files, or the server that SANDLOT_POSTGRES names.",
)
@click.option(
    "--webhook-hosts",
    default=None,
    callback=_webhook_hosts,
    envvar="SANDLOT_WEBHOOK_HOSTS",
    metavar="HOST[:PORT],...",
    help="The only hosts that webhooks may reach, by Celery's workers. Default: none.",
)
@click.option(
    "--runtime",
    default="process",
    show_default=True,
    type=click.Choice(["process", "docker"]),
    help="Processes of this machine, or the stack in containers (docs/containers.md).",
)
@container_flags
@click.option("--gateway-port", type=int, default=None, help="Port of the protocol gateways.")
def serve(
    host: str,
    port: int,
    control_port: int,
    control_host: str,
    workers: int | None,
    data: Path | None,
    domain: str,
    tls: bool,
    engine: Engine,
    webhook_hosts: str | None,
    runtime: str,
    gateway_port: int | None,
    **containers: Any,
) -> None:
    """Serve sandboxes until stopped."""
    started = time.perf_counter()
    if gateway_port is not None:
        fail(NO_GATEWAYS, EXIT_USAGE)
    if runtime == "docker":
        serve_in_docker(click.get_current_context(), _wait_for_signal)
        return
    refuse_container_flags(containers)
    options = ServeOptions(
        data=(data or default_data()).resolve(),
        host=host,
        port=port,
        control_port=control_port,
        control_host=control_host,
        workers=workers or os.cpu_count() or 1,
        domain=domain,
        tls=tls,
        engine=engine,
        webhook_hosts=webhook_hosts or "",
    )
    _check_ports(options)
    try:
        server = RunningServer(options)
    except CannotServe as error:
        fail(str(error), EXIT_USAGE)
    except WorkerFailed as error:
        fail(str(error))
    with server:
        seconds = time.perf_counter() - started
        click.echo(f"data plane    {server.host.addresses.origin}", err=True)
        if server.authority is not None:
            click.echo(f"authority     {server.authority}  (for clients to trust)", err=True)
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
