"""What the processes of a server hold: memory, descriptors, what is gone; and its disk."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

MB = 2**20
# Records are what a run is for; the pool fills up when nobody calls, to so many clones.
RECORDS_AND_POOL = ("episodes", "requests", "pool")


@dataclass(frozen=True, slots=True)
class Growth:
    """By how much something grows with each thousand, and what it came to at the end."""

    what: str
    unit: str
    per_thousand: float
    last: float

    def __str__(self) -> str:
        return f"{self.what}: {self.per_thousand:+.1f} {self.unit} a thousand, {self.last:.1f} now"


@dataclass
class Watch:
    """Looks at the server of a process and its data folder, and fits a line to what it saw."""

    pid: int
    data: Path
    seen: dict[tuple[str, str], list[tuple[int, float]]] = field(default_factory=dict)

    def processes(self) -> Iterator[tuple[str, psutil.Process]]:
        """Yield the server's processes, each with a name that tells what it is."""
        root = psutil.Process(self.pid)
        yield "control", root
        numbers: dict[str, int] = {}
        for process in sorted(root.children(recursive=True), key=lambda one: one.pid):
            words = process.cmdline()
            kind = next((word for word in words if word.startswith("clones.config.")), words[0])
            name = kind.rpartition(".")[2].rpartition("/")[2]
            numbers[name] = numbers.get(name, 0) + 1
            yield f"{name} {numbers[name]}", process

    def look(self, done: int, *, within: float) -> list[str]:
        """Note what there is after `done` of what is repeated, once what is gone was let go of.

        Return what is still held of it after so many seconds.
        """
        held = self.let_go(within)
        for name, process in self.processes():
            self._note(name, "MB", done, process.memory_info().rss / MB)
            self._note(name, "descriptors", done, process.num_fds())
        self._note("disk", "MB", done, self.disk() / MB)
        return held

    def _note(self, name: str, unit: str, done: int, value: float) -> None:
        self.seen.setdefault((name, unit), []).append((done, value))

    def disk(self) -> int:
        """Return the bytes of the data folder without records and the pool of ready clones."""
        total = 0
        for folder, below, names in os.walk(self.data):
            if Path(folder) == self.data:
                below[:] = [name for name in below if name not in RECORDS_AND_POOL]
            for name in names:
                with suppress(FileNotFoundError):  # deleted meanwhile
                    total += (Path(folder) / name).lstat().st_blocks * 512
        return total

    def growth(self) -> list[Growth]:
        """Return the slope of everything that was looked at."""
        found = []
        for (name, unit), points in self.seen.items():
            done, values = zip(*points, strict=True)
            slope = statistics.linear_regression(done, values).slope
            found.append(Growth(name, unit, slope * 1000, values[-1]))
        return found

    def held(self) -> list[str]:
        """Return what the processes hold of what is gone: deleted files, ended connections."""
        found = []
        for name, process in self.processes():
            for path in Path(f"/proc/{process.pid}/fd").iterdir():
                with suppress(FileNotFoundError):  # closed meanwhile
                    target = str(path.readlink())
                    if target.startswith(str(self.data)) and target.endswith(" (deleted)"):
                        found.append(f"{name}: {target}")
            found += [
                f"{name}: {one.raddr} has hung up"
                for one in process.net_connections("tcp")
                if one.status == psutil.CONN_CLOSE_WAIT
            ]
        return found

    def let_go(self, within: float) -> list[str]:
        """Wait so many seconds for nothing to be held of what is gone; return what still is."""
        deadline = time.monotonic() + within
        while (found := self.held()) and time.monotonic() < deadline:
            time.sleep(0.1)
        return found
