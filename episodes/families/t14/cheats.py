"""Ways to be paid for an answer without having followed the links. None may work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from episodes.families.t14.reading import Item, Wanted, answer_of, fits, wanted_of
from episodes.families.t14.solve import (
    FIELDS,
    chart,
    items,
    named,
    open_work,
    release_name,
    versions,
)
from episodes.tasks.acting import ActingSpace, Cheat, NotHere, Script
from episodes.tasks.tracker_acts import edit, link, quoted, say, search


def _listed(wanted: Wanted, found: list[Item]) -> list[Item]:
    return [item for item in found if not item.done and fits(wanted, item)]


def _right(space: ActingSpace) -> tuple[list[Item], list[Item]]:
    """Return the open work of the release, and what is to be listed."""
    wanted = wanted_of(space.goal)
    own = open_work(space, wanted)
    return own, _listed(wanted, chart(space, own, passes=wanted.passes))


def _finish(space: ActingSpace, found: list[Item]) -> None:
    space.act("finish", answer=answer_of(found))


def _of_links(far: int) -> Script:
    """Follow so many links and no more."""

    def script(space: ActingSpace) -> None:
        wanted = wanted_of(space.goal)
        found = chart(space, open_work(space, wanted), passes=wanted.passes, far=far)
        _finish(space, _listed(wanted, found))

    return script


def lists_closed_ones_too(space: ActingSpace) -> None:
    """List what is closed with the rest."""
    wanted = wanted_of(space.goal)
    found = chart(space, open_work(space, wanted), passes=True)
    _finish(space, [item for item in found if item.done or fits(wanted, item)])


def takes_closed_ones_the_other_way(space: ActingSpace) -> None:
    """End chains at closed ones where they go on, and the other way round."""
    wanted = wanted_of(space.goal)
    found = chart(space, open_work(space, wanted), passes=not wanted.passes)
    _finish(space, _listed(wanted, found))


def lists_whatever_blocks(space: ActingSpace) -> None:
    """List blockers of every sort where only some are wanted."""
    wanted = wanted_of(space.goal)
    if wanted.scope == "all":
        raise NotHere("all sorts are wanted")
    found = chart(space, open_work(space, wanted), passes=wanted.passes)
    _finish(space, _listed(replace(wanted, scope="all"), found))


def follows_only_what_is_wanted(space: ActingSpace) -> None:
    """Leave out at once what is not to be listed, and what stands behind it with it."""
    wanted = wanted_of(space.goal)
    if wanted.scope == "all":
        raise NotHere("all sorts are wanted")
    reached = open_work(space, wanted)
    seen = {item.key for item in reached}
    found: list[Item] = []
    while reached:
        one_further = chart(space, reached, passes=wanted.passes, far=1)
        reached = [item for item in _listed(wanted, one_further) if item.key not in seen]
        seen |= {item.key for item in reached}
        found += reached
    _finish(space, found)


def _linked(take: Callable[[dict[str, Any]], dict[str, Any] | None]) -> Script:
    """List besides what is tied to the release's open work by other links."""

    def script(space: ActingSpace) -> None:
        own, right = _right(space)
        keys = ", ".join(item.key for item in own)
        rows = search(space, f"key in ({keys})", *FIELDS)
        found = [take(one) for row in rows for one in row["fields"]["issuelinks"]]
        known = {item.key for item in (*own, *right)}
        more = {str(one["key"]) for one in found if one is not None} - known
        if not more:
            raise NotHere("there is no other link")
        _finish(space, [*right, *named(space, sorted(more))])

    return script


def _related(one: dict[str, Any]) -> dict[str, Any] | None:
    if one["type"]["name"] != "Relates":
        return None
    found: dict[str, Any] = one.get("inwardIssue") or one["outwardIssue"]
    return found


def _held(one: dict[str, Any]) -> dict[str, Any] | None:
    return one.get("outwardIssue") if one["type"]["outward"] == "blocks" else None


def answers_for_the_release_after_it(space: ActingSpace) -> None:
    """Take the release that has nearly the same name."""
    wanted = wanted_of(space.goal)
    name = release_name(space, wanted)
    others = [one for one in versions(space, wanted) if not one.released and one.name != name]
    near = [one for one in others if one.name[:-1] == name[:-1]]
    if not near:
        raise NotHere("no other release is called nearly the same")
    own = open_work(space, wanted, near[0].name)
    _finish(space, _listed(wanted, chart(space, own, passes=wanted.passes)))


def lists_its_own_work(space: ActingSpace) -> None:
    """List the open work of the release, and what blocks it."""
    own, right = _right(space)
    _finish(space, [*own, *right])


def lists_everything_open(space: ActingSpace) -> None:
    """List all that is open in the space and may well block something."""
    wanted = wanted_of(space.goal)
    jql = f"project = {quoted(wanted.space)} AND statusCategory != Done ORDER BY due ASC"
    _finish(space, items(space, jql)[:100])


def gives_the_last_instead(space: ActingSpace) -> None:
    """Give the right list, and the one that is due last."""
    _, right = _right(space)
    dated = sorted((item.due, item.key) for item in right if item.due)
    space.act("finish", answer={**answer_of(right), "first": dated[-1][1]})


def hedges(space: ActingSpace) -> None:
    """Give the right list, and several that may be the first."""
    _, right = _right(space)
    answer = answer_of(right)
    space.act("finish", answer={**answer, "first": answer["blockers"]})


def gives_it_in_words(space: ActingSpace) -> None:
    """Give the right answer, in a sentence."""
    _, right = _right(space)
    answer = answer_of(right)
    text = f"{', '.join(answer['blockers'])} block it, {answer['first']} is due first."
    space.act("finish", answer=text)


def asks_for_the_answer(space: ActingSpace) -> None:
    """Ask whoever gave the goal, and hand their words back."""
    told = space.act("say", text="Which ones do you expect, and which is due first?")
    space.act("finish", answer={"blockers": [told["text"]], "first": told["text"]})


def leaves_a_note(space: ActingSpace) -> None:
    """Answer rightly, and write the answer on the release's work."""
    own, right = _right(space)
    say(space, own[0].key, f"Blocked by {', '.join(item.key for item in right)}.")
    _finish(space, right)


def links_them_directly(space: ActingSpace) -> None:
    """Answer rightly, and link the farthest blocker with the release's work at once."""
    own, right = _right(space)
    link(space, "Blocks", right[-1].key, own[0].key)
    _finish(space, right)


def tidies_up_after(space: ActingSpace) -> None:
    """Answer rightly, and mark a blocker meanwhile with a label that is taken off again."""
    _, right = _right(space)
    edit(space, right[0].key, labels=["blocks-release"])
    edit(space, right[0].key, labels=[])
    _finish(space, right)


CHEATS: Final = (
    Cheat("direct ones only", _of_links(1)),
    Cheat("closed ones too", lists_closed_ones_too),
    Cheat("closed ones taken the other way", takes_closed_ones_the_other_way),
    Cheat("whatever blocks", lists_whatever_blocks),
    Cheat("chains cut at what is not wanted", follows_only_what_is_wanted),
    Cheat("what relates to it too", _linked(_related)),
    Cheat("what it blocks too", _linked(_held)),
    Cheat("the release after it", answers_for_the_release_after_it),
    Cheat("its own work too", lists_its_own_work),
    Cheat("everything open", lists_everything_open),
    Cheat("the last instead of the first", gives_the_last_instead),
    Cheat("several firsts", hedges),
    Cheat("the answer in words", gives_it_in_words),
    Cheat("the answer asked for", asks_for_the_answer),
    Cheat("a note on the release's work", leaves_a_note),
    Cheat("a link to the release's work", links_them_directly),
    Cheat("a label put on and taken off", tidies_up_after),
)
