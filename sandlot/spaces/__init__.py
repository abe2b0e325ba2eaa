"""An episode's action space from outside: what an agent in Python holds."""

from sandlot.spaces.remote import RemoteSpace, Unexpected

__all__ = ["RemoteSpace", "Unexpected"]
