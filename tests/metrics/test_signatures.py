"""Two equal signatures on the same files mean the same number: every option of every function and command is here.

An option that changes a score changes the signature; of one that does not, the reason is written down, and the scores
are compared. An option that is in none of these tables fails the test: nobody can add one and forget the signature.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import click
import polars as pl
import pytest
from click.testing import CliRunner

import clusterscore as cs
from clusterscore.command import cli
from variants import NAMES, variants

Found = tuple[Any, str]  # numbers, and their signature


class Changes(NamedTuple):
    """Two ways to call that give different numbers, so different signatures."""

    first: Any
    second: Any


class Signed(NamedTuple):
    """Two ways to call that are signed differently, though these files give the same numbers."""

    first: Any
    second: Any


class Same(NamedTuple):
    """Two ways to call that give the same numbers, and why."""

    reason: str
    first: Any
    second: Any


class Data(NamedTuple):
    """Which files, columns or elements are scored is data, and not in the signature; or there is no score at all."""

    reason: str


Case = Changes | Signed | Same | Data
pytestmark = [
    pytest.mark.filterwarnings("ignore:.* entity ids? in several documents"),
    pytest.mark.usefixtures("without_plots"),
]

GOLD, PRED = (
    {"e1": "a", "e2": "a", "e3": "b", "e4": "b", "e5": "c"},
    {"e1": "x", "e2": "y", "e3": "y", "e4": "-", "e6": "-"},
)
LABELS, GUESSES = ["a", "a", "a", "b", "b", "a"], ["x", "x", "y", "x", "-", "-"]
COVERS = [cs.Clustering.from_memberships(sets) for sets in (
    [["a"], ["a"], ["a", "b"], ["b", "c"], ["c"], ["c"]], [["x"], ["x", "y"], ["y"], ["y", "z"], ["z"], ["z", "u"]],
)]  # fmt: skip
DOCUMENTS = ["d", "d", "d", "d", "e", "e"]
SIX = [f"d{k // 4}" for k in range(24)]
WEIGHTS = [1, 2, 3, 1, 1, 9]
ZERO, FOUND = [0, 0, 1, 1, 2, 2], [0, 1, 1, 1, 2, 0]
PAIRS = [("e0", "e1", 1), ("e1", "e2", 1), ("e3", "e6", 0), ("e6", "e8", 0), ("e9", "e11", 1), ("e4", "e7", 1)]
SAMPLE = [["e0", "e1"], ["e2", "e3"], ["e5"], ["e7", "e8", "e9"]]
DRAWN = pl.DataFrame({"element": ["e0", "e1", "e2", "e5", "e8"], "weight": [2, 2, 3, 3, 3], "stratum": [*"aabbb"]})
INPUTS = {"gold": Data("what is scored"), "pred": Data("what is scored")}
POLICIES: dict[str, Case] = {
    "documents": Changes({}, {"documents": DOCUMENTS}),
    "missing": Changes(*({"gold": GOLD, "pred": PRED, "missing": missing} for missing in ("drop", "singleton"))),
    "noise": Changes({}, {"noise": "-"}),
    "noise_as": Changes({"noise": "-", "noise_as": "singleton"}, {"noise": "-", "noise_as": "drop"}),
    "background": Changes(*({"gold": ZERO, "pred": FOUND, "background": side} for side in ("keep", "gold"))),
}  # fmt: skip
ZEROS = [str(Path(__file__).parents[2] / f"examples/{side}.conllu") for side in ("key", "response")]
WEIGHED: Case = Changes({}, {"weights": WEIGHTS})


UEM = {"r": [(0.5, 2.2)]}
_TIMED = {"metrics": "bcubed"}


def _matched(gold: str = "gold", pred: str = "pred", **more: Any) -> dict[str, Case]:
    """The options that bring mentions together, in the files of a key and a response."""
    key = {gold: "key.conllu", pred: "response.conllu", **more}
    zeros = {gold: ZEROS[0], pred: ZEROS[1], **more}
    return {
        "match": Changes(key, {**key, "match": "head"}),
        "singletons": Changes(key, {**key, "singletons": "drop"}),
        "zeros": Changes(zeros, {**zeros, "zeros": "dependent"}),
        "cross_document": Changes(key, {**key, "cross_document": True}),
        "uem": Changes(*({gold: "gold.rttm", pred: "pred.rttm", **more, **_TIMED, "uem": uem} for uem in (None, UEM))),
    }


FIELD: Case = Same("what it decides is signed", {}, {"field": "clustering"})


def _checked(case: Case, call: Callable[[Any], Found]) -> None:
    if isinstance(case, Data):
        return
    (numbers, signature), (others, another) = call(case.first), call(case.second)
    if isinstance(case, Same):
        assert numbers == others
        return
    assert signature != another
    if isinstance(case, Changes):
        assert numbers != others


def _scored(made: cs.Score) -> Found:
    return made.to_dict() | {"signature": ""}, made.signature


def _carded(card: cs.Scorecard) -> Found:
    return {name: _scored(card[name])[0] for name in card}, " ".join(card[name].signature for name in card)


METRICS = ["elm", "bcubed"]
MENTIONS = {"metrics": "b3, lea"}
TOGETHER = {"w_fp": ("w_fp", "w_fn"), "w_fn": ("w_fp", "w_fn"), "rule": ("rule", "threshold")}  # options

# of the functions that are measures: options that are no parameters of the measure


@pytest.mark.parametrize("name", NAMES)
def test_every_option_of_a_measure(name: str) -> None:
    function, ordered = getattr(cs, name), cs.metric(name).ordered
    for option in inspect.signature(function).parameters:
        if option in INPUTS:
            continue
        if option in POLICIES:
            case = POLICIES[option]
            if ordered and option == "missing":  # nobody is the neighbour of a singleton that is added
                case = Changes({"missing": "error"}, {"missing": "drop"})
            assert isinstance(case, Changes)
            given = {"gold": LABELS, "pred": GUESSES, **({"runs": True} if ordered else {})}
            assert function(**{**given, **case.first}).signature != function(**{**given, **case.second}).signature
            continue
        if ordered and option == "runs":
            with pytest.raises(cs.InputError, match=r"comes? back after others"):
                function(LABELS, GUESSES)
            continue
        given = COVERS if cs.metric(name).overlapping else [LABELS, GUESSES]
        if option == "weights":
            weights = WEIGHTS if cs.metric(name).weighable else "class"
            plain, weighed = function(*given), function(*given, weights=weights)
            assert weighed.signature != plain.signature
            assert weighed.value != plain.value
            continue
        if (name, option) == ("set_matching", "match"):  # which decides the score of slices only
            by = {"by": DOCUMENTS, "metrics": ["acc", "acc(match=slice)"]}
            plain, apart = cs.score(LABELS, GUESSES, **by).values()
            assert apart.signature != plain.signature
            continue
        reset = [key for key in TOGETHER.get(option, (option,)) if hasattr(cs.metric(name), key)]
        pairs = [
            (metric, replace(metric, **{key: _default(metric, key) for key in reset})) for metric in variants(name)
        ]
        pairs = [pair for pair in pairs if not ordered or pair[0].runs]
        apart = [(metric, plain) for metric, plain in pairs if metric != plain]
        assert apart, f"tests/variants.py has no {name} with another {option}"
        for metric, plain in apart:
            if (option, getattr(metric, "delta", 0)) != ("delta_norm", None):  # there is no delta to norm
                assert metric.signature != plain.signature
        assert any(metric(*given).to_dict() != plain(*given).to_dict() for metric, plain in apart)


def _default(metric: cs.Metric, option: str) -> Any:
    return next(field.default for field in type(metric).__dataclass_fields__.values() if field.name == option)


@pytest.mark.parametrize("option", POLICIES)
def test_policies_change_scores(option: str) -> None:
    _checked(POLICIES[option], lambda given: _scored(cs.bcubed(**{"gold": LABELS, "pred": GUESSES, **given})))


# all other functions


def _score(given: Any) -> Found:
    return _carded(cs.score(**{"gold": LABELS, "pred": GUESSES, "metrics": METRICS, **given}))


def _sets(given: Any) -> Found:
    given = {"gold": LABELS, "pred": GUESSES, "metrics": METRICS, **given}
    return _carded(cs.score_data_sets({"a": (given.pop("gold"), given.pop("pred"))}, **given)["a"])


def _agreed(given: Any) -> Found:
    given = {"gold": LABELS, "pred": GUESSES, "metric": "bcubed", **given}
    agreement = cs.agreement_matrix({"a": given.pop("gold"), "b": given.pop("pred")}, **given)
    return agreement.matrix.tolist(), agreement.signature


def _swept(given: Any) -> Found:
    pairs = [(0, 1, 0.9), (2, 3, 0.5), (4, 5, 0.3), (3, 0, 0.2)]
    named = [("e1", "e2", 0.9), ("e3", "e6", 0.6), ("e4", "e5", 0.4)]
    edges = {} if "linkage" in given else {"edges": named if "gold" in given else pairs}
    sweep = cs.sweep(**{"gold": LABELS, "metrics": METRICS, **edges, **given})
    return sweep.to_dict(), " ".join(sweep.best(metric).score.signature for metric in sweep.metrics)


def _chance(given: Any) -> Found:
    chances = cs.chance(**{"gold": LABELS, "pred": GUESSES, "metrics": METRICS, "resamples": 20, **given})
    numbers = {name: (chance.score.value, chance.expected, chance.std, chance.p) for name, chance in chances.items()}
    return numbers, chances.signature + " ".join(chances)


def _compare(given: Any) -> Found:
    gold, systems = LABELS * 4, {"A": GUESSES * 4, "B": LABELS[::-1] * 4, "C": DOCUMENTS * 4}
    if isinstance(given.get("systems"), str):
        given = {**given, "systems": {"A": given["systems"]}}
    comparison = cs.compare(**{"gold": gold, "systems": systems, "metrics": METRICS, "resamples": 20, **given})
    columns = {name: column for name, column in comparison.listed().items() if name != "signature"}
    return columns, comparison.signature + " ".join(comparison.metrics)


def _estimate(given: Any) -> Found:
    pred = {f"e{k}": k // 3 for k in range(12)}
    how = {} if "drawn" in given else {"weights": "uniform"}
    estimate = cs.estimate(**{"sample": SAMPLE, "pred": pred, "metrics": METRICS, "resamples": 20, **how, **given})
    columns = {name: column for name, column in estimate.listed().items() if name != "signature"}
    return columns, estimate.signature + " ".join(estimate.metrics)


def _pairs(given: Any) -> Found:
    pred = {f"e{k}": k // 3 for k in range(12)}
    scores = cs.score_pairs(**{"labelled": PAIRS, "pred": pred, **given})
    return {name: column for name, column in scores.listed().items() if name != "signature"}, scores.signature


def _score_table(given: Any) -> Found:
    frame = pl.DataFrame({"gold": LABELS, "pred": GUESSES, "document": DOCUMENTS, "id": range(6)})
    return _carded(cs.score_table(**{"table": frame, "metrics": METRICS, **given}))


def _coref(given: Any) -> Found:
    return _carded(cs.coref(**{"key": "key.conllu", "response": "response.conllu", "metrics": "b3, lea", **given}))


def _accumulated(given: Any) -> Found:
    made = {name: value for name, value in given.items() if name not in ("gold", "pred")}
    seen = cs.Accumulator(**{"metrics": METRICS, **made})
    seen.update(given.get("gold", LABELS), given.get("pred", GUESSES))
    seen.update(["a", "a"], ["x", "x"])
    return _carded(seen.result())


def _report(given: Any) -> Found:
    page = cs.report(**{"gold": LABELS, "pred": GUESSES, "metrics": METRICS, "path": "page.html", **given})
    text = page.read_text(encoding="utf-8")
    signatures = re.findall(r"<code>([^<]*\|v:[^<]*)</code>", text)
    assert signatures
    return re.sub(r"<code>[^<]*</code>", "", text), " ".join(signatures)


def _two(*names: str) -> dict[str, Case]:
    return {name: POLICIES[name] for name in names}


BY_PARTS: dict[str, Case] = {
    "documents": Changes({}, {"documents": DOCUMENTS * 4}),
    "noise": POLICIES["noise"],
    "noise_as": Changes({"noise": "-", "noise_as": "singleton"}, {"noise": "-", "noise_as": "cluster"}),
    "background": Signed({}, {"background": "gold"}),
}
AVERAGE: Case = Changes({"documents": DOCUMENTS}, {"documents": DOCUMENTS, "average": "macro"})
CHOICE: Case = Changes({}, {"metrics": ["elm(beta=2)", "bcubed(f=of-means)"]})

_TABLES = {"table": None, "gold_table": "all.csv", "pred_table": "guess.csv"}
FUNCTIONS: dict[str, tuple[Callable[[Any], Found], dict[str, Case]]] = {
    "score": (_score, {
        **INPUTS, **POLICIES, "metrics": CHOICE, "average": AVERAGE, "weights": WEIGHED, **_matched(**MENTIONS),
        "field": FIELD,
        "baselines": Same("they stand beside the scores", {}, {"baselines": True}),
        "by": Same("slices stand below the scores, each signed by its name", {}, {"by": DOCUMENTS}),
        "old": Signed({}, {"old": ["a"]}),
        "only": Changes(*({"metrics": "pairwise", **only} for only in ({}, {"only": ["b"]}))),
    }),
    "chance": (_chance, {
        **INPUTS, **POLICIES, "metrics": CHOICE, "average": AVERAGE, "weights": Changes({}, {"weights": "class"}),
        "resamples": Changes({}, {"resamples": 30}), "seed": Changes({}, {"seed": 1}), **_matched(**MENTIONS),
        "field": FIELD,
    }),
    "score_data_sets": (_sets, {
        **INPUTS, **POLICIES, "metrics": CHOICE, "average": AVERAGE, "weights": WEIGHED, **_matched(**MENTIONS),
        "field": FIELD,
    }),
    "field": (_score, {"name": Data("what it decides is signed")}),
    "compare": (_compare, {
        "gold": Data("what is scored"), "systems": Data("what is scored"), **BY_PARTS, "metrics": CHOICE,
        "missing": Changes({"gold": GOLD, "systems": {"A": PRED}, "missing": "drop"},
                           {"gold": GOLD, "systems": {"A": PRED}, "missing": "singleton"}),
        "unit": Changes(*({"unit": unit, "documents": SIX} for unit in ("clusters", "documents"))),
        "baseline": Changes({}, {"baseline": "B"}), "pairs": Changes({}, {"pairs": "all"}),
        "resamples": Changes({"documents": SIX}, {"documents": SIX, "resamples": 30}),
        "seed": Changes({"documents": SIX}, {"documents": SIX, "seed": 1}),
        "confidence": Changes({}, {"confidence": 0.5}), "weights": Changes({}, {"weights": "class"}),
        "average": Changes({"documents": DOCUMENTS * 4}, {"documents": DOCUMENTS * 4, "average": "macro"}),
        **_matched(pred="systems", resamples=0, **MENTIONS), "field": FIELD,
    }),
    "estimate": (_estimate, {
        "sample": Data("what is scored"), "pred": Data("what is scored"), "metrics": CHOICE,
        "weights": Changes({"weights": "uniform"}, {"weights": "size"}),
        "strata": Changes({}, {"strata": ["old", "old", "new", "new"]}),
        "drawn": Changes({"weights": "size"}, {"drawn": DRAWN}),
        "sizes": Same("they are checked, and used for nothing", {}, {"sizes": [2, 2, 1, 3]}),
        "missing": Changes(*({"sample": [*SAMPLE, ["e10", "f1"]], "missing": missing}
                             for missing in ("drop", "singleton"))),
        "confidence": Changes({}, {"confidence": 0.5}), "resamples": Changes({}, {"resamples": 30}),
        "seed": Changes({}, {"seed": 1}), "field": FIELD,
    }),
    **{name: (_estimate, {option: Data("how many to label, and which: it scores nothing")
                          for option in ("pilot", "target", "pred", "records", "allocation", "seed", "like", "field")})
       for name in ("plan", "draw_sample")},
    "score_pairs": (_pairs, {
        **{name: Data("what is scored") for name in ("labelled", "pred", "left", "right", "label")},
        "weight": Changes({}, {"labelled": [(*pair, 1 + k) for k, pair in enumerate(PAIRS)]}),
        "sampled": Changes({}, {"sampled": "links"}), "beta": Changes({}, {"beta": 2}),
        "unit": Changes({}, {"unit": "pairs"}), "implied": Changes({}, {"implied": True}),
        "contradictions": Signed({}, {"contradictions": "drop"}), "confidence": Changes({}, {"confidence": 0.5}),
        "missing": Changes(*({"labelled": [*PAIRS, ("e10", "f1", 1)], "missing": missing}
                             for missing in ("drop", "singleton"))),
        "field": FIELD,
    }),
    "score_table": (_score_table, {
        **{name: Data("which table or column is scored") for name in
           ("table", "gold", "pred", "element", "gold_table", "pred_table", "cluster", "gold_element", "pred_element")},
        **dict.fromkeys(("gold_document", "pred_document"),
                        Changes(_TABLES, {**_TABLES, "gold_document": "where", "pred_document": "where"})),
        **{f"{side}_format": Signed(_TABLES, {**_TABLES, f"{side}_format": "csv"}) for side in ("gold", "pred")},
        "document": Changes({}, {"document": "document"}), "metrics": CHOICE,
        "average": Changes({"document": "document"}, {"document": "document", "average": "macro"}),
        "weights": Changes({}, {"weights": "class"}), "noise": POLICIES["noise"], "noise_as": POLICIES["noise_as"],
        "background": Changes(*({"table": pl.DataFrame({"gold": ZERO, "pred": FOUND}), "background": side}
                                for side in ("keep", "gold"))),
        "missing": Changes(*({"table": None, "gold_table": "gold.csv", "pred_table": "pred.csv", "missing": missing}
                             for missing in ("drop", "singleton"))),
        "engine": Same("engines count the same", {"engine": "auto"}, {"engine": "duckdb"}),
        "format": Signed({"table": "both.csv"}, {"table": "both.csv", "format": "csv"}),
        "header": Changes(_TABLES, {**_TABLES, "header": False}),
        **dict.fromkeys(("gold_header", "pred_header"),
                        Changes(_TABLES, {**_TABLES, "gold_header": False, "pred_header": False})),
        "memory_limit": Same("it is room", {"engine": "duckdb"}, {"engine": "duckdb", "memory_limit": "1GB"}),
        "temp_directory": Same("it is room", {"engine": "duckdb"}, {"engine": "duckdb", "temp_directory": "."}),
        "threads": Same("the counts are whole numbers", {"engine": "duckdb"}, {"engine": "duckdb", "threads": 1}),
        "progress": Same("it shows how far the work is", {}, {"progress": True}), "field": FIELD,
    }),
    "coref": (_coref, {
        "key": Data("what is scored"), "response": Data("what is scored"),
        "metrics": Changes({"metrics": "blanc"}, {"metrics": "blanc(weight=0.9)"}),
        "average": Changes({}, {"average": "macro"}), "match": Changes({}, {"match": "head"}),
        "zeros": Changes(*({"key": ZEROS[0], "response": ZEROS[1], "zeros": z} for z in ("linear", "dependent"))),
        "singletons": Changes({}, {"singletons": "drop"}), "cross_document": Changes({}, {"cross_document": True}),
        "format": Signed({}, {"format": "corefud"}), "field": Changes({}, {"field": "crac"}),
        "offsets": Signed({"key": "a.jsonl", "response": "a.jsonl"},
                          {"key": "a.jsonl", "response": "a.jsonl", "offsets": "characters"}),
        "strict": Same("it refuses files, and scores none otherwise", {"key": "a.jsonl", "response": "a.jsonl"},
                       {"key": "a.jsonl", "response": "a.jsonl", "strict": True}),
    }),
    "Accumulator": (_accumulated, {
        **_two("missing", "noise", "noise_as", "background"), "metrics": CHOICE,
        "average": Changes({}, {"average": "macro"}),
        "weights": Changes({}, {"weights": "class"}),
    }),
    "report": (_report, {
        **INPUTS, **POLICIES, "metrics": CHOICE, "weights": Changes({}, {"weights": "class"}), "average": AVERAGE,
        **_matched(**MENTIONS), "field": Data("it names things otherwise; what it decides is signed"),
        "element_metric": Data("it says what an element is scored with, and is named beside each of these scores"),
        **{name: Data("how the page is called, and where it is") for name in ("path", "title", "show")},
        "by": Data("slices have a section of their own, signed as those of cs.score"),
        "sweep": Data("thresholds have a section of their own, signed as cs.sweep signs them"),
        "estimates": Data("estimates have a section of their own, signed as cs.estimate signs them"),
        "baseline": Data("it says what the others are compared with, and is named beside the differences"),
        "pairs": Data("it says which systems are compared, which are named beside the differences"),
    }),
    **{name: (_score, {**INPUTS, "metric": Data("rows of elements have no signature; the command signs them"),
                       "side": Data("which rows are listed"), "show": Data("texts beside the rows"),
                       **POLICIES, "weights": WEIGHED, "field": FIELD,
                       **_matched(**MENTIONS)})
       for name in ("elements", "clusters", "errors", "error_cells")},
    "diff": (_score, {name: Data("what changed is counted, and not scored")
                      for name in ("old", "new", "documents", "noise", "noise_as", "field")}),
    "align_labels": (_score, {name: Data("clusters are renamed, and not scored")
                              for name in ("gold", "pred", "documents", "missing", "noise", "noise_as",
                                           "background", "match",
                                           "singletons", "zeros", "cross_document", "uem", "field")}),
    "agreement_matrix": (_agreed, {
        "clusterings": Data("what is scored"), **POLICIES, "average": AVERAGE, "field": FIELD,
        "metric": Changes({"metric": "elm"}, {"metric": "elm(beta=2)"}),
        "element_metric": Data("it says what an element is scored with, and is named beside these scores"),
    }),
    "sweep": (_swept, {
        **{name: Data("what is scored") for name in ("gold", "linkage", "edges", "left", "right", "score")},
        "thresholds": Data("of images, of which each row is signed with its own"),
        "metrics": CHOICE, "documents": Changes(*({"documents": documents, "edges": [(0, 1, 0.9), (2, 3, 0.5)]}
                                                  for documents in (None, DOCUMENTS))),
        "missing": Changes(*({"gold": GOLD, "missing": missing} for missing in ("drop", "singleton"))),
        "noise": Changes({}, {"noise": "b"}), "field": FIELD,
        "noise_as": Changes({"noise": "b", "noise_as": "singleton"}, {"noise": "b", "noise_as": "drop"}),
        "background": Changes(*({"gold": ZERO, "edges": [(0, 1, 0.9), (2, 3, 0.5)], "background": side}
                                for side in ("keep", "gold"))),
    }),
    "rank_agreement": (_score, {"scorecards": Data("it compares scores that are signed")}),
    "scorer": (_score, {name: Data("what it calls signs its scores") for name in ("metric", "options")}),
    "metric": (_score, {"name": Data("the name is a part of the signature")}),
    "registered": (_score, {}),
}  # fmt: skip


def _read_together(more: Any) -> Found:
    return _scored(cs.elm(*cs.Clustering.from_files(**more)))


def _read_apart(more: Any) -> Found:
    given = {"gold": "gold.csv", "pred": "pred.csv", **more}
    paths = [given.pop(name) for name in ("gold", "pred")]
    return _scored(cs.elm(*(cs.Clustering.from_file(path, **given) for path in paths), missing="drop"))


def _framed(more: Any) -> Found:
    frames = [pl.DataFrame({"element": range(6), "cluster": side, "where": DOCUMENTS}) for side in (LABELS, GUESSES)]
    return _scored(cs.elm(*(cs.Clustering.from_frame(frame, **more) for frame in frames)))


def _predicted(more: Any) -> Found:
    pairs = pl.DataFrame({"unique_id_l": [0, 1, 3], "unique_id_r": [1, 2, 4], "match_probability": [0.9, 0.5, 0.8]})
    return _scored(cs.elm(dict(enumerate(LABELS)), cs.Clustering.from_predictions(pairs, elements=range(6), **more)))


def _linked(more: Any) -> Found:
    merges = [[0, 1, 0.1, 2], [2, 6, 0.2, 3], [3, 4, 0.3, 2], [5, 8, 0.4, 3], [7, 9, 0.5, 6]]
    return _scored(cs.elm(LABELS, cs.Clustering.from_linkage(merges, **more)))


def _labelled(more: Any) -> Found:
    return _scored(cs.elm(*(cs.Clustering.from_labels(side, **more) for side in (LABELS, GUESSES))))


def _in_sets(more: Any) -> Found:
    sets = [[[label] for label in side] for side in (LABELS, GUESSES)]
    return _scored(cs.elm(*(cs.Clustering.from_memberships(side, **more) for side in sets)))


def _graded(more: Any) -> Found:
    sets = [[{label: 2, label * 2: 1} for label in side] for side in (LABELS, GUESSES)]
    return _scored(cs.fuzzy_rand(*(cs.Clustering.from_graded(side, **more) for side in sets)))


def _spoken(more: Any) -> Found:
    sides = [("a", 0, 1), ("b", 1, 2.3), ("a", 2.3, 2.8)], [("x", 0, 1.3), ("y", 1.3, 2)]
    turns = ([(start, end, who) for who, start, end in side] for side in sides)
    return _scored(cs.elm(*(cs.Clustering.from_turns(side, **more) for side in turns)))


def _cells(more: Any) -> Found:
    return _scored(cs.blanc(cs.Table.from_cells(["a", "a", "b", "b"], ["x", "y", "x", "y"], [3, 1, 2, 2], **more)))


_RTTM = {"gold": "gold.rttm", "pred": "pred.rttm"}
_TEXT = {"gold": "gold.txt", "pred": "pred.txt"}
_WHERE = {"gold": "all.csv", "pred": "guess.csv"}
_SHARE = {"gold": "share.csv", "pred": "shares.csv"}
COLUMNS: dict[str, Case] = {name: Data("which column is read") for name in ("element", "cluster")}
FILES: dict[str, Case] = {
    **COLUMNS, "format": Changes(_TEXT, {**_TEXT, "format": "labels"}),
    "grade": Signed(_SHARE, {**_SHARE, "grade": "share"}),
    "header": Changes(_WHERE, {**_WHERE, "header": False}), "step": Changes(_RTTM, {**_RTTM, "step": 0.4}),
    "frames": Changes({**_RTTM, "step": 0.4}, {**_RTTM, "step": 0.4, "frames": "dscore"}),
}  # fmt: skip
CONSTRUCTORS: dict[str, tuple[Callable[[Any], Found], dict[str, Case]]] = {
    "Clustering.from_files": (_read_together, {
        **INPUTS, **FILES, "document": Changes(_WHERE, {**_WHERE, "document": "where"}),
        **{f"{side}_{what}": Data("which column is read") for side in INPUTS for what in COLUMNS},
        **dict.fromkeys(("gold_document", "pred_document"),
                        Changes(_WHERE, {**_WHERE, "gold_document": "where", "pred_document": "where"})),
        **{f"{side}_grade": Signed(_SHARE, {**_SHARE, f"{side}_grade": "share"}) for side in INPUTS},
        **dict.fromkeys(("gold_format", "pred_format"),
                        Changes(_TEXT, {**_TEXT, "gold_format": "labels", "pred_format": "labels"})),
        **dict.fromkeys(("gold_header", "pred_header"),
                        Changes(_WHERE, {**_WHERE, "gold_header": False, "pred_header": False})),
    }),
    "Clustering.from_file": (_read_apart, {
        "path": Data("what is read"), **FILES, "document": Changes(_WHERE, {**_WHERE, "document": "where"}),
    }),
    "Clustering.from_frame": (_framed, {"frame": Data("what is read"), **COLUMNS, "grade": Data("which column is read"),
                                        "document": Changes({}, {"document": "where"})}),
    "Clustering.from_labels": (_labelled, {"labels": Data("what is read"), "grades": Data("what is read"),
                                           "elements": Data("what elements are called"),
                                           "documents": Changes({}, {"documents": DOCUMENTS})}),
    "Clustering.from_turns": (_spoken, {
        "turns": Data("what is read"), "step": Changes({}, {"step": 0.4}),
        "frames": Changes({"step": 0.4}, {"step": 0.4, "frames": "dscore"}),
    }),
    "Clustering.from_pairs": (_score, {"pairs": Data("what is read"), "elements": Data("which elements there are")}),
    "Clustering.from_predictions": (_predicted, {
        "frame": Data("what is read"), "threshold": Changes({"threshold": 0.5}, {"threshold": 0.6}),
        "elements": Data("which elements there are"),
        **{name: Data("which column is read") for name in ("left", "right", "score")},
    }),
    "Clustering.from_linkage": (_linked, {
        "linkage": Data("what is read"), "threshold": Changes({"threshold": 0.1}, {"threshold": 0.2}),
        "clusters": Changes({"clusters": 2}, {"clusters": 3}), "elements": Data("what elements are called"),
    }),
    **{f"Clustering.from_{name}": (_score, {what: Data("what is read")}) for name, what in
       (("boundaries", "boundaries"), ("clusters", "clusters"), ("lengths", "lengths"), ("mapping", "mapping"),
        ("graph", "graph"), ("spacy", "doc"))},
    "Clustering.from_graded": (_graded, {
        "memberships": Data("what is read"), "elements": Data("what elements are called"),
        "documents": Changes({}, {"documents": DOCUMENTS}),
    }),
    "Clustering.from_memberships": (_in_sets, {
        "memberships": Data("what is read"), "elements": Data("what elements are called"),
        "documents": Changes({}, {"documents": DOCUMENTS}),
    }),
    "Table.from_cells": (_cells, {
        **INPUTS, "n": Data("what is counted"), "document": Changes({}, {"document": [1, 1, 2, 2]}),
        "gold_size": Changes({}, {"gold_size": {"a": 9}}), "pred_size": Changes({}, {"pred_size": {"x": 9}}),
    }),
    "Table.from_labels": (_score, {**INPUTS, "options": Data("those of score, in the same way")}),
    "Clustering.from_images": (_score, {"images": Data("what is read")}),
    "Table.from_blocks": (_score, {"blocks": Data("what is counted"), "options": Data("as in from_labels")}),
    "Table.from_matrix": (_score, {"matrix": Data("what is counted")}),
    "Table.from_contingency": (_score, {"matrix": Data("what is counted")}),
}  # fmt: skip


def _options(function: Any) -> list[str]:
    kinds = inspect.signature(function).parameters
    return [name for name, option in kinds.items() if not (option.kind is option.VAR_KEYWORD and name == "unknown")]


def _functions() -> Iterator[str]:
    for name in cs.__all__:
        if inspect.isfunction(getattr(cs, name)) and name not in cs.metrics.OURS:
            yield name


def _constructors() -> Iterator[str]:
    for kind in (cs.Clustering, cs.Table):
        for name, _ in inspect.getmembers(kind, inspect.ismethod):
            yield f"{kind.__name__}.{name}"


def test_no_function_is_forgotten() -> None:
    assert {*FUNCTIONS} == {*_functions(), "Accumulator"}
    assert {*CONSTRUCTORS} == {*_constructors()}


@pytest.mark.parametrize("name", [*FUNCTIONS, *CONSTRUCTORS])
def test_every_option_of_a_function(name: str, folder: Path) -> None:
    call, cases = {**FUNCTIONS, **CONSTRUCTORS}[name]
    function = cs
    for part in name.split("."):
        function = getattr(function, part)
    assert {*cases} >= {*_options(function)}, "an option without a case"
    for option in _options(function):
        _checked(cases[option], call)


# commands


def _command(name: str, base: list[str]) -> Callable[[Any], Found]:
    known: dict[tuple[str, ...], Found] = {}  # many options are compared with the same call without them

    def found_by(more: Any) -> Found:
        given = (more["files"], more["more"]) if isinstance(more, dict) else (base, more)
        arguments = tuple(chain(*given))
        if arguments not in known:
            known[arguments] = run(arguments)
        return known[arguments]

    def run(arguments: tuple[str, ...]) -> Found:
        done = CliRunner().invoke(cli, [name, *arguments])
        assert not done.exception, done.output + str(done.exception)
        if "json" in arguments:
            data = json.loads(done.stdout)
            signatures = re.findall(r'"signature": ?"([^"]*)"', done.stdout)
            assert signatures
            return re.sub(r'"signature": ?"[^"]*"', "", done.stdout), " ".join(signatures) + str(data.get("signature"))
        *shown, signature = (line for line in done.stdout.rstrip().splitlines() if line[:6] not in ("", "field:"))
        assert "|v:" in signature
        return [line for line in shown if "|v:" not in line and "|beta" not in line], signature

    return found_by


def _with(files: list[str], *more: str) -> dict[str, list[str]]:
    return {"files": files, "more": list(more)}


CSV, ALL, RTTM, TEXT = (
    ["gold.csv", "pred.csv"],
    ["all.csv", "guess.csv"],
    ["gold.rttm", "pred.rttm"],
    ["gold.txt", "pred.txt"],
)
FRAMES = [*RTTM, "-m", "elm"]  # which turns alone do not look at
NO_SCORE = {"quiet": Data("it shows how far the work is"), "form": Data("how it is printed"),
            "raw": Data("how it is printed"), "strict": Data("it refuses what is doubtful"),
            "field": Data("it names things otherwise; what it decides is signed, as tests of fields show")}  # fmt: skip


KEY, LINES, SHARE = ["key.conllu", "response.conllu"], ["a.jsonl", "a.jsonl"], ["share.csv", "shares.csv"]


def _inputs(*form: str) -> dict[str, Case]:
    return {
        **INPUTS, **NO_SCORE,
        **{name: Data("which files or columns are read") for name in
           ("preds", "gold_cluster", "pred_cluster", "pred_clusters", "element", "cluster", "gold_element",
            "pred_element")},
        **{f"{side}_document": Signed(_with(ALL, *form), _with(ALL, f"--{side}-document", "where", *form))
           for side in ("gold", "pred")},
        **dict.fromkeys(("gold_format", "pred_format"), Changes(
            _with(TEXT, *form), _with(TEXT, "--gold-format", "labels", "--pred-format", "labels", *form))),
        **{f"{side}grade": Signed(_with(SHARE, *form), _with(SHARE, f"--{side}grade".replace("_", "-"), "share", *form))
           for side in ("", "gold_", "pred_")},
        "document": Changes(_with(ALL, *form), _with(ALL, "--document", "where", *form)),
        "format": Changes(_with(TEXT, *form), _with(TEXT, "--format-in", "labels", *form)),
        "no_header": Changes(_with(ALL, *form), _with(ALL, "--no-header", *form)),
        **dict.fromkeys(("gold_no_header", "pred_no_header"), Changes(
            _with(ALL, *form), _with(ALL, "--gold-no-header", "--pred-no-header", *form))),
        "step": Changes(_with(FRAMES, *form), _with(FRAMES, "--step", "0.4", *form)),
        "frames": Changes(*(_with(FRAMES, "--step", "0.4", "--frames", how, *form) for how in ("middle", "dscore"))),
        "uem": Changes(_with(FRAMES, *form), _with(FRAMES, "--uem", "all.uem", *form)),
        "missing": Changes(*(_with(CSV, "--missing", missing, *form) for missing in ("drop", "singleton"))),
        "noise": Changes(_with(ALL, *form), _with(ALL, "--noise", "-", *form)),
        "noise_as": Changes(*(_with(ALL, "--noise", "-", "--noise-as", to, *form) for to in ("drop", "singleton"))),
        "background": Changes(*(_with(["zero.csv", "found.csv"], "--background", side, *form)
                                for side in ("keep", "gold"))),
        "offsets": Signed(_with(LINES, *form), _with(LINES, "--offsets", "characters", *form)),
    }  # fmt: skip


def _coreference(*form: str) -> dict[str, Case]:
    return {
        "coreference": Data("what the files are; no file is both"),
        "singletons": Changes(_with(KEY, *form), _with(KEY, "--singletons", "drop", *form)),
        "match": Changes(_with(KEY, *form), _with(KEY, "--match", "head", *form)),
        "zeros": Changes(_with(ZEROS, *form), _with(ZEROS, "--zeros", "dependent", *form)),
        "cross_document": Changes(_with(KEY, *form), _with(KEY, "--cross-document", *form)),
        "offsets": Signed(_with(LINES, *form), _with(LINES, "--offsets", "characters", *form)),
    }


ROWS: dict[str, Case] = {
    **_inputs(), **_coreference("--coref"), "metric": Changes(_with(ALL), _with(ALL, "-m", "bcubed")),
    **{name: Data("which rows are listed") for name in ("worst", "side", "cells", "show")},
}  # fmt: skip


JSON = ("--format", "json")
MACRO: Case = Changes(
    *(_with(ALL, "--document", "where", "--average", average, *JSON) for average in ("micro", "macro"))
)
MEASURES: Case = Changes(_with(ALL, "-m", "elm", *JSON), _with(ALL, "-m", "elm(beta=2)", *JSON))
CLASSES: Case = Changes(_with(ALL, "-m", "elm", *JSON), _with(ALL, "-m", "elm", "--weights", "class", *JSON))
DUCK = ["--engine", "duckdb", *JSON]
LABELLED = ["labelled.csv", "all.csv"]
CUT, GUESSED = ["all.csv", "edges.csv"], ["guess.csv", "edges.csv"]
_THREE = ["all.csv", "guess.csv", "other.csv"]
_FEW = ("--resamples", "20", *JSON)
_UNIFORM = (*_FEW, "--sample", "uniform")
_DRAWN_AS: dict[str, Case] = {"strata": Data("cs.estimate compares them"), "drawn": Data("cs.estimate compares them")}
SAMPLED: dict[str, Case] = {
    "sample": Changes(*(_with(ALL, "-m", "elm", "--sample", weights, *JSON) for weights in ("uniform", "size"))),
    **_DRAWN_AS,
}
ROWS |= {"sample": Changes(*(_with(ALL, "--sample", weights, *JSON) for weights in ("uniform", "size"))), **_DRAWN_AS}
GATED: dict[str, Case] = {
    name: Data("what is done with a score")
    for name in ("fail_under", "save", "against", "tolerance", "confident", "fail_if_worse")
}
COMMANDS: dict[str, dict[str, Case]] = {
    "score": {
        **_inputs(*JSON), "metrics": MEASURES, "average": MACRO, "weights": CLASSES,
        "engine": Same("engines count the same", _with(ALL, *JSON), _with(ALL, *DUCK)),
        "memory_limit": Same("it is room", _with(ALL, *DUCK), _with(ALL, "--memory", "1GB", *DUCK)),
        "temp_directory": Same("it is room", _with(ALL, *DUCK), _with(ALL, "--temp-directory", ".", *DUCK)),
        "threads": Same("the counts are whole numbers", _with(ALL, *DUCK), _with(ALL, "--threads", "1", *DUCK)),
        "gold_also": Data("what is scored"),
        "baselines": Data("they stand beside the scores; cs.score compares them"),
        "by": Data("slices stand below the scores; cs.score compares them"),
        "old": Signed(_with(ALL, "-m", "acc", *JSON), _with(ALL, "-m", "acc", "--old", "a", *JSON)),
        "only": Changes(_with(ALL, "-m", "ga", *JSON), _with(ALL, "-m", "ga", "--only", "a", *JSON)),
        "by_document": Data("a row for every document, too"), **GATED, "digits": Data("how it is printed"),
        **SAMPLED, **_coreference(*JSON), "data_sets": Data("what is scored, as well"),
    },
    "coref": {
        "key": Data("what is scored"), "responses": Data("what is scored"), **NO_SCORE, **_coreference(*JSON),
        "metrics": Changes(_with(KEY, "-m", "blanc", *JSON), _with(KEY, "-m", "blanc(weight=0.9)", *JSON)),
        **dict.fromkeys(("digits", "layout"), Data("how it is printed")),
        "format": Signed(_with(KEY, *JSON), _with(KEY, "--format-in", "corefud", *JSON)),
        **GATED, "by_document": Data("a row for every document, too"), "truncate": Data("how digits are printed"),
        "strict": Same("it refuses files, and scores none otherwise", _with(LINES, *JSON),
                       _with(LINES, "--strict", *JSON)),
    },
    "compare": {
        **_inputs(*_FEW), "metrics": MEASURES, "average": MACRO, "weights": CLASSES,
        "baseline": Changes(_with(_THREE, *_FEW), _with(_THREE, "--baseline", "other.csv", *_FEW)),
        "unit": Changes(*(_with(ALL, "--document", "where", "--unit", unit, *_FEW)
                          for unit in ("documents", "clusters"))),
        "resamples": Changes(_with(ALL, *_FEW), _with(ALL, *_FEW, "--resamples", "30")),
        "seed": Changes(_with(ALL, *_FEW), _with(ALL, *_FEW, "--seed", "1")),
        "confidence": Changes(_with(ALL, *_FEW), _with(ALL, *_FEW, "--confidence", "0.5")),
        "pairs": Changes(_with(_THREE, *_FEW), _with(_THREE, "--pairs", "all", *_FEW)),
        **GATED, **SAMPLED, **_coreference("--coref", "--resamples", "0", *JSON),
        **dict.fromkeys(("digits", "layout", "intervals"), Data("how it is printed")),
    },
    "pairs": {
        **NO_SCORE, **{name: Data("what is scored") for name in
                       ("labelled", "preds", "left", "right", "label", "element", "cluster", "digits")},
        **{name: Data("how the prediction is read") for name in ("format", "no_header", "document", "offsets")},
        "weight": Changes(_with(LABELLED, *JSON), _with(LABELLED, "--weight", "times", *JSON)),
        "sampled": Changes(_with(LABELLED, *JSON), _with(LABELLED, "--sampled", "links", *JSON)),
        "unit": Changes(_with(LABELLED, *JSON), _with(LABELLED, "--unit", "pairs", *JSON)),
        "implied": Changes(_with(LABELLED, *JSON), _with(LABELLED, "--implied", *JSON)),
        "contradictions": Signed(_with(LABELLED, *JSON), _with(LABELLED, "--contradictions", "drop", *JSON)),
        "missing": Changes(*(_with(["known.csv", "pred.csv"], "--missing", missing, *JSON)
                             for missing in ("drop", "singleton"))),
        "beta": Changes(_with(LABELLED, *JSON), _with(LABELLED, "--beta", "2", *JSON)),
        "confidence": Changes(_with(LABELLED, *JSON), _with(LABELLED, "--confidence", "0.5", *JSON)),
    },
    "estimate": {
        **{name: Data("which files or columns are read") for name in
           (*_inputs(), "document", "gold_document", "pred_document")}, **NO_SCORE, "digits": Data("how it is printed"),
        "metrics": Changes(*(_with(ALL, "-m", name, *_UNIFORM) for name in ("elm", "elm(beta=2)"))),
        "target": Data("how many to label: it scores nothing"),
        **GATED, **SAMPLED,
        "sizes": Data("they are checked, and used for nothing"),
        "missing": Changes(*(_with(CSV, "--missing", missing, *_UNIFORM) for missing in ("drop", "singleton"))),
        "offsets": Data("a sample of mentions is none of entities"),
        "resamples": Signed(_with(ALL, *_UNIFORM), _with(ALL, *_UNIFORM, "--resamples", "30")),
        "seed": Signed(_with(ALL, *_UNIFORM), _with(ALL, *_UNIFORM, "--seed", "1")),
        "confidence": Changes(_with(ALL, *_UNIFORM), _with(ALL, *_UNIFORM, "--confidence", "0.5")),
    },
    "agreement": {
        **_inputs(*JSON), "metrics": MEASURES, "average": MACRO, "files": Data("what is scored"),
        "columns": Data("what is scored"), "digits": Data("how it is printed"), "offsets": Data("as for score"),
        "elements": Data("which rows are listed"),
        "element_metric": Data("it says what an element is scored with, and is named beside these scores"),
    },
    "sweep": {
        **_inputs(*JSON), "metrics": Changes(*(_with(CUT, "-m", name, *JSON) for name in ("elm", "elm(beta=2)"))),
        **{name: Data("which columns are read") for name in ("edges", "left", "right", "score")},
        **{name: Data("what is written besides") for name in ("at", "best", "labels", "plot")},
        "thresholds": Data("of images, of which each row is signed with its own"),
        "within": Data("which thresholds are named beside the best"), "digits": Data("how it is printed"),
        "sample": Changes(*(_with(CUT, "--sample", weights, *JSON) for weights in ("uniform", "size"))), **_DRAWN_AS,
        "folds": Changes(*(_with(GUESSED, "--cross-validate", folds, *JSON) for folds in ("2", "3"))),
        "seed": Changes(*(_with(GUESSED, "--cross-validate", "2", "--seed", seed, *JSON) for seed in ("0", "1"))),
        "document": Changes(_with(CUT, *JSON), _with(CUT, "--document", "where", *JSON)),
        "format": Signed(_with(CUT, *JSON), _with(CUT, "--format-in", "csv", *JSON)),
        "no_header": Changes(_with(CUT, *JSON), _with(CUT, "--no-header", *JSON)),
        "missing": Changes(*(_with(["gold.csv", "edges.csv"], "--missing", missing, *JSON)
                             for missing in ("drop", "singleton"))),
        "noise": Changes(_with(CUT, *JSON), _with(CUT, "--noise", "b", *JSON)),
        "offsets": Data("mentions are not swept"),
        "noise_as": Changes(*(_with(CUT, "--noise", "b", "--noise-as", to, *JSON) for to in ("drop", "singleton"))),
        "background": Changes(*(_with(["zero.csv", "edges.csv"], "--background", side, *JSON)
                                for side in ("keep", "gold"))),
    },
    **dict.fromkeys(("elements", "clusters", "errors"), ROWS),
}  # fmt: skip
UNSIGNED = {
    "align": "it renames clusters, and scores nothing",
    "diff": "it counts what changed, and scores nothing",
    "constraints": "it finds whether a measure keeps a law, and scores nothing of the user's",
    "metrics": "it lists measures",
    "fields": "it lists fields",
    "demo": "it has no options",
    "draw-sample": "it draws what is to be labelled, and scores nothing",
    "report": "it hands its options on to what score and compare read; cs.report is signed above",
}


def test_no_command_is_forgotten() -> None:
    assert {*COMMANDS, *UNSIGNED} == {*cli.list_commands(click.Context(cli))}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command(name: str, folder: Path) -> None:
    cases = COMMANDS[name]
    options = [
        param.name for param in cli.get_command(click.Context(cli), name).params if isinstance(param, click.Parameter)
    ]
    assert {*cases} >= {*options}, "an option without a case"
    for option in options:
        _checked(cases[str(option)], _command(name, ALL))


def test_the_command_report_signs_what_it_was_read_with(folder: Path) -> None:
    pages = set()
    for more in ([], ["--step", "0.4"]):
        done = CliRunner().invoke(cli, ["report", *RTTM, *more])
        assert not done.exception, done.output
        pages.add(tuple(re.findall(r"<code>([^<]*\|v:[^<]*)</code>", Path("report.html").read_text(encoding="utf-8"))))
    assert len(pages) == 2
    assert all("|step:0." in signature for signatures in pages for signature in signatures if "|avg:" in signature)


def test_default_signatures_of_coreference_stay(folder: Path) -> None:
    assert cs.coref(*KEY)["b3"].signature == f"b3|avg:micro|missing:keep|v:{cs.__version__}"


def test_a_recording_read_alone_is_the_same(folder: Path) -> None:
    alone = cs.elm(*map(cs.Clustering.from_file, RTTM), missing="drop")
    together = cs.elm(*cs.Clustering.from_files(*RTTM), missing="drop")
    assert alone == together
    assert "|step:0.01|" in alone.signature
    assert "end:" not in alone.signature


def test_systems_that_were_read_in_different_ways_are_named(folder: Path) -> None:
    tables = {match: cs.coref(*KEY, match=match).table for match in ("exact", "head")}
    comparison = cs.compare(tables, metrics="lea", resamples=0)
    assert comparison.signature == f"avg:micro|missing:keep|head:match:head|v:{cs.__version__}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pages = {
        "gold.csv": _table(GOLD), "pred.csv": _table(PRED), "both.csv": "gold,pred\na,x\na,y\nb,y\n",
        "all.csv": _table(LABELS, DOCUMENTS), "guess.csv": _table(GUESSES, DOCUMENTS),
        "zero.csv": _table(ZERO, DOCUMENTS), "found.csv": _table(FOUND, DOCUMENTS),
        **dict.fromkeys(("share.csv", "shares.csv"), "element,cluster,share\ne0,a,1\ne1,a,3\ne2,b,1\ne3,b,1\n"),
        "other.csv": _table(["p", "q", "q", "q", "r", "r"], DOCUMENTS),
        "labelled.csv": "left,right,label,times\ne0,e1,1,1\ne1,e2,1,5\ne0,e3,0,2\ne4,e5,1,3\n",
        "known.csv": "left,right,label\ne1,e2,1\ne3,e4,1\ne6,e9,1\n",
        "edges.csv": "left,right,score\ne0,e1,0.9\ne4,e5,0.6\ne1,e3,0.3\n",
        "gold.txt": "a b\nc d\ne f\n", "pred.txt": "a b c\nd\ne f\n",
        "all.uem": "r 1 0.5 2.2\n",
        "gold.rttm": _rttm("A 0.0 1.0", "B 1.0 1.3", "A 2.3 0.5"), "pred.rttm": _rttm("x 0.0 1.3", "y 1.3 0.7"),
        "key.conllu": _corefud(
            "one", [(1, 2, "e1", 2), (3, 3, "e1", 1), (4, 4, "e2", 1), (5, 5, "e3", 1), (6, 6, "e3", 1)]
        )
        + _corefud("two", [(1, 1, "e1", 1), (2, 2, "e1", 1), (3, 3, "e4", 1)]),
        "response.conllu": _corefud("one", [(2, 2, "e1", 1), (3, 3, "e1", 1), (4, 4, "e3", 1), (5, 5, "e3", 1)])
        + _corefud("two", [(1, 1, "e1", 1), (3, 3, "e1", 1)]),
        "a.jsonl": '{"doc_key": "a", "clusters": [[[0, 1], [2, 3]], [[4, 5]]]}\n',
    }  # fmt: skip
    for name, text in pages.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def _table(labels: Any, documents: list[str] | None = None) -> str:
    rows = list(labels.items()) if isinstance(labels, dict) else [(f"e{k}", label) for k, label in enumerate(labels)]
    where = ["d"] * len(rows) if documents is None else documents
    return "\n".join(["element,cluster,where", *(f"{a},{b},{c}" for (a, b), c in zip(rows, where, strict=True))]) + "\n"


def _rttm(*segments: str) -> str:
    fields = [segment.split() for segment in segments]
    return "".join(f"SPEAKER r 1 {start} {length} <NA> <NA> {who} <NA> <NA>\n" for who, start, length in fields)


def _corefud(name: str, mentions: list[tuple[int, int, str, int]]) -> str:
    lines = [f"# newdoc id = {name}", "# global.Entity = eid-etype-head-other", f"# sent_id = {name}-1"]
    for word in range(1, 7):
        opened = "".join(
            f"({entity}-x-{head}-{')' if first == last else ''}"
            for first, last, entity, head in mentions
            if first == word
        )
        closed = "".join(f"{entity})" for first, last, entity, _ in mentions if last == word and first != last)
        cell = opened + closed
        lines.append("\t".join([str(word), f"w{word}", *"_______", f"Entity={cell}" if cell else "_"]))
    return "\n".join(lines) + "\n\n"
