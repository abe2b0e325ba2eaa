"""Plays an episode by `sandlot-openenv`, in an environment of OpenEnv's.

Called with the package's folder, the address of the gateways, and a file: a JSON list of `split`
and `index`, acts (each a tool and its arguments), and the name of an environment. Prints what came
of it as JSON.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def play(server: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Play what is asked for, and return what was seen of it."""
    package = import_module("sandlot_openenv")
    with package.SandlotEnv.at(server, asked["environment"]).sync() as environment:
        begun = environment.reset(split="train", index=asked["index"])
        found: dict[str, Any] = {
            "text": begun.observation.text,
            "tools": [tool.name for tool in begun.observation.available_tools],
            "begun": [begun.reward, begun.done],
            "rewards": [],
        }
        for tool, arguments in asked["acts"]:
            result = environment.step(package.SandlotAction(tool=tool, arguments=arguments))
            found["rewards"].append(result.reward)
        state = environment.state()
        found |= {
            "done": result.done,
            "of_observation": [result.observation.reward, result.observation.done],
            "step": result.observation.step,
            "success": result.observation.metadata.get("success"),
            "state": [state.episode, state.step_count, state.status],
        }
        return found


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    plans = json.loads(Path(sys.argv[3]).read_text())
    print(json.dumps([play(sys.argv[2], plan) for plan in plans]))
