"""Labels: a few that everybody uses, and a great many that one person typed once."""

from __future__ import annotations

from random import Random

from seeds.draw import Draws, chance, zipf
from seeds.kestrel.engineering.text import bank
from seeds.kestrel.story.people import slug


class IssueLabels:
    """Hands out labels, and knows which there are."""

    def __init__(self, draws: Draws) -> None:
        self.draws = draws
        self.known: list[str] = []

    def some(self, rng: Random, thing: str) -> tuple[str, ...]:
        """Return the labels of a piece of work about a thing."""
        found = [zipf(rng, bank("label"), 1.1)]
        if chance(rng, 0.3):
            found.append(self._own(rng, thing))
        if chance(rng, 0.12):
            found.append(self._slip(rng, found[0]))
        return tuple(dict.fromkeys(found))

    def _own(self, rng: Random, thing: str) -> str:
        word = slug(thing)[:28]
        tail = rng.choice(
            ("", "", f"-q{rng.randrange(1, 5)}", f"-{rng.randrange(2, 40)}", "_old", "-tbd")
        )
        self.known.append(word + tail)
        return self.known[-1]

    def _slip(self, rng: Random, label: str) -> str:
        """Return a label as somebody in a hurry types it."""
        forms = (
            f"{label},",
            f"{label}s",
            label.replace("-", "_"),
            label.title(),
            label.replace("-", ""),
        )
        return rng.choice(forms)
