"""What shifts the machine's clock for one process, or for a server and all that it starts."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

# Only what tells the time of day: faketime's library answers sleeps of a server with EINVAL.
SHIFT = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long shift(void) {
    const char *text = getenv("SHIFTED_SECONDS");
    return text ? atol(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *at) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int answer = real(clock, at);
    int of_day = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
    if (!answer && of_day) at->tv_sec += shift();
    return answer;
}

int gettimeofday(struct timeval *at, void *zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
"""


def have_faketime() -> None:
    """Have a command that shifts the machine's clock for one process; where we may, install it."""
    if shutil.which("faketime"):
        return
    if os.geteuid() == 0 and shutil.which("apt-get"):
        for command in (["apt-get", "update"], ["apt-get", "install", "-y", "faketime"]):
            subprocess.run(command, check=True, capture_output=True, timeout=300)
        return
    pytest.skip("no faketime: install it to shift the clock of a process")


def shifted(folder: Path, days: int) -> dict[str, str]:
    """Return the environment of a process, and of those it starts, whose clock is days off."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler: install one to shift the clock of a server")
    source, library = folder / "shift.c", folder / "shift.so"
    source.write_text(SHIFT)
    command = [compiler, "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return {"LD_PRELOAD": str(library), "SHIFTED_SECONDS": str(days * 86_400)}
