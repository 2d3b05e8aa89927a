"""Do metrics agree? Counted exactly, whatever rounding did to the scores."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau

import clusterscore as cs
from clusterscore.analyses.ranks import Agreement, agreement, falling, tie_ranks

law = settings(max_examples=100, deadline=None, derandomize=True, database=None)

GOLD = [0, 0, 0, 1, 1, 2]
FOUND = {"A": [0, 0, 1, 1, 1, 2], "B": [0, 1, 2, 3, 4, 5], "C": [0, 0, 0, 0, 0, 0], "D": [0, 0, 0, 1, 2, 2]}


def brute_force(first: Sequence[Any], second: Sequence[Any]) -> Agreement:
    """Pair by pair, as the definition says."""
    counts = dict.fromkeys(Agreement._fields, 0)
    for i, j in combinations(range(len(first)), 2):
        in_first, in_second = first[i] - first[j], second[i] - second[j]
        counts["pairs"] += 1
        if in_first == in_second == 0:
            counts["tied_both"] += 1
        elif in_first == 0 or in_second == 0:
            counts["tied_first" if in_first == 0 else "tied_second"] += 1
        else:
            counts["concordant" if (in_first > 0) == (in_second > 0) else "discordant"] += 1
    return Agreement(**counts)


def ranked(values: Sequence[Any]) -> np.ndarray:
    order = sorted(set(values))
    return np.array([order.index(value) for value in values], np.int64)


ranks = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 40)), min_size=2, max_size=60)


@law
@given(ranks)
def test_against_pair_by_pair(pairs: list[tuple[int, int]]) -> None:
    first, second = zip(*pairs, strict=True)
    counts = agreement(ranked(first), ranked(second))
    assert counts == brute_force(first, second)
    assert sum(counts[1:]) == counts.pairs
    assert counts.turned() == agreement(ranked(second), ranked(first)) == brute_force(second, first)
    upside_down = agreement(ranked(first), ranked([-value for value in second]))
    assert (upside_down.concordant, upside_down.discordant) == (counts.discordant, counts.concordant)


@law
@given(ranks.filter(lambda pairs: len(pairs) > 2))  # of two scipy's p-value divides by zero
def test_tau_against_scipy(pairs: list[tuple[int, int]]) -> None:
    first, second = zip(*pairs, strict=True)
    tau = agreement(ranked(first), ranked(second)).tau_b
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert tau is None
    else:
        assert tau == pytest.approx(kendalltau(first, second, method="asymptotic").statistic, rel=1e-12, abs=1e-12)


@law
@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=50))
def test_tau_of_the_same_ranking_is_one(values: list[int]) -> None:
    places = ranked(values)
    expected = None if places.max() == 0 else 1.0
    assert agreement(places, places).tau_b == expected
    assert agreement(places, places.max() - places).tau_b == (None if expected is None else -1.0)


@law
@given(st.lists(st.integers(0, 9), max_size=30))
def test_falling_pairs(values: list[int]) -> None:
    assert falling(np.array(values, np.int64)) == sum(a > b for a, b in combinations(values, 2))


def test_a_hundred_thousand_systems() -> None:
    """Counts beyond 32 bits, known in closed form."""
    count, block = 100_000, 125
    order = np.arange(count)
    turned = order // block * block + (block - 1 - order % block)  # each block turned round
    counts = agreement(order, turned)
    assert (counts.pairs, counts.discordant) == (math.comb(count, 2), count // block * math.comb(block, 2))
    assert agreement(order, order[::-1]).discordant == math.comb(count, 2)
    assert agreement(order, order[::-1]).tau_b == -1.0
    tied = agreement(order, order // block)  # both rise, and blocks are tied in the second
    assert (tied.discordant, tied.tied_second, tied.tied_first) == (0, count // block * math.comb(block, 2), 0)
    generator = np.random.default_rng(0)
    first, second = generator.permutation(count), generator.integers(0, 1000, count)
    inside = np.bincount(second)
    random = agreement(first, second)
    assert random.tied_second == int((inside * (inside - 1) // 2).sum())
    assert agreement(first, 999 - second).discordant == random.concordant


# --- ties ------------------------------------------------------------------------------------------------------------


def test_the_last_digits_tie() -> None:
    sums = [0.1 + 0.2, 0.3, 0.3 + 1e-13, 0.3 + 2e-12, 0.2, -0.1 - 0.2, -0.3]
    assert tie_ranks(np.array(sums)).tolist() == [2, 2, 2, 3, 1, 0, 0]


def test_ties_are_relative_to_the_larger() -> None:
    for scale in (1.0, 1e-2, 1e9, 1e300):
        values = scale * np.array([1.0, 1.0 + 0.9e-12, 1.0 + 3e-12, 2.0])
        assert tie_ranks(values).tolist() == [0, 0, 1, 2]
    assert tie_ranks(np.array([1.7e308, -1.7e308])).tolist() == [1, 0]


def test_nought_has_no_last_digits() -> None:
    assert tie_ranks(np.array([0.0, -0.0, 1e-17, -3e-16, 1e-14])).tolist() == [0, 0, 0, 0, 1]


def test_a_chain_of_ties_is_one_tie() -> None:
    chain = 0.5 + np.arange(10) * 0.4e-12  # the ends are further apart than a tie
    assert tie_ranks(np.random.default_rng(0).permutation(chain)).tolist() == [0] * 10


@law
@given(st.lists(st.tuples(st.fractions(-3, 3, max_denominator=60), st.integers(-4, 4)), min_size=1, max_size=30))
def test_rounding_does_not_rank(values: list[tuple[Fraction, int]]) -> None:
    """Fractions a few last digits away from where they belong have the ranks of the fractions."""
    noisy = np.array([float(exact) * (1 + away * 2.0**-52) for exact, away in values])
    assert tie_ranks(noisy).tolist() == ranked([exact for exact, _ in values]).tolist()


def test_no_value_and_one() -> None:
    assert tie_ranks(np.zeros(0)).tolist() == []
    assert tie_ranks(np.array([4.0])).tolist() == [0]


# --- the published trap ----------------------------------------------------------------------------------------------

SEGMENTS = (2, 3, 2, 1, 1, 3, 2, 1)  # the gold stream of J, Sec. 2.2


@pytest.fixture(scope="module")
def streams() -> tuple[np.ndarray, np.ndarray]:
    """The gold labels of 15 pages, and all 2**14 ways to cut them."""
    cuts = np.arange(2**14)[:, None] >> np.arange(14) & 1
    return np.repeat(np.arange(8), SEGMENTS), np.concatenate([np.zeros((2**14, 1), int), cuts.cumsum(1)], axis=1)


def naive(gold: np.ndarray, preds: np.ndarray, less: int) -> np.ndarray:
    """Element by element in floats, as a first implementation does it: the mean of 2 TP / (2 TP + FP + FN)."""
    same_gold, same_pred = gold[:, None] == gold, preds[:, :, None] == preds[:, None, :]
    both = (same_gold & same_pred).sum(2) - less
    sizes = same_gold.sum(1) + same_pred.sum(2) - 2 * less
    scores = np.where(sizes == 0, 1.0, 2 * both / np.maximum(sizes, 1))
    return np.array([sum(row) / len(row) for row in scores.tolist()])


def numbers(elm: np.ndarray, bcubed: np.ndarray) -> list[dict[str, float]]:
    return [{"elm": first, "bcubed": second} for first, second in zip(elm.tolist(), bcubed.tolist(), strict=True)]


EXACT = Agreement(134_209_536, 108_257_002, 23_839_467, 1_862_621, 181_617, 68_829)


def test_all_ways_to_cut_a_stream(streams: tuple[np.ndarray, np.ndarray]) -> None:
    gold, preds = streams
    where = np.repeat(np.arange(len(preds)), len(gold))
    scores = cs.score(np.tile(gold, len(preds)), preds.ravel(), documents=where, metrics="elm, bcubed").documents
    agreed = cs.rank_agreement(numbers(scores["elm"], scores["bcubed"]))["elm", "bcubed"]
    assert agreed == EXACT
    assert round(agreed.tau_b or 0, 6) == 0.634166
    assert round(agreed.swapped, 6) == 0.177629


def test_rounding_noise_is_no_ranking(streams: tuple[np.ndarray, np.ndarray]) -> None:
    """Floats that were added in the usual way split ties: without care 2,130 values become thousands."""
    elm, bcubed = naive(*streams, less=1), naive(*streams, less=0)
    assert (len(set(elm.tolist())), len(set(bcubed.tolist()))) > (485, 2130)
    assert (tie_ranks(elm).max() + 1, tie_ranks(bcubed).max() + 1) == (485, 2130)
    assert cs.rank_agreement(numbers(elm, bcubed))["elm", "bcubed"] == EXACT
    as_floats = agreement(*(np.unique(values, return_inverse=True)[1] for values in (elm, bcubed)))
    assert as_floats.discordant != EXACT.discordant


# --- systems and scorecards ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cards() -> dict[str, cs.Scorecard]:
    return {name: cs.score(GOLD, pred, metrics="elm, bcubed, ari, vi") for name, pred in FOUND.items()}


def test_scorecards_by_name_and_in_a_list(cards: dict[str, cs.Scorecard]) -> None:
    result = cs.rank_agreement(cards)
    assert result.systems == 4
    assert result.metrics == ["elm", "bcubed", "adjusted_rand", "variation_of_information"]
    for first, second in combinations(("elm", "bcubed", "adjusted_rand"), 2):
        values = [[card[name].value for card in cards.values()] for name in (first, second)]
        assert result[first, second] == brute_force(*values)
        assert result[second, first] == brute_force(*reversed(values))
    for given_otherwise in (
        list(cards.values()), iter(cards.values()), tuple(cards.values()),
        {name: dict(card) for name, card in cards.items()}, {name: card.micro for name, card in cards.items()},
        {name: {metric: float(score) for metric, score in card.items()} for name, card in cards.items()},
    ):  # fmt: skip
        assert cs.rank_agreement(given_otherwise).to_dict() == result.to_dict()


def test_a_distance_is_turned_round(cards: dict[str, cs.Scorecard]) -> None:
    result = cs.rank_agreement(cards)
    distances = [-card["vi"].value for card in cards.values()]
    scores = [card["elm"].value for card in cards.values()]
    assert result["elm", "vi"] == brute_force(scores, distances)
    same = cs.rank_agreement([{"vi": 3.0, "mine": 1}, {"vi": 2.0, "mine": 2}, {"vi": 1.0, "mine": 3}])
    assert same["vi", "mine"].tau_b == 1.0
    assert cs.rank_agreement([{"a": 3.0, "mine": 1}, {"a": 2.0, "mine": 2}])["a", "mine"].tau_b == -1.0


def test_lookup(cards: dict[str, cs.Scorecard]) -> None:
    result = cs.rank_agreement(cards)
    assert result["elm", "ari"] == result[cs.metric("elm"), "adjusted_rand"] == result["ari", "elm"].turned()
    assert cs.rank_agreement([{"ari": 1, "x": 2}, {"ari": 2, "x": 1}])["x", "adjusted_rand"].swapped == 1.0
    for wrong, words in (
        ("elm", "name two metrics"), (("elm", "elm"), "agrees with itself"), (("elm", "nmi"), "nmi was not compared"),
        (("elm", "bcubd"), "did you mean 'bcubed'"), (("elm", "bcubed", "ari"), "name two metrics"),
    ):  # fmt: skip
        with pytest.raises(KeyError, match=words):
            result[wrong]  # type: ignore[index]


def test_a_metric_that_ties_all_systems_has_no_tau() -> None:
    result = cs.rank_agreement([{"a": 1, "b": 0.3, "c": 2}, {"a": 2, "b": 0.1 + 0.2, "c": 5}])
    assert result["a", "b"].tau_b is None
    assert result["a", "b"].swapped == 0.0
    assert result["a", "b"].tied_second == 1
    assert result["a", "c"].tau_b == 1.0
    assert "no tau-b: one of the two metrics ties all systems" in str(result)
    assert json.loads(result.to_json())["agreement"][0]["tau_b"] is None


def test_baselines_are_systems() -> None:
    card = cs.score(GOLD, FOUND["A"], baselines=True)
    result = cs.rank_agreement({"A": card, **card.baselines})
    assert result.systems == 7
    assert all(len(line) <= 120 for line in str(result).splitlines())


def test_any_number() -> None:
    values: list[Any] = [1, np.float32(0.5), Fraction(1, 3), True, np.int64(2)]
    result = cs.rank_agreement([{"a": value, "b": -value} for value in values])
    assert result["a", "b"] == brute_force([float(value) for value in values], [-float(value) for value in values])


@pytest.mark.parametrize(("given_", "error", "message"), [
    ({}, cs.InputError, "no systems: a ranking needs at least two"),
    ([{"a": 1, "b": 2}], cs.InputError, "only the system 0: a ranking needs at least two"),
    ([{"a": 1}, {"a": 2}], cs.InputError, "agreement needs at least two metrics, but there is"),
    ([{}, {}], cs.InputError, "but there is none"),
    ({"x": {"a": 1, "b": 2}, "y": {"a": 1}}, cs.InputError, "'x' has a score for b, but 'y' does not"),
    ({"x": {"a": 1, "b": 2}, "y": {"a": 1, "b": 2, "c": 3}}, cs.InputError, "'y' has a score for c, but 'x' does not"),
    ([{"a": 1, "b": 2}, {"a": 1, "b": math.nan}], cs.InputError, "b of 1 of 2 systems is not a finite.*of 1: nan"),
    ([{"a": 1, "b": 2}, {"a": -math.inf, "b": 1}], cs.InputError, "not a finite number"),
    ([{"a": 1, "b": 2}, {"a": 10**400, "b": 1}], cs.InputError, "not a finite number"),
    ([{"a": 1, "b": 2}, {"a": None, "b": 1}], cs.InputTypeError, "a of 1 is None, not a score"),
    ([{"a": 1, "b": 2}, {"a": "0.5", "b": 1}], cs.InputTypeError, "a of 1 is '0.5', not a score"),
    ([0.1, 0.2], cs.InputTypeError, "0 is a float, not the scores of a system"),
    ({"elm": 0.1, "bcubed": 0.2}, cs.InputTypeError, "'elm' is a float"),
    ("elm", cs.InputTypeError, "not a str"),
    (None, cs.InputTypeError, "not None"),
])  # fmt: skip
def test_what_cannot_be_ranked(given_: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        cs.rank_agreement(given_)


def test_one_scorecard_is_no_ranking(cards: dict[str, cs.Scorecard]) -> None:
    with pytest.raises(cs.InputTypeError, match="'elm' is a Score, not the scores of a system"):
        cs.rank_agreement(cards["A"])  # type: ignore[arg-type]


def test_scores_made_in_different_ways_are_not_compared() -> None:
    card = cs.score(GOLD, FOUND["A"], metrics="elm, bcubed", noise=0)
    with pytest.raises(cs.InputError, match=r"'A' and 'B' were scored in different ways, elm\|.*noise:0.* and elm\|"):
        cs.rank_agreement({"A": card, "B": cs.score(GOLD, FOUND["B"], metrics="elm, bcubed")})


# --- shown -----------------------------------------------------------------------------------------------------------


def test_text(cards: dict[str, cs.Scorecard]) -> None:
    result = cs.rank_agreement(cards)
    table, foot = str(result).split("\n\n")
    head, _, *lines = table.splitlines()
    names = ["elm", "bcubed", "ari", "vi"]
    assert head.split() == ["metric", *names]
    for k, line in enumerate(lines):
        name, *values = line.split()
        assert name == names[k]
        expected = [result[name, other].tau_b if j < k else result[name, other].swapped
                    for j, other in enumerate(names) if j != k]  # fmt: skip
        assert values == [f"{value:.4f}" for value in expected]
    assert foot.startswith("4 systems; below the diagonal Kendall's tau-b, above it the share of swapped pairs")
    assert repr(result) == str(result)


def test_for_programs(cards: dict[str, cs.Scorecard]) -> None:
    result = cs.rank_agreement(cards)
    plain = result.to_dict()
    assert (plain["systems"], plain["metrics"], plain["version"]) == (4, result.metrics, cs.__version__)
    for (first, second), entry, row in zip(
        combinations(result.metrics, 2), plain["agreement"], result.records(), strict=True
    ):
        agreed = result[first, second]
        shares = {"tau_b": agreed.tau_b, "swapped": agreed.swapped}
        assert entry == row == {"first": first, "second": second, **shares, **agreed._asdict()}
