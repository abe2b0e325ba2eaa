from tests.tracker.conftest import Site
from tests.tracker.desk_site import open_desk
from tests.tracker.test_desk_queues import counted

def test_count(site: Site) -> None:
    desk = open_desk(site)
    desk.ask()
    with counted(site) as st:
        desk.ask()
    print(len(st))
    import collections
    for s,n in collections.Counter(x[:130] for x in st).most_common(45): print(n, s)
    with counted(site) as st:
        desk.get("request/IT-1")
    print("GET", len(st))
    with counted(site) as st:
        desk.post("request/IT-1/comment", {"body": "x"})
    print("comment", len(st))
    with counted(site) as st:
        site.put("issue/IT-1", {"fields": {"summary": "y"}})
    print("edit", len(st))
    import time
    t=time.perf_counter()
    for _ in range(10): desk.ask()
    print("ask ms", (time.perf_counter()-t)*100)
    assert 0

def test_key(site: Site) -> None:
    desk = open_desk(site)
    desk.ask()
    desk.send(("a.txt","text/plain",b"x"))
    r = site.call("DELETE", "project/IT?enableUndo=false")
    print(r)
    assert desk.get("servicedesk", by="cara")["values"] == []
