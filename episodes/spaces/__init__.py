"""Action spaces: how an agent's acts reach the clones."""

from episodes.spaces.opening import open_space
from episodes.spaces.played import MetFault, Played, PlayingSpace

__all__ = ["MetFault", "Played", "PlayingSpace", "open_space"]
