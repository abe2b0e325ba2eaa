import pytest
from tests.tracker.conftest import *
from tests.tracker.boards import board_of, running_sprint, AGILE
from tests.tracker.web.conftest import visitor
from tests.tracker.web.test_boards_browser import play_at, port
from tests.tracker.web.test_dashboards_pages import made, added
pytestmark = pytest.mark.browser
def test_shots(site, port):
    dev = {"accountId": site.ids["dev"]}; dana = {"accountId": site.ids["dana"]}
    keys = [site.issue(name, assignee=who, labels=labels) for name, who, labels in [("Calibrate the beam after the pump was replaced", dev, ["hot"]), ("Log the temperature of the coil", dana, ["cold","hot"]), ("Alarm at overheating", None, []), ("Write the manual", dev, []), ("Order mirrors", None, ["cold"])]]
    board = board_of(site); sprint = running_sprint(site, board)
    site.post(f"{AGILE}/sprint/{sprint}/issue", {"issues": keys[:3]}, status=204)
    saved = site.post("filter", {"name": "All lasers", "jql": "project = LAS", "favourite": True, "description": "Everything about lasers"}, by="dev", status=200)["id"]
    v = visitor(site, "dev")
    at = made(v, "Laser numbers", description="What the team looks at on Mondays")
    src = f"filter-{saved}"
    for kind, conf in [("Pie Chart", {"projectOrFilterId": src}), ("Two Dimensional Filter Statistics", {"filterId": saved}), ("Created vs. Resolved Chart", {"projectOrFilterId": src}), ("Filter Results", {"filterId": saved}), ("Activity Stream", {}), ("Sprint Burndown Gadget", {"rapidViewId": str(board)}), ("Issue Statistics", {"projectOrFilterId": src})]:
        added(v, at, kind, **conf)
        if kind in ("Pie Chart", "Created vs. Resolved Chart", "Activity Stream"):
            g = site.get(f"dashboard/{at.rpartition('/')[2]}/gadget", by="dev")["gadgets"]
            gid = next(x["id"] for x in g if x["title"] == kind)
            v.post(f"{at}/gadgets/{gid}/move", {"to": "right"})
    def play(page, expect):
        root = page.url.split("/issues")[0]
        def shot(name, full=False): page.wait_for_timeout(300); page.screenshot(path=f"/tmp/U3/{name}.png", full_page=full)
        shot("jql")
        e = page.get_by_role("combobox", name="JQL query"); e.fill("project = LAS AND ass"); e.click(); page.keyboard.press("End"); page.wait_for_timeout(500); shot("complete")
        page.goto(root + "/issues/?jql=project+%3D+LAS&mode=basic"); page.get_by_text("Assignee", exact=True).first.click(); shot("basic")
        page.goto(root + "/issues/?jql=project+%3D+LAS"); page.get_by_text("Columns").click(); shot("columns")
        page.goto(root + f"/issues/?filter={saved}&view=detail"); shot("detail")
        page.goto(root + "/issues/?jql=flavour+%3D+x&mode=jql"); shot("error")
        page.goto(root + "/jira/filters"); shot("filters")
        page.goto(root + f"/jira/filters/{saved}"); shot("filter", True)
        page.goto(root + "/jira/dashboards"); shot("dashboards")
        page.goto(root + at); shot("dashboard", True)
        page.goto(root + at + "?edit"); shot("dashboard_edit")
        page.goto(root + at + "/gadgets/add"); shot("add")
        page.goto(root + "/issues/bulk?jql=project+%3D+LAS"); shot("bulk1")
        page.get_by_label("Select all").check(); page.get_by_role("button", name="Next").click(); shot("bulk2")
        page.get_by_label("Edit work items").check(); page.get_by_role("button", name="Next").click(); shot("bulk3", True)
        page.set_viewport_size({"width": 1440, "height": 900}); page.goto(root + at); shot("dash1440")
    play_at(site, port, "/issues/?jql=project+%3D+LAS+ORDER+BY+key&mode=jql", play)
