"""The command line: nouns, then verbs."""

from __future__ import annotations

import sys

import click

from clones.core.serverfiles import OtherSchema
from sandlot.cli import bench, control, demo, episodes, sandboxes, serve, snapshots, tasks, worlds
from sandlot.cli.output import EXIT_FAILED, EXIT_NO_SERVER, EXIT_USAGE, fail
from sandlot.cli.serving import CannotServe
from sandlot.cli.workers import WorkerFailed
from sandlot.client import ControlError, NoServer


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sandlot")
def cli() -> None:
    """Run a practice field for agents that work in business software."""


cli.add_command(serve.serve)
cli.add_command(control.control)
cli.add_command(worlds.world)
cli.add_command(sandboxes.sandbox)
cli.add_command(snapshots.snapshot)
cli.add_command(tasks.task)
cli.add_command(episodes.episode)
cli.add_command(demo.demo)
cli.add_command(bench.bench)


def main() -> None:
    """Run the command line: a wrong argument is one line and exit 2, no server one line and 3."""
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Exit as stop:
        raise SystemExit(stop.exit_code) from None
    except click.Abort:
        fail("stopped", 130)
    except click.ClickException as error:
        fail(error.format_message(), EXIT_USAGE)
    except NoServer as error:
        fail(str(error), EXIT_NO_SERVER)
    except (ControlError, OtherSchema, CannotServe, WorkerFailed) as error:
        fail(str(error), EXIT_FAILED)
    except BrokenPipeError:  # whoever read has seen enough
        sys.stderr.close()
        raise SystemExit(EXIT_FAILED) from None
    except KeyboardInterrupt:
        fail("stopped", 130)
    except OSError as error:
        place = f"{error.filename}: " if error.filename is not None else ""
        fail(f"{place}{error.strerror or error}", EXIT_FAILED)
