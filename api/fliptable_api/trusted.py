"""Documents by their hash: those of a manifest, and those that clients have sent before."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

from fliptable_api.errors import CodedError

_KEPT = 1000
_LARGEST_KEPT = 20_000
_PREFIX = "sha256:"


class BadManifest(ValueError):
    """A manifest of trusted documents cannot be used."""


class Trust(StrEnum):
    """What the documents of the manifest mean."""

    OFF = "off"
    ALLOW = "allow"
    ONLY = "only"


_NO_ID = {
    Trust.OFF: "There is no document of this documentId: this server has no manifest of trusted documents, "
    "as FLIPTABLE_TRUST is off.",
    Trust.ALLOW: "There is no document of this documentId in the manifest of this server, "
    "FLIPTABLE_TRUSTED_DOCUMENTS.",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """The document that a request means."""

    query: str | None
    by_hash: bool


class Documents:
    """The documents that can be named by a hash."""

    def __init__(self, manifest: str = "", trust: Trust = Trust.OFF, automatic: bool = True) -> None:
        """``automatic``: a client may send a document with its hash once, and later the hash alone.

        Errors: BadManifest.
        """
        self.trust = trust
        self.automatic = automatic and trust is not Trust.ONLY
        if trust is not Trust.OFF and not manifest:
            raise BadManifest(f"trusted documents are set to {trust.value}, but no manifest is named")
        self._trusted = {} if trust is Trust.OFF else read_manifest(Path(manifest))
        self._texts = frozenset(self._trusted.values())
        self._sent: OrderedDict[str, str] = OrderedDict()

    def __len__(self) -> int:
        """How many documents of clients are kept."""
        return len(self._sent)

    @property
    def trusted(self) -> Mapping[str, str]:
        """The documents of the manifest, by their hash."""
        return MappingProxyType(self._trusted)

    def find(self, query: str | None, extensions: Mapping[str, Any] | None, id: object = None) -> Asked:
        """The document of a request. ``id`` is its `documentId`, if it has one.

        Errors: CodedError for a hash that is not known or fits not, and for what is not trusted.
        """
        hash = _hash_of(extensions, id)
        if hash is None:
            self._check(query)
            return Asked(query, False)
        found = self._trusted.get(hash)
        if found is not None:
            # Whatever is sent along: clients over WebSocket send both, and some change what they send.
            return Asked(found, True)
        if not query:
            return Asked(self._again(hash, automatic=id is None), True)
        self._check(query)
        if sha256(query.encode("utf-8", "surrogatepass")).hexdigest() != hash:
            raise CodedError("BAD_REQUEST", "The hash is not that of the query.")
        if self.automatic and len(query) <= _LARGEST_KEPT:
            self._sent[hash] = query
            self._sent.move_to_end(hash)
            if len(self._sent) > _KEPT:
                self._sent.popitem(last=False)
        return Asked(query, True)

    def _again(self, hash: str, automatic: bool) -> str:
        found = self._sent.get(hash) if self.automatic else None
        if found is None:
            if self.trust is Trust.ONLY:
                raise CodedError("DOCUMENT_NOT_TRUSTED", "No trusted document has this hash.")
            # The messages, too, are what clients of automatic persisted queries look for.
            if automatic and not self.automatic:
                raise CodedError("PERSISTED_QUERY_NOT_SUPPORTED", "PersistedQueryNotSupported")
            told = "PersistedQueryNotFound" if automatic else _NO_ID[self.trust]
            raise CodedError("PERSISTED_QUERY_NOT_FOUND", told)
        self._sent.move_to_end(hash)
        return found

    def _check(self, query: str | None) -> None:
        if self.trust is Trust.ONLY and query and query not in self._texts:
            raise CodedError(
                "DOCUMENT_NOT_TRUSTED", "This server carries out the documents of its manifest only."
            )


def _hash_of(extensions: Mapping[str, Any] | None, id: object) -> str | None:
    if id is not None:
        if not isinstance(id, str) or not id:
            raise CodedError("BAD_REQUEST", "The documentId has to be a string, and not empty.")
        return id.removeprefix(_PREFIX)
    persisted = (extensions or {}).get("persistedQuery")
    if persisted is None:
        return None
    hash = persisted.get("sha256Hash") if isinstance(persisted, dict) else None
    if not isinstance(hash, str) or persisted.get("version", 1) != 1:
        raise CodedError("BAD_REQUEST", "persistedQuery has to be {version: 1, sha256Hash: a string}.")
    return hash.removeprefix(_PREFIX)


def read_manifest(path: Path) -> dict[str, str]:
    """Documents by id, from a manifest of Apollo's format or a plain object of ids and documents.

    Errors: BadManifest.
    """
    try:
        # Pairs, since of a name that is there twice a dict would keep the last alone.
        read = json.loads(path.read_bytes(), object_pairs_hook=_Pairs)
    except OSError as error:
        raise BadManifest(f"the manifest {path} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise BadManifest(f"the manifest {path} is not JSON: {error}") from None
    if not isinstance(read, _Pairs):
        raise BadManifest(f"the manifest {path} has to be a JSON object")
    given: list[tuple[object, object]] = list(read)
    members = dict(read)
    if members.get("format") == "apollo-persisted-query-manifest":
        operations = members.get("operations")
        if not isinstance(operations, list) or not all(isinstance(one, _Pairs) for one in operations):
            raise BadManifest(f"the manifest {path} has no list of operations")
        given = [(one.get("id"), one.get("body")) for one in map(dict, operations)]
    found: dict[str, str] = {}
    for id, text in given:
        if not isinstance(id, str) or not isinstance(text, str):
            raise BadManifest(f"the manifest {path} has to give a document for each id, as text; see {id!r}")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise BadManifest(f"the document {id!r} of the manifest {path} is no Unicode text") from None
        if found.setdefault(id.removeprefix(_PREFIX), text) != text:
            raise BadManifest(f"the manifest {path} gives two documents for the id {id!r}")
    return found


class _Pairs(list[tuple[str, Any]]):
    """The members of a JSON object, in their order."""
