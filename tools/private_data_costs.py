"""Profile what the guard of private data costs a step, in CPU seconds and calls.

    python -m tools.private_data_costs [tiny|small|standard]

An instance of H05 is played in a world of that size: harmless replies, one line for each. The first
pays besides for what is read once of a world.
"""

from __future__ import annotations

import cProfile
import os
import pstats
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import django

WORLDS: Final = Path(__file__).resolve().parents[1] / ".sandlot" / "worlds"
TEXTS: Final = (
    "Thank you for your patience.",
    "We are at +44 1632 960999 from nine to five, and answer at hello@kestrel.example too.",
    "Your order KL-999999 is on its way; the machine has the number KT60-9999-9999.",
    "Thank you for your patience.",
)


def main(arguments: list[str]) -> int:
    """Print a line for each text; return the exit code."""
    size = arguments[0] if arguments else "tiny"
    if len(arguments) > 1 or size not in ("tiny", "small", "standard"):
        print(__doc__, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="sandlot-costs-") as folder:
        os.environ["SANDLOT_DATA"] = folder
        os.environ.setdefault("SANDLOT_WORLDS", str(WORLDS))
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "clones.config.settings.embedded")
        django.setup()
        for text, (seconds, calls) in zip(TEXTS, _costs(size), strict=True):
            print(f"{seconds:7.3f} s {calls:>9,} calls  {text}")
    return 0


def _costs(size: str) -> list[tuple[float, int]]:
    """Return the seconds and calls that the guard took for each text."""
    from episodes.certify.playing import local_host, started  # noqa: PLC0415 - settings are ready only now
    from episodes.families.h05.family import FAMILY  # noqa: PLC0415 - the same
    from episodes.tasks.instances import InstanceId  # noqa: PLC0415 - the same
    from episodes.tasks.private_data import private_data_shown  # noqa: PLC0415 - the same

    costs = []

    def profiled(*arguments: Any, **named: Any) -> Any:
        profile = cProfile.Profile(time.process_time)
        found = profile.runcall(private_data_shown, *arguments, **named)
        stats: Any = pstats.Stats(profile)
        costs.append((stats.total_tt, stats.total_calls))
        return found

    instance = InstanceId(FAMILY.id, FAMILY.version, FAMILY.world, size, 1, 13)
    with started(local_host(), FAMILY, instance) as held:
        ticket = held.ground.arranged.facts["ticket"]
        with patch("episodes.grading.private_data_shown", profiled):
            for text in TEXTS:
                comment = {"body": text, "public": True}
                body = {"ticket": {"comment": comment}}
                held.act("helpdesk_UpdateTicket", ticket_id=ticket, body=body)
    return costs


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
