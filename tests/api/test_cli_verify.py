"""`fliptable verify`: the shuffles of a table, checked from its public replay alone."""

from __future__ import annotations

import copy
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from clikit import Cli
from nodekit import node

from fliptable.plugins import Registry, load_plugins
from fliptable.shuffle import commitment, shuffle
from fliptable_api.cli.checking import check, collect, disagreements

VERIFIER = Path(__file__).parents[2] / "docs" / "verify.mjs"
REGISTRY = load_plugins()


@pytest.fixture
def cli(tmp_path: Path, address: str) -> Cli:
    return Cli(tmp_path, address)


def played(cli: Cli, *arguments: str) -> str:
    """The code of a table that was played by lot."""
    output = cli("play", *arguments, "--auto", "--seed", "1").output
    found = re.search(r"Table ([A-Z2-9]{6}), tbl_", output)
    assert found, output
    return found[1]


@pytest.fixture
def evidence(cli: Cli) -> dict[str, Any]:
    """What there is to check of a finished round of Call It and Flip."""
    result = cli("verify", played(cli, "call-it"), "--json")
    assert result.exit_code == 0
    evidence: dict[str, Any] = json.loads(result.stdout)
    return evidence


def in_node(evidence: object) -> subprocess.CompletedProcess[str]:
    """The verdict of the verifier that shares nothing with this code."""
    return subprocess.run(
        [node(), VERIFIER], input=json.dumps(evidence), capture_output=True, text=True, check=False
    )


def verdict(cli: Cli, evidence: object) -> tuple[int, str]:
    """The exit code and the words for a saved replay."""
    result = cli("verify", "--file", "-", input=json.dumps(evidence))
    return result.exit_code, result.output


def test_an_honest_table_is_right(cli: Cli) -> None:
    code = played(cli, "call-it")
    result = cli("verify", code)
    assert result.exit_code == 0, result.output
    assert re.search(
        r"shuffle 1 \(deck\): OK, the seed fits its commitment and gives the \d+ cards that came out\.",
        result.output,
    )
    assert "All shuffles are right." in result.output


def test_what_is_printed_for_other_programs_has_the_documented_form(evidence: dict[str, Any]) -> None:
    assert evidence.keys() == {"algorithm", "shuffles"}
    [one] = evidence["shuffles"]
    assert list(one) == ["number", "name", "commitment", "seed", "cards", "dealt"]
    assert len(one["cards"]) == 52
    assert one["dealt"] == list(shuffle(bytes.fromhex(one["seed"]), one["cards"]))[: len(one["dealt"])]
    assert len(one["dealt"]) > 2
    assert "OK" in in_node(evidence).stdout


def test_a_seed_that_is_not_revealed_is_said_so(cli: Cli) -> None:
    """While the round runs nothing can be checked, and nothing is wrong: exit code 2."""
    output = cli("play", "call-it", "--auto", "--moves", "3").output
    found = re.search(r"tbl_\w+", output)
    assert found
    result = cli("verify", found[0])
    assert result.exit_code == 2
    assert "shuffle 1 (deck): its seed is not revealed yet." in result.output
    assert "when the table is over" in result.output
    opening = "createTable(input: {game: {callIt: {}}, seats: 2}) { ... on TableOpened { table { id } } }"
    table = cli.ask(f"mutation {{ {opening} }}", cli.sign_in())["createTable"]["table"]["id"]
    result = cli("verify", table)
    assert result.exit_code == 2
    assert "Nothing has been shuffled yet." in result.output


def test_a_wrong_card_is_named(cli: Cli, evidence: dict[str, Any]) -> None:
    [one] = evidence["shuffles"]
    right = one["dealt"][1]
    one["dealt"][1] = wrong = one["dealt"][0]
    assert verdict(cli, evidence)[0] == 1
    assert (
        f"WRONG shuffle 1 (deck): card 2 is {wrong}, but the seed gives {right}." in verdict(cli, evidence)[1]
    )
    there = in_node(evidence)
    assert there.returncode == 1 and f"card 2 is {wrong}" in there.stdout


def other_seed(one: dict[str, Any]) -> None:
    one["seed"] = "00" * 32


def other_seed_and_commitment(one: dict[str, Any]) -> None:
    one["seed"] = "00" * 32
    one["commitment"] = commitment(bytes(32))


def other_commitment(one: dict[str, Any]) -> None:
    one["commitment"] = "00" * 32


def two_cards_swapped(one: dict[str, Any]) -> None:
    one["dealt"][:2] = one["dealt"][1::-1]


def a_card_left_out(one: dict[str, Any]) -> None:
    del one["dealt"][0]


def another_pile(one: dict[str, Any]) -> None:
    one["cards"].reverse()


def too_many_cards(one: dict[str, Any]) -> None:
    order = list(shuffle(bytes.fromhex(one["seed"]), one["cards"]))
    one["dealt"] = [*order, order[0]]


def not_a_seed(one: dict[str, Any]) -> None:
    one["seed"] = "seed"


def no_pile(one: dict[str, Any]) -> None:
    one["cards"] = None


@pytest.mark.parametrize(
    "tamper",
    [
        other_seed,
        other_seed_and_commitment,
        other_commitment,
        two_cards_swapped,
        a_card_left_out,
        another_pile,
        too_many_cards,
        not_a_seed,
        no_pile,
    ],
)
def test_a_tampered_replay_is_found_out(cli: Cli, evidence: dict[str, Any], tamper: Any) -> None:
    tamper(evidence["shuffles"][0])
    code, told = verdict(cli, evidence)
    assert code == 1, told
    assert "WRONG shuffle 1 (deck)" in told
    assert in_node(evidence).returncode == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "is not JSON"),
        ("[]", "not what `fliptable verify"),
        ("{}", "not what `fliptable verify --json` prints: 'algorithm' is missing"),
        ('{"algorithm": "fliptable-shuffle-1"}', "not what `fliptable verify"),
        (
            '{"algorithm": "fliptable-shuffle-1", "shuffles": [{}]}',
            "not what `fliptable verify",
        ),
        (
            '{"algorithm": "fliptable-shuffle-1", "shuffles": [7]}',
            "not what `fliptable verify",
        ),
        ('{"algorithm": "dice", "shuffles": []}', "the algorithm is 'dice'"),
    ],
)
def test_what_cannot_be_checked_is_said_so(cli: Cli, text: str, told: str) -> None:
    result = cli("verify", "--file", "-", input=text)
    assert result.exit_code == 3
    assert "Error" not in result.output.removeprefix("Error: ")
    assert told in result.stderr


def test_a_table_or_a_file_has_to_be_named(cli: Cli) -> None:
    """2 says that a seed is not revealed yet, so wrong arguments have a code of their own."""
    assert cli("verify").exit_code == 64
    assert cli("verify", "ABCDEF", "--file", "-").exit_code == 64
    assert cli("verify", "--nothing").exit_code == 64


def test_an_unknown_table_is_said_so(cli: Cli) -> None:
    result = cli("verify", "ZZZZZZ")
    assert result.exit_code == 3
    assert "There is no table 'ZZZZZZ'" in result.stderr


def test_a_saved_replay_is_checked_without_a_server(
    cli: Cli, evidence: dict[str, Any], tmp_path: Path
) -> None:
    saved = tmp_path / "replay.json"
    saved.write_text(json.dumps(evidence))
    assert Cli(tmp_path)("verify", "--file", str(saved)).exit_code == 0
    assert Cli(tmp_path)("verify", "--file", "nowhere.json").exit_code == 64


CASES = {
    "call-it, one deck": ("call-it",),
    "call-it, rounds": ("call-it", "--mode", "survival"),
    "call-it, a copy each": ("call-it", "--seats", "3", "--local", "A", "--local", "B", "--local", "C"),
    "call-it, a common pile": (
        *("call-it", "--seats", "2", "--local", "A", "--local", "B", "--option", "sharedDeck=true"),
    ),
    "flip": ("flip", "--seats", "2", "--local", "A", "--local", "B", "--option", "turnLimit=20"),
    "flip7": ("flip7", "--seats", "3", "--local", "A", "--local", "B", "--local", "C"),
    "flip7, over reshuffles": (
        *("flip7", "--seats", "3", "--local", "A", "--local", "B", "--local", "C", "--mode", "match"),
        *("--option", "rules=HOSTED"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_finished_table_of_any_game_is_right(cli: Cli, case: str) -> None:
    """And so it is for the other verifier; every pile with a trail has cards to compare."""
    code = played(cli, *CASES[case])
    result = cli("verify", code)
    assert result.exit_code == 0, result.output
    saved = json.loads(cli("verify", code, "--json").stdout)
    assert any(one["dealt"] for one in saved["shuffles"])
    there = in_node(saved)
    assert there.returncode == 0, there.stdout


@pytest.mark.parametrize("game", sorted(REGISTRY.games))
def test_the_trails_of_a_game_name_events_and_fields_that_it_has(game: str, registry: Registry) -> None:
    one = registry.games[game]
    for seats in one.seats:
        for trail in one.trails(one.Options(), seats):
            assert trail.event in one.events
            assert trail.card in trail.event.__dataclass_fields__
            assert trail.seat is None or 0 <= trail.seat < seats


SEED = bytes(range(32))
CARDS = ["AC", "2C", "3C", "4C", "5C"]
ORDER = list(shuffle(SEED, CARDS))


def replayed(*cards: tuple[int, str], name: str = "deck") -> list[dict[str, Any]]:
    return [
        {
            "__typename": "DeckShuffled",
            "seat": None,
            "shuffle": 1,
            "name": name,
            "commitment": commitment(SEED),
            "cards": {},
        },
        *({"__typename": "Drew", "seat": seat, "cards": {"card": [card]}} for seat, card in cards),
        {"__typename": "SeedRevealed", "seat": None, "shuffle": 1, "seed": SEED.hex(), "cards": {}},
    ]


def fair(*trails: dict[str, Any]) -> dict[str, Any]:
    return {
        "algorithm": "fliptable-shuffle-1",
        "shuffles": [
            {"number": 1, "name": "deck", "commitment": commitment(SEED), "seed": SEED.hex(), "cards": CARDS}
        ],
        "trails": list(trails),
    }


TRAIL = {"event": "Drew", "card": "card", "piles": ["deck"], "seat": None, "skip": 0}


def test_cards_of_one_pile_count_across_seats() -> None:
    events = replayed((0, ORDER[0]), (1, ORDER[1]), (0, ORDER[2]))
    [one] = collect(fair(TRAIL), events)["shuffles"]
    assert one["dealt"] == ORDER[:3]


def test_seats_with_copies_are_checked_each_by_itself() -> None:
    events = replayed((0, ORDER[0]), (1, ORDER[0]), (0, ORDER[1]))
    evidence = collect(fair(TRAIL | {"seat": 0}, TRAIL | {"seat": 1}), events)
    assert [(one["name"], one["dealt"]) for one in evidence["shuffles"]] == [
        ("deck, seat 0", ORDER[:2]),
        ("deck, seat 1", ORDER[:1]),
    ]
    assert not any(finding.wrong for finding in check(evidence))


def test_cards_that_no_event_shows_are_skipped() -> None:
    evidence = collect(fair(TRAIL | {"skip": 2}), replayed((0, ORDER[2])))
    assert evidence["shuffles"][0]["dealt"] == [None, None, ORDER[2]]
    [finding] = check(evidence)
    assert finding.sentence.endswith("gives the 1 cards that came out")
    assert in_node(evidence).returncode == 0
    wrong = collect(fair(TRAIL | {"skip": 1}), replayed((0, ORDER[2])))
    assert check(wrong)[0].wrong
    assert in_node(wrong).returncode == 1


def test_a_pile_without_a_trail_is_checked_by_its_seed_alone() -> None:
    [finding] = check(collect(fair(), replayed((0, "5C"))))
    assert finding.sentence == "OK, the seed fits its commitment; no event shows its cards in order"
    [finding] = check(collect(fair(TRAIL | {"piles": ["other"]}), replayed()))
    assert not finding.wrong


def test_the_replay_has_to_agree_with_what_the_server_says() -> None:
    """A server that shows another commitment afterwards than it did before play is found out."""
    assert disagreements(fair(TRAIL), replayed((0, ORDER[0]))) == []
    for change in ("commitment", "name", "seed"):
        said = copy.deepcopy(fair(TRAIL))
        said["shuffles"][0][change] = "other"
        [finding, *_] = disagreements(said, replayed((0, ORDER[0])))
        assert finding.wrong and finding.shuffle == "shuffle 1"
    said = fair(TRAIL)
    said["shuffles"] = []
    assert disagreements(said, replayed())[0].sentence == "it is missing from fairness"
    assert disagreements(fair(TRAIL), [])[0].sentence == "it is missing from the replay"


def test_a_card_before_its_shuffle_is_found_out() -> None:
    events = replayed((0, ORDER[0]))
    events = [events[1], events[0], *events[2:]]
    [finding] = disagreements(fair(TRAIL), events)
    assert finding.sentence == "a card came out before its pile was shuffled"
