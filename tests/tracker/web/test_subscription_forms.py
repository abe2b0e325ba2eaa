"""What counts for nothing in the form of a subscription is refused, and not dropped."""

from __future__ import annotations

from tests.tracker.site import Site
from tests.tracker.web.conftest import visitor


def test_an_expression_beside_another_schedule_is_refused(site: Site) -> None:
    ada = visitor(site)
    made = site.post("filter", {"name": "Mine", "jql": "project = LAS"}, status=200)
    at = f"/jira/filters/{made['id']}/subscriptions"
    page = ada.post(at, {"schedule": "0 0 8 ? * *", "cron": "0 0 9 ? * *"}, 400)
    assert "Choose Advanced for a cron expression" in page.main
    assert 'value="0 0 9 ? * *"' in page.html
    assert "0 0 9" not in ada.get(at).main
    ada.post(at, {"schedule": "advanced", "cron": "0 0 9 ? * *"})
    assert "0 0 9 ? * *" in ada.get(at).main
