"""The tracker's side of kestrel: the site, its people and spaces, and the work in them."""

from seeds.kestrel.projection.tracker.whole import Engineered, write_tracker

__all__ = ["Engineered", "write_tracker"]
