"""Run by a Python that has Gymnasium: its own checks, and a few of what it does not check."""

from __future__ import annotations

import json
import sys
import warnings
from importlib import import_module
from typing import Any

ROOT, URL, TOKEN = sys.argv[1:]
sys.path.insert(0, ROOT)
gymnasium: Any = import_module("gymnasium")
check_env: Any = import_module("gymnasium.utils.env_checker").check_env
SandlotEnv: Any = import_module("sandlot.gymnasium").SandlotEnv
EnvironmentFailed: Any = import_module("sandlot.spaces.rollout").EnvironmentFailed
warnings.simplefilter("error")


def made(**options: Any) -> Any:
    """Return an environment of one family's tasks."""
    return SandlotEnv(URL, token=TOKEN, families=["H05"], **options)


def main() -> None:
    """Check, and print what was found as JSON."""
    gymnasium.register(id="Sandlot-v0", entry_point="sandlot.gymnasium:SandlotEnv")
    env = gymnasium.make("Sandlot-v0", url=URL, token=TOKEN, families=["H05"]).unwrapped
    check_env(env)
    first, info = env.reset(seed=3)
    again, _ = env.reset(seed=3)
    found: dict[str, Any] = {"same": first == again, "task": info["task"]}
    found["tools"] = [tool["name"] for tool in info["tools"]]
    look = json.dumps({"name": "call", "arguments": {"operation": "helpdesk_ShowCurrentUser"}})
    seen, worth, *ended, told = env.step(look)
    found["look"] = [json.loads(seen)["status"], worth, *ended, told["step_kind"]]
    seen, worth, *ended, told = env.step("good morning")
    found["mistake"] = [json.loads(seen)["kind"], worth, *ended, told["step_kind"]]
    _, worth, *ended, told = env.step('{"name": "finish"}')
    found["finish"] = [worth, *ended, told["reward"], told["success"]]
    try:
        env.step(look)
    except EnvironmentFailed as error:
        found["over"] = str(error)
    short = made(max_steps=1, reward="step")
    short.reset(options={"task": info["task"]})
    _, worth, *ended, told = short.step(look)
    found["short"] = [worth, *ended]
    lost = made()
    lost.reset(seed=1)
    sandbox = vars(lost)["_rollout"].view["sandbox"]
    vars(lost)["_client"].delete(f"/v1/sandboxes/{sandbox}")
    try:
        lost.step(look)
    except EnvironmentFailed:
        found["lost"] = "raised"
    for one in (env, short, lost):
        one.close()
    print(json.dumps(found))


main()
