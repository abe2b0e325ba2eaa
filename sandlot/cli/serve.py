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
from sandlot.cli.data_folder import claimed_folder
from sandlot.cli.idling import idle_flag
from sandlot.cli.output import EXIT_USAGE, fail
from sandlot.cli.serving import SESSIONS, CannotServe, Engine, RunningServer, ServeOptions
from sandlot.cli.workers import WorkerFailed

LOOK = 0.2  # seconds between two looks whether the server is to end
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
    if options.gateway_port == 65535:
        fail("the gateways need the port after --gateway-port, too: lower it", EXIT_USAGE)
    if taken := {*options.gateway_ports} & {*ports}:
        fail(
            f"--gateway-port and the one after it must differ from the others: {min(taken)} is"
            " taken by the data plane or the control plane",
            EXIT_USAGE,
        )
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
@idle_flag
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
@click.option(
    "--gateway-port",
    default=None,
    type=PORT,
    help="Serve trainers' protocols at this port and the next one (docs/serving.md).",
)
@click.option(
    "--gateway-sessions",
    default=SESSIONS,
    show_default=True,
    type=click.IntRange(1),
    help="Sessions of gateways that may hold an episode at a time.",
)
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
    episode_idle: float,
    webhook_hosts: str | None,
    runtime: str,
    gateway_port: int | None,
    gateway_sessions: int,
    **containers: Any,
) -> None:
    """Serve sandboxes until stopped."""
    started = time.perf_counter()
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
        episode_idle=episode_idle,
        gateway_port=gateway_port,
        gateway_sessions=gateway_sessions,
    )
    _check_ports(options)
    with claimed_folder(options.data):
        _serve(options, started)


def _serve(options: ServeOptions, started: float) -> None:
    try:
        server = RunningServer(options)
    except CannotServe as error:
        fail(str(error), EXIT_USAGE)
    except WorkerFailed as error:
        fail(str(error))
    with server:
        ended = _listen_for_signals()
        seconds = time.perf_counter() - started
        click.echo(f"data plane    {server.host.addresses.origin}", err=True)
        if server.authority is not None:
            click.echo(f"authority     {server.authority}  (for clients to trust)", err=True)
        click.echo(
            f"control plane {server.control_url}  (token in {options.data}/control-token)", err=True
        )
        if server.gateways is not None:
            for line in server.gateways.told():
                click.echo(line, err=True)
        click.echo(f"ready in {seconds:.2f} s; stop with Ctrl-C", err=True)
        _wait_for(ended)


def _listen_for_signals() -> list[int]:
    """Return what gets the signal by which somebody asks the server to end."""
    ended: list[int] = []

    def stop(number: int, _: FrameType | None) -> None:
        ended.append(number)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    return ended


def _wait_for(ended: list[int]) -> None:
    """Wait until somebody has asked the server to end.

    Python runs a signal's handler between two of its own steps. One that comes just before a wait
    begins is heard when that is over: no wait is without an end.
    """
    while not ended:
        time.sleep(LOOK)


def _wait_for_signal() -> None:
    """Wait until somebody asks the server to end, from now on."""
    _wait_for(_listen_for_signals())
