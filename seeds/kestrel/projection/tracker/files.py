"""Files of issues: their bytes, once each, with what histories say of them."""

from __future__ import annotations

import hashlib
from datetime import datetime

from clones.core.models import Blob
from clones.tracker import models as tracker
from seeds.bulk import BulkWriter
from seeds.draw import Draws
from seeds.kestrel.projection.files import content
from seeds.kestrel.projection.tracker.histories import NOTHING, Histories, item
from seeds.kestrel.projection.tracker.site import Numbers, Site
from seeds.kestrel.projection.tracker.states import IssueState
from seeds.kestrel.story.model import Attachment


class IssueFiles:
    """Writes the files that came with issues."""

    def __init__(
        self,
        writer: BulkWriter,
        numbers: Numbers,
        site: Site,
        draws: Draws,
        histories: Histories,
    ) -> None:
        self.writer, self.numbers, self.site = writer, numbers, site
        self.draws, self.histories = draws, histories
        # Other clones' files may have the same bytes; theirs are written by now.
        self.blobs: set[str] = set(Blob.objects.values_list("sha256", flat=True))

    def add(self, state: IssueState, at: datetime) -> None:
        """Write the files of an issue, added by its reporter at one time."""
        work, items = state.work, []
        for name, kind in work.files:
            data = content(self.draws.rng("tracker-file", work.index), Attachment(name, kind, 0))
            sha = hashlib.sha256(data).hexdigest()
            if sha not in self.blobs:
                self.blobs.add(sha)
                self.writer.add(Blob, {"sha256": sha, "data": data})
            key = self.numbers.take(tracker.Attachment)
            self.writer.add(
                tracker.Attachment,
                {
                    "id": key,
                    "issue_id": state.id,
                    "author_id": self.site.users[work.reporter],
                    "filename": name,
                    "mime_type": kind,
                    "size": len(data),
                    "blob_id": sha,
                    "created": at,
                },
            )
            if work.asked is not None:
                row = {"id": self.numbers.take(tracker.RequestFile), "attachment_id": key}
                self.writer.add(tracker.RequestFile, {**row, "comment_id": None})
            items.append(item("Attachment", "attachment", NOTHING, (str(key), name)))
        self.histories.write(state, work.reporter, at, items)
