"""An accumulator that travels as JSON goes on to the same scores, to the last bit; anything else is refused."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.metrics.elm import Elm
from variants import ON_ANY_LABELS

ADDITIVE = [metric for metric in ON_ANY_LABELS if metric.additive and not metric.wants_weights]
REST = [metric for metric in ON_ANY_LABELS if not metric.additive]
WEIGHED = ["elm(weights=given)", "bcubed(weights=given, f=of-means)", "alphamax_bcubed(weights=given)"]


def batches(seed: int, count: int = 6) -> list[tuple[list[int], list[int]]]:
    draw = random.Random(seed)
    sizes = [draw.randint(2, 40) for _ in range(count)]
    return [([draw.randrange(5) for _ in range(n)], [draw.randrange(4) for _ in range(n)]) for n in sizes]


def same(first: cs.Accumulator, second: cs.Accumulator) -> None:
    mine, theirs = first.result(), second.result()
    assert mine.to_dict() == theirs.to_dict()
    assert {name: score.to_dict() for name, score in mine.macro.items()} == {
        name: score.to_dict() for name, score in theirs.macro.items()
    }


@pytest.mark.parametrize(
    "options",
    [
        {"metrics": ADDITIVE},
        {"metrics": ["elm", *REST], "average": "macro"},
        {"metrics": WEIGHED},
        {"metrics": None, "noise": [0, "x", None, True, 2.5], "noise_as": "cluster"},
        {"metrics": ["b3", "muc", "ceafe", "blanc"], "missing": "keep"},
        {"metrics": "elm", "noise": float("nan")},
        {"metrics": "elm", "noise": "a\ud800\x1b\u2028"},
    ],
    ids=["additive", "macro", "weights", "noise", "coreference", "nan", "odd noise"],
)
def test_to_json_and_back_at_every_step(options: dict[str, Any]) -> None:
    straight = cs.Accumulator(**options)
    travelled = cs.Accumulator(**options)
    for k, (gold, pred) in enumerate(batches(7, 4)):
        weights = np.linspace(0.1, 1, len(gold)) if options["metrics"] is WEIGHED else None
        travelled = cs.Accumulator.from_json(travelled.to_json())
        straight.update(gold, pred, weights=weights)
        if k % 2:
            travelled.update(gold, pred, weights=weights)
        else:
            worker = cs.Accumulator(**options)
            worker.update(gold, pred, weights=weights)
            travelled.merge(cs.Accumulator.from_json(worker.to_json().encode()))
        same(travelled, straight)
    assert travelled.to_json() == cs.Accumulator.from_json(travelled.to_json()).to_json()
    sorted_keys = json.dumps(json.loads(travelled.to_json()), sort_keys=True)  # as other programs may write it
    same(cs.Accumulator.from_json(sorted_keys), straight)


def test_pair_counts_are_whole_numbers_beyond_a_float() -> None:
    seen = cs.Accumulator("pairwise")
    seen.update(cs.Table.from_cells(["a", "b"], ["x", "y"], [10**9, 10**9 + 1]))
    sums = json.loads(seen.to_json())["metrics"][0]["sums"]
    assert sums["together"] == math.comb(10**9, 2) + math.comb(10**9 + 1, 2)
    same(cs.Accumulator.from_json(seen.to_json()), seen)


def stored() -> dict[str, Any]:
    seen = cs.Accumulator(["elm", "ari"])
    for gold, pred in batches(3):
        seen.update(gold, pred)
    plain: dict[str, Any] = json.loads(seen.to_json())
    return plain


def put(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(given: Any) -> None:
        for step in path[:-1]:
            given = given[step]
        given[path[-1]] = to

    return change


def drop(*path: Any) -> Callable[[dict[str, Any]], None]:
    def change(given: Any) -> None:
        for step in path[:-1]:
            given = given[step]
        del given[path[-1]]

    return change


TAMPERED = {
    "another format": (put("format", to="sums"), "not that of an accumulator"),
    "no format": (drop("format"), "not that of an accumulator"),
    "another version": (put("version", to="0.0.9"), "written by clusterscore '0.0.9'.*same version"),
    "a version that is no text": (put("version", to=[1]), "written by clusterscore"),
    "an unknown field": (put("more", to=1), "an unknown 'more'"),
    "a field less": (drop("noise"), "no 'noise'"),
    "average": (put("average", to="mean"), "average='mean'"),
    "average of another type": (put("average", to=[]), "'average'"),
    "missing": (put("missing", to="x"), "missing='x'"),
    "noise of another type": (put("noise", to={"a": 1}), "noise="),
    "noise in a list": (put("noise", to=[["a"]]), "noise="),
    "reading": (put("reading", to=[1]), "'reading'"),
    "no metrics": (put("metrics", to=[]), "no metric"),
    "metrics of another type": (put("metrics", to="elm"), "'metrics'"),
    "a metric that is no object": (put("metrics", 0, to="elm"), "'metrics'"),
    "an unknown metric": (put("metrics", 0, "metric", to="elmo"), "unknown metric 'elmo'"),
    "another metric": (put("metrics", 0, "metric", to="nmi"), "'metrics' 0, 'sums' has no '"),
    "a metric twice": (put("metrics", 0, "metric", to="adjusted_rand"), "each there once"),
    "a metric by another name": (put("metrics", 1, "metric", to="ari"), "by its own name"),
    "a metric that is no name": (put("metrics", 0, "metric", to=7), "named by a string such as .* not by 7"),
    "what is no sum": (put("metrics", 0, "metric", to="ami"), "not a sum over documents"),
    "no sums": (put("metrics", 0, "sums", to=None), "'sums': None"),
    "sums of another type": (put("metrics", 0, "sums", to=[1.0]), "'sums'"),
    "a sum more": (put("metrics", 0, "sums", "more", to=1.0), "an unknown 'more'"),
    "too few sums": (drop("metrics", 0, "sums", "f"), "no 'f'"),
    "a sum of another type": (put("metrics", 0, "sums", "f", to=[1.0]), "'sums'"),
    "a sum of text": (put("metrics", 0, "sums", "f", to="1"), "'sums'"),
    "a sum of bool": (put("metrics", 0, "sums", "f", to=True), "'sums'"),
    "a sum of null": (put("metrics", 0, "sums", "f", to=None), "'sums'"),
    "no scores": (drop("metrics", 0, "scores"), "no 'scores'"),
    "scores of another type": (put("metrics", 0, "scores", to=[]), "'scores'"),
    "a score less": (drop("metrics", 0, "scores", "totals", "recall"), "no 'recall'"),
    "a score more": (put("metrics", 1, "scores", "totals", "recall", to=1.0), "an unknown 'recall'"),
    "a count that is none": (put("metrics", 0, "scores", "documents", to=-1), "'scores'"),
    "a count of text": (put("metrics", 0, "scores", "documents", to="6"), "'scores'"),
    "a spread that cannot be": (put("metrics", 0, "scores", "spread", to=-1.0), "is below 0"),
    "facts of another type": (put("facts", to=[]), "'facts'"),
    "a fact less": (drop("facts", "documents"), "no 'documents'"),
    "a fact that is no count": (put("facts", "elements", to=1.5), "'elements': 1.5"),
    "a fact that is true": (put("facts", "elements", to=True), "'elements': True"),
    "a fact below nothing": (put("facts", "gold_clusters", to=-1), "'gold_clusters': -1"),
    "a fact too large": (put("facts", "gold_clusters", to=10**30), "'gold_clusters'"),
    "sums without facts": (put("facts", to=None), "unknown 'scores'"),
}


@pytest.mark.parametrize("case", TAMPERED)
def test_tampered(case: str) -> None:
    change, message = TAMPERED[case]
    given = stored()
    change(given)
    with pytest.raises(cs.ClusterscoreError, match=message):
        cs.Accumulator.from_json(json.dumps(given))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not the JSON"),
        ("{", "not the JSON"),
        ("null", "not that of an accumulator"),
        ("[]", "not that of an accumulator"),
        ('{"scores": {}}', "not that of an accumulator"),
        (cs.score([0], [0], metrics="elm").to_json(), "not that of an accumulator"),
        ("[" * 100_000, "not the JSON"),
        ('{"a":' * 100_000, "not the JSON"),
        ("9" * 100_000, "not the JSON"),
        (b"\xff\xfe\x00", "not the JSON"),
        ("NaN", "NaN in the JSON is not a number"),
        ("[1, -Infinity]", "-Infinity in the JSON"),
        ('{"a": 1, "a": 2}', "a name twice"),
        (b"\x80\x04K\x01.", "not the JSON"),
    ],
)
def test_foreign(text: str | bytes, message: str) -> None:
    with pytest.raises(cs.InputError, match=message):
        cs.Accumulator.from_json(text)


def test_numbers_beyond_a_float() -> None:
    text = json.dumps(stored()).replace('"precision": ', '"precision": 1e999, "x": ', 1)
    with pytest.raises(cs.InputError, match="'sums'"):
        cs.Accumulator.from_json(text)


@pytest.mark.parametrize("given", [None, 3, [], {}, object()])
def test_no_text(given: Any) -> None:
    with pytest.raises(cs.InputTypeError, match="from_json takes the text"):
        cs.Accumulator.from_json(given)


@dataclass(frozen=True)
class Own(Elm):
    """A metric of the user's own."""

    name = "own"


def test_what_json_has_no_word_for() -> None:
    with pytest.raises(cs.InputError, match=r"own is none of clusterscore's; pickle it instead"):
        cs.Accumulator(Own()).to_json()
    for label in [("a", 1), b"a", float("inf")]:
        with pytest.raises(cs.InputError, match="no such label as the noise"):
            cs.Accumulator("elm", noise=[label]).to_json()


def _places(part: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    return [path, *(place for key, value in inside for place in _places(value, (*path, key)))]


@pytest.mark.parametrize("options", [{"metrics": "elm, pairwise, nmi"}, {"metrics": "blanc, muc", "missing": "keep"}])
def test_whatever_is_edited_is_refused_or_goes_on(options: dict[str, Any]) -> None:
    made = cs.Accumulator(**options)
    for gold, pred in batches(3, 2):
        made.update(gold, pred)
    text, gone = made.to_json(), object()
    for *path, last in _places(json.loads(text))[1:]:
        for value in (gone, None, -1, 1, 10**400, -0.5, 1e308, 5e-324, "x", [], {"a": 1}):
            edited = holder = json.loads(text)
            for key in path:
                holder = holder[key]
            if value is gone:
                del holder[last]
            else:
                holder[last] = value
            with suppress(cs.ClusterscoreError):
                read = cs.Accumulator.from_json(json.dumps(edited))
                read.result()
                read.update([0, 0, 1], [0, 1, 1])
                read.result().to_json()
                read.to_json()
