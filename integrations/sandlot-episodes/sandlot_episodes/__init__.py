"""The episodes of a Sandlot server, for frameworks that await."""

from sandlot_episodes.control import DEFAULT_URL, Server, ServerError
from sandlot_episodes.episode import EnvironmentFailed, Episode, Grade, begin

__all__ = ["DEFAULT_URL", "EnvironmentFailed", "Episode", "Grade", "Server", "ServerError", "begin"]
