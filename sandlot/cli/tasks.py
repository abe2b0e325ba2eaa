"""`sandlot task`."""

from __future__ import annotations

import click

from sandlot.cli.connection import with_server
from sandlot.cli.output import fail, show
from sandlot.client import ControlClient


@click.group()
def task() -> None:
    """Tasks: what agents can be asked to do."""


@task.command("list")
@with_server
def list_tasks(client: ControlClient, as_json: bool) -> None:
    """List the task families."""
    show(client.get("/v1/tasks"), as_json=as_json)


@task.command("show")
@click.argument("task_id", metavar="ID")
@with_server
def show_task(client: ControlClient, as_json: bool, task_id: str) -> None:
    """Show a family's phases and limits."""
    for found in client.get("/v1/tasks")["tasks"]:
        if found["id"] == task_id:
            show(found, as_json=as_json)
            return
    fail(f"there is no task {task_id}: see `sandlot task list`")
