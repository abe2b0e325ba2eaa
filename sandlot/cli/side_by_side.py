"""Commands that run beside each other, so many at a time."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, TextIO

# One line at a time, whoever writes.
_WRITING: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that has ended: its exit status and all that it printed on standard output."""

    status: int
    printed: str


def run_side_by_side(
    commands: Sequence[Sequence[str]], at_once: int
) -> Generator[Ended, None, None]:
    """Run commands, `at_once` of them at a time, and yield how each ended, in their order.

    What they print on standard error is printed on ours, by whole lines, as it comes. Commands that
    wait are not begun once the caller stops asking; those that run are ended.
    """
    running: list[subprocess.Popen[str]] = []
    stopped = threading.Event()
    beginning = threading.Lock()

    def begin(command: Sequence[str]) -> subprocess.Popen[str] | None:
        with beginning:
            if stopped.is_set():
                return None
            process = subprocess.Popen(  # noqa: S603 - commands of ours
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            running.append(process)
            return process

    def run(command: Sequence[str]) -> Ended:
        begun = begin(command)
        if begun is None:
            return Ended(-1, "")
        with begun as process:
            telling = threading.Thread(target=_pass_on, args=(process.stderr,))
            telling.start()
            printed = "".join(process.stdout or ())
            telling.join()
        return Ended(process.returncode, printed)

    with ThreadPoolExecutor(at_once) as threads:
        try:
            yield from threads.map(run, commands)
        finally:
            with beginning:
                stopped.set()
            for process in running:
                if process.poll() is None:
                    process.terminate()


def _pass_on(lines: TextIO | None) -> None:
    for line in lines or ():
        with _WRITING:
            sys.stderr.write(line)
            sys.stderr.flush()
