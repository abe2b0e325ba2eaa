"""Sandlot's tasks as task folders of Harbor."""

from sandlot_harbor.recording import NoSolution, Recorded, record
from sandlot_harbor.writing import write_folder

__all__ = ["NoSolution", "Recorded", "record", "write_folder"]
