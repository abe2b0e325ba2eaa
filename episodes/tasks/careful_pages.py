"""Acting on pages that at times do not load: look again, as a person reloads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from episodes.tasks.acting import ActingSpace
from episodes.tasks.retrying_client import TRIES, Answer, NotAnswered

# What the gateway before an application calls its pages.
FAILED: Final = re.compile(r"^(429|500|502|503|504) ")


class CarefulPages:
    """An acting space of pages that reloads what did not load.

    Only what was asked for by an address is asked for again. Forms that scripts send meet no
    failure, and lead to an address.
    """

    def __init__(self, space: ActingSpace) -> None:
        self._space = space

    @property
    def goal(self) -> str:
        """The goal as the agent reads it."""
        return self._space.goal

    @property
    def accounts(self) -> Mapping[str, Any]:
        """The agent's accounts by clone."""
        return self._space.accounts

    @property
    def done(self) -> bool:
        """Whether the episode is over."""
        return self._space.done

    def observe(self) -> Answer:
        """Return what the agent sees now."""
        return self._space.observe()

    def tools(self) -> list[dict[str, Any]]:
        """Return the tools of the space and the verbs."""
        return self._space.tools()

    def try_act(self, tool: str, **arguments: Any) -> Answer:
        """Take one step and return its observation, whatever it says."""
        return self._space.try_act(tool, **arguments)

    def act(self, tool: str, **arguments: Any) -> Answer:
        """Take one step, reload the page it leads to until that is there, and return it.

        Raises:
            NotAnswered: the page does not come.
        """
        page = self._space.act(tool, **arguments)
        for _ in range(TRIES):
            if self._space.done or not FAILED.match(page.get("title") or ""):
                return page
            page = self._space.act("browser_goto", url=page["url"])
        raise NotAnswered(f"{page['url']} does not load: {page['title']}")
