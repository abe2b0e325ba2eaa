"""Public clients, each in an environment of its own: never imported, only run.

Their licences and pinned dependencies stay out of ours; what they are run with is what their users
would run them with.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
FOLDER = CACHE / "sandlot" / "clients"
PATIENCE = 300
# Installing is slow where others work beside it.
INSTALLING = 900
# What uv, npm and apt say of a registry that is not there; of a package that is not there they say
# that none matches.
UNREACHABLE = re.compile(
    r"client error \(Connect\)|Temporary failure (in name resolution|resolving)"
    r"|Name or service not known|Network is unreachable|operation timed out"
    r"|\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT)\b"
)


def client_python(
    name: str,
    requirements: Sequence[str],
    *,
    alone: Sequence[str] = (),
    by: Path = Path(sys.executable),
) -> Path:
    """Return the Python of an environment that has `requirements` (pinned, as pip takes them).

    What is to be there `alone` is installed without what it says that it needs. The environment is
    made at the first call, of the Python `by`, and kept in the user's cache, by the hash of the
    requirements; where no registry answers, the test is skipped.

    Raises:
        subprocess.CalledProcessError: the requirements cannot be installed; uv's words are in it.
    """
    version = f"python {'.'.join(map(str, _version(by)[:2]))}"
    wanted = "\n".join([version, *requirements, *(f"{one} alone" for one in alone)])
    digest = hashlib.sha256(wanted.encode()).hexdigest()[:12]
    target = FOLDER / f"{name}-{digest}"
    python = target / "bin" / "python"
    if (target / "complete").exists():
        return python
    FOLDER.mkdir(parents=True, exist_ok=True)
    with _alone(FOLDER / f"{name}.lock"):
        if not (target / "complete").exists():
            _make(target, requirements, alone, by)
    return python


def python_from(*version: int) -> Path | None:
    """Return a Python of this version or a newer one: ours, one on the path, or one of pyenv's."""
    if sys.version_info[:2] >= version:
        return Path(sys.executable)
    named = [f"python3.{minor}" for minor in range(version[1], version[1] + 4)]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found = [*map(shutil.which, named), *sorted(pyenv.glob("3.*/bin/python3"))]
    return next((Path(one) for one in found if one and _version(Path(one))[:2] >= version), None)


@cache
def _version(python: Path) -> tuple[int, ...]:
    """Return the version of a Python; none of a program that does not run."""
    if python == Path(sys.executable):
        return tuple(sys.version_info[:2])
    asked = [str(python), "-c", "import sys; print(*sys.version_info[:2])"]
    told = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=PATIENCE)
    return tuple(map(int, told.stdout.split())) if told.returncode == 0 else ()


def client_modules(name: str, lock: Path) -> Path:
    """Return a folder of Node's packages: those that a `package-lock.json` pins, by their hashes.

    It is made at the first call and kept in the user's cache, by the hash of the lock; where no
    registry answers, the test is skipped.

    Raises:
        subprocess.CalledProcessError: they cannot be installed; npm's words are in it.
    """
    digest = hashlib.sha256(lock.read_bytes()).hexdigest()[:12]
    target = FOLDER / f"{name}-{digest}"
    if not (target / "complete").exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        with _alone(FOLDER / f"{name}.lock"):
            if not (target / "complete").exists():
                _make_modules(target, lock)
    return target / "node_modules"


def _make_modules(target: Path, lock: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    for file in (lock, lock.with_name("package.json")):
        shutil.copy(file, target)
    npm = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(target)]
    _run(npm)
    (target / "complete").write_text(lock.name + "\n", encoding="utf-8")


def install_node() -> bool:
    """Tell whether Node and npm are here; where we may, install the distribution's first."""
    programs = ("node", "npm")
    if not all(map(shutil.which, programs)) and os.geteuid() == 0 and shutil.which("apt-get"):
        FOLDER.mkdir(parents=True, exist_ok=True)
        with _alone(FOLDER / "install-node.lock"):
            if not all(map(shutil.which, programs)):
                _run(["apt-get", "-qq", "update"])
                _run(
                    ["apt-get", "-qq", "install", "-y", "--no-install-recommends", "nodejs", "npm"]
                )
    return all(map(shutil.which, programs))


def _make(target: Path, requirements: Sequence[str], alone: Sequence[str], by: Path) -> None:
    """Make an environment; one that a broken run left half-made is made anew.

    By uv, which takes a twentieth of pip's processor time. It gets no pip of its own, and what a
    client does not import is not compiled.
    """
    shutil.rmtree(target, ignore_errors=True)
    _run([str(by), "-m", "venv", "--without-pip", str(target)])
    install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", *_registry()]
    install += ["--python", str(target / "bin" / "python")]
    _run([*install, *requirements])
    if alone:
        _run([*install, "--no-deps", *alone])
    (target / "complete").write_text("\n".join(requirements) + "\n", encoding="utf-8")


@cache
def _registry() -> tuple[str, ...]:
    """Return what tells uv of the registry that pip is set up with, if it is with one."""
    asked = [sys.executable, "-m", "pip", "config", "get"]
    for place in ("global.index-url", "install.index-url", ":env:.index-url"):
        told = subprocess.run([*asked, place], capture_output=True, text=True, check=False)
        if told.returncode == 0:
            return ("--default-index", told.stdout.strip())
    return ()


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=INSTALLING)
    except subprocess.CalledProcessError as error:
        if UNREACHABLE.search(error.stderr):
            pytest.skip(f"no registry answers {Path(command[0]).name}")
        error.add_note(error.stderr[-2000:])
        raise


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Let one process at a time into the block; who dies in it lets the next one in."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def run_client(
    python: Path, script: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a script with a client's Python, in an empty home, and return what came of it.

    `environment` is added to the little that the client gets.

    Raises:
        subprocess.TimeoutExpired: it hangs.
    """
    return _run_apart([str(python), "-I", str(script), *arguments], environment)


def run_node(
    modules: Path, script: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a script with Node and a folder of packages, as `run_client` does with Python.

    Raises:
        subprocess.TimeoutExpired: it hangs.
    """
    given = {"NODE_PATH": str(modules), **environment}
    return _run_apart(["node", str(script), *arguments], given)


def _run_apart(
    command: list[str], environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory(prefix="sandlot-client-") as home:
        return subprocess.run(
            command,
            check=False,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            cwd=home,
            env={"HOME": home, "PATH": os.environ.get("PATH", ""), "NO_PROXY": "*", **environment},
        )
