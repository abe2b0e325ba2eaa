"""Sandlot's tasks for BrowserGym: importing this registers `browsergym/sandlot.<family>`.

    gym.make("browsergym/sandlot.h05", task_kwargs={"url": "http://127.0.0.1:8801", "token": TOKEN})

Registration is each process's own: workers import this, too.
"""

from sandlot_browsergym.browser import use_chromium
from sandlot_browsergym.task import SandlotTask
from sandlot_browsergym.tasks import TASKS, register_all
from sandlot_browsergym.waiting import let_time_pass

__all__ = ["TASKS", "SandlotTask", "let_time_pass", "register_all", "use_chromium"]

register_all()
