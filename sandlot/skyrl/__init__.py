"""Sandlot for SkyRL, whose package is no dependency."""

from sandlot.skyrl.environment import SandlotTextEnv

__all__ = ["SandlotTextEnv"]
