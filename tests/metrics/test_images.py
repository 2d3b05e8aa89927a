"""Measures of label images: what tools say, as recorded from them, and what the definitions say of random images."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import image_measures as oracle
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs

GOLDEN = json.loads((Path(__file__).resolve().parents[1] / "golden" / "segmentation.json").read_text(encoding="utf-8"))
pytestmark = pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")
law = settings(max_examples=60, deadline=None, derandomize=True, database=None)
DOORS = ("arrays", "npy", "npz", "tif", "tensors")
MEASURES = {
    "vi_split": ("variation_of_information", "split"),
    "vi_merge": ("variation_of_information", "merge"),
    "are": ("adapted_rand_error", "value"),
    "rand_precision": ("adapted_rand_error", "precision"),
    "rand_recall": ("adapted_rand_error", "recall"),
    "cremi_score": ("cremi", "value"),
    "aji": ("aji", "value"),
    "sorted_ap": ("sorted_ap", "value"),
    "ap": ("average_precision", "value"),
}


# What tools say ----------------------------------------------------------------------------------------


def given_as(door: str, images: list[Any], side: str, folder: Path) -> Any:
    """The images of one side as somebody may have them."""
    arrays = [np.array(image[side], np.uint16) for image in images]
    if door == "arrays":
        return arrays if len(arrays) > 1 else arrays[0]
    if door == "tensors":
        torch = pytest.importorskip("torch")
        if len(arrays) > 1:
            pytest.skip("several images are arrays")
        return torch.from_numpy(arrays[0].astype(np.int32))
    path = folder / side
    path.mkdir()
    if door == "npz":
        np.savez(path / "all.npz", **{f"image{k}": array for k, array in enumerate(arrays)})
        return path / "all.npz"
    for k, array in enumerate(arrays):
        if door == "npy":
            np.save(path / f"image{k}.npy", array)
        else:
            pytest.importorskip("tifffile").imwrite(path / f"image{k}.tif", array)
    return str(path / f"*.{door}") if len(arrays) > 1 else path / f"image0.{door}"


def value_of(measure: str, options: dict[str, str], *sides: Any, **background: Any) -> Any:
    """A measure of a tool as this library names it."""
    average: Any = "macro" if options.pop("average", "pooled") == "images" else "micro"
    name, part = MEASURES.get(measure, ("average_precision", measure))
    options = {key: {"cellpose": "foreground"}.get(value, value) for key, value in options.items()}
    metric = f"{name}({', '.join(f'{key}={value}' for key, value in options.items())})"
    if "vi_" in measure:
        metric = "variation_of_information(base=2)"
    (score,) = cs.score(*sides, metrics=metric, average=average, **background).values()
    return getattr(score, part)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("case", GOLDEN["cases"], ids=lambda case: case["id"])
def test_what_tools_say(case: dict[str, Any], door: str, tmp_path: Path) -> None:
    gold, pred = (given_as(door, case["images"], side, tmp_path) for side in ("gold", "pred"))
    tables: dict[str, cs.Table] = {}
    for measure, tool, options, value, tolerance in case["expected"]:
        written = dict(option.split("=") for option in options.split(", ")) if options else {}
        background = written.pop("background", "keep")
        if measure == "cremi_score":
            assert written.pop("count") == "squares"
        if door == "arrays":
            number = value_of(measure, written, gold, pred, background=background)
        else:
            if background not in tables:
                tables[background] = cs.Table.from_labels(gold, pred, background=background)
            number = value_of(measure, written, tables[background])
        assert number == pytest.approx(value, abs=tolerance), (measure, tool, options)


def test_golden_cases_are_of_every_tool_and_measure() -> None:
    rows = [row for case in GOLDEN["cases"] for row in case["expected"]]
    assert len(rows) > 1600
    assert {tool for _, tool, *_ in rows} == set(GOLDEN["tools"])


# What the definitions say ------------------------------------------------------------------------------

pixel = st.integers(0, 3)
images = st.tuples(st.integers(1, 3), st.integers(1, 5)).flatmap(
    lambda shape: st.tuples(*[st.lists(pixel, min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])] * 2).map(
        lambda sides: tuple(np.array(side).reshape(shape) for side in sides)
    )
)


@law
@given(images, st.sampled_from(sorted(oracle.KEPT)))
def test_pixels(drawn: Any, background: Any) -> None:
    gold, pred = drawn
    flat = gold.ravel().tolist(), pred.ravel().tolist()
    if not any(oracle.KEPT[background](*both) for both in zip(*flat, strict=True)):  # 0/0
        none = cs.adapted_rand_error(gold, pred, background=background)
        assert (none.value, none.precision, none.recall) == (0, 1, 1)
        assert cs.cremi(gold, pred, background=background).value == 0
        return
    near = {"rel": 1e-12, "abs": 1e-12}
    vi = cs.variation_of_information(gold, pred, base=2, background=background)
    assert (vi.split, vi.merge) == pytest.approx(oracle.split_and_merge(*flat, background), **near)
    assert vi.signature.count(f"|background:{background}") == (background != "keep")
    assert cs.cremi(gold, pred, background=background).value == pytest.approx(oracle.cremi(*flat, background), **near)
    for count in ("pairs", "squares", "snemi", "cremi"):
        score = cs.adapted_rand_error(gold, pred, count=count, background=background)
        expected = oracle.adapted_rand_error(*flat, count, background)
        assert (score.value, score.precision, score.recall) == pytest.approx(
            tuple(map(float, expected.values())), **near
        )
        assert score.f == pytest.approx(1 - score.value)


@law
@given(images, st.sampled_from(["0.1", "0.25", "0.3", "0.5", "0.6", "0.75", "1"]), st.booleans())
def test_objects(drawn: Any, threshold: str, strict: bool) -> None:
    gold, pred = drawn
    flat = gold.ravel().tolist(), pred.ravel().tolist()
    for tie in ("matched", "all"):
        if threshold == "1" and strict:
            continue
        score = cs.average_precision(gold, pred, threshold=float(threshold), strict=strict, tie=tie)
        expected = oracle.average_precision(*flat, threshold, strict, tie)
        for name, value in expected.items():
            assert getattr(score, name) == pytest.approx(float(value), abs=1e-9), (name, tie)
        at = [oracle.average_precision(*flat, f"0.{k}", strict)["value"] for k in range(50, 100, 5)]
        assert score.mean_ap == pytest.approx(float(sum(at) / 10), abs=1e-12)
    for kind in ("aji", "plus", "foreground", "overlap"):
        assert cs.aji(gold, pred, kind=kind).value == pytest.approx(float(oracle.aji(*flat, kind)), abs=1e-12), kind
    assert cs.sorted_ap(gold, pred).value == pytest.approx(float(oracle.sorted_ap(*flat)), abs=1e-9)
    if gold.any():
        assert cs.aji(gold, pred, background="gold").value == cs.aji(gold, pred).value


def test_a_threshold_of_many_digits() -> None:
    """Times its digits, 1,000 pixels do not fit 64 bits."""
    gold, pred = np.ones((1, 1000), int), np.repeat([[1, 0]], 500, axis=1)
    for threshold, value in ((0.5, 1), (0.5000000000000001, 0)):
        assert cs.average_precision(gold, gold, threshold=threshold).value == 1
        assert cs.average_precision(gold, pred, threshold=threshold).value == value


@law
@given(st.lists(images, min_size=1, max_size=4))
def test_many_images(drawn: Any) -> None:
    """Pooled, matches are those of each image; the mean is that of their scores."""
    golds, preds = (list(side) for side in zip(*drawn, strict=True))
    apart = [[side + 10 * k * (side > 0) for k, side in enumerate(sides)] for sides in (golds, preds)]
    together = [np.concatenate([side.ravel() for side in sides])[None] for sides in apart]
    measures = ["average_precision(threshold=0.3)", "aji", "sorted_ap", "adapted_rand_error"]
    card = cs.score(golds, preds, metrics=measures)
    alone = [cs.score(*pair, metrics=measures) for pair in drawn]
    for measure in measures:
        if measure != "adapted_rand_error":  # the background of images is in each another cluster
            assert card[measure].value == pytest.approx(cs.metric(measure)(*together).value, abs=1e-12)
        mean = np.mean([card[measure].value for card in alone])
        assert card.macro[measure].value == pytest.approx(mean, abs=1e-12)
    named = [{f"image {k}": side for k, side in enumerate(sides)} for sides in (golds, preds)]
    assert cs.score(*named, metrics=measures).to_dict()["scores"] == card.to_dict()["scores"]


def blobs(side: int, objects: int, seed: int) -> tuple[Any, Any]:
    """Squares in a grid, and a prediction that is moved, with some squares missing and some merged."""
    rng = np.random.default_rng(seed)
    width = side // objects
    place = np.arange(side) // width
    gold = (1 + place[:, None] * objects + place) * (
        (np.arange(side) % width > 1)[:, None] & (np.arange(side) % width > 1)
    )
    gold[(place >= objects)[:, None] | (place >= objects)] = 0
    pred = np.roll(gold, rng.integers(1, 4, 2), (0, 1))
    other = np.arange(objects * objects + 1)
    some = rng.choice(other[1:], objects, replace=False)
    other[some] = rng.choice([0, *other[1:]], objects)
    return gold.astype(np.int32), other[pred].astype(np.int32)


def test_an_image_of_many_objects() -> None:
    """Against sums over all pixels, written plainly."""
    gold, pred = blobs(600, 30, 0)
    flat = gold.ravel().tolist(), pred.ravel().tolist()
    assert gold.size > 300_000
    for background in ("keep", "gold", "either"):
        vi = cs.variation_of_information(gold, pred, base=2, background=background)
        assert (vi.split, vi.merge) == pytest.approx(oracle.split_and_merge(*flat, background), rel=1e-10)
        error = cs.adapted_rand_error(gold, pred, count="snemi", background=background)
        expected = oracle.adapted_rand_error(*flat, "snemi", background)
        assert (error.value, error.precision, error.recall) == pytest.approx(tuple(map(float, expected.values())))
    objects = oracle.Objects(*flat)
    unique = [objects.iou(pair) for pair in objects.n if objects.iou(pair) > 0.5]
    assert 600 < len(unique) < len(objects.gold)
    score = cs.average_precision(gold, pred, strict=True)
    assert (score.tp, score.sq) == (len(unique), pytest.approx(float(sum(unique) / len(unique))))
    assert score.value == len(unique) / (len(objects.gold) + len(objects.pred) - len(unique))


# Where they do not apply -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("average_precision(threshold=0)", "with strict=false the threshold is above 0, up to 1, not 0"),
        ("average_precision(threshold=1, strict=true)", "with strict=true the threshold is 0 up, below 1, not 1"),
        ("average_precision(threshold=50)", "threshold=50 is out of range"),
        ("average_precision(tie=some)", "tie='some' is not an option"),
        ("aji(kind=minus)", "kind='minus' is not an option"),
        ("adapted_rand_error(count=triples)", "count='triples' is not an option"),
    ],
)
def test_options_out_of_range(text: str, message: str) -> None:
    with pytest.raises(cs.MetricError, match=message):
        cs.metric(text)


def test_objects_are_whole_clusters_of_images() -> None:
    gold, pred = blobs(40, 4, 1)
    with pytest.raises(cs.MetricError, match="aji depends on all clusters at once"):
        cs.estimate(gold.ravel(), pred.ravel(), metrics="aji", weights="uniform")
    with pytest.raises(cs.MetricError, match=r"snemi\) depends on whole clusters of both sides, so it has no slices"):
        cs.score(gold.ravel(), pred.ravel(), metrics="adapted_rand_error(count=snemi)", by=gold.ravel())
    with pytest.raises(cs.MetricError, match="needs single clusters, which stay in the engine"):
        cs.score_table(pl.DataFrame({"gold": [1, 2], "pred": [1, 1]}), metrics="aji")


@pytest.mark.parametrize("background", ["gold", "pred", "either", "both"])
def test_background_is_no_object(background: Any) -> None:
    """As many objects are shown as the measures of objects count, wherever background is left out of pixels."""
    gold, pred = blobs(40, 4, 1)
    pred[0, :] = 99  # an object that is all in the background of gold
    card = cs.score([gold, pred], [pred, pred], field="images", background=background)
    score = card["average_precision"]
    assert card.facts["clusters"] == (score.tp + score.fn, score.tp + score.fp)
    assert card.to_dict()["pred_clusters"] == 2 * (len(np.unique(pred)) - 1)


def test_an_image_of_nothing_but_background() -> None:
    """It is scored as it is among others: alone, in a list, and by an accumulator; not silently."""
    gold, pred = np.array([[1, 1, 2, 2, 0, 0]]), np.array([[1, 1, 1, 2, 2, 0]])
    none = np.zeros_like(gold)
    with pytest.warns(cs.ClusterscoreWarning, match='no pixel is left: all are background, by background="gold"'):
        alone = cs.score(none, pred, field="images")
    assert (alone["average_precision"].fp, alone["adapted_rand_error"].recall, alone["cremi"].value) == (2, 1, 0)
    for images in ([none, gold], [gold, none]):
        among = cs.score(images, [pred, pred], field="images")
        at = [image is none for image in images].index(True)
        for name, score in alone.items():
            assert among.documents[name][at] == score.value
    seen = cs.Accumulator(["cremi", "average_precision"], background="gold")
    for image in images:
        seen.update(image, pred)
    assert all(score.value == among[name].value for name, score in seen.result().items())
    for measure in ("boundaries", "pk", "overlapping_nmi"):
        assert not np.isnan(cs.score(images, [pred, pred], metrics=measure, background="gold").documents[measure]).any()
    with pytest.raises(cs.InputError, match="there is nothing for elm to score"):
        cs.elm(none, pred, background="gold")
