"""Plays episodes by a public client of OpenEnv, in that client's environment.

Called with a file: a JSON object of plans by name, each with `url`, `reset` and `acts`, each a tool
and its arguments. Prints what came of each as JSON.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def play(plan: dict[str, Any]) -> dict[str, Any]:
    """Play one plan with the client that knows no environment."""
    client = import_module("openenv.core").GenericEnvClient(base_url=plan["url"]).sync()
    found: dict[str, Any] = {"rewards": [], "done": [], "observations": []}
    with client as environment:
        begun = environment.reset(**plan["reset"])
        found["begun"] = {"observation": begun.observation, "reward": begun.reward}
        for tool, arguments in plan["acts"]:
            try:
                result = environment.step({"tool": tool, "arguments": arguments})
            except Exception as error:  # noqa: BLE001 - whatever a client says of it
                found["error"] = [type(error).__name__, str(error)]
                break
            found["rewards"].append(result.reward)
            found["done"].append(result.done)
            found["observations"].append(result.observation)
        try:
            found["state"] = environment.state()
        except RuntimeError as error:
            found["ended"] = str(error)
    return found


if __name__ == "__main__":
    plans = json.loads(Path(sys.argv[1]).read_text())
    print(json.dumps({name: play(plan) for name, plan in plans.items()}))
