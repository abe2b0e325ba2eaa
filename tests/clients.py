"""Public clients, each in a virtual environment of its own: never imported, only run.

Their licences and pinned dependencies stay out of ours; what they are run with is what their users
would run them with.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".venvs"
PATIENCE = 300


def client_python(name: str, requirements: Sequence[str]) -> Path:
    """Return the Python of an environment that has `requirements` (pinned, as pip takes them).

    It is made at the first call and kept under `.venvs`, by the hash of the requirements.

    Raises:
        subprocess.CalledProcessError: the requirements cannot be installed; pip's words are in it.
    """
    wanted = "\n".join([f"python {sys.version_info[0]}.{sys.version_info[1]}", *requirements])
    digest = hashlib.sha256(wanted.encode()).hexdigest()[:12]
    target = FOLDER / f"{name}-{digest}"
    python = target / "bin" / "python"
    if (target / "complete").exists():
        return python
    FOLDER.mkdir(exist_ok=True)
    with _alone(FOLDER / f"{name}.lock"):
        if not (target / "complete").exists():
            _make(target, requirements)
    return python


def _make(target: Path, requirements: Sequence[str]) -> None:
    """Make an environment; one that a broken run left half-made is made anew."""
    shutil.rmtree(target, ignore_errors=True)
    _run([sys.executable, "-m", "venv", str(target)])
    pip = [str(target / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    _run([*pip, "install", "--quiet", *requirements])
    (target / "complete").write_text("\n".join(requirements) + "\n", encoding="utf-8")


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.CalledProcessError as error:
        error.add_note(error.stderr[-2000:])
        raise


@contextmanager
def _alone(lock: Path) -> Iterator[None]:
    """Let one process at a time into the block; a lock that outlived its process is dropped."""
    deadline = time.monotonic() + 2 * PATIENCE
    while True:
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            break
        except FileExistsError:
            if time.monotonic() > deadline:
                lock.unlink(missing_ok=True)
            time.sleep(0.2)
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)


def run_client(
    python: Path, script: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a script with a client's Python, in an empty home, and return what came of it.

    `environment` is added to the little that the client gets.

    Raises:
        subprocess.TimeoutExpired: it hangs.
    """
    with tempfile.TemporaryDirectory(prefix="sandlot-client-") as home:
        return subprocess.run(
            [str(python), "-I", str(script), *arguments],
            check=False,
            capture_output=True,
            text=True,
            timeout=120,
            cwd=home,
            env={"HOME": home, "PATH": os.environ.get("PATH", ""), "NO_PROXY": "*", **environment},
        )
