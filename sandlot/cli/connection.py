"""How a command finds its server."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from sandlot.cli.output import EXIT_USAGE, fail
from sandlot.client import ControlClient

DEFAULT_URL = "http://127.0.0.1:8801"


def default_data() -> Path:
    """Return the data directory: `SANDLOT_DATA`, else `./data`."""
    return Path(os.environ.get("SANDLOT_DATA", "data")).resolve()


def token_for(data: Path) -> str:
    """Return the control plane's token: `SANDLOT_TOKEN`, else that of the data directory."""
    if token := os.environ.get("SANDLOT_TOKEN"):
        return token
    path = data / "control-token"
    try:
        return path.read_text().strip()
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        told = error.strerror if isinstance(error, OSError) else "it is no text"
        fail(f"the token in {path} cannot be read: {told}; set SANDLOT_TOKEN", EXIT_USAGE)


def with_server(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command `client`, with the options `--url`, `--data` and `--json`."""

    @click.option("--url", default=DEFAULT_URL, show_default=True, help="Control plane address.")
    @click.option(
        "--data",
        type=click.Path(path_type=Path),
        default=None,
        help="Data directory of the server.",
    )
    @click.option("--json", "as_json", is_flag=True, help="Print JSON.")
    @functools.wraps(command)
    def wrapped(url: str, data: Path | None, as_json: bool, **options: Any) -> None:
        try:
            found = ControlClient(url, token_for(data or default_data()), timeout=None)
        except ValueError as error:
            fail(str(error), EXIT_USAGE)
        with found as client:
            command(client=client, as_json=as_json, **options)

    return wrapped
