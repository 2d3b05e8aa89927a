"""Labelled pairs: what they say of a clustering, what follows from them, and what is wrong with some."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb
import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import t as student

import clusterscore as cs
from populations import population
from running import Done, run

Rows = list[tuple[Any, ...]]


def labelled_at_random(seed: int, elements: int = 40, pairs: int = 60) -> tuple[Rows, dict[str, int]]:
    """Pairs whose labels agree with a gold clustering, in both directions, with weights; and a prediction."""
    rng = np.random.default_rng(seed)
    gold, pred = rng.integers(0, 12, elements), rng.integers(0, 9, elements)
    pred = np.where(rng.random(elements) < 0.6, gold, pred)
    some = list(combinations(range(elements), 2))
    near = [pair for pair in some if gold[pair[0]] == gold[pair[1]] or pred[pair[0]] == pred[pair[1]]]
    rows: Rows = []
    for k in rng.choice(len(near), pairs).tolist():
        left, right = near[k][:: 1 if rng.random() < 0.5 else -1]
        rows.append((f"r{left}", f"r{right}", bool(gold[left] == gold[right]), float(rng.integers(1, 9))))
    return rows, {f"r{k}": int(cluster) for k, cluster in enumerate(pred)}


def by_definition(rows: Rows, pred: dict[str, int], beta: float, connected: bool) -> dict[str, list[float]]:
    """Value, standard error and Wilson's interval of each measure, pair by pair."""
    graph = nx.Graph((a, b) for a, b, *_ in rows)
    pieces = list(nx.connected_components(graph)) if connected else []
    unit = [next(k for k, piece in enumerate(pieces) if row[0] in piece) if connected else i
            for i, row in enumerate(rows)]  # fmt: skip
    by_measure = {}
    for measure in ("precision", "recall", "f"):
        part, whole = [0.0] * (max(unit) + 1), [0.0] * (max(unit) + 1)
        count = 0
        for k, (a, b, match, weight) in zip(unit, rows, strict=True):
            together = pred[a] == pred[b]
            counts = {"precision": float(together), "recall": float(match), "f": beta**2 * match + together}[measure]
            part[k] += weight * counts * (match and together)
            whole[k] += weight * counts
            count += counts > 0
        value, units = sum(part) / sum(whole), len(part)
        errors = [(x - value * y) / sum(whole) for x, y in zip(part, whole, strict=True)]
        error = (units / (units - 1) * sum(e * e for e in errors)) ** 0.5
        alike = sum(whole) ** 2 / sum(y * y for y in whole)
        size = min(value * (1 - value) / error**2, count) if error else alike
        z = float(student.ppf(0.975, alike - 1))
        middle = (value + z * z / (2 * size)) / (1 + z * z / size)
        reach = z / (1 + z * z / size) * (value * (1 - value) / size + z * z / (4 * size * size)) ** 0.5
        by_measure[measure] = [value, error, middle - reach, middle + reach, size]
    return by_measure


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("connected", [True, False])
def test_the_definition(seed: int, connected: bool) -> None:
    rows, pred = labelled_at_random(seed, elements=80, pairs=60)
    beta = 1 + seed % 3
    scored = cs.score_pairs(rows, pred, beta=beta, unit="components" if connected else "pairs")
    for measure, expected in by_definition(rows, pred, beta, connected).items():
        estimate = scored.systems[""][measure]
        numbers = [estimate.value, estimate.standard_error, *estimate.interval, estimate.effective_size]
        assert numbers == pytest.approx(expected, rel=1e-9), measure
    assert scored.facts.matches == sum(row[2] for row in rows)


@pytest.mark.parametrize("seed", range(12))
def test_what_follows_from_the_labels(seed: int) -> None:
    rows, pred = labelled_at_random(seed, elements=60, pairs=40)
    rows = [row[:3] for row in rows]
    graph = nx.Graph()
    graph.add_nodes_from(element for row in rows for element in row[:2])
    graph.add_edges_from(row[:2] for row in rows if row[2])
    group = {element: k for k, piece in enumerate(nx.connected_components(graph)) for element in piece}
    apart = {frozenset((group[a], group[b])) for a, b, match in rows if not match}
    every: Rows = []
    for a, b in combinations(sorted(group), 2):
        if group[a] == group[b] or frozenset((group[a], group[b])) in apart:
            every.append((a, b, group[a] == group[b]))
    implied, listed = cs.score_pairs(rows, pred, implied=True), cs.score_pairs(every, pred)
    for measure, estimate in implied.systems[""].items():
        other = listed.systems[""][measure]
        assert (estimate.value, estimate.standard_error, *estimate.interval, estimate.effective_size) == pytest.approx(
            (other.value, other.standard_error, *other.interval, other.effective_size)
        )
    facts = cs.score_pairs(rows, pred).facts
    distinct = {(frozenset(row[:2]), row[2]) for row in rows}
    assert facts.repeated == len(rows) - len(distinct)
    assert facts.implied_matches == sum(row[2] for row in every) - sum(match for _, match in distinct)
    assert facts.implied_no_matches == len(every) - len(distinct) - facts.implied_matches
    assert (listed.facts.implied_matches, listed.facts.implied_no_matches, implied.facts.scored) == (0, 0, len(every))


def test_all_pairs_give_the_plain_score() -> None:
    whole = population(3, 60)
    ends = np.array(list(combinations(range(len(whole.gold)), 2))).T
    label = whole.gold[ends[0]] == whole.gold[ends[1]]
    scored = cs.score_pairs({"left": ends[0], "right": ends[1], "label": label}, whole.pred, unit="pairs", beta=2)
    plain = cs.pairwise(whole.gold, whole.pred, beta=2)
    assert [estimate.value for estimate in scored.systems[""].values()] == pytest.approx(
        [plain.precision, plain.recall, plain.f]
    )


def test_40_000_elements_and_a_chain_through_all_of_them(tmp_path: Path) -> None:
    whole = population(4, 9000)
    count = len(whole.gold)
    assert count > 40_000
    order = np.argsort(whole.gold, kind="stable")
    same = whole.gold[order][1:] == whole.gold[order][:-1]
    frame = pl.DataFrame({"left": order[:-1][same], "right": order[1:][same], "label": ["match"] * int(same.sum())})
    frame = frame.with_columns(pl.col("left", "right").cast(pl.String))
    frame.write_parquet(tmp_path / "labelled.parquet")
    pred = {str(k): int(cluster) for k, cluster in enumerate(whole.pred)}
    scored = cs.score_pairs(tmp_path / "labelled.parquet", pred, sampled="matches", implied=True)
    assert scored.recall is not None
    assert scored.recall.value == pytest.approx(cs.pairwise(whole.gold, whole.pred).recall, rel=1e-13)
    chain = cs.score_pairs([(k, k + 1, 1) for k in range(count - 2)] + [(count - 1, 0, 0)], whole.pred, unit="pairs")
    assert chain.facts.implied_matches == (count - 1) * (count - 2) // 2 - (count - 2)
    with pytest.raises(cs.InputError, match=r"1 pair labelled as no match.* 0 = 1 = 2 = 3 = \.\.\. = 39999\)"):
        cs.score_pairs([(k, k + 1, 1) for k in range(count - 1)] + [(0, 39_999, 0)], whole.pred)


def coverage(clustered: bool, unit: str, samples: int) -> float:
    """How often the interval of precision has the truth, where links or whole clusters were drawn."""
    whole = population(5, 1500)
    rng, pred = np.random.default_rng(1), cs.Clustering.from_labels(whole.pred)
    order = np.argsort(whole.pred, kind="stable")
    pieces = np.split(order, np.flatnonzero(np.diff(whole.pred[order])) + 1)
    ends = np.array([pair for piece in pieces for pair in combinations(piece.tolist(), 2)]).T
    match, own = whole.gold[ends[0]] == whole.gold[ends[1]], whole.pred[ends[0]]
    names, hits = np.unique(own), 0
    for _ in range(samples):
        if clustered:
            drawn = np.flatnonzero(np.isin(own, rng.choice(names, 150, replace=False)))
        else:
            drawn = rng.choice(len(own), 200, replace=False)
        columns = {"left": ends[0][drawn], "right": ends[1][drawn], "label": match[drawn]}
        precision = cs.score_pairs(columns, pred, sampled="links", unit=unit).precision
        assert precision is not None
        hits += precision.interval.low <= match.mean() <= precision.interval.high
    return hits / samples


def test_intervals_cover_links_drawn_by_themselves_and_whole_clusters() -> None:
    assert coverage(False, "components", 80) > 0.9
    assert coverage(True, "components", 80) > 0.88
    assert coverage(True, "pairs", 30) < 0.88  # what is connected is not independent


@pytest.mark.slow
@pytest.mark.parametrize(("clustered", "unit"), [(False, "pairs"), (False, "components"), (True, "components")])
def test_intervals_cover(clustered: bool, unit: str) -> None:
    assert 0.92 < coverage(clustered, unit, 600) < 0.985


def test_weights_make_up_for_how_pairs_were_drawn() -> None:
    """Matches drawn ten times as often as other links: precision is that of all links only with weights."""
    rng, number = np.random.default_rng(0), 20_000
    match = rng.random(number) < 0.7
    drawn = rng.random(number) < np.where(match, 0.5, 0.05)
    ends = np.arange(2 * number).reshape(number, 2)[drawn]
    columns = {"left": ends[:, 0], "right": ends[:, 1], "label": match[drawn]}
    pred = np.arange(2 * number) // 2
    plain = cs.score_pairs(columns, pred, sampled="links").precision
    weighted = cs.score_pairs({**columns, "weight": np.where(match, 2, 20)[drawn]}, pred, sampled="links").precision
    assert plain is not None
    assert weighted is not None
    assert plain.value > 0.9
    assert weighted.interval.low < match.mean() < weighted.interval.high
    assert weighted.effective_size < len(ends) / 2


# Input -----------------------------------------------------------------------------------------------------

ROWS: Rows = [("a", "b", 1.0), ("c", "d", 0.0), ("e", "f", 1.0), ("g", "h", 0.5)]
PRED = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 3, "f": 4, "g": 5, "h": 5}
COLUMNS: dict[str, list[Any]] = {name: [row[k] for row in ROWS] for k, name in enumerate(("left", "right", "label"))}
WORDS = ["match", "no match", "match", "unsure"]
KINDS: dict[str, Callable[[], Any]] = {
    "tuples": lambda: ROWS,
    "columns": lambda: COLUMNS,
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "words": lambda: {**COLUMNS, "label": WORDS},
    "other words": lambda: {**COLUMNS, "label": ["Yes", "non-match", " TRUE ", "?"[:0]]},
    "truth": lambda: {**COLUMNS, "label": [True, False, True, None]},
    "decimals": lambda: {**COLUMNS, "label": list(map(Decimal, ("1", "0", "0.9", "0.5")))},
    "text of numbers": lambda: {**COLUMNS, "label": ["1.0", "0", "0.9", "NaN"[:0]]},
    "pairs": lambda: {(a, b): label for a, b, label in ROWS},
    "Splink": lambda: pd.DataFrame({"unique_id_l": [*"aceg"], "unique_id_r": [*"bdfh"],
                                    "clerical_match_score": [1.0, 0.0, 0.8, 0.5]}),
    "dedupe": lambda: {"match": [("a", "b"), ("e", "f")], "distinct": [("c", "d")], "uncertain": [("g", "h")]},
    "weights that are all alike": lambda: [(*row, 3) for row in ROWS],
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_labelled_pairs(kind: str) -> None:
    scored = cs.score_pairs(KINDS[kind](), PRED)
    facts = scored.facts
    assert (facts.pairs, facts.matches, facts.no_matches, facts.unsure) == (4, 2, 1, 1)
    assert [estimate.value for estimate in scored.systems[""].values()] == [0.5, 0.5, 0.5]
    assert ("|weights:given" in scored.signature) == kind.startswith("weights")


def test_records_of_dedupe_and_matches_of_recordlinkage() -> None:
    training = {"match": [({"id": "a", "name": "Ann"}, {"id": "b", "name": "Anne"})],
                "distinct": [({"id": "c", "name": "Bob"}, {"id": "d", "name": "Rob"})]}  # fmt: skip
    assert cs.score_pairs(training, PRED, left="id", right="id").precision is not None
    assert 'made of records (with id, name); name the field with the id: left="id"' in message_of(training)
    links = pd.MultiIndex.from_tuples([("a", "b"), ("e", "f")])
    scored = cs.score_pairs(links, PRED, sampled="matches")
    assert scored.recall is not None
    assert (scored.recall.value, scored.precision, scored.f) == (0.5, None, None)


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_files_with_integer_ids(ending: str, tmp_path: Path) -> None:
    pairs = pl.DataFrame({"left": [1, 3, 5], "right": [2, 4, 6], "label": ["match", "no match", "match"]})
    pred = pl.DataFrame({"element": [1, 2, 3, 4, 5, 6], "cluster": [1, 1, 2, 2, 3, 4]})
    write = {"csv": "write_csv", "parquet": "write_parquet", "jsonl": "write_ndjson"}[ending]
    for name, frame in (("pairs", pairs), ("pred", pred)):
        getattr(frame, write)(tmp_path / f"{name}.{ending}")
    expected = cs.score_pairs(pairs, pred).to_dict()
    files = [tmp_path / f"{name}.{ending}" for name in ("pairs", "pred")]
    for given in ((files[0], pred), (pairs, files[1]), (files[0], files[1])):
        assert cs.score_pairs(*given).to_dict() == expected


def test_predictions_that_stay_where_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = population(6, 500)
    frame = pl.DataFrame({"element": np.arange(len(whole.pred)), "cluster": whole.pred})
    frame.write_parquet(tmp_path / "pred.parquet")
    rows = {"left": np.arange(0, 900, 3), "right": np.arange(1, 900, 3)}
    rows["label"] = whole.gold[rows["left"]] == whole.gold[rows["right"]]
    expected = cs.score_pairs(rows, whole.pred).to_dict()
    tables = [pl.scan_parquet(tmp_path / "pred.parquet"), duckdb.read_parquet(str(tmp_path / "pred.parquet")), frame,
              tmp_path / "pred.parquet"]  # fmt: skip
    for table in tables:
        assert cs.score_pairs(rows, table).to_dict() == expected
    monkeypatch.setattr("clusterscore.engines.LARGE", 0)
    assert cs.score_pairs(rows, tables[-1]).to_dict() == expected


def message_of(labelled: Any, pred: Any = PRED, **options: Any) -> str:
    with pytest.raises(cs.ClusterscoreError) as caught:
        cs.score_pairs(labelled, pred, **options)
    return str(caught.value)


WRONG: dict[str, tuple[Any, dict[str, Any], str]] = {
    "a label": ([("a", "b", "perhaps")], {}, "1 label not known (e.g. 'perhaps'); write match, no match or unsure"),
    "a number": ([("a", "b", -1), ("c", "d", 2)], {}, "2 labels not known (e.g. -1); write match, no match or"),
    "an object": ([("a", "b", (1,))], {}, "1 label not known (e.g. (1,)); write match, no match or"),
    "no label": ([("a", "b")], {}, 'not made of two elements and a label (e.g. pair 0: (\'a\', \'b\')); write pairs as '
                                   '(a, b, "match")'),
    "some weights": ([("a", "b", 1, 2), ("c", "d", 1)], {}, "1 labelled pair not made of two elements and a label and "
                                                            "a weight (e.g. pair 1"),
    "no weight": ([("a", "b", 1, 0), ("c", "d", 1, None)], {}, "2 pairs without a weight above 0 in 'weight' (e.g. row "
                                                               "0, 'a' and 'b'); a weight is 1 / the probability"),
    "columns": ({"one": ["a"], "two": ["b"], "same": [1]}, {}, 'left="one", right="two", label="same"'),
    "two columns": ({**COLUMNS, "match": [1] * 4}, {}, "several columns of labels (label, match); name one: label="),
    "no column": (COLUMNS, {"label": "lable"}, "no column 'lable' for the label of a pair: did you mean 'label'?"),
    "itself": ([("a", "a", 1)], {}, "1 pair of an element with itself (e.g. row 0, 'a' and 'a')"),
    "nothing": ([], {}, "labelled has no rows"),
    "all unsure": ([("a", "b", None)], {}, "there are no pairs labelled as match or no match left to score"),
    "a chain": ([("a", "b", 1), ("b", "c", 1), ("c", "a", 0)], {}, "1 pair labelled as no match, although other "
                "labels imply a match (e.g. 'c' and 'a', while 'c' = 'b' = 'a'); correct the labels, or pass "),
    "twice": ([("a", "b", 1), ("b", "a", 0)], {}, "(e.g. 'b' and 'a', while 'b' = 'a')"),
    "unknown": ([("a", "b", 1), ("c", "zoe", 1)], {}, "1 element is only in the labelled pairs (e.g. 'zoe'); pass "
                'missing="drop" or "singleton"'),
    "other ids": ([("x", "y", 1)], {"missing": "drop"}, "2 elements are only in the labelled pairs (e.g. 'x'); no "
                  "element is on both sides: give both the same ids"),
    "one piece": ([("a", "b", 1), ("b", "c", 1)], {}, 'all labelled pairs (2) are connected by shared elements, so '
                  'they do not show how much pairs vary; label more, or pass unit="pairs" if each was drawn '
                  'independently'),
    "one pair": ([("a", "b", 1)], {"unit": "pairs"}, "all labelled pairs (1) are connected by shared elements, so "
                                                     "they do not show how much pairs vary; label more"),
    "a beta": (ROWS, {"beta": -1}, "beta=-1 must be a number above 0"),
    "a design": (ROWS, {"sampled": "link"}, "sampled='link' is not an option; use one of 'pairs', 'links', 'matches'"),
    "implied pairs": (ROWS, {"implied": True, "unit": "pairs"}, 'so it cannot be combined with unit="pairs"'),
    "implied weights": ([(*row, 2) for row in ROWS], {"implied": True}, "so it cannot be combined with weights"),
    "an option": (ROWS, {"wieght": "w"}, "score_pairs has no option 'wieght': did you mean 'weight'?"),
    "no links": ([("a", "c", 0), ("b", "d", 0)], {}, "no labelled pair is a match, or together in the prediction"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_wrong_labels(case: str) -> None:
    labelled, options, words = WRONG[case]
    assert words in message_of(labelled, **options)


def test_wrong_predictions() -> None:
    assert "the prediction has 1 element with no cluster" in message_of(ROWS, {**PRED, "z": None})
    assert "pred is empty" in message_of(ROWS, {})
    assert "pred is None" in message_of(ROWS, None)
    assert "the prediction has elements in several clusters" in message_of(ROWS, [["a", "b"], ["b", "c"]])


def test_contradictions_are_left_out_with_what_they_are_connected_to() -> None:
    rows = [*ROWS, ("h", "i", 1), ("i", "j", 1), ("j", "h", 0), ("h", "a", 0)]
    pred = {**PRED, "i": 5, "j": 5}
    assert "1 pair labelled as no match" in message_of(rows, pred)
    scored = cs.score_pairs(rows, pred, contradictions="drop")
    assert (scored.facts.contradicted, scored.facts.matches, scored.facts.no_matches) == (3, 2, 2)
    assert "3 pairs connected by matches that other labels contradict, left out" in scored.notes
    kept = cs.score_pairs([*ROWS, ("h", "a", 0)], pred)
    assert scored.systems == kept.systems


def test_elements_that_the_prediction_does_not_have() -> None:
    rows = [*ROWS, ("a", "y", 1), ("y", "z", 0)]
    dropped = cs.score_pairs(rows, PRED, missing="drop")
    assert dropped.facts.unknown == 2
    assert "2 pairs with elements that the prediction does not have, left out" in dropped.notes
    assert dropped.systems == cs.score_pairs(ROWS, PRED).systems
    alone = cs.score_pairs(rows, PRED, missing="singleton")
    assert alone.recall is not None
    assert alone.recall.value == pytest.approx(1 / 3)


# Output ----------------------------------------------------------------------------------------------------


def test_two_systems_on_the_same_pairs() -> None:
    rng = np.random.default_rng(2)
    ends = np.arange(1200).reshape(600, 2)
    match = rng.random(600) < 0.6
    rows = {"left": ends[:, 0], "right": ends[:, 1], "label": match}
    first = np.arange(1200)
    first[1::2][rng.random(600) < np.where(match, 0.8, 0.2)] -= 1
    second = first.copy()
    second[1::2][match & (rng.random(600) < 0.3)] = first[::2][match & (rng.random(600) < 0.3)][0]
    second[1::2] = np.where(match & (rng.random(600) < 0.5), ends[:, 0], first[1::2])
    scored = cs.score_pairs(rows, {"now": first, "new": second, "same": first})
    gap = scored.differences["new"]["recall"]
    now, new = (scored.systems[name]["recall"] for name in ("now", "new"))
    assert gap.value == new.value - now.value
    assert gap.value > 0.05
    assert gap.p is not None
    assert gap.p < 0.001
    assert gap.standard_error < min(now.standard_error, new.standard_error)
    won = (second[::2] == second[1::2])[match].astype(float) - (first[::2] == first[1::2])[match]
    assert gap.standard_error == pytest.approx(won.std(ddof=1) / len(won) ** 0.5, rel=1e-2)
    assert (scored.differences["same"]["f"].value, scored.differences["same"]["f"].p) == (0, 1)
    with pytest.raises(cs.InputError, match=r"there are 3 systems; use found.systems\[...\]\['recall'\]"):
        _ = scored.recall
    assert "against now" in str(scored)
    frame = scored.to_frame("polars")
    assert frame.shape == (9, 14)
    assert frame["difference"].null_count() == 3
    assert json.loads(scored.to_json())["rows"][4]["system"] == "new"


def test_how_pairs_were_drawn() -> None:
    matches = [row for row in ROWS if row[2] == 1]
    assert cs.score_pairs(matches, PRED).notes[0].startswith("every label is a match, so precision says nothing")
    links = [("a", "b", 1), ("c", "d", 0)]
    assert cs.score_pairs(links, PRED).notes[0].startswith("all labelled pairs are together in pred, so recall says")
    assert "drawn at random" in cs.score_pairs(ROWS, PRED).notes[0]
    for sampled, measures in (
        ("links", ["precision"]),
        ("matches", ["recall"]),
        ("pairs", ["precision", "recall", "f"]),
    ):
        scored = cs.score_pairs(ROWS, PRED, sampled=sampled)
        assert scored.measures == measures
        assert not any("drawn at random" in note for note in scored.notes)
    star = cs.score_pairs([*ROWS, *(("a", k, 0) for k in range(30))], {**PRED, **dict.fromkeys(range(30), 9)})
    assert any(note.startswith("one component has 31 of the pairs; if each was drawn") for note in star.notes)
    only = cs.score_pairs([("a", "b", 0), ("c", "d", 0)], PRED)
    assert (only.measures, "no labelled pair tells of recall" in only.notes) == (["precision", "f"], True)


def test_the_command(tmp_path: Path) -> None:
    pd.DataFrame(COLUMNS).to_csv(tmp_path / "labelled.csv", index=False)
    pd.DataFrame({"id": [*PRED], "found": [*PRED.values()]}).to_csv(tmp_path / "pred.csv", index=False)
    files, columns = [str(tmp_path / f"{name}.csv") for name in ("labelled", "pred")], "--element id --cluster found"

    def call(*options: str) -> Done:
        return run("pairs", *files, *columns.split(), *options)

    assert call()[1].startswith("4 labelled pairs: 2 match, 1 no match, 1 unsure; 6 of 8 elements\n")
    code, out, _ = call("--format", "json", "--sampled", "matches")
    assert (code, json.loads(out)) == (0, cs.score_pairs(ROWS, PRED, sampled="matches").to_dict())
    assert call("--missing", "drop")[2] == "clusterscore: dropped: 0 pairs with elements that are not in every PRED\n"
    files.append(f"again={files[1]}x")
    Path(f"{files[1]}x").write_bytes(Path(files[1]).read_bytes())
    assert "against pred" in call("--format-in", "csv")[1]
    assert call("--unit", "pear")[2].endswith("'pear' is not one of 'components', 'pairs'; did you mean 'pairs'?\n")
