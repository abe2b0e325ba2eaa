"""A typed client of OpenEnv for the environments of a Sandlot server."""

from sandlot_openenv.client import SandlotEnv
from sandlot_openenv.models import SandlotAction, SandlotObservation, SandlotState, Tool

__all__ = ["SandlotAction", "SandlotEnv", "SandlotObservation", "SandlotState", "Tool"]
