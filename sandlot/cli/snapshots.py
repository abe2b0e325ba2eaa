"""`sandlot snapshot`."""

from __future__ import annotations

import click

from sandlot.cli.connection import with_server
from sandlot.cli.output import show
from sandlot.client import ControlClient


@click.group()
def snapshot() -> None:
    """Snapshots: immutable, named states of everything."""


@snapshot.command()
@click.argument("sandbox_id", metavar="SANDBOX")
@click.argument("name")
@with_server
def create(client: ControlClient, as_json: bool, sandbox_id: str, name: str) -> None:
    """Keep a sandbox's present under a name."""
    show(client.post("/v1/snapshots", {"sandbox": sandbox_id, "name": name}), as_json=as_json)


@snapshot.command("list")
@with_server
def list_snapshots(client: ControlClient, as_json: bool) -> None:
    """List the named snapshots."""
    show(client.get("/v1/snapshots"), as_json=as_json)


@snapshot.command("show")
@click.argument("name")
@with_server
def show_snapshot(client: ControlClient, as_json: bool, name: str) -> None:
    """Show what a snapshot holds."""
    show(client.get(f"/v1/snapshots/{name}"), as_json=as_json)


@snapshot.command()
@click.argument("name")
@with_server
def delete(client: ControlClient, as_json: bool, name: str) -> None:
    """Forget a snapshot."""
    client.delete(f"/v1/snapshots/{name}")
    show({"deleted": name}, as_json=as_json)
