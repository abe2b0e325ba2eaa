"""The words that bulk jobs are made of, and how much one of them takes."""

from __future__ import annotations

from typing import Final

# What the ids of jobs, of their batches and of results begin with.
JOB, BATCH, RESULT = "750", "751", "752"
INGEST: Final = ("insert", "update", "upsert", "delete", "hardDelete")
QUERIES: Final = ("query", "queryAll")
DELIMITERS: Final = {
    "BACKQUOTE": "`",
    "CARET": "^",
    "COMMA": ",",
    "PIPE": "|",
    "SEMICOLON": ";",
    "TAB": "\t",
}
LINE_ENDINGS: Final = {"LF": "\n", "CRLF": "\r\n"}
# What a cell says that empties its field; one without anything leaves the field alone.
NOTHING: Final = "#N/A"

# The kinds of jobs: those of the older API, and the newer one's two.
CLASSIC: Final = "Classic"
INGESTING: Final = "V2Ingest"
QUERYING: Final = "V2Query"

OPEN: Final = "Open"
UPLOADED: Final = "UploadComplete"
IN_PROGRESS: Final = "InProgress"
COMPLETE: Final = "JobComplete"
FAILED: Final = "Failed"
ABORTED: Final = "Aborted"
CLOSED: Final = "Closed"

QUEUED: Final = "Queued"
COMPLETED: Final = "Completed"
NOT_PROCESSED: Final = "NotProcessed"

# Records that are saved together, and those that one stretch of work saves: the next stretch
# begins when somebody asks how it goes, or when the clock has moved on.
CHUNK: Final = 200
STRETCH: Final = 1_000
# Records of a batch of the older API, and characters of its data.
MOST_OF_BATCH: Final = 10_000
LONGEST_BATCH: Final = 10_000_000
# Characters of a cell.
LONGEST_CELL: Final = 131_072
# Records that are kept together of a query's, those that it may have in all, and those of a page.
PAGE_KEPT: Final = 2_000
MOST_QUERIED: Final = 200_000
PAGE_SHOWN: Final = 50_000
# Records of a part of a query that is split by its keys, where nothing is said and at most.
PART: Final = 100_000
MOST_OF_PART: Final = 250_000
