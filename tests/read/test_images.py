"""Label images as they come: of any dimension, library, layout and file; and what is refused."""

from __future__ import annotations

import gzip
import re
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.count.counting import as_table
from clusterscore.read import images
from fake_torch import Tensor
from running import run

METRICS = ["adapted_rand_error", "average_precision(threshold=0.3)", "aji", "elm"]
GOLD = np.array([[[1, 1, 0, 2], [1, 0, 0, 2]], [[1, 3, 3, 0], [0, 3, 3, 2]]])
PRED = np.array([[[1, 1, 1, 0], [1, 0, 2, 2]], [[5, 3, 3, 0], [0, 3, 5, 2]]])


def scores(gold: Any, pred: Any, singly: bool = False, **options: Any) -> Any:
    if singly:
        return cs.score(as_table(gold, pred, members=True, **options), metrics=METRICS).to_dict()["scores"]
    return cs.score(gold, pred, metrics=METRICS, **options).to_dict()["scores"]


FLAT = scores(GOLD.ravel(), PRED.ravel())


class Foreign:
    """An array of a library that nobody here knows."""

    def __init__(self, values: Any):
        self.values, self.ndim, self.shape = values, values.ndim, values.shape

    def __array__(self, *_: Any, **__: Any) -> Any:
        return self.values


def big_endian(values: Any) -> Any:
    return values.astype(">u2")


WAYS: dict[str, Any] = {
    "as they are": lambda values: values,
    "columns first": np.asfortranarray,
    "turned": lambda values: np.ascontiguousarray(values.T).T,
    "every second": lambda values: np.repeat(values, 2, axis=2)[:, :, ::2],
    "big endian": big_endian,
    "two dimensions": lambda values: values.reshape(4, 4),
    "five dimensions": lambda values: values.reshape(2, 2, 2, 1, 2),
    "uint64": lambda values: values.astype(np.uint64),
    "int8": lambda values: values.astype(np.int8),
    "foreign": Foreign,
}


# counted block by block, or element by element where somebody asks for single ones
counted = pytest.mark.parametrize("singly", [False, True], ids=["tallied", "singly"])


@pytest.mark.parametrize("way", WAYS)
@counted
def test_arrays_of_any_kind(way: str, singly: bool) -> None:
    assert scores(WAYS[way](GOLD), WAYS[way](PRED), singly) == FLAT
    if way not in ("two dimensions", "five dimensions"):  # the other side may lie otherwise in memory
        assert scores(WAYS[way](GOLD), PRED, singly) == FLAT


@counted
def test_labels_of_any_size(singly: bool) -> None:
    names = np.array([0, 2**63 + 5, 7, 2**64 - 1, 3, 9], np.uint64)
    assert scores(names[GOLD], names[PRED], singly) == FLAT
    assert scores(names[GOLD], PRED, singly) == FLAT
    negative = np.where(GOLD == 1, -(2**62), GOLD)
    assert scores(negative, PRED, singly) == FLAT
    assert scores(GOLD == 1, PRED == 1, singly) == scores((GOLD == 1).astype(int), (PRED == 1).astype(int))
    several = [[names[GOLD[0]], GOLD[1].astype(np.int8)], [PRED[0], names[PRED[1]]]]
    assert scores(*several, singly) == scores(list(GOLD), list(PRED))


def test_several_images_are_documents() -> None:
    stack = {"documents": np.arange(2)[:, None, None]}
    expected = scores(GOLD, PRED, **stack)
    assert expected == scores(GOLD, PRED, documents=["a", "b"])
    assert expected == scores(GOLD.ravel(), PRED.ravel(), documents=[0] * 8 + [1] * 8)
    given = [
        (list(GOLD), list(PRED)),
        (tuple(GOLD), list(PRED)),
        ({"b": GOLD[1], "a": GOLD[0]}, {"a": PRED[0], "b": PRED[1]}),
        (cs.Clustering.from_images(list(GOLD)), list(PRED)),
        ([GOLD[0][:, :2], GOLD[0][:, 2:], GOLD[1]], [PRED[0][:, :2], PRED[0][:, 2:], PRED[1]]),
    ]
    for sides in given[:-1]:
        assert scores(*sides) == expected
        assert scores(*sides, singly=True) == expected
    assert scores(*given[-1]) != expected
    card = cs.score({"b": GOLD[1], "a": GOLD[0]}, {"a": PRED[0], "b": PRED[1]}, metrics=METRICS, field="images")
    assert card.documents["document"].tolist() == ["a", "b"]
    assert "images         2" in str(card)


@pytest.mark.parametrize("large", [False, True], ids=["small", "large"])
def test_files(large: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tifffile = pytest.importorskip("tifffile")
    if large:  # mapped to memory
        monkeypatch.setattr(images, "_MAPPED", 1)
    for side, values in (("gold", GOLD), ("pred", PRED)):
        np.save(tmp_path / f"{side}.npy", values)
        (tmp_path / f"{side}.npy.gz").write_bytes(gzip.compress((tmp_path / f"{side}.npy").read_bytes()))
        np.savez_compressed(tmp_path / f"{side}.npz", values)
        tifffile.imwrite(tmp_path / f"{side}.tif", values.astype(np.uint16), photometric="minisblack")
        tifffile.imwrite(tmp_path / f"{side}.big", values.astype(np.int32), photometric="minisblack", bigtiff=True)
        (tmp_path / side).mkdir()
        np.savez(tmp_path / side / "all.npz", a=values[0], b=values[1])
        for name, array in zip("ab", values, strict=True):
            np.save(tmp_path / side / f"{name}.npy", array)
            tifffile.imwrite(tmp_path / side / f"{name}.tiff", array.astype(np.uint8))
    for ending in ("npy", "npy.gz", "npz", "tif", "big"):
        assert scores(tmp_path / f"gold.{ending}", str(tmp_path / f"pred.{ending}")) == FLAT, ending
    assert scores(tmp_path / "gold.npy", PRED) == FLAT
    expected = scores({"a": GOLD[0], "b": GOLD[1]}, {"a": PRED[0], "b": PRED[1]})
    for name in ("*.npy", "*.tiff", "all.npz"):
        assert scores(tmp_path / "gold" / name, tmp_path / "pred" / name) == expected, name
    chosen = scores(cs.File(tmp_path / "gold.npy", format="npy"), cs.File(tmp_path / "pred.npy", format="npy"))
    assert "|format:npy|" in chosen["elm"]["signature"]
    command = ["score", tmp_path / "gold" / "*.npy", tmp_path / "pred" / "*.tiff", "--field", "images"]
    shown = run(*map(str, command))
    assert "adapted Rand error" in shown.stdout
    assert ["background", "5", "0"] in [line.split() for line in shown.stdout.splitlines()]
    assert "dropped" not in shown.stderr  # as everybody in the field expects
    assert "|background:gold|" in shown.stdout
    other = run(*map(str, command), "--background", "both")
    assert "|background:both|" in other.stdout
    assert "dropped as background:" in other.stderr


REFUSED: dict[str, Any] = {
    "another shape": (GOLD, PRED[:, :1], ["gold is 2 x 2 x 4 and pred 2 x 1 x 4", "both need the same shape"]),
    "turned": (GOLD[0], PRED[0].T, ["gold is 2 x 4 and pred 4 x 2"]),
    "one image of several": (list(GOLD), [PRED[0], PRED[1].T], ["for image 1;"]),
    "an image too many": (list(GOLD), [*PRED, PRED[0]], ["1 image of pred (of 3) not on the other side (e.g. 2)"]),
    "other names": ({"a": GOLD[0]}, {"b": PRED[0]}, ["1 image of gold (of 1) not on the other side (e.g. 'a')"]),
    "a list": (GOLD.reshape(4, 4), list(range(16)), ["gold is 2-dimensional (4 x 4)", "from_matrix"]),
    "a mix": ([GOLD[0], GOLD[0, 0]], list(PRED), ["mixes images with an array of one dimension (1)"]),
    "floats": (GOLD * 1.0, PRED, ["gold is 3-dimensional (2 x 2 x 4) of float64", "whole numbers"]),
    "floats with NaN": (np.where(GOLD, GOLD, np.nan), PRED, ["of float64", "no NaN: pass numpy.nan_to_num(...)"]),
    "floats in a list": ([GOLD[0] * 0.5], [PRED[0]], ["image 0 of gold is 2-dimensional (2 x 4) of float64"]),
    "text": (GOLD.astype(str), PRED, ["of <U21"]),
    "one-hot rows": (np.eye(4, dtype=int), np.eye(4, dtype=int), [".argmax(axis=1)", "Clustering.from_images(gold)"]),
    "masked": (np.ma.masked_equal(GOLD, 0), PRED, ["gold is a masked array", ".filled(0)"]),
    "nothing": (GOLD[:, :0], PRED[:, :0], ["gold is empty"]),
    "a tensor": (Tensor(GOLD), PRED.ravel(), ["gold is 3-dimensional (2 x 2 x 4)"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case: str) -> None:
    gold, pred, words = REFUSED[case]
    with pytest.raises(cs.ClusterscoreError) as raised:
        scores(gold, pred)
    assert all(word in str(raised.value) for word in words), raised.value


def test_documents_of_a_stack_that_do_not_fit() -> None:
    for documents, message in (
        (np.arange(3)[:, None, None], "documents is 3 x 1 x 1 and gold 2 x 2 x 4"),
        (np.arange(2)[:, None], "documents is 2 x 1 and gold 2 x 2 x 4"),
        ([0, 1, 2], "3 document ids for 16 elements"),
    ):
        with pytest.raises(cs.InputError, match=re.escape(message)):
            scores(GOLD, PRED, documents=documents)


@pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")
def test_one_hot_rows_that_are_an_image() -> None:
    line = np.array([[0, 1, 0], [0, 1, 0], [0, 0, 1]])
    image = cs.Clustering.from_images(line)
    assert cs.average_precision(image, image).value == 1
    assert cs.average_precision(line, line).value == 1  # a measure of images
    assert cs.score(line, line, field="images")["aji"].value == 1
    assert cs.adapted_rand_error(line, line, background="gold").value == 0
    seen = cs.Accumulator("aji", background="gold")
    seen.update(line, line)
    assert seen.result()["aji"].value == 1


def test_files_that_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, values in (("gold", GOLD), ("real", GOLD / 2), ("pred", PRED)):
        np.save(tmp_path / f"{name}.npy", values)
    with pytest.raises(cs.InputError, match=r"real.npy.* is 3-dimensional .* of float64"):
        scores(tmp_path / "real.npy", tmp_path / "pred.npy")
    (tmp_path / "gold.npz").write_bytes(b"PK\x03\x04")
    with pytest.raises(cs.FileError, match="is a zip archive"):
        scores(tmp_path / "gold.npz", tmp_path / "pred.npy")
    np.savez(tmp_path / "gold.npz", a=GOLD[0], b=GOLD[1])
    (tmp_path / "cut.npz").write_bytes((tmp_path / "gold.npz").read_bytes()[:200])
    with pytest.raises(cs.FileError, match=r"cut.npz' cannot be read: it is damaged"):
        scores(tmp_path / "cut.npz", tmp_path / "pred.npy")
    with pytest.raises(cs.InputError, match="gold is 2 images and pred a single image; pass as many on both"):
        scores(tmp_path / "gold.npz", tmp_path / "pred.npy")
    (tmp_path / "gold.tif").write_bytes(b"II*\0" + bytes(8))
    with pytest.raises(cs.InputError, match="gold is empty"):
        scores(tmp_path / "gold.tif", tmp_path / "pred.npy")
    for folder in "ab":
        (tmp_path / folder).mkdir()
        np.save(tmp_path / folder / "x.npy", GOLD)
    with pytest.raises(cs.FileError, match=r"two images of .* are called 'x'; give their files different names"):
        scores(tmp_path / "?" / "x.npy", tmp_path / "pred.npy")
    tifffile = pytest.importorskip("tifffile")
    tifffile.imwrite(tmp_path / "gold.tif", np.zeros((50, 50), np.uint8))
    (tmp_path / "gold.tif").write_bytes((tmp_path / "gold.tif").read_bytes()[:-40])
    with pytest.raises(cs.FileError, match="cannot be read: it is damaged"):
        scores(tmp_path / "gold.tif", tmp_path / "pred.npy")
    monkeypatch.setitem(sys.modules, "tifffile", None)
    with pytest.raises(cs.FileError, match=r"tifffile is not installed; pip install .clusterscore\[images\]"):
        scores(tmp_path / "gold.tif", tmp_path / "pred.npy")


def test_labels_of_arrays_on_the_command_line(tmp_path: Path) -> None:
    """They are numbers, and what is typed is a text."""
    np.save(tmp_path / "gold.npy", [0, 0, 1, -1])
    np.save(tmp_path / "pred.npy", [0, 0, 1, 1])
    for option, metric, expected in (
        ("--noise=-1", "elm", "0.5000"),
        ("--old=1", "acc", "0.7500"),
        ("--only=0", "ga", "1.0000"),
    ):
        shown = run("score", "gold.npy", "pred.npy", option, "-m", metric, cwd=tmp_path)
        assert expected in shown.stdout, option
    for option in ("--document", "--element", "--cluster", "--grade"):
        shown = run("score", "gold.npy", "pred.npy", option, "scan", cwd=tmp_path)
        assert "gold.npy' is read as npy, which has no column 'scan'" in shown.stderr


def test_an_image_with_itself_is_doubted(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", GOLD)
    for sides in ((GOLD, GOLD), (tmp_path / "a.npy", tmp_path / "a.npy")):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            scores(*sides)
        assert any("gold and pred are the same" in str(warning.message) for warning in heard)
    stripes = np.repeat(np.arange(8), 4).reshape(8, 4)  # a run for each object is no object for each pixel
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores(stripes, np.roll(stripes, 1, axis=0))
