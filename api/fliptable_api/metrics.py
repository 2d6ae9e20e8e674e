"""Numbers about a worker, as Prometheus reads them."""

from __future__ import annotations

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, generate_latest

from fliptable.service import TableService


class Metrics:
    """The numbers of one worker, in a registry of its own."""

    content_type = CONTENT_TYPE_LATEST

    def __init__(self) -> None:
        """All zero."""
        self._registry = CollectorRegistry()
        self._tables = Gauge("fliptable_tables_cached", "Tables in memory.", registry=self._registry)
        self._feeds = Gauge(
            "fliptable_subscriptions", "Live subscriptions to tables.", registry=self._registry
        )
        self._connections = Gauge(
            "fliptable_connections", "WebSockets and streams that are open.", registry=self._registry
        )
        self._commits = Counter(
            "fliptable_commits", "Commits stored by this worker.", registry=self._registry
        )
        self._refusals = Counter("fliptable_refusals", "Requests refused.", registry=self._registry)
        self._seen = (0, 0)

    def text(self, service: TableService, connections: int) -> bytes:
        """The numbers as they are now."""
        self._connections.set(connections)
        numbers = service.numbers()
        self._tables.set(numbers.tables)
        self._feeds.set(numbers.subscriptions)
        self._commits.inc(numbers.commits - self._seen[0])
        self._refusals.inc(numbers.refusals - self._seen[1])
        self._seen = (numbers.commits, numbers.refusals)
        return generate_latest(self._registry)
