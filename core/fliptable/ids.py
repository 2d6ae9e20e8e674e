"""Random ids and short codes."""

from __future__ import annotations

import hmac
import secrets

_ID_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
_CODE_LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_ID_LENGTH, _CODE_LENGTH = 20, 6

PREFIXES = {"table": "tbl_", "player": "ply_"}
"""How the ids of each kind of thing begin."""
_CHALLENGE = "chl_"
"""How the id of a challenge begins, before its code, by which it is kept."""


def new_id(kind: str) -> str:
    """A random id (100 bits) of a kind, with its prefix."""
    return PREFIXES[kind] + "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))


def derived_id(kind: str, secret: bytes, label: str) -> str:
    """The id of a kind that belongs to a label: the same for the same secret and label."""
    number = int.from_bytes(hmac.digest(secret, label.encode("utf-8", "surrogatepass"), "sha256"))
    letters = []
    for _ in range(_ID_LENGTH):
        number, letter = divmod(number, len(_ID_LETTERS))
        letters.append(_ID_LETTERS[letter])
    return PREFIXES[kind] + "".join(letters)


def kind_of(id: str) -> str | None:
    """The kind of thing that an id belongs to; None when it is no id."""
    for kind, prefix in PREFIXES.items():
        rest = id.removeprefix(prefix)
        if rest != id and len(rest) == _ID_LENGTH and set(rest) <= set(_ID_LETTERS):
            return kind
    return None


def new_code() -> str:
    """A random short code (30 bits) without letters that are easily confused."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))


def challenge_id(code: str) -> str:
    """The id of the challenge with that short code."""
    return _CHALLENGE + code


def challenge_code(id: str) -> str | None:
    """The short code of the challenge with that id; None when it is no challenge's."""
    code = id.removeprefix(_CHALLENGE)
    return code if code != id and len(code) == _CODE_LENGTH and set(code) <= set(_CODE_LETTERS) else None


def clean_code(text: str) -> str:
    """A short code as somebody may have typed it, in the form in which it is kept."""
    return "".join(text.split()).replace("-", "").upper()
