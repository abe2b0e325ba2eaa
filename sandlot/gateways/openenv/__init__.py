"""OpenEnv: environments at addresses of their own, each episode over a WebSocket."""

from sandlot.gateways.openenv.app import make_openenv

__all__ = ["make_openenv"]
