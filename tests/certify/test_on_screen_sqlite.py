"""An oracle of the pages, its acts done at places of the picture: what no tree tells is enough."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from episodes.browser import BrowserSession
from episodes.certify.playing import LocalSpace, play_out
from episodes.control_plane import ControlPlane
from episodes.families.h05.family import FAMILY
from episodes.local import fresh_name
from episodes.spaces.browser import BrowserSpace
from episodes.start import begin_episode
from sandlot.service import StartEpisode, Surface
from sandlot.service.errors import Invalid
from tests.certify.conftest import PLAIN, instance

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.timeout(300)]


class AtPlaces(LocalSpace):
    """A script's acts by elements, each as a person does it who sees a picture.

    Where the elements are is told by the browser and not by the episode.
    """

    @property
    def session(self) -> BrowserSession:
        """The episode's browser."""
        space = self.episode._space
        assert isinstance(space, BrowserSpace)
        return space._open()

    def observe(self) -> Mapping[str, Any]:
        """Return the page with the tree that the agent does not get."""
        shown = super().observe()
        return {**shown, "tree": self.session.observe(tree=True, screenshot=False).tree}

    def try_act(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        """Do an act by clicks, keys and text; return what is seen at its end, with the tree."""
        place: dict[str, Any] = {}
        if "ref" in arguments:
            place["x"], place["y"] = self.session.point(arguments.pop("ref"))
        steps: list[tuple[str, dict[str, Any]]] = [(tool, arguments)]
        if tool == "browser_click":
            steps = [("computer_click", {**place, **arguments})]
        elif tool == "browser_select":
            (option,) = arguments["options"]
            steps = [
                ("computer_click", place),
                ("computer_type", {"text": option}),
                ("computer_key", {"key": "Enter"}),
            ]
        elif tool == "browser_type":
            steps = [
                ("computer_click", place),
                ("computer_key", {"key": "Control+a"}),
                ("computer_type", {"text": arguments["text"]}),
            ]
            steps += [("computer_key", {"key": "Enter"})] if arguments.get("submit") else []
        for name, given in steps:
            seen = super().try_act(name, **given)
            assert seen.get("tree") is None
        return seen if self.done else {**seen, **self.observe()}


@contextmanager
def playing(host: ControlPlane, surface: Surface) -> Iterator[AtPlaces]:
    """Begin an episode on a surface; its sandbox goes with the block."""
    asked = StartEpisode(task=str(instance()), seed=PLAIN, space="browser", surface=surface)
    episode = begin_episode(host, fresh_name(), family=FAMILY, instance=instance(), request=asked)
    try:
        yield AtPlaces(episode)
    finally:
        episode.abandon()


def test_the_oracle_is_paid_at_places_of_the_picture(browser_host: ControlPlane) -> None:
    with playing(browser_host, "computer") as space:
        start = space.episode.observe()
        assert start.tree is None
        assert base64.b64decode(start.screenshot or "").startswith(b"\x89PNG")
        assert {tool["name"] for tool in space.tools()} > {"computer_click", "finish"}
        play_out(space, FAMILY.solve["browser"])
        view = space.episode.view()
        assert view.reward is not None
        assert view.reward >= 0.95, view.components
        assert view.surface == "computer"
        steps = space.ground.arranged.oracle_steps["browser"]
        assert view.steps <= space.ground.reference_steps == 3 * steps


def test_a_hybrid_agent_acts_by_both(browser_host: ControlPlane) -> None:
    view = browser_host.episodes.start(
        StartEpisode(task="H05", seed=PLAIN, space="browser", surface="hybrid")
    )
    seen = browser_host.episodes.observe(view.id)
    assert seen.tree
    assert seen.screenshot
    names = {tool["name"] for tool in browser_host.episodes.tools(view.id)}
    assert {"browser_click", "computer_click"} <= names
    browser_host.episodes.abandon(view.id)


@pytest.mark.parametrize(
    ("space", "surface", "says"),
    [("api", "computer", "space `browser`"), ("browser", "flat", "space `api`")],
)
def test_a_surface_is_of_its_space(
    browser_host: ControlPlane, space: Any, surface: Any, says: str
) -> None:
    with pytest.raises(Invalid, match=says):
        browser_host.episodes.start(StartEpisode(task="H05", space=space, surface=surface))


def test_an_episode_on_the_screen_is_replayed(browser_host: ControlPlane) -> None:
    with playing(browser_host, "computer") as space:
        space.try_act("computer_click", x=400, y=300)
        space.try_act("computer_scroll", x=400, y=300, dy=200)
        space.try_act("computer_click", x=4000, y=300)
        space.try_act("browser_click", ref=_some_link(space))
        refused = space.episode.last_record()
        space.try_act("finish")
        name = space.ground.id
    found = browser_host.episodes.replay(name)
    assert found["equal"], found["differences"]
    assert refused.act["tool"] == "computer_click"


def _some_link(space: AtPlaces) -> str:
    tree = str(space.observe()["tree"])
    line = next(one for one in tree.split("\n") if "link " in one and "[ref=" in one)
    return line.split("[ref=")[1].split("]")[0]
