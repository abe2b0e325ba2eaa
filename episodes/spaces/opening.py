"""Open the space that an episode asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clones.core.accounts import AccountCard
from episodes.spaces.api import ApiSpace, Endpoint
from episodes.spaces.browser import BrowserSpace
from episodes.spaces.played import PlayingSpace

if TYPE_CHECKING:
    from episodes.loop import Episode


def open_space(episode: Episode, cards: dict[str, AccountCard]) -> PlayingSpace:
    """Return the episode's space. The sandbox is bound for writing: signing in writes a session."""
    addresses = episode.host.addresses
    if episode.request.space == "browser":
        return BrowserSpace(episode, cards)
    endpoints = {
        clone: Endpoint(addresses.clone_url(episode.sandbox, clone), card)
        for clone, card in cards.items()
    }
    return ApiSpace(endpoints, episode.arranged.goal, episode.host.http())
