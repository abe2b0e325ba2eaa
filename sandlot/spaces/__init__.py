"""An episode's action space from outside: what an agent in Python holds."""

from sandlot.spaces.remote import RemoteSpace, Unexpected
from sandlot.spaces.surfaces import ScriptedSpace

__all__ = ["RemoteSpace", "ScriptedSpace", "Unexpected"]
