"""Names of people everywhere can be had, and nothing that cannot be seen is in them."""

from __future__ import annotations

import pytest

from fliptable.accounts import InvalidName, clean_name
from fliptable.lettering import is_legible, settled

NAMES = {
    "English": "Ann O’Neill-Smith",
    "Persian": "علی\u200cرضا",
    "Persian, with vowels": "عَلِی\u200cرِضا",
    "Persian, two words": "نیلوفر شاه\u200cحسینی",
    "Arabic": "عبد الرّحمٰن",
    "Urdu": "محمّد اقبال",
    "Kurdish": "شێرکۆ بێکەس",
    "Syriac": "ܐܦܪܝܡ",
    "Hebrew": "בת־שבע",
    "Hindi": "लक्ष्मी",
    "Hindi, with a joiner": "क्\u200dष",
    "Hindi, with a non-joiner": "बुद्\u200cध",
    "Marathi": "दर्\u200dया",
    "Bengali": "র\u200d্যাচেল",
    "Malayalam, as of old": "അവന്\u200d",
    "Malayalam, in the middle": "ശ്രീ ജോണ്\u200d പോള്\u200d",
    "Telugu": "జాన్\u200c",
    "Kannada": "ರಾಜ್\u200cಕುಮಾರ್",
    "Sinhala": "ශ්\u200dරී ලංකා",
    "Tamil": "ஸ்ரீ",
    "Khmer": "សុភ័ក្រ",
    "Burmese": "အောင်ဆန်း",
    "Tibetan": "བསྟན་འཛིན",
    "Thai": "ศรีสุดา",
    "Chinese": "王小明",
    "Japanese": "山田 太郎",
    "Korean": "김민준",
    "Amharic": "ተስፋዬ",
    "Georgian": "ნინო",
    "Armenian": "Արամ",
    "Greek": "Ἀθηνᾶ",
    "Russian": "Ёлка",
    "Vietnamese": "Nguyễn Thị Minh",
    "Yoruba": "Ọláńrewájú",
    "Hawaiian": "Kaʻiulani",
    "a family": "👨\u200d👩\u200d👧",
    "an astronaut": "👩🏽\u200d🚀",
    "a flag": "🏳\ufe0f\u200d🌈",
    "a heart": "❤\ufe0f\u200d🔥",
    "somebody who nods": "🙂\u200d↕\ufe0f",
    "two hands": "🧑🏻\u200d🤝\u200d🧑🏿",
    "a card": "🂡 Ann",
}


@pytest.mark.parametrize("kind", NAMES)
def test_a_name_that_people_have(kind: str) -> None:
    assert clean_name(NAMES[kind]) == NAMES[kind]


UNSEEN = {
    "a joiner between letters that do not join": "A\u200dnn",
    "a non-joiner between them": "An\u200cn",
    "a joiner at the beginning": "\u200dAnn",
    "a joiner at the end": "Ann\u200d",
    "alone": "\u200c",
    "beside a space": "علی\u200c رضا",
    "after a space": "علی \u200cرضا",
    "twice": "علی\u200c\u200cرضا",
    "both": "क्\u200d\u200cष",
    "between scripts": "علی\u200cAnn",
    "at the end in Persian": "علی\u200c",
    "between letters without a virama": "क\u200dष",
    "at a virama that is on no letter of its kind": "a\u094d\u200db",
    "between digits": "1\u200d2",
    "after a picture": "👨\u200d",
    "before a picture": "\u200d👨",
    "between a letter and a picture": "A\u200d👨",
    "a non-joiner between pictures": "👨\u200c👩",
    "between Chinese letters": "王\u200d明",
    "a space of no width": "An\u200bn",
    "a soft hyphen": "An\u00adn",
    "a word joiner": "An\u2060n",
    "a byte order mark": "\ufeffAnn",
    "an override": "Ann\u202egnp",
    "an embedding": "\u202aAnn\u202c",
    "an isolate": "\u2067Ann\u2069",
    "a mark of direction": "Ann\u200f",
    "a tag": "Ann\U000e0061",
    "an end of line": "Ann\u2028Bob\x85\x1b[31m",
    "a private character": "Ann\ue000",
    "half a character": "Ann\ud800",
    "none": "Ann\uffff",
}


@pytest.mark.parametrize("kind", UNSEEN)
def test_what_cannot_be_seen_is_in_no_name(kind: str) -> None:
    with pytest.raises(InvalidName, match="printable"):
        clean_name(UNSEEN[kind])


@pytest.mark.parametrize(
    "blank", ["\u3164", "\u115f\u1160", "\uffa0", "\u2800 \u2800", "\ufe0f", "\u0301", ""]
)
def test_a_name_can_be_seen(blank: str) -> None:
    with pytest.raises(InvalidName, match="at least one visible character"):
        clean_name(blank)


def test_spaces_are_legible_and_ends_of_lines_are_not() -> None:
    assert is_legible("Ann of Green Gables")
    assert not is_legible("Ann\nof Green Gables")


@pytest.mark.parametrize(
    ("sent", "kept"),
    [("Zoe\u0308", "Zo\u00eb"), (" Ann \t of\nGreen ", "Ann of Green"), ("\u1112\u1161\u11ab", "\ud55c")],
)
def test_the_same_name_from_two_keyboards_is_one(sent: str, kept: str) -> None:
    assert clean_name(sent) == clean_name(kept) == kept
    assert settled(settled(sent)) == settled(sent)
