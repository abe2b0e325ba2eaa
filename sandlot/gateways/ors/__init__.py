"""Open Reward Standard: the routes, events and forms that its clients know."""

from sandlot.gateways.ors.app import make_ors

__all__ = ["make_ors"]
