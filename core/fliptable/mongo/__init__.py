"""The stores in MongoDB. No other package talks to the driver."""

from fliptable.mongo.replica import initiate_replica_set, wait_writable
from fliptable.mongo.store import MINIMUM_SERVER, MongoStore

__all__ = ["MINIMUM_SERVER", "MongoStore", "initiate_replica_set", "wait_writable"]
