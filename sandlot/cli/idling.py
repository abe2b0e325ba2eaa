"""The flag by which a server is told how long episodes may be left alone."""

from __future__ import annotations

from typing import Final

import click

from sandlot.cli.output import duration

# Seconds, as `sandlot.service.protocol` has them: what is imported from there takes long to load.
USUAL: Final = 15 * 60.0
LONGEST: Final = 30 * 86_400.0


def idle_time(_: click.Context, __: click.Parameter, text: str | None) -> float | None:
    """Return a duration in seconds, which is no longer than episodes may be left alone."""
    if text is None:
        return None
    seconds = duration(text)
    if seconds > LONGEST:
        raise click.BadParameter(f"{text!r} is too long: use 30d at most")
    return seconds


idle_flag = click.option(
    "--episode-idle",
    default=f"{USUAL / 60:.0f}m",
    show_default=True,
    envvar="SANDLOT_EPISODE_IDLE",
    metavar="DURATION",
    callback=idle_time,
    help="Episodes of which nothing is heard for so long are abandoned; 0 is never.",
)
