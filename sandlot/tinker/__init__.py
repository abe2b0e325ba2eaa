"""Sandlot for Tinker's cookbook, whose package is no dependency."""

from sandlot.tinker.environment import MessageResult, SandlotMessageEnv

__all__ = ["MessageResult", "SandlotMessageEnv"]
