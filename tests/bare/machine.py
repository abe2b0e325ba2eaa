"""A machine with nothing on it but what the README asks for: the smallest Debian, in a folder.

Each command runs in name spaces of its own, for mounts and for processes: what it mounts no other
process sees, and with its first process all end, also where a command is given up. It fetches
packages as this machine does: the configuration of apt and pip, the authorities and the folders of
packages that they name are handed over as they are found here.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.project.paths import ROOT
from tools import base_image

PACKAGES = "python3,python3-venv,make,git"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
USER = "player"
BUNDLE = "sandlot.bundle"
# Variables by which programs are told whom to trust and through whom to ask.
NETWORK = (
    *("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS"),
    *("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"),
)
NAME_SPACES = ("unshare", "--mount", "--propagation=private", "--pid", "--fork", "--kill-child")
# $1: the machine's folder, $2: its user; then folders to be seen in it, `--`, the command. The
# shell stays, as the first process: it ends last, and takes in what others leave behind.
INSIDE = """
root=$1 user=$2
shift 2
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/dev/shm"
while [ "$1" != -- ]; do
  mount --bind -o ro "$1" "$root$1"
  shift
done
shift
chroot "$root" setpriv --reuid="$user" --regid="$user" --init-groups "$@"
"""


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a command: its exit code, and what it said on both streams."""

    code: int
    said: str

    def lines(self, start: str) -> list[str]:
        """Return the lines that begin so."""
        return [line for line in self.said.splitlines() if line.startswith(start)]


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine in a folder; `shared` are folders of this one that are seen in it."""

    root: Path
    shared: tuple[Path, ...]

    def run(
        self, *command: str, user: str, seconds: float, cwd: str = "/", **variables: str
    ) -> Done:
        """Run a command as somebody, in an environment that holds nothing else.

        Raises:
            subprocess.TimeoutExpired: it takes longer; it was ended, with all that it started.
        """
        given = {name: os.environ[name] for name in NETWORK if os.environ.get(name)}
        given |= {"PATH": PATH, "HOME": home(user), **variables}
        words = ["env", "-i", f"--chdir={cwd}", *(f"{name}={text}" for name, text in given.items())]
        done = subprocess.run(
            [*NAME_SPACES, "sh", "-euc", INSIDE, "sh", self.root, user, *self.shared, "--",
             *words, *command],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            check=False, timeout=seconds,
        )  # fmt: skip
        return Done(done.returncode, done.stdout)

    def copy(self, folder: Path) -> Machine:
        """Return another machine like this one."""
        subprocess.run(["cp", "-a", "--reflink=auto", self.root, folder], check=True, timeout=600)
        return Machine(folder, self.shared)

    def clone(self, user: str) -> str:
        """Clone what is committed of this checkout into a new home of somebody; return where."""
        place = f"{home(user)}/sandlot"
        for command in (
            ("install", "-d", "-o", user, "-g", user, home(user)),
            ("setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups",
             "git", "clone", "--quiet", f"/{BUNDLE}", place),
        ):  # fmt: skip
            done = self.run(*command, user="root", seconds=300)
            assert done.code == 0, done.said
        return place


def home(user: str) -> str:
    """Return the home that a machine's user has: nothing is in it at first."""
    return f"/home/{user}"


@contextmanager
def bare_machine(folder: Path) -> Iterator[Machine]:
    """Make a machine in a folder that is removed at the end; skip where this one can have none.

    Its users are `root` and `player`.
    """
    root = folder / "base"
    try:
        _check_name_spaces()
        base_image.bootstrap(root, PACKAGES)
        base_image.settle(root, debian=base_image.distribution().get("ID") == "debian")
    except base_image.Missing as missing:
        pytest.skip(f"no bare machine: {missing}")
    machine = Machine(root, _hand_over_pip(root))
    for variable in NETWORK:
        _hand_over(root, os.environ.get(variable, ""))
    for name in ("resolv.conf", "hosts"):
        shutil.copy(Path("/etc") / name, root / "etc" / name)
    bundle: list[str | Path] = ["git", "bundle", "create", "--quiet", root / BUNDLE, "HEAD"]
    subprocess.run(bundle, check=True, cwd=ROOT, timeout=300)
    made = machine.run("useradd", "--no-create-home", "--user-group", USER, user="root", seconds=60)
    assert made.code == 0, made.said
    yield machine


def _check_name_spaces() -> None:
    """Look whether this machine lets us mount where nobody else sees it.

    Raises:
        Missing: it does not.
    """
    trial = [*NAME_SPACES, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    if shutil.which("unshare") is None:
        raise base_image.Missing("no unshare found: install util-linux")
    done = subprocess.run(trial, capture_output=True, text=True, check=False, timeout=60)
    if done.returncode:
        raise base_image.Missing(f"nobody may mount here: {done.stderr.strip()}")


def _hand_over_pip(root: Path) -> tuple[Path, ...]:
    """Write what this machine's pip is configured to; return the folders of packages it names."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    sections: dict[str, dict[str, str]] = {"global": {}}
    # What a variable says is listed last, and counts more than what a file says.
    for line in sorted(said.splitlines(), key=lambda line: line.startswith(":env:")):
        key, _, text = line.partition("=")
        section, _, name = key.rpartition(".")
        where = sections.setdefault(section.replace(":env:", "global"), {})
        where[name] = str(ast.literal_eval(text))
    lines, folders = [], []
    for section, settings in sections.items():
        lines.append(f"[{section}]")
        for name, text in settings.items():
            lines.append(f"{name} = " + "\n    ".join(text.split()))
            folders += _hand_over(root, text)
    (root / "etc" / "pip.conf").write_text("\n".join(lines) + "\n")
    return tuple(folders)


def _hand_over(root: Path, text: str) -> list[Path]:
    """Copy the files that a setting names; make place for the folders it names, and return them."""
    folders = []
    for word in text.split():
        place = Path(word.removeprefix("file://"))
        if not place.is_absolute() or not place.exists():
            continue
        there = root / place.relative_to("/")
        if place.is_file():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(place, there)
            continue
        # An index of packages may name its files from beside it.
        shared = place.parent if place.name == "simple" else place
        (root / shared.relative_to("/")).mkdir(parents=True, exist_ok=True)
        folders.append(shared)
    return folders
