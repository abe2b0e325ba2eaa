"""What is said on work, and the hours that are logged."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import TYPE_CHECKING

from seeds.draw import chance
from seeds.kestrel.catalogue import PRESENT
from seeds.kestrel.engineering.model import Move, Said, Space, Work
from seeds.kestrel.engineering.text import Writer

if TYPE_CHECKING:
    from seeds.kestrel.engineering.work import Team

QUIET = 0.31  # work that nobody says anything about
BOTS = 0.13  # comments that are an app's


class Talk:
    """Adds comments and work logs to the moves of work."""

    def __init__(self, teams: dict[str, Team]) -> None:
        self.teams = teams

    def add(self, rng: Random, work: Work, space: Space, writer: Writer) -> None:
        """Let people, and apps, talk about a piece of work; about a third of it nobody does."""
        desk = space.type == "service_desk"
        if not chance(rng, QUIET * (0.3 if desk else 1)):
            count = 1 + min(int(rng.expovariate(0.5)), 22)
            for _ in range(count):
                work.moves.append(self._said(rng, work, space, writer))
        if not desk and chance(rng, 0.12):
            self._log(rng, work, space)
        work.moves.sort(key=lambda move: move.at)

    def _said(self, rng: Random, work: Work, space: Space, writer: Writer) -> Move:
        team, at = self.teams[space.key], self._moment(rng, work)
        if space.type == "service_desk":
            return self._service(rng, work, space, writer)
        if chance(rng, BOTS):
            return Move(at, rng.choice(team.apps).index, said=writer.comment("bot"))
        speaker = work.reporter if chance(rng, 0.25) else team.somebody(rng, at).index
        return Move(at, speaker, said=writer.comment())

    def _service(self, rng: Random, work: Work, space: Space, writer: Writer) -> Move:
        team, at = self.teams[space.key], self._moment(rng, work)
        if chance(rng, 0.4):
            return Move(at, work.reporter, said=writer.comment("service_answer"))
        agent = team.somebody(rng, at).index
        if chance(rng, 0.15):
            said: Said = writer.comment("service_internal", public=False)
        else:
            said = writer.comment("service_progress")
        return Move(at, agent, said=said)

    def _log(self, rng: Random, work: Work, space: Space) -> None:
        for _ in range(rng.choice((1, 1, 2, 3))):
            at = self._moment(rng, work)
            who = self.teams[space.key].somebody(rng, at).index
            spent = rng.choice((1800, 3600, 5400, 7200, 10_800, 14_400, 28_800))
            work.moves.append(Move(at, who, spent=spent))

    def _moment(self, rng: Random, work: Work) -> datetime:
        last = max((move.at for move in work.moves if move.changes), default=work.created)
        # What was never taken up is talked about at first, then no more.
        end = min(max(last, work.created + timedelta(days=rng.randrange(1, 30))), PRESENT)
        span = max((end - work.created).total_seconds() * 1.05, 300)
        at = work.created + timedelta(seconds=int(span * rng.uniform(0.01, 1) ** 1.6) + 60)
        return min(at, PRESENT - timedelta(minutes=rng.randrange(2, 90))).replace(microsecond=0)
