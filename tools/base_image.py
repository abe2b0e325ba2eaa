"""Make the image `sandlot/base` of the distribution's packages, where no image registry is.

    python tools/base_image.py

It is a minimal Debian with Python and the authorities that this machine trusts. It fetches packages
as this machine does, whose sources of apt and pip are copied into it: it is for this machine alone.
`compose/Dockerfile` takes it as `BASE_IMAGE`.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import docker

NAME = "sandlot/base"
SUITE = "bookworm"
PACKAGES = "python3,python3-venv,ca-certificates"
AUTHORITIES = Path("etc/ssl/certs/ca-certificates.crt")
SOURCES = ("etc/apt/sources.list", "etc/apt/sources.list.d/debian.sources")
LEFT_OUT = (
    "var/cache/apt", "var/lib/apt/lists", "var/log", "usr/share/doc", "usr/share/man",
    "usr/share/info", "usr/share/locale", "usr/lib/python3.11/test",
)  # fmt: skip
PIP_SETTINGS = ("INDEX_URL", "EXTRA_INDEX_URL")
PATIENCE = 900


class Missing(Exception):
    """What hinders the making of an image, in words that say what to do."""


def distribution() -> Mapping[str, str]:
    """Return what the machine says of its distribution, nothing if it says nothing."""
    try:
        return platform.freedesktop_os_release()
    except OSError:
        return {}


def mirror(root: Path = Path("/")) -> list[str]:
    """Return where the machine's own packages come from, as an argument; nothing if unsaid."""
    for source in SOURCES:
        place = root / source
        for line in place.read_text().splitlines() if place.is_file() else []:
            words = line.split()
            if words[:1] in (["URIs:"], ["deb"]):
                return [word for word in words[1:] if "://" in word][:1]
    return []


def bootstrap(folder: Path, packages: str = PACKAGES) -> None:
    """Unpack a minimal Debian with some packages, parted by commas, into a folder.

    Raises:
        Missing: something is not there, or the packages cannot be fetched.
    """
    if os.geteuid() != 0:
        raise Missing("only root can make it: run it as root, or name another image in BASE_IMAGE")
    if shutil.which("debootstrap") is None and shutil.which("apt-get"):
        run(["apt-get", "-qq", "update"])
        run(["apt-get", "-qq", "install", "-y", "--no-install-recommends", "debootstrap"])
    if shutil.which("debootstrap") is None:
        raise Missing(
            "no debootstrap found: install it (Debian, Ubuntu: apt-get install debootstrap)"
        )
    ours = distribution()
    debian = ours.get("ID") == "debian"
    suite = ours.get("VERSION_CODENAME", SUITE) if debian else SUITE
    run(["debootstrap", "--variant=minbase", f"--include={packages}", suite, folder,
         *(mirror() if debian else [])])  # fmt: skip
    settle(folder, debian=debian)


def settle(folder: Path, *, debian: bool) -> None:
    """Let the new system trust and fetch as this one does, and leave out what no image needs."""
    authorities = Path("/") / AUTHORITIES
    if authorities.is_file():
        (folder / AUTHORITIES).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(authorities, folder / AUTHORITIES)
    if debian:
        for source in SOURCES:
            (folder / source).unlink(missing_ok=True)
            if (Path("/") / source).is_file():
                shutil.copy(Path("/") / source, folder / source)
    for rules in sorted(Path("/etc/apt/apt.conf.d").glob("*")):
        if rules.is_file() and "Acquire::" in rules.read_text():
            shutil.copy(rules, folder / "etc/apt/apt.conf.d" / rules.name)
    pip = Path("/etc/pip.conf").read_text() if Path("/etc/pip.conf").is_file() else ""
    named = [name for name in PIP_SETTINGS if os.environ.get(f"PIP_{name}")]
    lines = [f"{name.lower().replace('_', '-')} = {os.environ[f'PIP_{name}']}" for name in named]
    (folder / "etc/pip.conf").write_text("\n".join([pip or "[global]", *lines]) + "\n")
    for place in LEFT_OUT:
        shutil.rmtree(folder / place, ignore_errors=True)
        (folder / place).mkdir(parents=True)


def run(command: list[str | Path]) -> None:
    """Run a command quietly.

    Raises:
        Missing: it fails.
    """
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        timeout=PATIENCE, env=env, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode:
        last = (done.stdout.strip().splitlines() or ["no word"])[-1]
        raise Missing(f"{command[0]} failed: {last}")


def make(client: docker.DockerClient, name: str = NAME) -> None:
    """Make the image.

    Raises:
        Missing: something is not there, or the packages cannot be fetched.
    """
    with tempfile.TemporaryDirectory(prefix="sandlot-base-") as folder:
        system = Path(folder) / "system"
        bootstrap(system)
        with subprocess.Popen(["tar", "-C", system, "-c", "."], stdout=subprocess.PIPE) as packed:
            client.api.import_image_from_stream(packed.stdout, repository=name, tag="latest")
        if packed.returncode:
            raise Missing("tar failed: is the disk full?")


def main() -> int:
    """Make the image, and say how long it took and how large it is."""
    started = time.monotonic()
    try:
        client = docker.from_env()
        client.ping()
        make(client)
    except docker.errors.DockerException as error:
        print(f"base-image: no Docker engine answers: start one ({error})", file=sys.stderr)
        return 3
    except Missing as error:
        print(f"base-image: {error}", file=sys.stderr)
        return 3
    size = client.images.get(NAME).attrs["Size"] / 1e6
    print(f"base-image: {NAME}, {size:.0f} MB ({time.monotonic() - started:.0f} s)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
