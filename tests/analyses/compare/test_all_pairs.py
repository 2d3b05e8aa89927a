"""Every system against every other: the same tests as against a baseline, corrected for all of them."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

import clusterscore as cs

RNG = np.random.default_rng(4)
DOCUMENTS = np.repeat(np.arange(30), 6)
GOLD = RNG.integers(0, 3, len(DOCUMENTS))
SYSTEMS = {
    name: np.where(RNG.random(len(GOLD)) < right, GOLD, RNG.integers(0, 3, len(GOLD)))
    for name, right in (("A", 0.2), ("B", 0.5), ("C", 0.6), ("D", 0.9))
}
METRICS = ["elm", "vi", "ami"]


def compared(**options: object) -> cs.Comparison:
    given = {"documents": DOCUMENTS, "metrics": METRICS, "resamples": 300, **options}
    return cs.compare(GOLD, SYSTEMS, **given)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def comparison() -> cs.Comparison:
    return compared(pairs="all")


@pytest.mark.parametrize("baseline", "AC")
def test_pairs_with_the_baseline_are_those_of_the_baseline(comparison: cs.Comparison, baseline: str) -> None:
    """Whichever it is: the draws are the same; only the correction is for more tests."""
    alone = compared(baseline=baseline)
    for system in set(SYSTEMS) - {baseline}:
        for metric in METRICS:
            difference, expected = comparison.pairs[system, baseline][metric], alone[system][metric].difference
            assert expected is not None
            assert alone.pairs[system, baseline][metric] == expected
            assert (difference.p, difference.wins, difference.ties, difference.losses) == expected[2:3] + expected[4:]
            np.testing.assert_allclose(difference.value, expected.value, rtol=0, atol=1e-15)
            np.testing.assert_allclose(np.array(difference.intervals), np.array(expected.intervals), rtol=0, atol=1e-12)
            assert difference.p_holm is not None
            assert expected.p_holm is not None
            assert difference.p_holm >= expected.p_holm


def test_holm_over_all_pairs(comparison: cs.Comparison) -> None:
    """By hand: the smallest p times 6, the next times 5, ..., never less than the one before, never more than 1."""
    assert list(comparison.pairs) == [("B", "A"), ("C", "A"), ("D", "A"), ("C", "B"), ("D", "B"), ("D", "C")]
    differing = set()
    for metric in METRICS:
        before = 0.0
        ordered = sorted((comparison.pairs[pair][metric].p, pair) for pair in comparison.pairs)
        for tests, (p, pair) in zip((6, 5, 4, 3, 2, 1), ordered, strict=True):
            before = max(before, min(1.0, tests * p))
            assert comparison.pairs[pair][metric].p_holm == before
            assert comparison.is_significant(*pair[:1], metric, pair[1]) == (before < 0.05)
            differing.add(before < 0.05)
        for system in "BCD":  # the baseline's tests are among them, and corrected alike
            assert comparison[system][metric].difference == comparison.pairs[system, "A"][metric]
    assert differing == {True, False}


def test_a_pair_the_other_way_round(comparison: cs.Comparison) -> None:
    difference, turned = comparison.pairs["C", "B"]["elm"], comparison.pairs["B", "C"]["elm"]
    assert turned.value == -difference.value
    assert turned.intervals.jackknife == (-difference.intervals.jackknife.high, -difference.intervals.jackknife.low)
    assert (turned.p, turned.p_holm) == (difference.p, difference.p_holm)
    assert (turned.wins, turned.ties, turned.losses) == (difference.losses, difference.ties, difference.wins)


def test_forms(comparison: cs.Comparison) -> None:
    table = comparison.to_text().splitlines()
    heads = [line.split() for line in table if line.startswith("metric")]
    assert heads[0] == ["metric", "system", "score", "95%", "interval", "rank"]
    assert heads[1][:4] == ["metric", "system", "against", "difference"]
    assert len([line for line in table if "[+" in line or "[-" in line]) == 18
    assert "* the two differ: p (Holm) below 0.05, corrected for 6 pairs" in table
    assert "correction:holm|pairs:all|" in comparison.signature
    plain = comparison.to_dict()["pairs"]
    assert [entry["systems"] for entry in plain] == [list(pair) for pair in comparison.pairs]
    assert plain[3]["differences"]["elm"]["p_holm"] == comparison.pairs["C", "B"]["elm"].p_holm
    assert "pairs" not in compared(resamples=0).to_dict()
    rows = list(csv.DictReader(io.StringIO(comparison.to_csv())))
    assert [(row["system"], row["against"]) for row in rows[:7]] == [
        ("A", ""), ("B", "A"), ("C", "A"), ("D", "A"), ("C", "B"), ("D", "B"), ("D", "C"),
    ]  # fmt: skip
    assert float(rows[4]["p_holm"]) == comparison.pairs["C", "B"]["elm"].p_holm


def test_scores_alone() -> None:
    text = compared(pairs="all", resamples=0).to_text()
    assert "win/tie/loss" in text
    assert "p (Holm)" not in text


def test_mistakes(comparison: cs.Comparison) -> None:
    with pytest.raises(KeyError, match=r"pairs=\"all\" tests them all"):
        compared(resamples=0).pairs["B", "C"]
    with pytest.raises(KeyError, match="are not two systems that were tested"):
        comparison.pairs["A", "E"]
    with pytest.raises(KeyError, match="are not two systems that were tested"):
        comparison.pairs["A"]  # type: ignore[index]
    with pytest.raises(cs.InputError, match="pairs='every' is not an option"):
        compared(pairs="every")
