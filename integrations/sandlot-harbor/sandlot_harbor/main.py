"""`sandlot-harbor`: write task folders from a running server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from sandlot.cli.connection import with_server
from sandlot.cli.output import EXIT_FAILED, EXIT_NO_SERVER, EXIT_USAGE, fail, show
from sandlot.client import ControlClient, ControlError, NoServer
from sandlot.service.splits import INSTANCES, WORLDS
from sandlot.spaces.instances import instances_of
from sandlot.spaces.rollout import EnvironmentFailed
from sandlot_harbor.recording import NoSolution, record
from sandlot_harbor.writing import write_folder


@click.command()
@click.argument("families", nargs=-1, required=True, metavar="FAMILY...")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Where the folders are made."
)
@click.option("--split", default="train", show_default=True, type=click.Choice(list(WORLDS)))
@click.option(
    "--first", default=0, show_default=True, type=click.IntRange(0, INSTANCES - 1),
    help="Number of the first instance.",
)  # fmt: skip
@click.option(
    "--count", default=1, show_default=True, type=click.IntRange(1, INSTANCES),
    help="So many instances of each family.",
)  # fmt: skip
@click.option(
    "--surface",
    default="search_call",
    show_default=True,
    type=click.Choice(["search_call", "app", "flat"]),
    help="The agent's tools.",
)
@with_server
def main(client: ControlClient, *, as_json: bool, **asked: Any) -> None:
    """Write a task folder of Harbor for instances of each FAMILY (H05)."""
    families = [family.upper() for family in asked["families"]]
    until = min(asked["first"] + asked["count"], INSTANCES)
    made: list[str] = []
    try:
        tasks = instances_of(client, families, asked["split"], until)
        asked["out"].mkdir(parents=True, exist_ok=True)
        for task in tasks[asked["first"] * len(families) :]:
            recorded = record(client, task, asked["surface"])
            made.append(str(write_folder(recorded, asked["split"], asked["out"])))
    except NoServer as error:
        fail(str(error), EXIT_NO_SERVER)
    except (ControlError, ValueError, OSError) as error:
        fail(str(error), EXIT_USAGE)
    except (EnvironmentFailed, NoSolution) as error:
        fail(str(error), EXIT_FAILED)
    show({"folders": made} if as_json else made, as_json=as_json)
