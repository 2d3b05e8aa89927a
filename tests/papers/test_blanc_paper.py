"""BLANC reproduced: its rows against the exact golden values, and against links counted pair by pair."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from reproduce import blanc
from reproduce.result import Result, Row

GOLDEN = json.loads((Path(__file__).resolve().parents[1] / "golden" / "blanc.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def result() -> Result:
    return blanc.reproduce(None)


def rows(result: Result, section: str) -> dict[tuple[str, str], Row]:
    """The rows of a section by the gold and the predicted clustering that they name."""
    found: dict[tuple[str, str], Row] = {}
    for row in result.rows:
        if row.section.startswith(section):
            gold, _, pred = row.quantity.rpartition(": ")[2].partition(" / ")
            assert (gold, pred) not in found
            found[gold, pred] = row
    return found


def cases(kind: str) -> dict[tuple[str, str], dict[str, Any]]:
    return {(case["gold"], case["pred"]): case for case in GOLDEN[kind]}


def test_nothing_regressed_and_nothing_differs(result: Result) -> None:
    assert [row for row in result.rows if row.match is False] == []
    assert result.paper == "blanc"
    assert not result.skipped


def test_table_1_counts_the_links_of_every_golden_case(result: Result) -> None:
    expected = {
        key: [case["counts"][name] for name in ("rc", "wc", "rn", "wn")] for key, case in cases("cases").items()
    }
    found = {key: list(map(int, str(row.computed).split())) for key, row in rows(result, "R Table 1").items()}
    assert found == expected


def linked(written: str) -> set[frozenset[str]]:
    return {frozenset(pair) for cluster in written.split("|") for pair in combinations(cluster, 2)}


def test_table_1_against_pairs_taken_one_by_one(result: Result) -> None:
    for (gold, pred), row in rows(result, "R Table 1").items():
        every = {frozenset(pair) for pair in combinations(gold.replace("|", ""), 2)}
        key, response = linked(gold), linked(pred)
        right, wrong = key & response, response - key
        expected = (len(right), len(wrong), len(every - key - response), len(key - response))
        assert tuple(map(int, str(row.computed).split())) == expected


def test_table_2_is_exact(result: Result) -> None:
    found = {key: str(row.computed).split() for key, row in rows(result, "R Table 2").items()}
    assert found == {key: case["expected"] for key, case in cases("cases").items()}


def fraction(right: int, others: int) -> Fraction | None:
    return Fraction(right, right + others) if right + others else None


def harmonic(p: Fraction | None, r: Fraction | None) -> Fraction | None:
    return 2 * p * r / (p + r) if p is not None and r is not None and p + r else None


def test_table_2_tells_the_six_formulas(result: Result) -> None:
    for key, row in rows(result, "R Table 2").items():
        counts = cases("cases")[key]["counts"]
        rc, wc, rn, wn = (counts[name] for name in ("rc", "wc", "rn", "wn"))
        linked_side = [fraction(rc, wc), fraction(rc, wn)]
        unlinked_side = [fraction(rn, wn), fraction(rn, wc)]
        six = [*linked_side, harmonic(*linked_side), *unlinked_side, harmonic(*unlinked_side)]
        told = row.note.partition(" = ")[2].partition(";")[0].split()
        assert told == ["0/0" if part is None else str(part) for part in six], key


def cut(written: str) -> str:
    """As the reference scorer prints a fraction: percent, cut off after two decimals."""
    value = Fraction(written) * 10000
    return f"{value.numerator // value.denominator / 100:g}"


def test_the_reference_scorer_printed_these_numbers(result: Result) -> None:
    found = rows(result, "Reference scorer")
    golden = {**cases("cases"), **cases("system_mentions")}
    assert found.keys() - golden.keys() == {("nothing", "nothing")}
    for key, case in golden.items():
        assert found[key].printed == " ".join(map(cut, case["perl_v8_01"])), key
        assert found[key].note == "exactly " + " ".join(case["perl_v8_01"])
        assert found[key].match is True


def test_the_words_of_the_rules(result: Result) -> None:
    told = [row for row in result.rows if row.printed is not None and row.section.startswith("R ")]
    assert {row.printed for row in told} == {"0", "100"}  # the paper prints no other number
    sides = {name: {row.section.split()[4].rstrip(",") for row in told if row.quantity.startswith(name)}
             for name in (blanc.ALL, blanc.UNLINKED, blanc.LINKED)}  # fmt: skip
    assert sides == {blanc.ALL: {"1a", "1b", "2a", "2b"}, blanc.UNLINKED: {"1c", "3b"}, blanc.LINKED: {"2c", "3a"}}
    assert all(row.match for row in told)


def test_luo_differs_where_gold_has_one_kind_of_links(result: Result) -> None:
    golden = {**cases("cases"), **cases("system_mentions")}
    expected = {key: case["luo2014"] for key, case in golden.items()
                if case["luo2014"] != case.get("expected", case["perl_v8_01"])}  # fmt: skip
    assert {key: str(row.computed).split() for key, row in rows(result, "Luo").items()} == expected


def test_weights(result: Result) -> None:
    found = rows(result, "R Sec. 2.2 weight")
    by_id = {case["id"]: (case["gold"], case["pred"]) for case in GOLDEN["cases"]}
    for name, weights in GOLDEN["weights"].items():
        told = dict(part.split(": ") for part in str(found[by_id[name]].computed).split(", "))
        assert told == weights
    assert len(found) == len(GOLDEN["weights"])


def partitions(elements: list[int]) -> Iterator[list[list[int]]]:
    if not elements:
        yield []
        return
    first, rest = elements[0], elements[1:]
    for smaller in partitions(rest):
        yield [[first], *smaller]
        for k in range(len(smaller)):
            yield [*smaller[:k], [first, *smaller[k]], *smaller[k + 1 :]]


@pytest.mark.parametrize("size", [3, 4, 5])
def test_all_pairs_of_clusterings(result: Result, size: int) -> None:
    every = set(combinations(range(size), 2))
    links = [{pair for cluster in each for pair in combinations(sorted(cluster), 2)}
             for each in partitions(list(range(size)))]  # fmt: skip
    both = [(key, response) for key in links for response in links if 0 < len(key) < len(every) > len(response) > 0]
    no_link = sum(not key & response for key, response in both)
    no_unlinked = sum(not every - key - response for key, response in both)
    found = [row.computed for row in result.rows if row.quantity.startswith(f"{size} mentions")]
    assert found == [f"{no_link:,} of {len(both):,} pairs", f"{no_unlinked:,} of {len(both):,} pairs"]


def test_a_wrong_blanc_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = blanc._prf
    monkeypatch.setattr(blanc, "_prf", lambda case, metric: tuple(0.99 * part for part in right(case, metric)))
    regressed = [row for row in blanc.reproduce(None).rows if row.regressed]
    assert {row.section for row in regressed} >= {"R Sec. 2.2 rule 1a", "Reference scorer 3b"}
