"""A whole server in this process: workers beside it, the control plane in it."""

from __future__ import annotations

import os
import secrets
import socket
import threading
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from sandlot.cli.workers import Workers, check_free, worker_ports

if TYPE_CHECKING:
    from episodes.host import Host


SETTINGS = {
    "sqlite": "clones.config.settings.embedded",
    "postgres": "clones.config.settings.stack",
}


# Connections that a worker keeps: files are cheap, a server has so many for all.
OPEN_STORES = {"sqlite": 1000, "postgres": 100}

Engine = Literal["sqlite", "postgres"]


def engine_of_environment() -> Engine:
    """Return the engine that `SANDLOT_ENGINE` names, SQLite if it names none."""
    return "postgres" if os.environ.get("SANDLOT_ENGINE") == "postgres" else "sqlite"


class NoPostgres(Exception):
    """Raised when the PostgreSQL server that stores are to be kept on is not there."""


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """How to serve: the flags of `sandlot serve`."""

    data: Path
    host: str = "127.0.0.1"
    port: int = 8800
    control_port: int = 8801
    workers: int = 2
    domain: str = "localhost"
    engine: Engine = field(default_factory=engine_of_environment)
    browser: Path | None = None

    @property
    def ports(self) -> tuple[int, ...]:
        """The data plane's ports."""
        return worker_ports(self.port, self.control_port, self.workers)


class RunningServer:
    """A server that runs until it is closed; `control_url` and `token` reach its control plane."""

    def __init__(self, options: ServeOptions) -> None:
        import uvicorn  # noqa: PLC0415 - serving only

        check_free(options.host, (*options.ports, options.control_port))
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", SETTINGS[options.engine])
        if options.engine == "postgres":
            check_postgres()
        options.data.mkdir(parents=True, exist_ok=True)
        (options.data / "logs").mkdir(exist_ok=True)
        self.options = options
        self.token = control_token(options.data)
        self.control_url = f"http://{options.host}:{options.control_port}"
        self.workers = Workers(
            options.data,
            options.host,
            options.ports,
            open_stores=OPEN_STORES[options.engine],
            domain=options.domain,
        )
        try:
            self.host = _host(options, self.token)
            from episodes.control.app import make_app  # noqa: PLC0415 - needs Django set up

            config = uvicorn.Config(
                make_app(self.host), log_level="warning", lifespan="off", access_log=False
            )
            self._server = uvicorn.Server(config)
            self._socket = socket.create_server(
                (options.host, options.control_port), reuse_port=False
            )
            # Connections inherit it; without it each answer waits 40 ms for an acknowledgement.
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._thread = threading.Thread(target=self._run, name="control", daemon=True)
            self._thread.start()
            self.workers.wait_ready()
        except BaseException:
            self.workers.stop()
            raise

    def _run(self) -> None:
        self._server.run(sockets=[self._socket])

    def wait(self) -> None:
        """Wait until the control plane stops."""
        self._thread.join()

    def close(self) -> None:
        """Stop the control plane, the browser and the workers."""
        self._server.should_exit = True
        self._thread.join(timeout=15)
        self._socket.close()
        self.host.close()
        self.workers.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def check_postgres() -> None:
    """Look whether the server that `SANDLOT_POSTGRES` names answers.

    Raises:
        NoPostgres: it does not, or none is named, or the driver is not installed.
    """
    url = os.environ.get("SANDLOT_POSTGRES")
    if not url:
        raise NoPostgres(
            "--engine postgres needs a server: set SANDLOT_POSTGRES=postgresql://user:password@host:port"
        )
    try:
        import psycopg  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise NoPostgres(
            "--engine postgres needs the extra `stack`: install sandlot[stack]"
        ) from error
    try:
        psycopg.connect(url, dbname="postgres", connect_timeout=10).close()
    except psycopg.Error as error:
        first = str(error).strip().partition("\n")[0]
        raise NoPostgres(
            f"the server that SANDLOT_POSTGRES names does not answer: {first}"
        ) from error


def control_token(data: Path) -> str:
    """Return the control plane's token, making it (readable by its owner only) if there is none."""
    path = data / "control-token"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text().strip()
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(32) + "\n")
    return path.read_text().strip()


def _host(options: ServeOptions, token: str) -> Host:
    setup_django(options.data, options.domain)
    from episodes.host import Host  # noqa: PLC0415 - needs Django set up
    from episodes.presentation import Addresses  # noqa: PLC0415 - needs Django set up

    host = Host(
        Addresses(options.host, options.domain, options.ports), token, browser=options.browser
    )
    host.open()
    return host


def setup_django(data: Path, domain: str = "localhost") -> None:
    """Start Django in this process, for a server's data directory."""
    os.environ["SANDLOT_DATA"] = str(data)
    os.environ["SANDLOT_DOMAIN"] = domain
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", SETTINGS[engine_of_environment()])
    os.environ.setdefault("SANDLOT_PROCESS", "control")
    import django  # noqa: PLC0415 - after the settings are named

    django.setup()
