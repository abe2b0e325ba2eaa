"""Surfaces: the tools by which an agent reaches the clones' APIs.

Whichever it has, it reaches the same operations with the same rights.
"""

from episodes.spaces.surfaces.choosing import surface_of
from episodes.spaces.surfaces.flat import FlatTools, flat_name
from episodes.spaces.surfaces.requests import (
    Lookup,
    OperationRequest,
    RawRequest,
    ToolSurface,
)

__all__ = [
    "FlatTools",
    "Lookup",
    "OperationRequest",
    "RawRequest",
    "ToolSurface",
    "flat_name",
    "surface_of",
]
