"""Commits as stored documents, the same for every store."""

from __future__ import annotations

from typing import Any

from fliptable.codec import EventCodec, UnknownEvent
from fliptable.events import Commit, TableCreated
from fliptable.log import SCHEMA_VERSION
from fliptable.migrations import OtherVersion, UnreadableLog


def to_document(codec: EventCodec, commit: Commit) -> dict[str, Any]:
    """The document of a commit; its ``_id`` makes (table, version) unique."""
    document: dict[str, Any] = {
        "_id": {"t": commit.table, "v": commit.version},
        "s": SCHEMA_VERSION,
        "at": commit.at,
        "e": [codec.pack(event) for event in commit.events],
    }
    if commit.actor is not None:
        document["by"] = commit.actor
    if commit.key is not None:
        document["key"] = key_of(commit.actor, commit.key)
        document["digest"] = commit.digest
    if commit.version == 1 and isinstance(commit.events[0], TableCreated):
        document["code"] = commit.events[0].code
    if commit.claim is not None:
        document["claim"] = commit.claim
    if commit.counts:
        document["counts"] = True
    return document


def from_document(codec: EventCodec, document: dict[str, Any]) -> Commit:
    """The commit of a document. Errors: UnreadableLog says which one and why."""
    table, version = document["_id"]["t"], document["_id"]["v"]
    if document["s"] > SCHEMA_VERSION:
        raise UnreadableLog(
            f"table {table}: version {version} is stored in form {document['s']}, "
            f"and this server knows forms up to {SCHEMA_VERSION}"
        )
    try:
        events = tuple([codec.unpack(event) for event in document["e"]])
    except (KeyError, TypeError, ValueError) as error:
        told = isinstance(error, OtherVersion | UnknownEvent)
        why = str(error) if told else repr(error)
        if error.__cause__ is not None:
            why += f" ({error.__cause__!r})"
        raise UnreadableLog(f"table {table}: version {version} cannot be read: {why}") from error
    key = document.get("key")
    return Commit(
        table,
        version,
        document["at"],
        events,
        document.get("by"),
        None if key is None else key.removeprefix(key_of(document.get("by"), "")),
        document.get("digest"),
        document.get("claim"),
        document.get("counts", False),
    )


def key_of(actor: str | None, key: str) -> str:
    """An idempotency key as it is stored: each player has keys of their own."""
    return f"{actor}:{key}"
