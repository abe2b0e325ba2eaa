"""The three verbs of every episode: wait, say, finish. They belong to no clone."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from clones.core import clock, jobs
from clones.core.journal import journal
from episodes.checks import AnswerType, schema_of
from episodes.spaces.errors import BadCall
from episodes.spaces.played import Played
from episodes.tasks.footprint import is_person
from sandlot.service import Act, Observation

if TYPE_CHECKING:
    from episodes.context import EpisodeContext

# Where what people write stands.
COMMENTS: Final = frozenset({"helpdesk_comment", "tracker_comment"})
NAMES: Final = frozenset({"wait", "say", "finish"})
STATUSES: Final = ("done", "declined", "blocked")
LONGEST_WAIT: Final = timedelta(days=30)

TOOLS: Final[list[dict[str, Any]]] = [
    {
        "name": "wait",
        "description": "Let time pass, until somebody writes or the time is over.",
        "input_schema": {
            "type": "object",
            "properties": {
                "minutes": {"type": "number", "exclusiveMinimum": 0, "maximum": 43200},
                "until_reply": {"type": "boolean", "default": True},
            },
            "required": ["minutes"],
            "additionalProperties": False,
        },
    },
    {
        "name": "say",
        "description": "Say something to whoever gave you the task.",
        "input_schema": {
            "type": "object",
            "properties": {"text": {"type": "string", "minLength": 1, "maxLength": 4000}},
            "required": ["text"],
            "additionalProperties": False,
        },
    },
    {
        "name": "finish",
        "description": "End the task: done, declined (it must not be done) or blocked.",
        "input_schema": {
            "type": "object",
            "properties": {
                "status": {"type": "string", "enum": list(STATUSES), "default": "done"},
                "reason": {"type": "string"},
                "answer": {"description": "This task asks for no answer."},
                "evidence": {"type": "array", "items": {"type": "string"}},
            },
            "additionalProperties": False,
        },
    },
]


def tools(answer: AnswerType | None) -> list[dict[str, Any]]:
    """Return the verbs as tools; `finish` takes an answer of the type that the task asks for."""
    if answer is None:
        return TOOLS
    *others, finish = TOOLS
    schema = finish["input_schema"]
    properties = {**schema["properties"], "answer": schema_of(answer)}
    return [*others, {**finish, "input_schema": {**schema, "properties": properties}}]


def play(ground: EpisodeContext, act: Act, now: str) -> Played:
    """Carry out a verb.

    Raises:
        BadCall: its arguments do not fit.
    """
    arguments = act.arguments
    schema = next(tool for tool in TOOLS if tool["name"] == act.tool)["input_schema"]
    unknown = sorted(set(arguments) - set(schema["properties"]))
    if unknown:
        raise BadCall(f"{act.tool} has no argument {unknown[0]!r}")
    if act.tool == "wait":
        return _wait(ground, arguments, act)
    if act.tool == "say":
        text = arguments.get("text")
        if not isinstance(text, str) or not text.strip():
            raise BadCall("say needs a text")
        answer = Observation(kind="message", now=now, text=ground.arranged.answer(text))
        return Played(answer, handle=act.model_dump())
    if arguments.get("status", "done") not in STATUSES:
        raise BadCall(f"status must be one of {', '.join(STATUSES)}")
    if not isinstance(arguments.get("reason") or "", str):
        raise BadCall("reason must be a text")
    evidence = arguments.get("evidence") or []
    if not isinstance(evidence, list) or not all(isinstance(one, str) for one in evidence):
        raise BadCall("evidence must be a list of texts")
    return Played(Observation(kind="message", now=now, text="finished"), handle=act.model_dump())


def said_by(act: Act) -> str | None:
    """Return what an act says to whoever gave the goal, None if it says nothing."""
    text = act.arguments.get("text")
    return text if act.tool == "say" and isinstance(text, str) else None


def _wait(ground: EpisodeContext, arguments: dict[str, Any], act: Act) -> Played:
    minutes = arguments.get("minutes")
    if isinstance(minutes, bool) or not isinstance(minutes, int | float) or not minutes > 0:
        raise BadCall("wait needs minutes, a number above 0")
    span = timedelta(minutes=min(minutes, LONGEST_WAIT / timedelta(minutes=1)))
    with ground.bound("write"):
        until = clock.now() + span
        heard = _let_pass(until, stop_at_reply=bool(arguments.get("until_reply", True)))
        now = clock.now().strftime("%Y-%m-%dT%H:%M:%SZ")
    text = "somebody wrote" if heard else "time has passed"
    return Played(Observation(kind="message", now=now, text=text), handle=act.model_dump())


def _let_pass(until: datetime, *, stop_at_reply: bool) -> bool:
    """Move the clock from one due job to the next; stop when a person has written a comment."""
    while True:
        before = journal().position()
        due = jobs.next_due()
        if due is not None and due > until:
            due = None
        jobs.advance(until if due is None else max(due, clock.now()))
        if stop_at_reply and _somebody_wrote(before):
            return True
        if due is None:
            return False


def _somebody_wrote(after: int) -> bool:
    acts = journal().acts(after)
    return any(
        row.table.name in COMMENTS
        and row.operation == "insert"
        and row.act is not None
        and is_person(acts[row.act].actor)
        for row in journal().rows(after)
    )
