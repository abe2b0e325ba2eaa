"""A whole server in this process: workers beside it, the control plane in it."""

from __future__ import annotations

import ipaddress
import math
import os
import resource
import secrets
import socket
import threading
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Literal, Self

from clones.config.settings import traces
from clones.core.garbage import uncollected
from sandlot.cli.idling import USUAL
from sandlot.cli.workers import ANYWHERE, Workers, check_free, reachable, worker_ports

if TYPE_CHECKING:
    from episodes.control_plane import ControlPlane
    from sandlot.cli.gateways import RunningGateways


SETTINGS = {
    "sqlite": "clones.config.settings.embedded",
    "postgres": "clones.config.settings.stack",
}


# SQLite stores that a worker keeps open at most, the descriptors of one (file, log and its index),
# and those that are left to everything else.
OPEN_FILES, DESCRIPTORS, LEFT_TO_CLIENTS = 1000, 3, 500
# What a container's processes may have of memory, where they are in one.
MEMORY_LIMIT = Path("/sys/fs/cgroup/memory.max")
# Connections of a PostgreSQL server that are left to others: queue workers, beat, administrators.
LEFT_TO_OTHERS = 40
# Seconds in which the workers of a server that was killed end.
ENDING = 8.0
# Of fewer bytes no token is: one that is guessed rules the server.
TOKEN = 16

# Sessions of gateways that may hold an episode at a time, unless `serve` is told another number.
SESSIONS = 256

Engine = Literal["sqlite", "postgres"]


def engine_of_environment() -> Engine:
    """Return the engine that `SANDLOT_ENGINE` names, SQLite if it names none."""
    return "postgres" if os.environ.get("SANDLOT_ENGINE") == "postgres" else "sqlite"


class CannotServe(Exception):
    """Raised when something that was asked for is not there. Its text is one line."""


class NoAuthority(CannotServe):
    """Raised when what makes certificates is not installed."""


class NoTraces(CannotServe):
    """Raised when traces are asked for that cannot be sent."""


class NoPostgres(CannotServe):
    """Raised when the PostgreSQL server that stores are to be kept on is not there."""


class NoSenders(CannotServe):
    """Raised when webhooks are to reach hosts and nobody is there to send them."""


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """How to serve: the flags of `sandlot serve`."""

    data: Path
    host: str = "127.0.0.1"
    port: int = 8800
    control_port: int = 8801
    workers: int = 2
    control_host: str = "127.0.0.1"
    domain: str = "localhost"
    tls: bool = False
    engine: Engine = field(default_factory=engine_of_environment)
    browser: Path | None = None
    webhook_hosts: str = ""
    episode_idle: float = USUAL
    gateway_port: int | None = None
    gateway_sessions: int = SESSIONS

    @property
    def shown_host(self) -> str:
        """The bare host as callers are told: an address, or the domain if there are many."""
        if self.host == ANYWHERE and self.domain != "localhost":
            return self.domain
        return reachable(self.host)

    @property
    def routes(self) -> dict[int, str]:
        """Where this machine finds the data plane, if sandboxes' names do not tell it."""
        place = reachable(self.host)
        if self.domain == "localhost" and place == "127.0.0.1":
            return {}
        return {port: f"{place}:{port}" for port in self.ports}

    @property
    def ports(self) -> tuple[int, ...]:
        """The data plane's ports."""
        return worker_ports(self.port, self.control_port, self.workers)

    @property
    def gateway_ports(self) -> tuple[int, ...]:
        """The gateways' ports; none where they are not asked for."""
        return () if self.gateway_port is None else (self.gateway_port, self.gateway_port + 1)


class RunningServer:
    """A server that runs until it is closed; `control_url` and `token` reach its control plane."""

    def __init__(self, options: ServeOptions) -> None:
        _check_senders(options)
        _check_ports(options)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", SETTINGS[options.engine])
        open_stores = stores_each(resource.getrlimit(resource.RLIMIT_NOFILE)[1])
        if options.engine == "postgres":
            open_stores = connections_each(check_postgres(), options.workers + 1)
            os.environ["SANDLOT_OPEN_STORES"] = str(open_stores)
        check_traces()
        options.data.mkdir(parents=True, exist_ok=True)
        (options.data / "logs").mkdir(exist_ok=True)
        from clones.core.webhooks.hosts import HOSTS_FILE  # noqa: PLC0415 - serving only

        # For workers of the queue, which others start: they read it at each delivery.
        (options.data / HOSTS_FILE).write_text(options.webhook_hosts)
        self.options = options
        check_server_key(options.data)
        self.token = control_token(options.data)
        self.control_url = f"http://{reachable(options.control_host)}:{options.control_port}"
        self.authority = _authority(options) if options.tls else None
        self.workers = Workers(
            options.data,
            options.host,
            options.ports,
            open_stores=open_stores,
            store_memory=memory_limit() // 2 // options.workers,
            domain=options.domain,
            tls=options.tls,
        )
        with ExitStack() as undo:  # of a start that fails nothing stays
            undo.callback(self.workers.stop)
            with uncollected():
                self.host = _host(options, self.token, self.authority)
                from episodes.control.app import make_app  # noqa: PLC0415 - needs Django set up
                from sandlot.cli.asgi_server import asgi_server  # noqa: PLC0415 - serving only

            undo.callback(self.host.close)
            self._server = asgi_server(make_app(self.host))
            self._socket = undo.enter_context(_control_socket(options))
            self.gateways = _gateways(options, self.host, self.token)
            if self.gateways is not None:
                undo.callback(self.gateways.close)
                self.host.mcp_origin = self.gateways.mcp_origin
            self.workers.wait_ready()
            if self.gateways is not None:
                self.gateways.start()
            # Whoever asks whether the server is up waits until it is.
            self._thread = threading.Thread(target=self._run, name="control", daemon=True)
            self._thread.start()
            undo.pop_all()

    def _run(self) -> None:
        self._server.run(sockets=[self._socket])

    def wait(self) -> None:
        """Wait until the control plane stops."""
        self._thread.join()

    def close(self) -> None:
        """Stop the gateways, the control plane, the browser and the workers."""
        if self.gateways is not None:
            self.gateways.close()
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


def _check_senders(options: ServeOptions) -> None:
    """Fail early when webhooks are to be sent and nothing would send them.

    Raises:
        NoSenders: Celery's workers run on the stack only.
    """
    on_the_stack = options.engine == "postgres" and os.environ.get("SANDLOT_REDIS")
    if options.webhook_hosts and not on_the_stack:
        raise NoSenders(
            "--webhook-hosts needs Celery's workers, which alone send webhooks: "
            "--engine postgres and SANDLOT_REDIS"
        )


def _control_socket(options: ServeOptions) -> socket.socket:
    """Listen for the control plane."""
    found = socket.create_server((options.control_host, options.control_port), reuse_port=False)
    # Connections inherit it; without it each answer waits 40 ms for an acknowledgement.
    found.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return found


def _check_ports(options: ServeOptions) -> None:
    """Fail early when a port cannot be had; one that was killed may just have served here.

    Raises:
        WorkerFailed: something else listens there.
    """
    patience = ENDING if (options.data / "registry.sqlite").exists() else 0.0
    check_free(options.host, options.ports, patience=patience)
    control = (options.control_port, *options.gateway_ports)
    check_free(options.control_host, control, patience=patience)


def memory_limit() -> int:
    """Return the bytes of memory that this machine, or the container that this is in, has."""
    import psutil  # noqa: PLC0415 - serving only

    total = int(psutil.virtual_memory().total)
    told = MEMORY_LIMIT.read_text().strip() if MEMORY_LIMIT.is_file() else ""
    return min(total, int(told)) if told.isdigit() else total


def stores_each(descriptors: int) -> int:
    """Return how many SQLite stores a worker may keep open, which may open so many files."""
    if descriptors < 0:  # RLIM_INFINITY
        return OPEN_FILES
    return max(20, min(OPEN_FILES, (descriptors - LEFT_TO_CLIENTS) // DESCRIPTORS))


def connections_each(limit: int, processes: int) -> int:
    """Return how many connections each of a server's processes may keep.

    Raises:
        NoPostgres: they are too few to work with.
    """
    each = (limit - LEFT_TO_OTHERS) // processes
    if each < 5:
        raise NoPostgres(
            f"the server that SANDLOT_POSTGRES names allows {limit} connections, too few for"
            f" {processes} processes: raise its max_connections, or serve with fewer --workers"
        )
    return each


def check_postgres() -> int:
    """Ask the server that `SANDLOT_POSTGRES` names how many connections it allows.

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
        with psycopg.connect(url, dbname="postgres", connect_timeout=10) as asked:
            (limit,) = asked.execute("SHOW max_connections").fetchone() or ("0",)
            return int(limit)
    except psycopg.Error as error:
        first = str(error).strip().partition("\n")[0]
        raise NoPostgres(
            f"the server that SANDLOT_POSTGRES names does not answer: {first}"
        ) from error


def check_traces() -> None:
    """Look whether traces can be sent, if the `OTEL_` variables ask for them.

    Raises:
        NoTraces: what sends them is not installed, or another protocol is asked for.
    """
    if not traces.are_wanted(os.environ):
        return
    for name in ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"):
        protocol = os.environ.get(name, "http/protobuf")
        if protocol != "http/protobuf":
            raise NoTraces(f"{name}={protocol} is not built: use http/protobuf")
    try:
        import opentelemetry.exporter.otlp.proto.http  # noqa: F401, PLC0415 - an extra
    except ImportError as error:
        raise NoTraces("OTEL_ variables need the extra `stack`: install sandlot[stack]") from error


def _authority(options: ServeOptions) -> Path:
    """Return the certificate of the private authority, made if there is none.

    Raises:
        NoAuthority: what makes certificates is not installed.
    """
    try:
        from clones.config.authority import make_authority  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise NoAuthority("--tls needs the extra `tls`: install sandlot[tls]") from error
    return make_authority(options.data / "tls")


def check_server_key(data: Path) -> None:
    """Refuse to serve where the file of the server's key holds none.

    Raises:
        CannotServe: it does not: whoever knows that could sign for everybody.
    """
    from clones.core.secret_files import BadSecret  # noqa: PLC0415 - serving only
    from clones.core.server import server_key  # noqa: PLC0415 - serving only

    try:
        server_key(data)
    except BadSecret as error:
        raise CannotServe(str(error)) from error


def control_token(data: Path) -> str:
    """Return the control plane's token, making it (readable by its owner only) if there is none.

    `SANDLOT_TOKEN_FILE` names a file that holds it, where it is not to lie in the data directory.

    Raises:
        CannotServe: the file holds none, or none that can be sent.
    """
    from clones.core.secret_files import (  # noqa: PLC0415 - serving only
        BadSecret,
        read_secret,
        secret_of,
    )

    def make() -> bytes:
        return f"{secrets.token_urlsafe(32)}\n".encode()

    given = os.environ.get("SANDLOT_TOKEN_FILE")
    path = Path(given) if given else data / "control-token"
    try:
        if given:
            found = read_secret(path, least=TOKEN, remedy="write one into it")
        else:
            found = secret_of(path, make, least=TOKEN)
        token = found.decode("ascii").strip()
    except BadSecret as error:
        raise CannotServe(str(error)) from error
    except UnicodeDecodeError as error:
        raise CannotServe(f"{path} holds no token: it is to be of ASCII alone") from error
    except OSError as error:
        raise CannotServe(f"the token in {path} cannot be read: {error.strerror}") from error
    if len(token) < TOKEN:
        raise CannotServe(f"{path} holds no secret of {TOKEN} bytes without blanks around it")
    return token


def _host(options: ServeOptions, token: str, authority: Path | None) -> ControlPlane:
    setup_django(options.data, options.domain)
    from episodes.control_plane import ControlPlane  # noqa: PLC0415 - needs Django set up
    from episodes.presentation import Addresses  # noqa: PLC0415 - needs Django set up

    addresses = Addresses(
        options.shown_host,
        options.domain,
        options.ports,
        scheme="http" if authority is None else "https",
        routes=options.routes,
        authority=authority,
    )
    host = ControlPlane(
        addresses, token, browser=options.browser, idle_seconds=options.episode_idle
    )
    host.open()
    return host


def _gateways(options: ServeOptions, host: ControlPlane, token: str) -> RunningGateways | None:
    """Return the gateways if they are asked for; beyond this machine they want the token."""
    if options.gateway_port is None:
        return None
    from sandlot.cli.gateways import RunningGateways  # noqa: PLC0415 - few servers have them

    return RunningGateways(
        host.episodes,
        host=options.control_host,
        port=options.gateway_port,
        secret=token,
        keyed=not is_loopback(options.control_host),
        capacity=options.gateway_sessions,
        idle_seconds=options.episode_idle or math.inf,
    )


def is_loopback(host: str) -> bool:
    """Tell whether what listens on `host` is reached from this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def setup_django(data: Path, domain: str = "localhost") -> None:
    """Start Django in this process, for a server's data directory."""
    os.environ["SANDLOT_DATA"] = str(data)
    os.environ["SANDLOT_DOMAIN"] = domain
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", SETTINGS[engine_of_environment()])
    os.environ.setdefault("SANDLOT_PROCESS", "control")
    import django  # noqa: PLC0415 - after the settings are named

    with uncollected():
        django.setup()
