"""Write an episode to its folder, step by step."""

from episodes.recorder.writer import Recorder

__all__ = ["Recorder"]
