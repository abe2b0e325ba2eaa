"""`sandlot world`."""

from __future__ import annotations

import click

from sandlot.cli.connection import with_server
from sandlot.cli.output import show
from sandlot.client import ControlClient


@click.group()
def world() -> None:
    """Worlds: a company's data across all clones."""


@world.command("list")
@with_server
def list_worlds(client: ControlClient, as_json: bool) -> None:
    """List the worlds this build can make."""
    show(client.get("/v1/worlds"), as_json=as_json)


@world.command()
@click.argument("name")
@click.option("--size", default="tiny", show_default=True)
@click.option("--seed", default=1, show_default=True)
@with_server
def build(client: ControlClient, as_json: bool, name: str, size: str, seed: int) -> None:
    """Build a world's image, or find it built."""
    found = client.post("/v1/worlds", {"name": name, "size": size, "seed": seed})
    show(found, as_json=as_json)
