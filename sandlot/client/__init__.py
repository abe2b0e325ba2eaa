"""The control plane from outside, free of Django."""

from sandlot.client.control import ControlClient, ControlError, NoServer
from sandlot.client.transport import LocalhostTransport, http_client

__all__ = ["ControlClient", "ControlError", "LocalhostTransport", "NoServer", "http_client"]
