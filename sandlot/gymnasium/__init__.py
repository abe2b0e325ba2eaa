"""Sandlot as a Gymnasium environment. It needs `gymnasium`, which is no dependency."""

from sandlot.gymnasium.environment import SandlotEnv

__all__ = ["SandlotEnv"]
