"""What the control plane's routes share."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from episodes.control_plane import ControlPlane


def host_of(request: Request) -> ControlPlane:
    """Return the host behind a request."""
    found: ControlPlane = request.app.state.host
    return found


HostOf = Annotated[ControlPlane, Depends(host_of)]
