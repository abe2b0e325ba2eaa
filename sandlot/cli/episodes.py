"""`sandlot episode`."""

from __future__ import annotations

import json
from typing import Any

import click

from sandlot.cli.agents import UnknownAgent, find_agent
from sandlot.cli.connection import with_server
from sandlot.cli.output import EXIT_USAGE, fail, show
from sandlot.client import ControlClient
from sandlot.spaces import RemoteSpace


@click.group()
def episode() -> None:
    """Episodes: attempts at tasks."""


def play(client: ControlClient, task: str, agent: str, body: dict[str, Any]) -> dict[str, Any]:
    """Start an episode, let an agent play it to its end, and return the trajectory.

    Raises:
        UnknownAgent: there is no such agent.
    """
    script = find_agent(agent, task, body["space"], body["seed"])
    started = client.post("/v1/episodes", {"task": task, **body})
    space = RemoteSpace(client, started)
    try:
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
    type=click.Choice(["api", "browser", "computer", "hybrid"]),
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
@with_server
def run(
    client: ControlClient,
    as_json: bool,
    task: str,
    agent: str,
    space: str,
    seed: int,
    screenshots: bool,
    faults: str,
    fault_seed: int,
) -> None:
    """Play one episode and print its rewards."""
    if space in ("computer", "hybrid"):
        fail(f"the space {space} is not built yet: use api or browser", EXIT_USAGE)
    body = {
        "space": space,
        "seed": seed,
        "screenshots": screenshots,
        "faults": faults,
        "fault_seed": fault_seed,
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
    components = manifest["components"]
    for name in ("partial", "quality", "collateral", "charged"):
        if components.get(name) is not None:
            lines.append(f"  {name} {components[name]:.4f}")
    for name, value in (components.get("parts") or {}).items():
        if value is not None:
            lines.append(f"    {name} {value:.4f}")
    lines += [
        f"  {person['person']}: {person['state']}, z {person['satisfaction']}"
        for person in manifest["people"]
    ]
    lines.append(f"recorded in {found['folder']}")
    return lines


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
@click.option("--format", "form", default="jsonl", type=click.Choice(["jsonl", "parquet"]))
@with_server
def export(client: ControlClient, as_json: bool, episode_id: str | None, form: str) -> None:
    """Print a recorded episode, or all: one JSON line per step, the manifest before them."""
    if form == "parquet":
        fail("the format parquet is not built yet: use jsonl", EXIT_USAGE)
    if episode_id is not None:
        names = [episode_id]
    else:
        names = [entry["id"] for entry in client.get("/v1/episodes")["episodes"]]
    for name in names:
        found = client.get(f"/v1/episodes/{name}/trajectory")
        for line in [found["manifest"], *found["steps"]]:
            click.echo(json.dumps(line, ensure_ascii=False))
