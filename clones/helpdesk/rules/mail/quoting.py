"""The line above which people are asked to write: what stands below it is no part of a reply."""

from __future__ import annotations

DELIMITER = "##- Please type your reply above this line -##"
