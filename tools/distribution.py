"""What the distribution's packages have to give: programs, and libraries that a program lacks.

Runs on the machine's own Python, with nothing installed. Only `apt-get` is spoken, and only by
root: elsewhere nothing is installed, and who asked is told what is missing.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

NAMED = re.compile(r"(?P<name>lib.+?)\.so(?:\.(?P<version>\d+))?(?:\.\d+)*")


def run(
    command: list[str | Path], *, seconds: float, env: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """Run a command quietly and return its exit code and its output; 124 when it took too long."""
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
            env={**os.environ, **(env or {})},
        )
    except subprocess.TimeoutExpired:
        return 124, f"gave up after {seconds:.0f} s"
    except OSError as error:
        return 127, str(error)
    return done.returncode, done.stdout


def may_install() -> bool:
    """Tell whether packages of the distribution can be installed from here."""
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def install(*candidates: str) -> bool:
    """Install the first of some packages that there is, where we may; tell whether one is."""
    env = {"DEBIAN_FRONTEND": "noninteractive"}
    if not may_install():
        return False
    # A machine may have no lists of packages, or old ones; one that cannot be had hinders no other.
    run(["apt-get", "-qq", "update"], seconds=300, env=env)
    # Right after its start a machine may be busy installing what it was told to keep up to date.
    command: list[str | Path] = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120", "install", "-y"]
    return any(run([*command, name], seconds=900, env=env)[0] == 0 for name in candidates)


def missing_libraries(program: Path) -> list[str]:
    """Return the libraries that a program lacks, as its loader names them (`libatomic.so.1`)."""
    code, output = run(["ldd", program], seconds=60)
    lacks = re.findall(r"^\s*(\S+) => not found", output, re.MULTILINE)
    return [] if code else list(dict.fromkeys(lacks))


def install_libraries(program: Path) -> list[str]:
    """Install the packages of the libraries that a program lacks; return those it lacks still."""
    tried: set[str] = set()
    # One package brings others along, and a library that is there now may need some itself.
    while may_install():
        library = next((name for name in missing_libraries(program) if name not in tried), None)
        if library is None:
            break
        tried.add(library)
        install(*packages_of(library))
    return missing_libraries(program)


def packages_of(library: str) -> Iterator[str]:
    """Yield the names that the package of a library has by Debian's rules, likeliest first.

    A library's package is named for the library and its version, with a hyphen between two digits
    (libX11.so.6: libx11-6). Many leave out the hyphen before a version within the name
    (libglib-2.0.so.0: libglib2.0-0), and those whose times had 32 bits end in `t64` since.
    """
    parts = NAMED.fullmatch(library)
    if parts is None:
        return
    name, version = parts["name"].lower().replace("_", "-"), parts["version"] or ""
    for stem in dict.fromkeys((name, re.sub(r"-(?=\d)", "", name))):
        package = f"{stem}{'-' if version and stem[-1].isdigit() else ''}{version}"
        yield package
        yield f"{package}t64"


def package_of(library: str) -> str:
    """Return the package of a library: the first of its names that apt knows, or the likeliest."""
    names = list(packages_of(library)) or [library]
    for name in names:
        if "Package: " in run(["apt-cache", "show", name], seconds=60)[1]:
            return name
    return names[0]
