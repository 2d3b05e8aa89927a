"""Background through every door: the same as leaving those elements out by hand; and images counted in blocks."""

from __future__ import annotations

import json
import mmap
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore.align import tally
from clusterscore.align.policies import BACKGROUND
from running import run
from variants import COUNTED, numbers

WAYS = [way for way in BACKGROUND if way != "keep"]
PIXELS = ["elm", "pairwise", "variation_of_information(base=2)", "adapted_rand_error(count=squares)", "cremi", "purity"]
OBJECTS = ["average_precision(threshold=0.3)", "aji", "sorted_ap"]
law = settings(max_examples=25, deadline=None, derandomize=True, database=None)


def drawn(size: int = 400, seed: int = 0, documents: int = 3) -> dict[str, Any]:
    """Labels with much background, in documents of which the last has nothing else in gold."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, 5, size) * (rng.random(size) < 0.8)
    pred = np.where(rng.random(size) < 0.6, gold, rng.integers(0, 6, size))
    document = np.sort(rng.integers(0, documents, size))
    return {"gold": np.where(document == documents - 1, 0, gold), "pred": pred, "document": document}


def kept(way: str, gold: Any, pred: Any) -> Any:
    out = {"gold": gold == 0, "pred": pred == 0, "either": (gold == 0) | (pred == 0), "both": (gold == 0) & (pred == 0)}
    return ~out[way]


def plain(card: Any) -> Any:
    return {name: pytest.approx(numbers(score), rel=1e-12, abs=1e-12) for name, score in card.items()}


# Every door --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_as_if_it_had_been_left_out(way: Any) -> None:
    data = drawn()
    gold, pred, document = data.values()
    stays = kept(way, gold, pred)
    for documents in (None, document):
        some = None if documents is None else documents[stays]
        expected = cs.score(gold[stays], pred[stays], metrics=PIXELS, documents=some)
        given = {"metrics": PIXELS, "documents": documents}
        card = cs.score(gold, pred, background=way, **given)
        assert {name: numbers(score) for name, score in card.items()} == plain(expected)
        assert card.table.elements == stays.sum()
        texts = cs.score(gold.astype(str).tolist(), pred.tolist(), background=way, **given)
        assert {name: numbers(score) for name, score in texts.items()} == plain(expected)
        ids = [f"p{k}" for k in range(len(gold))]
        mapped = None if documents is None else dict(zip(ids, documents, strict=True))
        named = cs.score(
            *(dict(zip(ids, side, strict=True)) for side in (gold, pred)),
            metrics=PIXELS,
            documents=mapped,
            background=way,
        )
        assert {name: numbers(score) for name, score in named.items()} == plain(expected)
        seen = cs.Accumulator(PIXELS, background=way)
        seen.update(gold, pred, documents=documents)
        restored = cs.Accumulator.from_json(seen.to_json())
        assert restored.result()["elm"] == pytest.approx(expected["elm"].value)
        assert f"|background:{way}|" in restored.result()["elm"].signature
    rows = cs.elements(gold, pred, background=way)
    assert set(rows["element"].tolist()) == set(np.flatnonzero(stays).tolist())
    assert len(cs.align_labels(gold, pred, background=way).labels) == stays.sum()
    agreement = cs.agreement_matrix({"a": gold, "b": pred}, background=way)
    assert agreement["a", "b"].value == cs.adjusted_rand(gold[stays], pred[stays]).value
    sliced = cs.score(gold, pred, metrics="elm", by=document, background=way)
    assert sliced["elm"].value == cs.elm(gold, pred, background=way).value


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, "parquet", "two tables"])
def test_engines(way: Any, make: Any, tmp_path: Path) -> None:
    data = drawn(50_000)
    wanted: Any = {
        "metrics": [*PIXELS, "ami", "set_matching"][: -1 if make is not pd.DataFrame else None],
        "background": way,
    }
    expected = cs.score(data["gold"], data["pred"], documents=data["document"], **wanted)
    if make == "parquet":
        pl.DataFrame(data).write_parquet(tmp_path / "a.parquet")
        card = cs.score_table(tmp_path / "a.parquet", document="document", engine="duckdb", **wanted)
    elif make == "two tables":
        frame = pl.DataFrame(data).with_row_index("element")
        sides = [frame.select("element", pl.col(side).alias("cluster"), "document") for side in ("gold", "pred")]
        card = cs.score_table(
            sides[0], sides[1].sample(fraction=1, shuffle=True, seed=1), document="document", **wanted
        )
    else:
        card = cs.score_table(make(data), document="document", **wanted)
    assert {name: numbers(score) for name, score in card.items()} == plain(expected)
    assert card.to_dict()["gold_noise"] == expected.to_dict()["gold_noise"]
    assert card.to_dict()["pred_noise"] == expected.to_dict()["pred_noise"]


def test_commands(tmp_path: Path) -> None:
    data = pd.DataFrame(drawn(60))
    data.to_csv(tmp_path / "a.csv", index_label="element")
    table = [str(tmp_path / "a.csv"), "--gold", "gold", "--pred", "pred", "--background", "gold"]
    shown = json.loads(run("score", *table, "--metrics", "cremi", "--format", "json").stdout)
    expected = cs.cremi(data.gold, data.pred, documents=data.document, background="gold").value
    assert shown["scores"]["cremi"]["value"] == pytest.approx(expected)
    for command in ("elements", "clusters", "errors", "compare"):
        done = run(command, *table)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    done = run("score", *table[:-1], "some")
    assert done.returncode == 2
    assert "'some' is not one of 'keep', 'gold', 'pred', 'either', 'both'" in done.stderr


def test_cuts_of_a_tree() -> None:
    gold = [1, 1, 0, 2, 2, 0]
    tree = [[0, 1, 0.1, 2], [2, 3, 0.2, 2], [4, 5, 0.3, 2], [6, 7, 0.5, 4], [8, 9, 0.9, 6]]
    swept = cs.sweep(gold, tree, metrics="elm", background="gold")
    for threshold, score in zip(swept.thresholds[1:], swept["elm"][1:], strict=True):
        pred = cs.Clustering.from_linkage(tree, threshold=float(threshold))
        assert score == pytest.approx(cs.elm(gold, pred, background="gold").f)


def test_measures_of_objects_do_not_depend_on_it() -> None:
    gold, pred, document = drawn().values()
    expected = cs.score(gold, pred, metrics=OBJECTS, documents=document)
    for way in WAYS:
        card = cs.score(gold, pred, metrics=[*OBJECTS, "elm"], documents=document, background=way)
        assert {name: numbers(card[name]) for name in OBJECTS} == {name: numbers(expected[name]) for name in OBJECTS}
        assert card.macro["aji"].value == expected.macro["aji"].value
        assert pickle.loads(pickle.dumps(card.table)).objects.number("gold") == card.table.objects.number("gold")
    field = cs.score(gold, pred, documents=document, field="images", baselines=True)
    assert field.baselines["one_cluster"]["average_precision"].value < 0.5
    assert field["aji"].value == expected["aji"].value
    chance = cs.chance(gold[:99], pred[:99], metrics=OBJECTS, resamples=20)
    assert all(0 <= chance[name].expected < cs.metric(name)(gold[:99], pred[:99]).value for name in OBJECTS)
    with pytest.raises(cs.InputError, match=r'objects need all elements.*pass background="keep"'):
        cs.chance(gold, pred, metrics="aji", background="gold", resamples=20)


def test_tables_know_the_label_0() -> None:
    gold, pred, _ = drawn().values()
    expected = cs.aji(gold, pred).value
    matrix = np.zeros((5, 6), int)
    np.add.at(matrix, (gold, pred), 1)
    assert cs.aji(cs.Table.from_matrix(matrix)).value == expected
    left, right = np.nonzero(matrix)
    assert cs.aji(cs.Table.from_cells(left, right, matrix[left, right])).value == expected
    names = list("abcdef")
    assert cs.aji([names[k] for k in gold], [names[k] for k in pred]).value != expected  # no label is 0 there


REFUSED: dict[str, Any] = {
    "a word": ([1, 0], [1, 0], {"background": "none"}, "background='none' is not an option"),
    "nothing is left": ([0, 0], [1, 2], {"background": "gold"}, "gold and pred are empty"),
    "one side only": ({"a": 2, "b": 0}, {"a": 3}, {"background": "gold", "missing": "keep"}, "needs a label for every"),
    "overlap": ({"a": {0, 1}}, {"a": {0}}, {"background": "gold"}, "several clusters have no background"),
}


@pytest.mark.filterwarnings("ignore:no element is left")
@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    gold, pred, options, message = REFUSED[case]
    if case == "overlap":
        gold, pred = map(cs.Clustering.from_memberships, (gold, pred))
    with pytest.raises(cs.ClusterscoreError, match=message):
        cs.score(gold, pred, metrics=["b3"] if case == "one side only" else None, **options)


# Blocks ------------------------------------------------------------------------------------------------

MANY = [metric for metric in COUNTED if not metric.wants_weights]


def volume(shape: tuple[int, ...], seed: int, runs: bool, kind: Any = np.int32) -> tuple[Any, Any]:
    """Labels that stay the same for some voxels, or change with each."""
    rng = np.random.default_rng(seed)
    size = int(np.prod(shape))
    gold = rng.integers(0, 40, size)
    if runs:
        gold = np.repeat(gold, rng.integers(1, 30, size))[:size]
    pred = np.where(np.roll(gold, 3) % 7 == 3, 5, np.roll(gold, 3))
    return gold.reshape(shape).astype(kind), pred.reshape(shape).astype(kind)


@law
@given(st.integers(0, 99), st.booleans(), st.sampled_from([7, 64, 1000]), st.sampled_from([5, 4096]), st.booleans())
def test_a_tally_is_the_count(seed: int, runs: bool, block: int, stretch: int, apart: bool) -> None:
    gold, pred = volume((6, 5, 11), seed, runs)
    before = tally._BLOCK, tally._STRETCH, tally._KEPT
    tally._BLOCK, tally._STRETCH, tally._KEPT = block, stretch, before[2] if apart else 20
    try:
        table = cs.Table.from_blocks([(gold, pred)])
        parts = cs.Table.from_blocks((gold[k : k + 2], pred[k : k + 2]) for k in range(0, 6, 2))
    finally:
        tally._BLOCK, tally._STRETCH, tally._KEPT = before
    expected = cs.Table.from_labels(gold.ravel(), pred.ravel())
    for counted in (table, parts):
        assert counted.to_matrix().tolist() == expected.to_matrix().tolist()


noise = pytest.mark.filterwarnings("ignore:gold is .* in the next slice most of its labels are elsewhere")


@noise
def test_every_measure_of_a_large_volume() -> None:
    gold, pred = volume((30, 64, 64), 1, runs=True)
    flat = cs.score(gold.ravel(), pred.ravel(), metrics=MANY)
    assert {name: numbers(score) for name, score in cs.score(gold, pred, metrics=MANY).items()} == plain(flat)
    pair = cs.score([gold, gold[:3]], [pred, pred[:3]], metrics=PIXELS)
    documents = [0] * gold.size + [1] * gold[:3].size
    sides = [np.concatenate([side.ravel(), side[:3].ravel()]) for side in (gold, pred)]
    assert {name: numbers(score) for name, score in pair.items()} == plain(
        cs.score(*sides, metrics=PIXELS, documents=documents)
    )


@noise
def test_a_volume_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its pages are given back block by block; what was changed in a private mapping is not."""
    gold, pred = volume((40, 50, 60), 2, runs=True)
    np.save(tmp_path / "gold.npy", gold)
    np.save(tmp_path / "pred.npy", pred)
    monkeypatch.setattr(tally, "_BLOCK", 10_000)
    expected = cs.score(gold, pred, metrics=[*PIXELS, *OBJECTS], background="gold")
    for mode in ("r", "r+", "c"):
        mapped = [np.load(tmp_path / f"{side}.npy", mmap_mode=mode) for side in ("gold", "pred")]
        if mode == "c":
            mapped[0][0, 0] = 99
        seen = cs.Accumulator([*PIXELS, "aji"], background="gold")
        seen.update(*mapped)
        halves = cs.Table.from_blocks(((side[:20], other[:20]) for side, other in [mapped]), background="gold")
        assert halves.elements < expected.table.elements
        if mode == "c":
            assert (mapped[0][0, 0] == 99).all()
            assert seen.result()["aji"].value != expected["aji"].value
        else:
            assert seen.result()["aji"].value == expected["aji"].value
    assert hasattr(mmap, "MADV_DONTNEED") or not hasattr(mmap, "madvise")


def test_a_volume_of_several_blocks() -> None:
    """Two threads look for runs, where a volume has more than one block; runs of equal voxels end with a block."""
    size = 5 * tally._BLOCK // 2
    gold = np.repeat(np.arange(size // 500 + 1, dtype=np.uint16) % 97, 500)[:size]
    pred = np.roll(gold, 137)
    pairs = np.bincount(gold.astype(np.int64) * 97 + pred)
    for shape in ((-1,), (5, 2, -1)):
        counted = cs.Table.from_blocks([(gold.reshape(shape), pred.reshape(shape))]).to_matrix()
        assert counted.ravel().tolist() == pairs.tolist()


def test_rows_of_many_blocks_are_put_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred blocks that all have the same pairs of labels do not need a hundred times the memory."""
    gold, pred = np.random.default_rng(0).integers(0, 30, (2, 100, 40, 40))
    monkeypatch.setattr(tally, "_KEPT", 1000)
    monkeypatch.setattr(tally, "_BLOCK", gold[0].size)
    rows = [len(times) for *_, times in tally.tallies_of(gold, pred)]
    assert sum(rows) < 3 * 900  # pairs that there are
    assert cs.Table.from_blocks(zip(gold, pred, strict=True)).elements == gold.size


def test_blocks_through_an_accumulator() -> None:
    gold, pred = volume((20, 30, 10), 3, runs=True)
    table = cs.Table.from_blocks(((gold[k : k + 4], pred[k : k + 4]) for k in range(0, 20, 4)), background="gold")
    seen = cs.Accumulator(["cremi", "average_precision"], background="gold")
    seen.update(table)
    seen.update(gold[::-1], pred[::-1])
    twice = cs.score([gold, gold], [pred, pred], metrics=["cremi", "average_precision"], background="gold")
    assert {name: numbers(score) for name, score in seen.result().items()} == plain(twice)
    with pytest.raises(cs.InputError, match="the Table was made with missing:error"):
        cs.Accumulator("cremi").update(table)


def test_blocks_of_tensors() -> None:
    torch = pytest.importorskip("torch")
    gold, pred = volume((8, 30, 10), 4, runs=True)
    sides = torch.from_numpy(gold), torch.from_numpy(pred)
    expected = cs.score(gold, pred, metrics=[*PIXELS, *OBJECTS], background="gold")
    for card in (
        cs.score(*sides, metrics=[*PIXELS, *OBJECTS], background="gold"),
        cs.score(
            cs.Table.from_blocks(((sides[0][k], sides[1][k]) for k in range(8)), background="gold"),
            metrics=[*PIXELS, *OBJECTS],
        ),
    ):
        assert {name: numbers(score) for name, score in card.items()} == plain(expected)
    with pytest.raises(cs.ElementMismatch, match="gold is 8 x 30 x 10 and pred 8 x 10 x 30"):
        cs.elm(sides[0], sides[1].reshape(8, 10, 30))


BLOCKS: dict[str, Any] = {
    "none": ([], {}, "there is no block"),
    "no pair": ([np.ones((2, 2), int)], {}, r"block 0 .*pass pairs of arrays, \(gold, pred\)|block 0"),
    "no pairs": ([1, 2], {}, "block 0 is an int; pass pairs"),
    "another shape": ([(np.ones((2, 2), int), np.ones((2, 3), int))], {}, "gold is 2 x 2 and pred 2 x 3"),
    "floats": ([(np.ones((2, 2)), np.ones((2, 2), int))], {}, "of float64"),
    "noise": ([(np.ones(3, int), np.ones(3, int))], {"noise": 1}, "of blocks only counts are kept"),
}


@pytest.mark.parametrize("case", BLOCKS)
def test_blocks_that_are_refused(case: str) -> None:
    blocks, options, message = BLOCKS[case]
    with pytest.raises(cs.ClusterscoreError, match=message):
        cs.Table.from_blocks(blocks, **options)
