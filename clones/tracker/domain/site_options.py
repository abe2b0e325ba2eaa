"""What admins can turn off for the whole site: votes, watchers, links, issues that are nobody's."""

from __future__ import annotations

from typing import Final

from clones.tracker.domain.errors import Forbidden, NotFound
from clones.tracker.domain.settings import setting

NO_VOTES: Final = "Voting for issues is not enabled."
NO_WATCHERS: Final = "Watching issues is not enabled."
NO_LINKS: Final = "Issue linking is currently disabled."
NOBODYS: Final = "Issues must be assigned."


def require_voting() -> None:
    """Hold the site to having votes.

    Raises:
        NotFound: it has none (the vendor answers 404).
    """
    if not setting("voting_enabled", True):
        raise NotFound(NO_VOTES)


def require_watching() -> None:
    """Hold the site to having watchers.

    Raises:
        NotFound: it has none (the vendor answers 404).
    """
    if not setting("watching_enabled", True):
        raise NotFound(NO_WATCHERS)


def require_links(*, remote: bool = False) -> None:
    """Hold the site to linking issues.

    Raises:
        NotFound: it does not (the vendor answers 404).
        Forbidden: the same, about links to things elsewhere (the vendor answers 403).
    """
    if not setting("issue_linking_enabled", True):
        raise Forbidden(NO_LINKS) if remote else NotFound(NO_LINKS)


def unassigned_allowed() -> bool:
    """Tell whether issues may be nobody's."""
    return bool(setting("unassigned_issues_allowed", True))
