"""What the control plane's routes share."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from episodes.host import Host


def host_of(request: Request) -> Host:
    """Return the host behind a request."""
    found: Host = request.app.state.host
    return found


HostOf = Annotated[Host, Depends(host_of)]
