import json
from tests.tracker.conftest import Site
from tests.tracker.desk_site import open_desk

def test_smoke(site: Site) -> None:
    desk = open_desk(site)
    print(json.dumps(desk.get(f"servicedesk/{desk.id}/requesttype?expand=field"), indent=1)[:6000])
    r = desk.ask(values={"description": "It says *no*."})
    print(json.dumps(r, indent=1))
    k = r["issueKey"]
    print(json.dumps(desk.get(f"request/{k}?expand=participant,status,sla,requestType,serviceDesk,attachment,action,comment"), indent=1)[:9000])
    print(json.dumps(desk.get(f"request/{k}/transition", by="cara"), indent=1))
    print(json.dumps(desk.get(f"servicedesk/{desk.id}/queue?includeCount=true"), indent=1))
    q = desk.get(f"servicedesk/{desk.id}/queue")["values"][0]["id"]
    print(json.dumps(desk.get(f"servicedesk/{desk.id}/queue/{q}/issue"), indent=1)[:5000])
    assert 0
