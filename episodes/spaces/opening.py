"""Open the space that an episode asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clones.core.accounts import AccountCard
from episodes.spaces.api import ApiSpace, Endpoint
from episodes.spaces.played import PlayingSpace
from episodes.spaces.surfaces import surface_of

if TYPE_CHECKING:
    from episodes.context import EpisodeContext


# Seconds that acts wait for an answer, and where some never come. Whose doing it is that none came
# in time is found out afterwards (`episodes.traffic`).
ANSWERED_WITHIN: Final = 30.0
PATIENCE: Final = 10.0


def open_space(ground: EpisodeContext, cards: dict[str, AccountCard]) -> PlayingSpace:
    """Return the episode's space. The sandbox is bound for writing: signing in writes a session."""
    addresses = ground.host.addresses
    if ground.request.space == "browser":
        from episodes.spaces.browser import BrowserSpace  # noqa: PLC0415 - few episodes need it

        return BrowserSpace(ground, cards)
    endpoints = {
        clone: Endpoint(addresses.clone_url(ground.sandbox, clone), card)
        for clone, card in cards.items()
    }
    http = ground.host.http()
    http.timeout = ANSWERED_WITHIN if ground.request.faults == "none" else PATIENCE
    drawn = ground.instance.chance("distractors")
    surface = surface_of(ground.request.surface or "flat", frozenset(endpoints), drawn)
    return ApiSpace(endpoints, ground.arranged.goal, http, surface)
