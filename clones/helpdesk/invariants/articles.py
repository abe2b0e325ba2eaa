"""The help center: votes and what is counted of them, and texts as the sanitiser left them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from clones.helpdesk import models as helpdesk
from clones.helpdesk.rules.text import kept_of_html


def articles() -> Iterator[str]:
    """Check what articles say of their votes, their bodies, and the order of their times."""
    votes: dict[int, list[int]] = defaultdict(list)
    for key, value in helpdesk.ArticleVote.objects.values_list("article_id", "value"):
        votes[key].append(value)
    for row in helpdesk.Article.objects.order_by("id"):
        cast = votes[row.id]
        if (row.vote_sum, row.vote_count) != (sum(cast), len(cast)):
            yield f"article {row.id}: its votes are counted wrongly"
        if not {1, -1}.issuperset(cast):
            yield f"article {row.id}: a vote is neither for nor against it"
        if row.body != kept_of_html(row.body):
            yield f"article {row.id}: its body is not as the sanitiser leaves it"
        if not row.created_at <= row.edited_at <= row.updated_at:
            yield f"article {row.id}: its times do not rise"
    sections = dict(helpdesk.Section.objects.values_list("id", "category_id"))
    for key, category, parent in helpdesk.Section.objects.exclude(parent_section=None).values_list(
        "id", "category_id", "parent_section_id"
    ):
        if sections[parent] != category:
            yield f"section {key}: the section that it is in is of another category"
