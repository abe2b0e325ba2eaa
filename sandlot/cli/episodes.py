"""`sandlot episode`."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from sandlot.cli.agents import UnknownAgent, find_agent
from sandlot.cli.connection import with_server
from sandlot.cli.idling import idle_time
from sandlot.cli.output import EXIT_USAGE, fail, show
from sandlot.client import ControlClient
from sandlot.spaces import RemoteSpace, ScriptedSpace
from sandlot.spaces.surfaces import ON_SCREEN, SURFACES, is_spoken


@click.group()
def episode() -> None:
    """Episodes: attempts at tasks."""


def play(client: ControlClient, task: str, agent: str, body: dict[str, Any]) -> dict[str, Any]:
    """Start an episode, let an agent play it to its end, and return the trajectory.

    Raises:
        UnknownAgent: there is no such agent.
    """
    script = find_agent(agent, task, body["space"], body["seed"])
    surface = body.get("surface")
    is_scripted = agent == "oracle" or agent.startswith("cheat:")
    if is_scripted and not is_spoken(surface):
        raise UnknownAgent(f"the {agent} does not play by the surface {surface}")
    # What is begun while somebody stops this has an id only once it is there, to be ended by.
    with stopping_later() as stopped:
        started = client.post("/v1/episodes", {"task": task, **body})
    scripted = ScriptedSpace(client, started, surface) if is_scripted else None
    space = scripted or RemoteSpace(client, started)
    try:
        if stopped:
            raise KeyboardInterrupt
        script(space)
    finally:
        if not space.done:
            client.post(f"/v1/episodes/{space.id}/abandon")
    found: dict[str, Any] = client.get(f"/v1/episodes/{space.id}/trajectory")
    return found


@episode.command()
@click.argument("task")
@click.option(
    "--agent", default="oracle", show_default=True, help="oracle, noop, random, PATH:CALLABLE."
)
@click.option(
    "--space",
    default="api",
    show_default=True,
    type=click.Choice(["api", "browser", *ON_SCREEN]),
    help="computer and hybrid are the browser by those surfaces.",
)
@click.option(
    "--surface",
    default=None,
    type=click.Choice(SURFACES),
    metavar="SURFACE",
    help="The tools. Of api: flat (default), search_call, http, app; +5, +10 or +15 more that do"
    " not help (app+5). Of browser: computer, hybrid.",
)
@click.option("--seed", default=1, show_default=True)
@click.option("--screenshots", is_flag=True, help="Keep a picture of each browser step.")
@click.option(
    "--faults",
    default="none",
    show_default=True,
    type=click.Choice(["none", "light", "moderate", "heavy"]),
    help="Injected faults: on 0, 2, 5 or 10 % of the agent's requests.",
)
@click.option("--fault-seed", default=0, show_default=True, help="Which requests these are.")
@click.option(
    "--idle",
    default=None,
    metavar="DURATION",
    callback=idle_time,
    help="Abandon it once nothing is heard for so long. Default: the server's.",
)
@with_server
def run(
    client: ControlClient,
    as_json: bool,
    task: str,
    agent: str,
    space: str,
    surface: str | None,
    seed: int,
    screenshots: bool,
    faults: str,
    fault_seed: int,
    idle: float | None,
) -> None:
    """Play one episode and print its rewards."""
    if space in ON_SCREEN:
        if surface not in {None, space}:
            fail(f"--space {space} has the surface {space}: leave out --surface", EXIT_USAGE)
        space, surface = "browser", space
    body = {
        "space": space,
        "surface": surface,
        "seed": seed,
        "screenshots": screenshots,
        "faults": faults,
        "fault_seed": fault_seed,
        "idle_seconds": idle or None,
    }
    try:
        found = play(client, task, agent, body)
    except UnknownAgent as error:
        fail(str(error), EXIT_USAGE)
    if as_json:
        show(found, as_json=True)
        return
    for line in summary(found):
        click.echo(line)


def summary(found: dict[str, Any]) -> list[str]:
    """Return a recorded episode in lines: steps, rewards, components, row changes."""
    manifest = found["manifest"]
    lines = [f"{manifest['id']}  {manifest['instance']}  {manifest['space']}", manifest["goal"], ""]
    for step in found["steps"]:
        act = step["act"]
        reward = "   none" if step["reward"] is None else f"{step['reward']:+.4f}"
        lines.append(
            f"{step['step']:3}  {reward}  {step['step_kind'] or '-':13}"
            f" {act['tool']}  ({len(step['changes'])} rows)"
        )
        lines.extend(
            f"       met an injected {fault['kind']} at {fault['method']} {fault['path']}"
            + (", applied" if fault["applied"] else "")
            for fault in step["faults"]
        )
        lines.extend(
            f"       charged for {charge['kind']}: {charge['because']}"
            for charge in step["charges"]
        )
    reward = manifest["reward"]
    total = "none" if reward is None else f"{reward:.4f}"
    outcome = f"outcome {manifest['outcome']}, success {manifest['success']}, reward {total}"
    lines += ["", outcome]
    if manifest["abandoned_by"] not in (None, "caller"):
        lines.append(f"  abandoned by the {manifest['abandoned_by']}")
    if manifest["withdrawn"]:
        steps = ", ".join(map(str, manifest["withdrawn"]))
        lines.append(f"  the rewards of steps {steps} are withdrawn")
    lines += [_phase(phase) for phase in manifest["phases"]]
    components = manifest["components"]
    for name in ("partial", "quality", "collateral", "charged"):
        if components.get(name) is not None:
            lines.append(f"  {name} {components[name]:.4f}")
    for name, value in (components.get("parts") or {}).items():
        if value is not None:
            lines.append(f"    {name} {value:.4f}")
    lines += [f"  ruled out by: {name}" for name in components.get("failures") or ()]
    lines += [
        f"  {person['person']}: {person['state']}, z {person['satisfaction']}"
        for person in manifest["people"]
    ]
    lines.append(f"recorded in {found['folder']}")
    return lines


def _phase(phase: dict[str, Any]) -> str:
    value = "none" if phase["value"] is None else f"{phase['value']:.4f}"
    reached = phase["reached"]
    told = f", reached at step {reached['step']}" if reached else ""
    return f"  phase {phase['name']} {value} of weight {phase['weight']:g}{told}"


@contextmanager
def stopping_later() -> Iterator[list[int]]:
    """Keep Ctrl-C back while the block runs, and note it in the list that the block is given."""
    noted: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield noted
        return
    before = signal.signal(signal.SIGINT, lambda number, _: noted.append(number))
    try:
        yield noted
    finally:
        signal.signal(signal.SIGINT, before)


@episode.command()
@click.argument("episode_id", metavar="ID")
@with_server
def abandon(client: ControlClient, as_json: bool, episode_id: str) -> None:
    """End an episode without a score."""
    found = client.post(f"/v1/episodes/{episode_id}/abandon")
    show({"id": found["id"], "status": found["status"], "steps": found["steps"]}, as_json=as_json)


@episode.command("list")
@with_server
def list_episodes(client: ControlClient, as_json: bool) -> None:
    """List the recorded episodes."""
    show(client.get("/v1/episodes"), as_json=as_json)


@episode.command()
@click.option("--go-on", is_flag=True, help="Let episodes start again: the causes are known.")
@with_server
def failures(client: ControlClient, as_json: bool, go_on: bool) -> None:
    """Tell how often the environment failed of late, and why.

    Past 5 % of the last 200 episodes no new one starts until --go-on.
    """
    found = client.post("/v1/failures/acknowledge") if go_on else client.get("/v1/failures")
    show(found, as_json=as_json)


@episode.command("show")
@click.argument("episode_id", metavar="ID")
@with_server
def show_episode(client: ControlClient, as_json: bool, episode_id: str) -> None:
    """Show a recorded episode, step by step."""
    found = client.get(f"/v1/episodes/{episode_id}/trajectory")
    if as_json:
        show(found, as_json=True)
        return
    for line in summary(found):
        click.echo(line)


@episode.command()
@click.argument("episode_id", metavar="ID")
@with_server
def replay(client: ControlClient, as_json: bool, episode_id: str) -> None:
    """Play a recorded episode again in another sandbox and compare it step by step."""
    found = client.post(f"/v1/episodes/{episode_id}/replay")
    show(found, as_json=as_json)
    if not found["equal"]:
        fail(f"the replay of {episode_id} differs from its record")


@episode.command()
@click.argument("episode_id", metavar="ID")
@click.option("--step", required=True, type=click.IntRange(0), help="After which step to go on.")
@with_server
def branch(client: ControlClient, as_json: bool, episode_id: str, step: int) -> None:
    """Start a running episode that stands where a recorded one stood after a step."""
    show(client.post(f"/v1/episodes/{episode_id}/branch", {"step": step}), as_json=as_json)


@episode.command()
@click.argument("episode_id", metavar="[ID]", required=False)
@click.option("--format", "form", default="jsonl", type=click.Choice(["jsonl"]))
@with_server
def export(client: ControlClient, as_json: bool, episode_id: str | None, form: str) -> None:
    """Print a recorded episode, or all: one JSON line per step, the manifest before them."""
    if episode_id is not None:
        names = [episode_id]
    else:
        names = [entry["id"] for entry in client.get("/v1/episodes")["episodes"]]
    for name in names:
        found = client.get(f"/v1/episodes/{name}/trajectory")
        for line in [found["manifest"], *found["steps"]]:
            click.echo(json.dumps(line, ensure_ascii=False))
