"""The evaluation: tasks of a split of a server's families."""

from __future__ import annotations

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from sandlot_episodes import DEFAULT_URL, Server

from sandlot_inspect.episodes import begin_episode, episode_reward, leave, play


@task
def sandlot(
    families: str | list[str] | None = None,
    *,
    split: str = "test",
    surface: str = "search_call",
    url: str = DEFAULT_URL,
    instances: int = 20,
    max_steps: int | None = None,
    faults: str = "none",
) -> Task:
    """Evaluate a family, several, or all that are played by API: a sample for each task.

    `families` are names (`H05`, or `H05,X02`), `split` is `train`, `validation` or `test`, and of
    each family there are `instances` in it. `surface`, `max_steps` and `faults` are those of
    `POST /v1/episodes`, `url` is the control plane's, whose token is in `SANDLOT_TOKEN`: arguments
    of a task are written into the log.

    Raises:
        ServerError: there is no such family or split, or no server.
    """
    named = families.split(",") if isinstance(families, str) else families
    options = {"surface": surface, "max_steps": max_steps, "faults": faults}
    samples = [
        # Its goal is arranged with the episode, and told by it.
        Sample(id=id, input=f"Task {id}.", metadata={"family": id.partition("@")[0]})
        for id in Server(url).instances(named, split, instances)
    ]
    return Task(
        dataset=MemoryDataset(samples, name=f"sandlot-{split}"),
        setup=begin_episode(url, options),
        solver=play(),
        cleanup=leave(url),
        scorer=episode_reward(url),
    )
