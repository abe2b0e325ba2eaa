"""What is said on work, and the hours that are logged: it fits what the work is at the time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Final

from seeds.draw import chance
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.engineering.model import Move, Space, Work
from seeds.kestrel.engineering.text import WorkWriter

if TYPE_CHECKING:
    from seeds.kestrel.engineering.work import Team

QUIET: Final = 0.35  # work that nobody says anything about
BOTS: Final = 0.11  # comments that are an app's
LOGGED: Final = 0.12  # work on which time is logged
CLOSING: Final = {"Won't Do": "wont", "Cannot Reproduce": "cannot"}
PHASES: Final = {"In Progress": "doing", "In Review": "review", "Done": "done"}
# What apps say, by the app's place among them, and while what.
APPS: Final = {
    "doing": ((0, "build"), (0, "build"), (1, "crash")),
    "review": ((0, "build"), (0, "merged")),
    "done": ((0, "merged"),),
    "open": ((1, "crash"), (2, "stale")),
}


class WorkTalk:
    """Adds comments and work logs to the moves of work."""

    def __init__(self, teams: dict[str, Team], hours: Callable[[datetime], datetime]) -> None:
        self.teams = teams
        # Puts a moment into the hours in which people work.
        self.hours = hours

    def add(self, rng: Random, work: Work, space: Space, writer: WorkWriter) -> None:
        """Let people, and apps, talk about a piece of work; about a third of it nobody does."""
        said: set[str] = set()
        closing = self._closing(rng, work, writer)
        if not chance(rng, QUIET):
            count = 1 + min(int(rng.expovariate(0.5)), 22)
            for at in sorted(self._moment(rng, work) for _ in range(count)):
                found = self._next_comment(rng, work, space, writer, at)
                text = "" if found is None or found.said is None else str(found.said.blocks[0])
                # Nobody says the same twice.
                if found is not None and text not in said:
                    said.add(text)
                    work.moves.append(found)
        work.moves += closing
        if chance(rng, 0.75 if work.start.get("estimate") else LOGGED):
            self._log(rng, work, space)
        work.moves.sort(key=lambda move: move.at)

    def _closing(self, rng: Random, work: Work, writer: WorkWriter) -> list[Move]:
        """Return why it was closed undone, why it was opened again, what stands in its way."""
        found: list[Move] = []
        for move in work.moves:
            bank = CLOSING.get(str(move.changes.get("resolution")), "")
            if bank and chance(rng, 0.75):
                before = max(move.at - timedelta(minutes=rng.randrange(1, 6)), work.created)
                found.append(Move(before, move.actor, said=writer.comment(bank)))
            elif move.changes.get("status") == "To Do" and chance(rng, 0.85):
                after = move.at + timedelta(minutes=rng.randrange(1, 5))
                found.append(Move(after, move.actor, said=writer.comment("reopened")))
            elif move.changes.get("flag"):
                after = move.at + timedelta(seconds=rng.randrange(8, 50))
                found.append(Move(after, move.actor, said=writer.comment("flagged")))
        return [move for move in found if move.at < PRESENT]

    def _next_comment(
        self, rng: Random, work: Work, space: Space, writer: WorkWriter, at: datetime
    ) -> Move | None:
        team, phase = self.teams[space.key], _phase(work, at)
        if work.type == "Epic":
            return Move(at, team.somebody(rng, at).index, said=writer.comment("epic_said"))
        if chance(rng, BOTS):
            app, bank = rng.choice(APPS[phase])
            if (bank == "crash" and work.type != "Bug") or (
                bank == "stale" and at - _touched(work.moves, at, work.created) < timedelta(60)
            ):
                return None
            return Move(at, team.apps[app].index, said=writer.comment(bank))
        speaker = work.reporter if chance(rng, 0.25) else team.somebody(rng, at).index
        kind = "bug" if work.type == "Bug" else "work"
        return Move(at, speaker, said=writer.comment(f"{kind}_{phase}"))

    def _log(self, rng: Random, work: Work, space: Space) -> None:
        for _ in range(rng.choice((1, 1, 2, 3))):
            at = self._moment(rng, work)
            if _phase(work, at) == "open":
                continue
            who = self.teams[space.key].somebody(rng, at).index
            spent = rng.choice((1800, 3600, 5400, 7200, 10_800, 14_400, 28_800))
            work.moves.append(Move(at, who, spent=spent))

    def _moment(self, rng: Random, work: Work) -> datetime:
        last = max((move.at for move in work.moves if move.changes), default=work.created)
        # What was never taken up is talked about at first, then no more.
        end = min(max(last, work.created + timedelta(days=rng.randrange(1, 30))), PRESENT)
        span = max((end - work.created).total_seconds() * 1.05, 300)
        at = work.created + timedelta(seconds=int(span * rng.uniform(0.01, 1)) + 60)
        at = max(self.hours(at), work.created + timedelta(seconds=55))
        return min(at, PRESENT - timedelta(minutes=rng.randrange(2, 90))).replace(microsecond=0)


def _phase(work: Work, at: datetime) -> str:
    """Return what the work is at a time: open, doing, review or done."""
    found = "open"
    for move in work.moves:
        if move.at <= at and "status" in move.changes:
            found = PHASES.get(move.changes["status"], "open")
    return found


def _touched(moves: Iterable[Move], at: datetime, created: datetime) -> datetime:
    return max((move.at for move in moves if move.at < at), default=created)
