"""Webhooks, whoever's: what is owed to foreign hosts, and how it is sent (ADR 0016).

`outbox` is what clones call; `delivering` is what a queue's workers call. Nothing here knows a
vendor: each clone registers a `Deliverer` that signs its requests and says what is tried again.
"""
