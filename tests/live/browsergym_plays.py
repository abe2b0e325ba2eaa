"""Plays episodes in BrowserGym, in that package's environment.

Called with a file: `paths` to import from, the `browser`'s program, and `plays` by name, each with
`env`, `seed`, `task_kwargs` and `acts`: actions of BrowserGym, in which ORIGIN is that of the first
page, or `cheat`. Prints what came of each as JSON.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

SWITCHES = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip


def play(plan: dict[str, Any]) -> dict[str, Any]:
    """Play one plan, up to the end of its acts or of the episode."""
    gymnasium, package = import_module("gymnasium"), import_module("sandlot_browsergym")
    actions = import_module("browsergym.core.action.highlevel").HighLevelActionSet(
        ["chat", "infeas", "bid", "nav", "custom"], custom_actions=[package.let_time_pass]
    )
    environment = gymnasium.make(
        plan["env"],
        task_kwargs=plan["task_kwargs"],
        action_mapping=actions.to_python_code,
        pre_observation_delay=0.1,
    )
    found: dict[str, Any] = {"steps": [], "raised": None}
    try:
        seen, info = environment.reset(seed=plan["seed"])
        found |= {"goal": seen["goal"], "url": seen["url"], "begun": info["task_info"]}
        origin = "/".join(seen["url"].split("/")[:3])
        for act in plan["acts"]:
            if act == "cheat":
                played = environment.unwrapped
                played.task.cheat(played.page, played.chat.messages)
                act = "noop(0)"  # noqa: PLW2901 - it is the step that follows a cheat
            seen, reward, terminated, truncated, info = environment.step(
                act.replace("ORIGIN", origin)
            )
            found["steps"].append(
                {
                    "act": act,
                    "reward": reward,
                    "over": [terminated, truncated],
                    "error": seen["last_action_error"],
                    "url": seen["url"],
                    "info": info["task_info"],
                }
            )
            if terminated:
                break
    except Exception as error:  # noqa: BLE001 - whatever a trainer's loop would meet
        found["raised"] = [type(error).__name__, str(error)]
    finally:
        environment.close()
    return found


def main(asked: dict[str, Any]) -> None:
    """Play every plan."""
    sys.path[:0] = asked["paths"]
    package = import_module("sandlot_browsergym")
    package.use_chromium(asked["browser"], SWITCHES)
    found = {name: play(plan) for name, plan in asked["plays"].items()}
    loaded = {name.partition(".")[0] for name in sys.modules}
    print(json.dumps({"plays": found, "ids": list(package.TASKS), "loaded": sorted(loaded)}))


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_text()))
