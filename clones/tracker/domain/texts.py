"""The texts of issues in which words are looked for: each in a row of its own, with an index."""

from __future__ import annotations

from clones.tracker.domain.numbering import next_id
from clones.tracker.models import Issue, IssueText
from clones.tracker.queries.hot import TEXT_OF_ISSUE


def keep_text(issue: Issue, field: str, source: int, text: str) -> None:
    """Keep what a field of an issue says: `source` is the row that says it. Empty text goes."""
    row = TEXT_OF_ISSUE.first(issue.id, field, source)
    if not text.strip():
        if row is not None:
            row.delete()
    elif row is None:
        key = next_id(IssueText)
        IssueText.objects.create(id=key, issue=issue, field=field, source=source, text=text)
    elif row.text != text:
        row.text = text
        row.save(update_fields=["text"])


def drop_text(issue: Issue, field: str, source: int) -> None:
    """Forget what a row said."""
    IssueText.objects.filter(issue=issue, field=field, source=source).delete()
