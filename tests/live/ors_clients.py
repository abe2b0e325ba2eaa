"""Plays episodes by a public client of Open Reward Standard, in that client's environment.

Called with the client's name and a file: a JSON object of plans by name, each with `url`,
`environment`, `split`, `index` (or `task`) and `acts`, each a tool and its arguments. Prints what
came of each as JSON.
"""

from __future__ import annotations

import inspect
import json
import os
import sys
from collections.abc import Callable
from importlib import import_module, metadata
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any


def by_ors(plan: dict[str, Any]) -> dict[str, Any]:
    """Play with `ors-sdk`."""
    client = import_module("ors.client").ORS(base_url=plan["url"])
    return _by_sdk(client.environment(plan["environment"]), plan)


def by_openreward(plan: dict[str, Any]) -> dict[str, Any]:
    """Play with `openreward`, which names the environment."""
    environments = import_module("openreward").OpenReward(api_key="").environments
    name = plan["environment"]
    return _by_sdk(environments.get(name, variant=name, base_url=plan["url"]), plan)


def by_openreward_bare(plan: dict[str, Any]) -> dict[str, Any]:
    """Play with `openreward`, which names none: the paths are bare."""
    environments = import_module("openreward").OpenReward(api_key="").environments
    return _by_sdk(environments.get("any", base_url=plan["url"]), plan)


def _by_sdk(environment: Any, plan: dict[str, Any]) -> dict[str, Any]:
    split, index = plan["split"], plan["index"]
    listed = environment.list_tasks(split)
    task = environment.get_task(split, index)
    found: dict[str, Any] = {
        "splits": environment.list_splits(),
        "counted": environment.num_tasks(split) == len(listed),
        "task": (task if isinstance(task, dict) else task.task_spec)["task"],
    }
    with environment.session(**_task_of(environment, plan)) as session:
        found["prompt"] = session.get_prompt()[0].text
        found["tools"] = sorted(tool.name for tool in session.list_tools())
        return {**found, **_play(session.call_tool, plan)}


def _task_of(environment: Any, plan: dict[str, Any]) -> dict[str, Any]:
    if "task" not in plan:
        return {"split": plan["split"], "index": plan["index"]}
    listed = environment.list_tasks(plan["split"])[0]
    return {"task": type(listed)(**{**vars(listed), "task_spec": plan["task"]})}


def _play(call: Callable[[str, dict[str, Any]], Any], plan: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"rewards": [], "finished": [], "metadata": [], "lengths": []}
    for tool, arguments in plan["acts"]:
        try:
            output = call(tool, arguments)
        except Exception as error:  # noqa: BLE001 - whatever a client says of it
            found["error"] = [type(error).__name__, str(error)]
            break
        found["rewards"].append(output.reward)
        found["finished"].append(output.finished)
        found["metadata"].append(output.metadata)
        found["lengths"].append(len(output.blocks[0].text))
    return found


def by_trl(plan: dict[str, Any]) -> dict[str, Any]:
    """Play with the file that TRL has for it; of TRL nothing else is loaded."""
    place = metadata.distribution("trl").locate_file("trl/experimental/openreward/environment.py")
    spec = spec_from_file_location("trl_openreward", Path(str(place)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    # Without these its SDK puts a name before the address.
    os.environ |= {f"OPENREWARD_{name}_URL": plan["url"] for name in ("API", "SESSION")}
    client = import_module("openreward").OpenReward(api_key="none", base_url=plan["url"])
    environment = client.environments.get("env")
    given = {"task_spec": plan["task"]} if "task" in plan else {"task_index": plan["index"]}
    # As its `OpenRewardSpec` does: the tools are those of a session, in a class for them alone.
    with environment.session(**_task_of(environment, plan)) as session:
        specs = session.list_tools()
    rollout = type("Rollouts", (module._RolloutEnvironment,), {})(
        base_url=plan["url"],
        split=plan["split"],
        _client=client,
        _env=environment,
        _tool_specs=specs,
    )
    prompt = rollout.reset(**given)
    bound = {name for name, _ in inspect.getmembers(rollout, inspect.ismethod)}
    outputs = []
    for tool, arguments in plan["acts"]:
        if tool in bound:
            outputs.append(getattr(rollout, tool)(**arguments))
        else:
            outputs.append(rollout._call_ors_tool(tool, arguments))
    found = {
        "prompt": prompt,
        "tools": sorted(bound),
        "by_method": all(tool in bound for tool, _ in plan["acts"]),
        "reward": rollout.reward,
        "rewards": rollout.rewards,
        "finished": rollout.finished,
        "metadata": rollout.metadata,
        "lengths": list(map(len, outputs)),
        "last": rollout.last_output,
    }
    rollout._close()
    return found


CLIENTS = {
    "ors": by_ors,
    "openreward": by_openreward,
    "openreward-bare": by_openreward_bare,
    "trl": by_trl,
}


if __name__ == "__main__":
    play = CLIENTS[sys.argv[1]]
    plans = json.loads(Path(sys.argv[2]).read_text())
    print(json.dumps({name: play(plan) for name, plan in plans.items()}))
