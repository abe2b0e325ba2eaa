"""Evaluates tasks by Inspect and a model that plays by a script, in Inspect's own environment.

Called with a folder of packages and a file: a JSON object of plans by name, each with `acts` (each
a tool and its arguments), the task's `arguments`, the `sample` and the tool that is `shown`. Prints
what came of each as JSON.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def play(plan: dict[str, Any]) -> dict[str, Any]:
    """Evaluate one sample."""
    models = import_module("inspect_ai.model")
    seen: dict[str, Any] = {}

    def answer(messages: list[Any], tools: list[Any], choice: Any, config: Any) -> Any:
        """Answer the n-th question with the n-th act, and then that it is done."""
        shown = {tool.name: tool.parameters.model_dump(exclude_none=True) for tool in tools}
        seen.update(tools=list(shown), shown=shown[plan["shown"]], prompt=messages[0].text)
        turn = sum(message.role == "assistant" for message in messages)
        if turn < len(plan["acts"]):
            tool, arguments = plan["acts"][turn]
            found = models.ModelOutput.for_tool_call("mockllm/model", tool, arguments)
        else:
            found = models.ModelOutput.from_content("mockllm/model", "I am done.")
        # Without it tokens would be counted, for which a file is fetched.
        found.usage = models.ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return found

    (log,) = import_module("inspect_ai").eval(
        "sandlot_inspect/sandlot",
        task_args=plan["arguments"],
        sample_id=plan["sample"],
        model=models.get_model("mockllm/model", custom_outputs=answer, memoize=False),
        fail_on_error=False,
        display="none",
        log_dir="logs",
    )
    (sample,) = log.samples
    (score,) = (sample.scores or {"none": None}).values()
    return {
        **seen,
        "status": log.status,
        "error": sample.error and sample.error.message,
        "score": score and score.value,
        "metadata": score and score.metadata,
        "said": [message.text for message in sample.messages if message.role == "tool"],
        "metrics": [
            {name: metric.value for name, metric in found.metrics.items()}
            for found in (log.results.scores if log.results else ())
        ],
    }


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    plans = json.loads(Path(sys.argv[2]).read_text())
    print(json.dumps({name: play(plan) for name, plan in plans.items()}))
