"""`sandlot task`."""

from __future__ import annotations

import json
import logging
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sandlot.cli.connection import with_server
from sandlot.cli.output import EXIT_FAILED, EXIT_USAGE, fail, show
from sandlot.cli.ports import free_port
from sandlot.cli.serving import RunningServer, ServeOptions, setup_django
from sandlot.cli.side_by_side import run_side_by_side
from sandlot.client import ControlClient

if TYPE_CHECKING:
    from episodes.control_plane import ControlPlane
    from episodes.tasks.spec import Family


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


def numbers_of(text: str) -> tuple[int, ...]:
    """Return the numbers that `0,3-5` names.

    Raises:
        click.BadParameter: a part of it is none.
    """
    found: list[int] = []
    for part in filter(None, text.split(",")):
        first, dash, last = part.partition("-")
        try:
            found += range(int(first), int(last if dash else first) + 1)
        except ValueError:
            raise click.BadParameter(f"{part!r} is no number: write 0,3-5") from None
    return tuple(dict.fromkeys(found))


def _numbers(_: click.Context, __: click.Parameter, text: str) -> tuple[int, ...]:
    return numbers_of(text)


@task.command()
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option(
    "--instances",
    default="0-19",
    show_default=True,
    callback=_numbers,
    help="The instances to certify, as numbers and ranges.",
)
@click.option(
    "--deep",
    default="0,1,2,8",
    show_default=True,
    callback=_numbers,
    help="Of these instances: mutants, faults, leaks and the browser too.",
)
@click.option("--checks", default="", callback=_numbers, help="Only these checks, by number.")
@click.option("--browser/--no-browser", default=True, help="Play the oracle in the browser too.")
@click.option(
    "--at-once",
    default=1,
    show_default=True,
    type=click.IntRange(1, 16),
    help="Of a family that is worked on pages alone, so many runs at a time.",
)
@click.option(
    "--processes",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="So many families at a time, each in a process of its own.",
)
@click.option("--write", is_flag=True, help="Keep the reports where tasks are loaded by them.")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=None,
    help="Keep the work here; asked again with the same sources, go on where it was stopped.",
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    default=None,
    help="Keep what was played here; DATA/certification where nothing is said.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the reports.")
def certify(
    ids: tuple[str, ...],
    instances: tuple[int, ...],
    deep: tuple[int, ...],
    checks: tuple[int, ...],
    browser: bool,
    at_once: int,
    processes: int,
    write: bool,
    data: Path | None,
    keep: Path | None,
    as_json: bool,
) -> None:
    """Certify task families, all unless some are named: whether what they pay may be believed.

    Needs no server: it starts what it plays against, in a directory of its own. Each family is told
    of, and its report kept, when it is done; if one fails, the others are certified all the same,
    and the exit status is 1.
    """
    with ExitStack() as stack:
        folder = data or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        setup_django(folder.resolve())
        families = _families(ids)
        keep = keep or (data and folder.resolve() / "certification")
        if processes > 1 and len(families) > 1:
            if not browser or not _finds_browser():
                families = without_pages(families, named=bool(ids))
            asked = _as_options(instances=instances, deep=deep, checks=checks, at_once=(at_once,))
            asked += [] if browser else ["--no-browser"]
            asked += ["--write"] if write else []
            asked += [f"--keep={keep}"] if keep else []
            all_pass = _certify_apart(families, folder.resolve(), asked, processes, as_json=as_json)
        else:
            wants_pages = browser and any("browser" in family.spaces for family in families)
            server = stack.enter_context(_server(folder.resolve())) if wants_pages else None
            if server is None:
                families = without_pages(families, named=bool(ids))
            all_pass = _certify_here(
                families,
                write=write,
                as_json=as_json,
                numbers=tuple(dict.fromkeys((*instances, *deep))),
                deep=deep,
                browser_host=server,
                checks=checks or None,
                at_once=at_once,
                keep=keep,
            )
    if not all_pass:
        raise SystemExit(EXIT_FAILED)


def _certify_here(families: Sequence[Family], *, write: bool, as_json: bool, **asked: Any) -> bool:
    """Certify families one after the other, and tell whether all pass."""
    from episodes.certify.playing import local_host  # noqa: PLC0415 - needs Django set up
    from episodes.certify.run import certify as look  # noqa: PLC0415 - the same

    # Thousands of requests are refused on purpose. (Starting a server set logging up anew.)
    logging.getLogger("django.request").setLevel(logging.CRITICAL)
    reports = []
    for family in families:
        report = look(
            family, host=local_host(), progress=lambda line: click.echo(line, err=True), **asked
        )
        reports.append(report)
        if not as_json:
            click.echo("\n".join(report.lines()))
        if write and report.passed and not asked["checks"]:
            click.echo(f"kept in {report.write()}", err=True)
    if as_json:
        show([json.loads(report.to_json()) for report in reports], as_json=True)
    return all(report.passed for report in reports)


def _as_options(**options: Sequence[int]) -> list[str]:
    """Return numbers as they are asked for on a command line."""
    return [
        f"--{name.replace('_', '-')}={','.join(map(str, numbers))}"
        for name, numbers in options.items()
    ]


def _certify_apart(
    families: Sequence[Family],
    folder: Path,
    options: Sequence[str],
    processes: int,
    *,
    as_json: bool,
) -> bool:
    """Certify each family by a command of its own, so many at a time; tell whether all pass."""
    commands = []
    for family in families:
        (folder / family.id).mkdir(parents=True, exist_ok=True)
        asked = (family.id, *options, f"--data={folder / family.id}", *(["--json"] * as_json))
        commands.append([sys.executable, "-m", "sandlot.cli", "task", "certify", *asked])
    ended = []
    for each in run_side_by_side(commands, processes):
        ended.append(each)
        if not as_json:
            click.echo(each.printed, nl=False)
    if as_json:
        printed = [each.printed for each in ended if each.printed]
        show([report for text in printed for report in json.loads(text)], as_json=True)
    return not any(each.status for each in ended)


def _families(ids: Sequence[str]) -> list[Family]:
    from episodes.tasks.catalogue import (  # noqa: PLC0415 - needs Django set up
        known_family,
        known_ids,
    )

    known = known_ids()
    unknown = [name for name in ids if name not in known]
    if unknown:
        fail(f"there is no task {unknown[0]}: choose of {', '.join(known)}", EXIT_USAGE)
    return [known_family(name) for name in ids or known]


def without_pages(families: Sequence[Family], *, named: bool) -> list[Family]:
    """Return the families that can be worked where there is no browser."""
    left = [family.id for family in families if family.home == "browser"]
    if left and named:
        fail(f"worked in a browser alone, and there is none: {', '.join(left)}", EXIT_USAGE)
    if left:
        click.echo(f"left out, worked in a browser alone: {', '.join(left)}", err=True)
    return [family for family in families if family.home != "browser"]


def _finds_browser() -> bool:
    """Tell whether there is a browser; if none, say what is skipped."""
    from episodes.browser import find_browser, why_none  # noqa: PLC0415 - server side

    if find_browser() is None:
        click.echo(f"what needs a browser is skipped: {why_none()}", err=True)
        return False
    return True


@contextmanager
def _server(folder: Path) -> Iterator[ControlPlane | None]:
    """Give the host of a server with ports, or None where no browser is found."""
    from episodes.certify.playing import PATIENT  # noqa: PLC0415 - server side

    if not _finds_browser():
        yield None
        return
    host = "127.0.0.1"
    options = ServeOptions(
        data=folder, port=free_port(host), control_port=free_port(host), workers=1
    )
    with RunningServer(options) as running:
        running.host.browsers.wait_longer(PATIENT)
        yield running.host
