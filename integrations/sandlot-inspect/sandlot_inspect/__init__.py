"""Sandlot's tasks as an evaluation of Inspect: `inspect eval sandlot_inspect/sandlot`."""

from sandlot_inspect.episodes import begin_episode, episode_reward, play
from sandlot_inspect.tasks import sandlot

__all__ = ["begin_episode", "episode_reward", "play", "sandlot"]
