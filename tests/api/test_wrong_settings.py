"""A setting with a value that it cannot have: one sentence that names it, exit code 2, no traceback."""

from __future__ import annotations

import json
import os
import re
from dataclasses import fields
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from clikit import Cli

from fliptable_api.settings import (
    PREFIX,
    BadSetting,
    Settings,
    from_environment,
    tell_unknown,
    to_environment,
)

WORDS = ("maybe", "2", "truefalse", "-1", "null")
NUMBERS = ("many", "0", "-5", "1.5", "1e3", "9" * 30, "8" * 5000, "0x10", "nan", "∞")
SECONDS = ("soon", "0", "-1", "nan", "inf", "1e300", "1,5")
NOT_UTF8 = os.fsdecode(b"caf\xe9")
APOLLO = "apollo-persisted-query-manifest"
MANIFESTS = {
    "a number": "5",
    "a list": "[]",
    "no JSON": "{",
    "no text": json.dumps({"a": 1}),
    "no document": json.dumps({"a": None}),
    "no operations": json.dumps({"format": APOLLO}),
    "operations of another kind": json.dumps({"format": APOLLO, "operations": ["x"]}),
    "an id that is a list": json.dumps({"format": APOLLO, "operations": [{"id": [], "body": "{ me }"}]}),
    "no id": json.dumps({"format": APOLLO, "operations": [{"body": "{ me { id } }"}]}),
    "deep JSON": "[" * 5000 + "]" * 5000,
    "nothing": "",
}

WRONG: dict[str, tuple[str, ...]] = {
    "mongo_url": ("localhost", "http://127.0.0.1", "mongodb://", "mongodb://h:99999", "mongodb://a:b@"),
    "mongo_database": ("a b", "a/b", "a.b", "$a", "a" * 64, NOT_UTF8),
    "data": ("FILE", "FILE/below", "~nobody-of-this-name/x", "a" * 5000, NOT_UTF8),
    "allow_plugins": (NOT_UTF8,),
    "deny_plugins": (NOT_UTF8,),
    "token_days": ("soon", "-1", "nan", "inf", "36501"),
    "secret": (NOT_UTF8,),
    "allowed_origins": (
        *("example.org", "https://", "https://example.org/path", "https://[", "localhost,example.org"),
        *("https://example.org:99999", "https://example.org:x", NOT_UTF8),
    ),
    "trusted_documents": ("FOLDER", "NOWHERE", NOT_UTF8, *MANIFESTS),
    "trust": ("yes", "ONLY", "true", "only"),
}


def _wrong_values() -> list[tuple[str, str]]:
    found = []
    for setting in fields(Settings):
        if isinstance(setting.default, bool):
            values: tuple[str, ...] = WORDS
        elif isinstance(setting.default, int):
            values = NUMBERS
        else:
            values = WRONG.get(setting.name, SECONDS if isinstance(setting.default, float) else ())
        assert values, f"what is wrong for {setting.name}? Say it here."
        found += [(setting.name, value) for value in values]
    return found


@pytest.mark.parametrize(
    ("name", "value"), _wrong_values(), ids=lambda text: text.encode("ascii", "replace")[:30].decode()
)
def test_a_wrong_value_is_told_in_a_sentence(tmp_path: Path, name: str, value: str) -> None:
    variable = PREFIX + name.upper()
    environment: dict[str, str | None] = {}
    (tmp_path / "FILE").write_text("")
    (tmp_path / "FOLDER").mkdir()
    if value in MANIFESTS:
        path = tmp_path / "manifest.json"
        path.write_text(MANIFESTS[value])
        value = str(path)
    elif value.startswith(("FILE", "FOLDER", "NOWHERE")):
        value = str(tmp_path / value)
    if name == "trusted_documents":
        environment["FLIPTABLE_TRUST"] = "only"
    # A server that started all the same would keep nothing, or end at once.
    home = "FLIPTABLE_MEMORY"
    if name not in ("memory", "data", "mongo_url"):
        environment[home] = "true"
    result = Cli(tmp_path)("serve", "--port", "0", **{**environment, variable: value})
    assert result.exit_code == 2, result.output
    (told,) = [line for line in result.output.splitlines() if line.startswith("Error: ")]
    assert variable in told
    assert len(told) < 600


def test_an_option_is_named_as_it_was_given(tmp_path: Path) -> None:
    (tmp_path / "FILE").write_text("")
    result = Cli(tmp_path)("serve", "--port", "0", "--data", str(tmp_path / "FILE"))
    assert result.exit_code == 2
    assert "Error: --data is " in result.output


@pytest.mark.parametrize("command", ["plugins", "rebuild-records"])
def test_other_commands_tell_it_likewise(tmp_path: Path, command: str) -> None:
    result = Cli(tmp_path)(command, FLIPTABLE_MAX_DEPTH="deep")
    assert result.exit_code == 2
    assert "FLIPTABLE_MAX_DEPTH is 'deep'; it has to be a whole number of at least 1" in result.output


def test_what_can_be_set_comes_through() -> None:
    """What one process was told, its workers are told by their environment."""
    settings = from_environment(
        {
            "FLIPTABLE_MONGO_URL": "mongodb://a:1,b:2/?replicaSet=rs0",
            "FLIPTABLE_MONGO_DATABASE": "ünïcode",
            "FLIPTABLE_ALLOWED_ORIGINS": "https://a.example, localhost",
            "FLIPTABLE_TRUST": "allow",
            "FLIPTABLE_MAX_COST": str(2**31 - 1),
            "FLIPTABLE_PING_MESSAGE_INTERVAL": "86400",
            "FLIPTABLE_SECRET": "naïve",
        }
    )
    assert from_environment(to_environment(settings)) == settings
    assert settings.allowed_origins == ("https://a.example", "localhost")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "FLIPTABLE_MAX_DEPHT",
            "FLIPTABLE_MAX_DEPHT is no setting, and nothing goes by it; did you mean FLIPTABLE_MAX_DEPTH?",
        ),
        ("FLIPTABLE_ALLOWED_ORIGIN", "did you mean FLIPTABLE_ALLOWED_ORIGINS?"),
        ("FLIPTABLE_PORT", "--port of fliptable serve says it"),
        ("FLIPTABLE_COLOUR", "FLIPTABLE_COLOUR is no setting, and nothing goes by it; docs/settings.md has"),
    ],
)
def test_a_variable_that_is_no_setting_is_told(
    caplog: pytest.LogCaptureFixture, name: str, words: str
) -> None:
    tell_unknown({name: "3", "FLIPTABLE_MAX_DEPTH": "3", "PATH": "/bin"})
    (told,) = caplog.messages
    assert words in told


def test_a_server_says_so_at_its_start(tmp_path: Path) -> None:
    # The value that cannot be ends it before it listens.
    environment = {"FLIPTABLE_MAX_DEPHT": "3", "FLIPTABLE_TRUST": "only", "FLIPTABLE_MEMORY": "true"}
    result = Cli(tmp_path)("serve", "--port", "0", **environment)
    assert result.exit_code == 2
    assert "FLIPTABLE_MAX_DEPHT is no setting" in result.output


def test_what_is_read_elsewhere_is_no_mistake(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that the project itself names, what is empty, and what a plugin that is installed reads."""
    root = Path(__file__).parents[2]
    named = {
        name
        for folder in ("core", "api", "plugins", "deploy", "bench", "examples", "docs")
        for path in (root / folder).rglob("*")
        if path.suffix in {".py", ".md", ".yml", ".yaml", ".sh", ".in"}
        for name in re.findall(r"\bFLIPTABLE_[A-Z_]+[A-Z]\b", path.read_text(encoding="utf-8"))
    }
    assert {"FLIPTABLE_MONGOD", "FLIPTABLE_SERVER", "FLIPTABLE_MAX_COST"} < named
    plugin = EntryPoint("high-card", "high_card", "fliptable")
    monkeypatch.setattr("fliptable_api.settings.entry_points", lambda group: [plugin])
    tell_unknown(dict.fromkeys([*named, "FLIPTABLE_HIGH_CARD_STAKES"], "1") | {"FLIPTABLE_PORT": ""})
    assert caplog.messages == []


def test_an_address_with_a_password_is_not_repeated() -> None:
    with pytest.raises(BadSetting) as bad:
        from_environment({"FLIPTABLE_MONGO_URL": "mongodb://ann:s3cret@h:99999/"})
    assert "s3cret" not in str(bad.value)
