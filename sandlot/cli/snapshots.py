"""`sandlot snapshot`."""

from __future__ import annotations

from pathlib import Path

import click

from sandlot.cli.connection import with_server
from sandlot.cli.output import EXIT_USAGE, fail, show
from sandlot.cli.progress import working
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


@snapshot.command("export")
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@with_server
def export_snapshot(client: ControlClient, as_json: bool, name: str, file: Path) -> None:
    """Write a snapshot to one file that another server can take in."""
    if not file.absolute().parent.is_dir():
        fail(f"there is no folder {file.absolute().parent}: make it first", EXIT_USAGE)
    with working(f"exporting {name}"):
        content = client.get(f"/v1/snapshots/{name}/file")
    file.write_bytes(content)
    show({"name": name, "file": str(file), "bytes": len(content)}, as_json=as_json)


@snapshot.command("import")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--name", default=None, help="Its name here; by default the file's.")
@with_server
def import_snapshot(client: ControlClient, as_json: bool, file: Path, name: str | None) -> None:
    """Take in a snapshot from a file that `export` wrote."""
    name = name or file.name.removesuffix(".sandlot").lower()
    with working(f"importing {file.name}"):
        found = client.request("PUT", f"/v1/snapshots/{name}/file", content=file.read_bytes())
    show(found, as_json=as_json)


@snapshot.command()
@click.argument("name")
@click.argument("new")
@with_server
def migrate(client: ControlClient, as_json: bool, name: str, new: str) -> None:
    """Make of a snapshot of an older schema one of this build's, under a new name."""
    with working(f"migrating {name}"):
        found = client.post(f"/v1/snapshots/{name}/migrate", {"name": new})
    show(found, as_json=as_json)


@snapshot.command()
@click.argument("name")
@with_server
def delete(client: ControlClient, as_json: bool, name: str) -> None:
    """Forget a snapshot."""
    client.delete(f"/v1/snapshots/{name}")
    if name.startswith("world."):
        click.echo("this was a built world: it is built again when it is next asked for", err=True)
    show({"deleted": name}, as_json=as_json)
