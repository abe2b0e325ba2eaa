"""`sandlot bench`: measure this machine and print medians, 95th percentiles and budgets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import httpx

from sandlot.cli.ports import free_port
from sandlot.cli.serving import Engine, RunningServer, ServeOptions
from sandlot.client import ControlClient, http_client

MANY = 200


@click.command()
@click.option(
    "--quick", is_flag=True, help="Fewer repetitions and 100 sandboxes in place of 1,000."
)
@click.option(
    "--engine",
    "engines",
    multiple=True,
    type=click.Choice(["sqlite", "postgres"]),
    help="Measure only this one. Default: SQLite, and PostgreSQL if SANDLOT_POSTGRES names one.",
)
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    default=None,
    help="Keep the data in this one while measuring. Default: where temporary files go.",
)
@click.option("--copies", is_flag=True, help="Measure copies of stores only.")
@click.option(
    "--answers",
    "only_answers",
    is_flag=True,
    help="Measure only how long lists, pages and searches take on a large world.",
)
@click.option("--episodes", "only_episodes", is_flag=True, help="Measure whole episodes only.")
@click.option(
    "--figures", type=click.Path(path_type=Path), default=None, help="Keep the figures as JSON."
)
def bench(
    quick: bool,
    engines: tuple[Engine, ...],
    folder: Path | None,
    copies: bool,
    only_answers: bool,
    only_episodes: bool,
    figures: Path | None,
) -> None:
    """Measure resets, clones, requests, jobs and memory on this machine."""
    if folder is not None:
        tempfile.tempdir = os.environ["TMPDIR"] = str(folder)
    click.echo(f"{os.cpu_count()} cores; medians and 95th percentiles; ratios to budgets")
    wanted = engines or ("sqlite", *(("postgres",) if os.environ.get("SANDLOT_POSTGRES") else ()))
    if len(wanted) > 1:
        given = {"--quick": quick, "--copies": copies, "--answers": only_answers}
        given["--episodes"] = only_episodes
        _side_by_side(wanted, [name for name, is_given in given.items() if is_given])
        return
    found = []
    only = [("copies", copies), ("answers", only_answers), ("episodes", only_episodes)]
    chosen = next((name for name, is_given in only if is_given), "everything")
    for figure in _measure(wanted[0], quick=quick, what=chosen):
        click.echo(figure.line())
        found.append(figure.as_json())
    if figures is not None:
        figures.write_text(json.dumps(found))


def _side_by_side(engines: tuple[Engine, ...], options: list[str]) -> None:
    """Measure each engine in a process of its own, then print what both have beside each other."""
    medians: dict[str, dict[str, float]] = {}
    units: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="sandlot-bench-") as folder:
        for engine in engines:
            click.echo(f"\n{engine}")
            kept = Path(folder) / engine
            command = [sys.executable, "-m", "sandlot.cli", "bench", "--engine", engine]
            command += ["--figures", str(kept), *options]
            environment = {**os.environ, "SANDLOT_ENGINE": engine}
            if subprocess.run(command, env=environment, check=False).returncode:  # noqa: S603 - our own program
                raise click.ClickException(f"the measurements on {engine} failed")
            for figure in json.loads(kept.read_text()):
                medians.setdefault(figure["name"], {})[engine] = figure["median"]
                units[figure["name"]] = figure["unit"]
    click.echo(f"\n{'side by side (medians)':52} {'sqlite':>10} {'postgres':>10}")
    for name, found in medians.items():
        if len(found) == len(engines):
            first, second = (found[engine] for engine in engines)
            ratio = f"x{second / first:.2f}" if first else ""
            click.echo(f"{name:52} {first:10.2f} {second:10.2f} {units[name]:8} {ratio}")


def _measure(engine: Engine, *, quick: bool, what: str) -> Iterator[Any]:
    """Yield the figures of one engine, as they are measured: everything, or one part."""
    from sandlot.cli.measures.figures import Figure  # noqa: PLC0415 - needs Django set up

    with tempfile.TemporaryDirectory(prefix="sandlot-bench-") as folder:
        data = Path(folder)
        options = ServeOptions(
            data=data,
            port=free_port("127.0.0.1"),
            control_port=free_port("127.0.0.1"),
            workers=os.cpu_count() or 1,
            engine=engine,
        )
        with (
            RunningServer(options) as server,
            ControlClient(server.control_url, server.token) as client,
        ):
            if what == "answers":
                yield from _answers(server, quick=quick)
                return
            client.post("/v1/worlds", {"name": "kestrel", "size": "tiny", "seed": 1})
            if what == "copies":
                yield from _stores(server, only_copies=True)
                return
            if what == "episodes":
                yield from _episodes(server, quick=quick)
                return
            yield from _stores(server)
            yield from _answers(server, quick=quick)
            yield from _jobs(server, client, 20 if quick else 100)
            yield from _requests(server, client, seconds=2.0 if quick else 5.0)
            yield from _episodes(server, quick=quick)
            yield from _crowd(server, client, 100 if quick or engine == "postgres" else 1000)
        ready = Figure("serve to first answered request, world built", "ms", budget=1500.0)
        # What two cores have in that time.
        spent = Figure("processor time until then, all processes", "ms", budget=3000.0)
        for _ in range(3):
            waited, worked = _serve_to_ready(data, engine)
            ready.samples.append(waited)
            spent.samples.append(worked)
        yield ready
        yield spent


def _stores(server: RunningServer, *, only_copies: bool = False) -> Iterator[Any]:
    from clones.core.server import server as shared  # noqa: PLC0415 - needs Django set up
    from episodes.worlds import WorldKey, world_image  # noqa: PLC0415 - beside the others
    from sandlot.cli.measures import stores  # noqa: PLC0415 - beside the others
    from snapshots.interface import engine  # noqa: PLC0415 - beside the others

    library, sandboxes = server.host.library, server.host.sandboxes
    small = world_image(library, WorldKey("kestrel", "tiny", 1))
    padded = shared().data / f"padded{engine().suffix}"
    engine().copy_sealed(library.store(small), padded)
    stores.pad_to(20_000_000, padded)
    shared().stores.discard(padded)
    engine().seal(padded)
    manifest = library.add(padded, world="kestrel", size="padded", seed=1, parent=small.digest)
    if not only_copies:
        yield from stores.resets(sandboxes, manifest)
        yield from stores.same_end_otherwise(sandboxes, manifest)
    yield from stores.copies(sandboxes, manifest)


def _answers(server: RunningServer, *, quick: bool) -> Iterator[Any]:
    """Measure a world of twenty thousand tickets (quick: two thousand), after building it."""
    from episodes.worlds import WorldKey, world_image  # noqa: PLC0415 - needs Django set up
    from sandlot.cli.measures.answers import answers  # noqa: PLC0415 - beside the others
    from sandlot.cli.measures.figures import Figure, timed  # noqa: PLC0415 - beside the others
    from sandlot.cli.measures.tracker import tracker_answers  # noqa: PLC0415 - its tables

    size = "small" if quick else "standard"
    building = Figure(f"building the {size} world", "ms", budget=None if quick else 60_000.0)
    with timed(building):
        manifest = world_image(server.host.library, WorldKey("kestrel", size, 1))
    yield building
    times = 40 if quick else 200
    yield from answers(server.host.sandboxes, manifest, times)
    yield from tracker_answers(server.host.sandboxes, manifest, times)


def _jobs(server: RunningServer, client: ControlClient, count: int) -> Iterator[Any]:
    """Measure the queue, where the settings have one."""
    from django.conf import settings  # noqa: PLC0415 - needs Django set up

    if not getattr(settings, "REDIS", ""):
        click.echo("no broker here: jobs through Celery are not measured")
        return
    from sandlot.cli.measures import queue  # noqa: PLC0415 - needs a broker

    made = [client.post("/v1/sandboxes", {"size": "tiny"})["id"] for _ in range(count)]
    rows = [server.host.sandboxes.get(name) for name in made]
    with queue.workers(server.options.data, os.cpu_count() or 1):
        yield from queue.throughput(rows, rounds=5)
    for name in made:
        client.delete(f"/v1/sandboxes/{name}")


def _requests(server: RunningServer, client: ControlClient, seconds: float) -> Iterator[Any]:
    from sandlot.cli.measures import load  # noqa: PLC0415 - needs Django set up

    cores = os.cpu_count() or 1
    made = [client.post("/v1/sandboxes", {"size": "tiny"}) for _ in range(MANY)]
    tickets = _open_tickets(made[0])
    for count in (1, MANY):
        targets = [load.target_of(sandbox, tickets) for sandbox in made[:count]]
        kinds = (
            ("single GET", ("GET", "/api/v2/tickets/{ticket}.json", None), 400.0),
            (
                "single write",
                ("PUT", "/api/v2/tickets/{ticket}.json", load.write_body("bench")),
                200.0,
            ),
            ("list of 100", ("GET", "/api/v2/tickets.json?per_page=100", None), None),
        )
        for name, request, budget in kinds:
            per_core = budget * min(count, cores) if budget else None
            first, rate, latency = load.run(
                f"{name}, {count} sandbox{'es' if count > 1 else ''}",
                targets,
                request,
                seconds=seconds,
                budget=per_core,
            )
            if name == "list of 100" and count == 1:
                latency.budget = 12.0 * load.CLIENTS
            yield first
            yield rate
            yield latency
    for sandbox in made:
        client.delete(f"/v1/sandboxes/{sandbox['id']}")


def _episodes(server: RunningServer, *, quick: bool) -> Iterator[Any]:
    """Measure whole episodes, by clients in a process of their own."""
    from sandlot.cli.measures.episodes import episodes  # noqa: PLC0415 - beside the others

    count, at_once = (32, (1, 8)) if quick else (128, (1, 8, 64))
    yield from episodes(server.control_url, server.token, count=count, at_once=at_once)


def _open_tickets(sandbox: dict[str, Any]) -> tuple[int, ...]:
    """Return the tickets that can be written to: the same in every sandbox of a world."""
    app = sandbox["apps"]["helpdesk"]
    account = app["accounts"][0]
    with http_client(auth=(f"{account['email']}/token", account["api_token"])) as http:
        answer = http.get(
            f"{app['url']}/api/v2/tickets.json?sort_by=created_at&sort_order=desc&per_page=100"
        )
    tickets = answer.json()["tickets"]
    return tuple(item["id"] for item in tickets if item["status"] in ("open", "pending"))


def _crowd(server: RunningServer, client: ControlClient, count: int) -> Iterator[Any]:
    import psutil  # noqa: PLC0415 - measuring only

    from sandlot.cli.measures.figures import Figure  # noqa: PLC0415 - needs Django set up

    def memory() -> tuple[float, int]:
        found = [psutil.Process(pid) for pid in server.workers.pids()]
        found += [child for parent in found for child in parent.children(recursive=True)]
        resident = sum(process.memory_info().rss for process in found) / 1e6
        return resident, sum(process.num_fds() for process in found)

    before, _ = memory()
    creating = Figure(f"create one of {count} sandboxes", "ms", budget=30.0)
    touching = Figure(f"first request to one of {count} sandboxes", "ms")
    names = []
    with http_client() as http:
        for _ in range(count):
            started = time.perf_counter()
            sandbox = client.post("/v1/sandboxes", {"size": "tiny"})
            creating.samples.append((time.perf_counter() - started) * 1000)
            names.append(sandbox["id"])
            account = sandbox["apps"]["helpdesk"]["accounts"][0]
            started = time.perf_counter()
            answer = http.get(
                sandbox["apps"]["helpdesk"]["url"] + "/api/v2/users/me.json",
                auth=(f"{account['email']}/token", account["api_token"]),
            )
            touching.samples.append((time.perf_counter() - started) * 1000)
            if answer.status_code != 200:
                raise click.ClickException(f"{sandbox['id']} answered {answer.status_code}")
    after, files = memory()
    yield creating
    yield touching
    yield Figure("memory of the workers", "MB", [after])
    yield Figure("open files of the workers", "files", [float(files)])
    warm = Figure("memory per warm sandbox", "MB", [(after - before) / count], budget=1024 / 500)
    yield warm
    for name in names:
        client.delete(f"/v1/sandboxes/{name}")


def _serve_to_ready(data: Path, engine: Engine) -> tuple[float, float]:
    """Return the milliseconds from starting `sandlot serve` to its first answered request.

    And those that processors worked for it.
    """
    port, control = free_port("127.0.0.1"), free_port("127.0.0.1")
    command = [
        sys.executable,
        "-m",
        "sandlot.cli",
        "serve",
        "--engine",
        engine,
        "--data",
        str(data),
        "--port",
        str(port),
        "--control-port",
        str(control),
    ]
    started = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603 - our own program
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        with http_client(timeout=1.0) as http:
            while True:
                try:
                    answer = http.get(f"http://127.0.0.1:{port}/api/v2/tickets/1.json")
                    control_up = http.get(f"http://127.0.0.1:{control}/healthz")
                    if answer.status_code == 401 and control_up.status_code == 200:
                        waited = (time.perf_counter() - started) * 1000
                        return waited, _processor_time(process.pid)
                    told = f"{answer.status_code} and {control_up.status_code}"
                except (OSError, httpx.TransportError) as error:  # nothing listens yet
                    told = f"{type(error).__name__}: {error}"
                if process.poll() is not None:
                    raise click.ClickException(f"serve ended with {process.returncode}")
                if time.perf_counter() - started > 30:
                    raise click.ClickException(f"serve did not answer as it should: {told}")
                time.sleep(0.01)
    finally:
        process.terminate()
        process.wait()


def _processor_time(pid: int) -> float:
    """Return the milliseconds that a process and all that it started have had of processors."""
    import psutil  # noqa: PLC0415 - measuring only

    parent = psutil.Process(pid)
    times = [found.cpu_times() for found in (parent, *parent.children(recursive=True))]
    return sum(found.user + found.system for found in times) * 1000
