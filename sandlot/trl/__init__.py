"""Sandlot for TRL: a dataset and a factory of environments for `GRPOTrainer`.

    env = Sandlot("http://127.0.0.1:8801", families=["H05"], split="train", surface="search_call")
    GRPOTrainer(train_dataset=env.dataset, environment_factory=env.factory, ...)

Nothing of TRL is needed to import it; `dataset` needs `datasets`, which comes with TRL.
"""

from sandlot.trl.environments import Sandlot, TaskEpisode

__all__ = ["Sandlot", "TaskEpisode"]
