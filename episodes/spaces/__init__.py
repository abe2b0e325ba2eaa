"""Action spaces: how an agent's acts reach the clones."""

from episodes.spaces.opening import open_space
from episodes.spaces.played import Played, PlayingSpace

__all__ = ["Played", "PlayingSpace", "open_space"]
