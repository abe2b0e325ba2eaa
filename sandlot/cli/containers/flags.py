"""The flags of `sandlot serve` that are for containers, and those that are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from sandlot.cli.connection import default_data
from sandlot.cli.output import EXIT_USAGE, fail

OURS: dict[str, Any] = {"memory": "1g", "cpus": 1.0, "keep_volumes": False}
# What is the same in both runtimes; the others belong to processes of this machine.
SHARED = {"port", "control_port", "workers", "data", "runtime"}


def container_flags(command: Callable[..., None]) -> Callable[..., None]:
    """Add the flags that only `--runtime docker` takes."""
    for option in (
        click.option(
            "--keep-volumes", is_flag=True, help="Keep sandboxes for the next time; the same."
        ),
        click.option("--cpus", default=None, type=float, help="Of each web container; the same."),
        click.option(
            "--memory", default=None, help="Of each web container (1g); --runtime docker only."
        ),
    ):
        command = option(command)
    return command


def serve_in_docker(context: click.Context, wait: Callable[[], None]) -> None:
    """Serve in containers until `wait` returns; what they cannot take is refused in one line."""
    chosen = context.params
    for name in chosen.keys() - SHARED - OURS.keys():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            flag = name.replace("_", "-")
            fail(f"--{flag} is for --runtime process: containers have their own", EXIT_USAGE)
    try:
        from sandlot.cli.containers.serving import (  # noqa: PLC0415 - an extra
            ContainerOptions,
            serve_in_containers,
        )
    except ImportError:
        fail("--runtime docker needs the extra `stack`: install sandlot[stack]", EXIT_USAGE)
    options = ContainerOptions(
        data=(chosen["data"] or default_data()).resolve(),
        port=chosen["port"],
        control_port=chosen["control_port"],
        containers=chosen["workers"] or 1,
        **{name: chosen[name] or default for name, default in OURS.items()},
    )
    serve_in_containers(options, wait)


def refuse_container_flags(chosen: dict[str, Any]) -> None:
    """Refuse, in one line, what only containers take."""
    for name, value in chosen.items():
        if value:
            fail(f"--{name.replace('_', '-')} is for --runtime docker", EXIT_USAGE)
