"""How long episodes may be left alone is said as a duration, by three commands alike."""

from __future__ import annotations

import click
import pytest

from sandlot.cli import idling
from sandlot.cli.control import control
from sandlot.cli.episodes import run
from sandlot.cli.serve import serve
from sandlot.service import protocol


def option(command: click.Command, name: str) -> click.Parameter:
    return next(one for one in command.params if one.name == name)


def read(command: click.Command, name: str, text: str | None) -> float | None:
    found: float | None = option(command, name).process_value(click.Context(command), text)
    return found


@pytest.mark.parametrize(
    ("command", "name"), [(serve, "episode_idle"), (control, "episode_idle"), (run, "idle")]
)
def test_durations_are_read(command: click.Command, name: str) -> None:
    assert read(command, name, "1h30m") == 5400.0
    assert read(command, name, "0") == 0.0
    for wrong in ("soon", "31d", "-5"):
        with pytest.raises(click.BadParameter):
            read(command, name, wrong)


def test_the_bounds_are_those_of_the_contract() -> None:
    assert (idling.USUAL, idling.LONGEST) == (protocol.IDLE_SECONDS, protocol.LONGEST_IDLE)


@pytest.mark.parametrize("command", [serve, control])
def test_a_server_leaves_episodes_alone_for_fifteen_minutes(command: click.Command) -> None:
    asked = option(command, "episode_idle")
    assert asked.get_default(click.Context(command)) == "15m"
    assert read(command, "episode_idle", "15m") == 900.0
    assert read(run, "idle", None) is None
