"""Addresses of a MongoDB, read before anything is connected to."""

from __future__ import annotations

from pymongo.errors import PyMongoError
from pymongo.uri_parser import parse_uri


def problem_of(url: str) -> str | None:
    """What is wrong with a connection string; None when it is one.

    What a ``mongodb+srv`` address stands for, the DNS knows; it is asked when the server connects.
    """
    if url.startswith("mongodb+srv://"):
        return None
    try:
        parse_uri(url, warn=False)
    except (PyMongoError, ValueError) as error:
        return str(error)
    return None
