"""`sandlot sandbox`."""

from __future__ import annotations

import click

from sandlot.cli.connection import with_server
from sandlot.cli.output import EXIT_USAGE, duration, fail, show
from sandlot.cli.progress import working
from sandlot.client import ControlClient


@click.group()
def sandbox() -> None:
    """Sandboxes: live, isolated copies that agents act on."""


@sandbox.command()
@click.option("--world", default=None, help="Default: kestrel.")
@click.option("--size", default=None, help="Default: tiny.")
@click.option("--seed", type=int, default=None, help="Default: 1.")
@click.option("--snapshot", default=None, help="Start from a named snapshot instead of a world.")
@with_server
def create(
    client: ControlClient,
    as_json: bool,
    world: str | None,
    size: str | None,
    seed: int | None,
    snapshot: str | None,
) -> None:
    """Make a sandbox and print its addresses and accounts."""
    said = {"world": world, "size": size, "seed": seed, "snapshot": snapshot}
    body = {name: value for name, value in said.items() if value is not None}
    if snapshot is not None and len(body) > 1:
        fail("a snapshot has its own world, size and seed: leave them out", EXIT_USAGE)
    with working("making the sandbox"):
        made = client.post("/v1/sandboxes", body)
    show(made, as_json=as_json)


@sandbox.command("list")
@with_server
def list_sandboxes(client: ControlClient, as_json: bool) -> None:
    """List the sandboxes."""
    show(client.get("/v1/sandboxes"), as_json=as_json)


@sandbox.command("show")
@click.argument("sandbox_id", metavar="ID")
@with_server
def show_sandbox(client: ControlClient, as_json: bool, sandbox_id: str) -> None:
    """Show a sandbox's addresses, accounts and marks."""
    show(client.get(f"/v1/sandboxes/{sandbox_id}"), as_json=as_json)


@sandbox.command()
@click.argument("sandbox_id", metavar="ID")
@click.option("--rotate", is_flag=True, help="End every credential too.")
@with_server
def reset(client: ControlClient, as_json: bool, sandbox_id: str, rotate: bool) -> None:
    """Rewind a sandbox to its beginning."""
    body = {"rotate": rotate}
    show(client.post(f"/v1/sandboxes/{sandbox_id}/reset", body), as_json=as_json)


@sandbox.command()
@click.argument("sandbox_id", metavar="ID")
@click.argument("name")
@with_server
def mark(client: ControlClient, as_json: bool, sandbox_id: str, name: str) -> None:
    """Name a sandbox's present."""
    show(client.post(f"/v1/sandboxes/{sandbox_id}/marks", {"name": name}), as_json=as_json)


@sandbox.command()
@click.argument("sandbox_id", metavar="ID")
@click.argument("name")
@with_server
def rewind(client: ControlClient, as_json: bool, sandbox_id: str, name: str) -> None:
    """Undo everything after a mark."""
    show(client.post(f"/v1/sandboxes/{sandbox_id}/rewind", {"name": name}), as_json=as_json)


@sandbox.command()
@click.argument("sandbox_id", metavar="ID")
@with_server
def fork(client: ControlClient, as_json: bool, sandbox_id: str) -> None:
    """Copy a sandbox as it is."""
    with working("copying the sandbox"):
        made = client.post(f"/v1/sandboxes/{sandbox_id}/fork")
    show(made, as_json=as_json)


@sandbox.command()
@click.argument("sandbox_id", metavar="ID")
@click.option("--since", default="base", show_default=True, help="A mark.")
@with_server
def diff(client: ControlClient, as_json: bool, sandbox_id: str, since: str) -> None:
    """Show what changed since a mark."""
    show(client.get(f"/v1/sandboxes/{sandbox_id}/diff", since=since), as_json=as_json)


@sandbox.command()
@click.argument("sandbox_id", metavar="ID")
@with_server
def verify(client: ControlClient, as_json: bool, sandbox_id: str) -> None:
    """Compare a rewound copy of a sandbox with its image, row by row."""
    with working("comparing the sandbox"):
        verdict = client.post(f"/v1/sandboxes/{sandbox_id}/verify")
    show(verdict, as_json=as_json)
    if not verdict["intact"]:
        fail(f"sandbox {sandbox_id} did not match its image and has been replaced")


@sandbox.command()
@click.argument("sandbox_id", metavar="ID")
@click.argument("time", metavar="DURATION")
@with_server
def advance(client: ControlClient, as_json: bool, sandbox_id: str, time: str) -> None:
    """Move a sandbox's clock, running what falls due (30s, 15m, 2h, 3d)."""
    body = {"seconds": duration(time)}
    with working("moving the clock"):
        ran = client.post(f"/v1/sandboxes/{sandbox_id}/advance", body)
    show(ran, as_json=as_json)


@sandbox.command()
@click.argument("sandbox_id", metavar="ID")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=None,
    help="The first clone's; the others follow. Default: free ones from 8900 on.",
)
@with_server
def publish(client: ControlClient, as_json: bool, sandbox_id: str, port: int | None) -> None:
    """Give each clone of a sandbox a port of its own, until it is unpublished or deleted."""
    show(client.post(f"/v1/sandboxes/{sandbox_id}/publish", {"port": port}), as_json=as_json)


@sandbox.command()
@click.argument("sandbox_id", metavar="ID")
@with_server
def unpublish(client: ControlClient, as_json: bool, sandbox_id: str) -> None:
    """Take a sandbox off its ports."""
    show(client.delete(f"/v1/sandboxes/{sandbox_id}/publish"), as_json=as_json)


@sandbox.command()
@click.argument("sandbox_id", metavar="ID")
@with_server
def delete(client: ControlClient, as_json: bool, sandbox_id: str) -> None:
    """Delete a sandbox."""
    client.delete(f"/v1/sandboxes/{sandbox_id}")
    show({"deleted": sandbox_id}, as_json=as_json)
