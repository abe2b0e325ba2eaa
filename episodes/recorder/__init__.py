"""Write an episode to its folder, step by step."""

from episodes.recorder.entries import manifest_of, step_record
from episodes.recorder.writer import Recorder, end_unfinished

__all__ = ["Recorder", "end_unfinished", "manifest_of", "step_record"]
