"""Documents come back in the order in which gold names them, wherever they are shown."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import clusterscore as cs
from running import run

NAMES = ["page", "x", "delta", "alpha"]
KINDS: list[list[Any]] = [
    NAMES,
    [30, -4, 7, 0],
    [30, 2**60, -(2**61), 7],
    [0.5, -1.5, 2.5, 0.25],
    [("b", 1), "a", 3, None.__class__],
    [b"page", b"x", b"delta", b"alpha"],
    [True, False],
]
LABELS = cs.Clustering.from_labels


@pytest.mark.parametrize("names", KINDS, ids=repr)
@pytest.mark.parametrize("grouped", [True, False], ids=["grouped", "mixed"])
def test_by_position(names: list[Any], grouped: bool) -> None:
    count = 500
    where = [name for name in names for _ in range(count)] if grouped else names * count
    gold = [4, 4, 5] * len(where)
    gold, pred = gold[: len(where)], gold[1 : len(where) + 1]
    card = cs.score(gold, pred, documents=where, metrics="elm", baselines=True)
    assert list(card.documents["document"]) == names
    for baseline in card.baselines.values():
        assert list(baseline.documents["document"]) == names
    for name, f in zip(names, card.documents["elm"].tolist(), strict=True):  # and its numbers are in the same row
        here = [k for k, document in enumerate(where) if document == name]
        assert f == cs.elm([gold[k] for k in here], [pred[k] for k in here]).f
    ordered = LABELS(gold, documents=where)
    assert list(cs.Table.from_labels(ordered, pred).documents) == names
    assert list(cs.Table.from_labels(gold, LABELS(pred, documents=where)).documents) == names
    assert list(cs.Table.from_cells(gold, pred, [1] * len(gold), document=where).documents) == names
    assert list(pickle.loads(pickle.dumps(card.table)).documents) == names


@pytest.mark.parametrize("make", [np.array, pd.Series, pl.Series, list], ids=lambda make: make.__name__)
def test_many_documents(make: Any) -> None:
    rng = np.random.default_rng(3)
    names = rng.permutation(3000)
    where = np.concatenate([names, rng.integers(0, 3000, 50_000)])
    gold = rng.integers(0, 5, len(where))
    for given, expected in ((where, names.tolist()), (np.char.mod("d%d", where), np.char.mod("d%d", names).tolist())):
        card = cs.score(gold, gold, documents=make(given.tolist()), metrics="elm")
        assert list(card.documents["document"]) == expected
        assert card.documents["elements"].tolist() == np.bincount(where)[names].tolist()


def test_by_id_the_rows_of_gold_decide_and_then_those_of_pred() -> None:
    gold = LABELS([0, 0, 0, 1], elements=[4, 3, 2, 1], documents=NAMES)
    pred = LABELS([0, 0, 1, 1, 1], elements=[9, 1, 2, 3, 4], documents=["new", *NAMES[::-1]])
    assert list(cs.Table.from_labels(gold, pred, missing="keep").documents) == [*NAMES, "new"]
    assert list(cs.Table.from_labels(gold, pred, missing="singleton").documents) == [*NAMES, "new"]
    assert list(cs.Table.from_labels(gold, pred, missing="drop").documents) == NAMES
    plain = LABELS([0, 0, 0, 1], elements=[4, 3, 2, 1])
    assert list(cs.Table.from_labels(plain, pred, missing="drop").documents) == NAMES
    known = dict(zip([1, 2, 3, 4], NAMES[::-1], strict=True))
    assert list(cs.Table.from_labels(plain, dict.fromkeys([1, 2, 3, 4], 0), documents=known).documents) == NAMES
    # an element that gold alone has comes where gold has it
    fewer = LABELS([0, 0], elements=[1, 2], documents=NAMES[:1:-1])
    assert list(cs.Table.from_labels(gold, fewer, missing="keep").documents) == NAMES
    assert list(cs.Table.from_labels(gold, fewer, missing="singleton").documents) == NAMES
    # an element that is dropped does not change the order of those that stay
    assert list(cs.Table.from_labels([9, 9, 0, 0], [0] * 4, documents=["b", "a", "a", "b"], noise=9, noise_as="drop")
                .documents) == ["b", "a"]  # fmt: skip


def test_where_results_show_documents() -> None:
    gold, pred, where = [0, 0, 1, 1] * 4, [0, 1, 1, 1] * 4, np.repeat(NAMES, 4).tolist()
    assert list(dict.fromkeys(cs.elements(gold, pred, documents=where)["document"])) == NAMES
    costs = [0, 1, 2, 3]  # so many elements are wrong in each: the worst clusters come first
    pred = [int(k >= 4 - cost) for cost in costs for k in range(4)]
    assert list(cs.score(gold, pred, documents=where, metrics="elm").documents["document"]) == NAMES


def test_coreference_in_the_order_of_the_key(tmp_path: Path) -> None:
    def written(name: str, documents: list[str]) -> str:
        words = "{0}\t0\t0\tw\t(1)\n{0}\t0\t1\tw\t(1)\n".format
        text = (f"#begin document ({document}); part 000\n{words(document)}\n#end document\n" for document in documents)
        (tmp_path / name).write_text("".join(text))
        return str(tmp_path / name)

    key, response = written("key.conll", NAMES), written("response.conll", NAMES[::-1])
    shown = [str(name) for name in cs.coref(key, response).documents["document"]]
    assert [next(name for name in NAMES if name in document) for document in shown] == NAMES
    lines = run("coref", key, response, "--by-document", "--format", "csv").stdout.splitlines()
    places = [next(k for k, line in enumerate(lines) if f"{name}" in line.split(",")[0]) for name in NAMES]
    assert places == sorted(places)


def test_documents_of_one_side_only() -> None:
    gold, more = LABELS([0, 0, 1], elements="abc", documents=["p", "p", "q"]), {"a": 0, "b": 0, "c": 1, "d": 1}
    message = r"^only gold carries documents, and 1 element \(e\.g\. 'd'\) is not in it; add a document column to both$"
    for missing in ("keep", "singleton"):
        with pytest.raises(cs.InputError, match=message):
            cs.score(gold, more, metrics="b3", missing=missing)
    with pytest.raises(cs.InputError, match=message):
        cs.b3(gold, more)
    message = r"^only pred carries documents, and 2 elements \(e\.g\. 'd'\) are not in it"
    with pytest.raises(cs.InputError, match=message):
        cs.b3({**more, "e": 1}, gold)
    # whoever is left out needs no document
    assert list(cs.Table.from_labels(gold, more, missing="drop").documents) == ["p", "q"]
    same = cs.score(gold, dict(zip("cba", [1, 0, 0], strict=True)), metrics="b3")
    assert list(same.documents["document"]) == ["p", "q"]
