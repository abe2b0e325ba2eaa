"""How each agent writes: everybody greets, closes and signs in a few ways of their own."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from seeds.draw import Draws, chance
from seeds.kestrel.catalogue import COMPANY
from seeds.kestrel.story.model import Agent
from seeds.text.bank import Pattern, fitting, pick, sections, with_texts

SIGNED = (
    "Kind regards",
    "Best regards",
    "Best",
    "Many thanks",
    "Regards",
    "All the best",
    "Thanks",
)
KEPT = {"agent_greeting": 0.3, "agent_close": 0.25}


class Habits:
    """Knows the few greetings, closings and sign-offs of each agent."""

    def __init__(self, draws: Draws) -> None:
        self.draws = draws
        self._lines: dict[tuple[int, str, str], frozenset[str]] = {}
        self._signed: dict[int, tuple[str, ...]] = {}

    def line(
        self,
        agent: Agent,
        role: str,
        tags: frozenset[str],
        *,
        folder: str,
        rng: Random,
        fill: Callable[[str], str | None],
    ) -> str | None:
        """Return a greeting or a closing such as the agent writes."""
        name = f"{folder}/{'common' if folder == 'en' else 'all'}"
        mine = self._mine(agent, name, role)
        known = fitting(name, role, tags)
        return pick(with_texts(known, mine) or known, rng, fill, set())

    def signed(self, rng: Random, agent: Agent, folder: str) -> str:
        """Return an agent's closing lines."""
        words = self._words(agent)
        word = words[0] if chance(rng, 0.82) else words[1]
        forms = sections(f"{folder}/all")["agent_signoff"] if folder != "en" else ()
        if forms:
            word = forms[agent.index % len(forms)].text
        comma = "" if folder == "de" else ","
        if words[2] == "short":
            return f"{word}{comma}\n{agent.given}"
        if words[2] == "initial":
            return f"{agent.given}, {COMPANY}"
        return f"{word}{comma}\n{agent.given}\n{agent.title}, {COMPANY}"

    def _words(self, agent: Agent) -> tuple[str, ...]:
        found = self._signed.get(agent.index)
        if found is None:
            rng = self.draws.rng("habits", agent.index)
            form = rng.choice(("title", "title", "title", "short", "short", "initial"))
            found = self._signed[agent.index] = (*rng.sample(SIGNED, 2), form)
        return found

    def _mine(self, agent: Agent, name: str, role: str) -> frozenset[str]:
        """Return the lines of a role that an agent uses: at least two of each kind."""
        key = (agent.index, name, role)
        found = self._lines.get(key)
        if found is None:
            rng = self.draws.rng("habits", f"{agent.index}-{name}-{role}")
            kinds: dict[frozenset[str], list[Pattern]] = {}
            for pattern in sections(name).get(role, ()):
                kinds.setdefault(pattern.only, []).append(pattern)
            kept: set[str] = set()
            for patterns in kinds.values():
                count = min(max(2, int(len(patterns) * KEPT[role])), len(patterns))
                kept.update(pattern.text for pattern in rng.sample(patterns, count))
            found = self._lines[key] = frozenset(kept)
        return found
