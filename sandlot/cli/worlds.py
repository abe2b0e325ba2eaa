"""`sandlot world`: builds in this process, no server needed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sandlot.cli.connection import default_data
from sandlot.cli.output import EXIT_USAGE, fail, show
from sandlot.cli.progress import working
from sandlot.cli.serving import setup_django


@click.group()
def world() -> None:
    """Worlds: a company's data across all clones."""


@world.command("list")
@click.option("--data", type=click.Path(path_type=Path), default=None, help="Data directory.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_worlds(data: Path | None, as_json: bool) -> None:
    """List the worlds this build can make, and which are built."""
    setup_django((data or default_data()).resolve())
    from episodes.worlds import world_cards  # noqa: PLC0415 - needs Django set up

    show(world_cards(), as_json=as_json)


@world.command()
@click.argument("name")
@click.option("--size", default="tiny", show_default=True, help="tiny, small, standard, large.")
@click.option("--seed", default=1, show_default=True)
@click.option("--data", type=click.Path(path_type=Path), default=None, help="Data directory.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def build(name: str, size: str, seed: int, data: Path | None, as_json: bool) -> None:
    """Build a world's image, or find it built."""
    setup_django((data or default_data()).resolve())
    show(_build(name, size, seed), as_json=as_json)


def _build(name: str, size: str, seed: int) -> dict[str, Any]:
    from clones.core.server import server  # noqa: PLC0415 - needs Django set up
    from episodes.worlds import UnknownWorld, WorldKey, world_image  # noqa: PLC0415 - beside it
    from snapshots.library import Library  # noqa: PLC0415 - beside it

    try:
        with working(f"building {name}-{size}, seed {seed}"):
            manifest = world_image(Library(server().data), WorldKey(name, size, seed))
    except UnknownWorld as error:
        fail(str(error), EXIT_USAGE)
    return {"digest": manifest.digest, "bytes": manifest.bytes, "clock": manifest.clock}
