"""Write an episode to its folder, step by step."""

from episodes.recorder.entries import manifest_of, step_record
from episodes.recorder.writer import Recorder

__all__ = ["Recorder", "manifest_of", "step_record"]
