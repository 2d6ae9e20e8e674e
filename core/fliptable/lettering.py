"""Which characters the names of players and the titles of challenges may have.

Anything that can be seen. Of what cannot, the two joiners alone, and only where writing needs them: elsewhere
they would tell apart two names that look the same.
"""

from __future__ import annotations

from unicodedata import category, combining, name, normalize

ZWNJ, ZWJ = "\u200c", "\u200d"
_VIRAMA = 9
"""The combining class of the signs that take a letter's vowel away."""
_CURSIVE = ("ARABIC LETTER", "SYRIAC LETTER", "MANDAIC LETTER", "NKO LETTER", "MONGOLIAN LETTER", "ADLAM ")
"""How the names begin of letters that join with their neighbours."""
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that nothing is seen of."""
_SYMBOLS = ((0x2190, 0x23FF), (0x2600, 0x27BF), (0x2B00, 0x2BFF), (0x1F000, 0x1FAFF))
"""Where pictures are that can be joined to one."""
_SKINS = frozenset(map(chr, range(0x1F3FB, 0x1F400)))


def settled(text: str) -> str:
    """A text as it is kept: white space folded, and letters composed (NFC), however a keyboard sends them."""
    return normalize("NFC", " ".join(text.split()))


def is_visible(text: str) -> bool:
    """Whether anything is seen of a text at all."""
    return any(one not in _BLANK and category(one)[0] in "LNPS" for one in text)


def is_legible(text: str) -> bool:
    """Whether all of it can be seen, apart from spaces and from joiners where they belong."""
    return all(_joins(text, at) if one in (ZWNJ, ZWJ) else one.isprintable() for at, one in enumerate(text))


def _joins(text: str, at: int) -> bool:
    """Whether the joiner at a place belongs there (compare Unicode's UAX 31, and UTS 51 for pictures)."""
    before, after = text[:at], text[at + 1 :]
    virama = _is_virama(before[-1:])
    base = before.rstrip("".join({one for one in before if category(one) == "Mn" or one in _SKINS}))[-1:]
    follower = next((one for one in after if category(one) != "Mn"), "")
    if virama:
        return _is_letter(base)
    if _is_virama(after[:1]):  # the ya-phala of Bengali
        return _is_letter(base)
    if _is_cursive(base):
        return _is_cursive(follower)
    return text[at] == ZWJ and _is_picture(base) and _is_picture(after[:1])


def _is_virama(one: str) -> bool:
    return one != "" and combining(one) == _VIRAMA


def _is_letter(one: str) -> bool:
    """Of a script whose letters have no case, as all those with a virama."""
    return one != "" and category(one) == "Lo"


def _is_cursive(one: str) -> bool:
    return one != "" and category(one)[0] == "L" and name(one, "").startswith(_CURSIVE)


def _is_picture(one: str) -> bool:
    return one != "" and any(low <= ord(one) <= high for low, high in _SYMBOLS)
