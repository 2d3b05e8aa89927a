"""The experiments of the ELM paper on page streams: baselines (Fig. 5), BERT (Table 2, Fig. 6), and the data itself.

Printed numbers are compared under the authors' reading of page 0 (see ``page_streams``); the notes tell the right one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import clusterscore as cs
from clusterscore import baselines
from reproduce import elm_figures
from reproduce.page_streams import FOLDER, PageStreams, Scores, scores
from reproduce.result import Figure, Floats, Ints, Part, Row, agrees, row

PARTS = ("P", "R", "F1")
SINGLETONS, MEAN_LENGTH, GIANT = "singletons", "mean length", "giant"
# mean and standard deviation of P, of R and of F1
FIG_5 = {
    SINGLETONS: {"bcubed": "1 0 0.34 0.18 0.44 0.19", "elm": "1 0 0.14 0.16 0.14 0.16"},
    MEAN_LENGTH: {"bcubed": "0.82 0.09 0.55 0.13 0.58 0.14", "elm": "0.71 0.16 0.43 0.13 0.39 0.15"},
    GIANT: {"bcubed": "0.12 0.23 1 0 0.16 0.24", "elm": "0.11 0.22 1 0 0.14 0.24"},
}
TABLE_2 = {"bcubed": "0.93 0.07 0.85 0.26 0.83 0.24", "elm": "0.92 0.08 0.85 0.26 0.80 0.24"}
FIG_6 = "0.01 0.02 0.01 0.01 0.03 0.02"
EDGES = tuple(map(Fraction, ("0", "0.1", "0.2", "0.5", "0.75", "1")))
BINNED = {
    "BERT": "24430 861 161 224 0",
    SINGLETONS: "0.345051 0.107854 0.252629 0.294465 0.000000",
    GIANT: "0.999497 0.000402 0.000101 0.000000 0.000000",
    MEAN_LENGTH: "0.522377 0.270575 0.107374 0.099675 0.000000",
}


Statistic = Callable[[Floats], Any]
STATISTICS: Mapping[str, Statistic] = {"mean": np.mean, "std": partial(np.std, ddof=1)}


class Run(NamedTuple):
    """A prediction with its gold documents, and what it scores: as the authors read page 0, and rightly."""

    gold: cs.Clustering
    pred: cs.Clustering
    scores: dict[str, Scores]
    right: dict[str, Scores]


def experiments(streams: PageStreams | None) -> Part:
    """All of it, or what it takes."""
    if streams is None:
        return Part(skipped=[f"J Sec. 3.5, Table 2, Figs. 5 and 6: they need page streams ({FOLDER} in the data)"])
    every, test, bert = streams.every, streams.test, streams.bert
    gold, right = every.documents_without_first_mark(), every.documents()
    trivial = {SINGLETONS: baselines.singletons, MEAN_LENGTH: baselines.mean_size, GIANT: baselines.one_cluster}
    runs = {
        name: Run(gold, make(gold), scores(gold, make(gold)), scores(right, make(right)))
        for name, make in trivial.items()
    }
    gold, pred = test.documents_without_first_mark(), bert.documents_without_first_mark()
    runs["BERT"] = Run(gold, pred, scores(gold, pred), scores(test.documents(), bert.documents()))
    differences = {name: b - e for name, b, e in zip(PARTS, *runs["BERT"].scores.values(), strict=True)}
    bins = {name: _bins(run) for name, run in runs.items()}
    rows = [
        *_data(streams), *_fig_5(runs), *_table_2(runs["BERT"], streams), *_fig_6(differences), *_binned(bins),
    ]  # fmt: skip
    return Part(rows, list(_figures(runs, differences, bins)))


def about_the_data(streams: PageStreams | None) -> Part:
    """What the paper does not say of its data."""
    if streams is None:
        return Part()
    train, test, every = streams.train, streams.test, streams.every
    known = {vector.tobytes() for vector in np.split(train.marks, train.first[1:])}
    leaked = np.array([vector.tobytes() in known for vector in np.split(test.marks, test.first[1:])])
    run = scores(test.documents_without_first_mark(), streams.bert.documents_without_first_mark())
    bert = "; ".join(f"{name} F1 {each.f[leaked].mean():.6f} on them and {each.f[~leaked].mean():.6f} on the others"
                     for name, each in zip(("BCubed", "ELM"), run.values(), strict=True))  # fmt: skip
    pages = f"{int(leaked[test.stream].sum())} of {len(test.stream)} pages"
    gold = every.documents_without_first_mark()
    alone = scores(gold, baselines.singletons(gold))["elm"].f.mean()
    share = every.mean_by_stream(every.sizes == 1).mean()
    return Part([
        row("data", "test streams whose boundary vector is identical to a train stream", None,
            f"{leaked.sum()} of {len(leaked)}, {pages}", f"BERT: {bert}"),
        row("data", "element share in singleton clusters, mean over streams vs cluster share", None,
            f"{alone:.6f} vs {share:.6f}", "ELM F1 of all singletons is the share of elements, not of clusters"),
    ])  # fmt: skip


def _data(streams: PageStreams) -> Iterator[Row]:
    section, every, test = "J3.5", streams.every, streams.test
    sizes, pages = every.sizes, len(every.marks)
    right = len(np.unique(every.documents().codes))
    unmarked = int((every.marks[every.first] == 0).sum())
    yield row(section, "samples", "110", len(every.names))
    note = f"{unmarked} stream does not mark page 0; with the document that starts there {right:,}"
    yield row(section, "true clusters", "24,180", len(sizes), note)
    yield row(
        section, "elements", "89,491", pages, f"the clusters hold {sizes.sum():,}: {pages - sizes.sum()} are lost"
    )
    yield row(section, "mean cluster size", "4", float(sizes.mean()), f"{int(sizes.mean())}, cut off, in the notebook")
    yield row(section, "median cluster size", "2", float(np.median(sizes)))
    share = float(every.mean_by_stream(sizes == 1).mean())
    note = f"{int(100 * share)}, cut off, in the notebook; all clusters pooled {np.mean(sizes == 1):.6f}"
    quantity = "mean share of singleton clusters per stream"
    yield Row(section, quantity, "roughly 35%", share, agrees("35%", share), note, known=False)
    yield row(section, "test samples", "34", len(test.names))
    yield row(section, "test clusters", "6347", len(test.sizes))
    yield row(section, "test elements", "25,676", len(test.marks))
    counts = [len(each.names) for each in (streams.train, test)]
    train, rest = (100 * count / sum(counts) for count in counts)
    found = f"{counts[0]}/{counts[1]} = {train:.1f}/{rest:.1f}"
    yield Row(section, "train/test split", "70%/30%", found, (round(train, -1), round(rest, -1)) == (70, 30),
              "rounded to tens")  # fmt: skip


def _fig_5(runs: Mapping[str, Run]) -> Iterator[Row]:
    section = "J3.5 Fig 5 (= repo images/Fig4.png)"
    for name, printed in FIG_5.items():
        called = f"{name} (int-truncated)" if name == MEAN_LENGTH else name
        for quantity, number, of, values, right in _cells(printed, runs[name]):
            other = float(of(right))
            note = [f"ddof=1; {values.std():.6f} with ddof=0"] if quantity.endswith("std") and values.std() > 0 else []
            note += [] if agrees(number, other) else [f"where page 0 starts a document {other:.6f}"]
            yield row(section, f"{called} {quantity}", number, float(of(values)), "; ".join(note))
    printed, values = "0.23", runs[GIANT].scores["bcubed"].precision
    sample, every = float(values.std(ddof=1)), float(values.std())
    found = f"giant BCubed P std: ddof=1 {sample:.6f} -> {sample:.2f} ; ddof=0 {every:.6f} -> {every:.2f}"
    match = agrees(printed, sample) and not agrees(printed, every)
    yield Row("J3.5 Fig 5", "what discriminates ddof", printed, found, match, "ddof=1, as pandas has it")


def _table_2(run: Run, streams: PageStreams) -> Iterator[Row]:
    changed = 0
    for quantity, number, of, values, right in _cells(TABLE_2, run):
        other = float(of(right))
        same = agrees(number, other)
        changed += not same
        note = f"where page 0 starts a document {other:.6f}" + ("" if same else f", which would print {other:.2f}")
        yield row("J Table 2 (BERT, N=34)", quantity, number, float(of(values)), note)
    unmarked = [int((pages.marks[pages.first] == 0).sum()) for pages in (streams.bert, streams.every)]
    quantity = "entries of 12 that change when the leading-0 predictions are read correctly"
    note = f"{unmarked[0]} of the {len(streams.bert.names)} vectors of BERT start with 0, and {unmarked[1]} gold one"
    yield row("J Table 2", quantity, None, changed, f"{note}: make_index drops their first document")
    of_means = scores(run.gold, run.pred, f="of-means").values()
    quantity = "F1 as harmonic mean of per-stream mean P and R (Amigo), mean over streams: BCubed / ELM"
    found = " / ".join(f"{each.f.mean():.6f}" for each in of_means)
    yield row("J Table 2", quantity, None, found, "so what is printed is the mean of F1")


def _cells(printed: Mapping[str, str], run: Run) -> Iterator[tuple[str, str, Statistic, Floats, Floats]]:
    """Mean and deviation of P, R and F1: what is printed, how to compute it, from which values, and the right ones."""
    for metric, numbers in printed.items():
        columns = zip(("P", "R", "F1_mean_of_F1"), run.scores[metric], run.right[metric], strict=True)
        cells = ((part, name, of, values, right) for part, values, right in columns for name, of in STATISTICS.items())
        for number, (part, name, of, values, right) in zip(numbers.split(), cells, strict=True):
            yield f"{metric} {part} {name}", number, of, values, right


def _fig_6(differences: Mapping[str, Floats]) -> Iterator[Row]:
    cells = ((f"BCubed-ELM {name} {what}", what, of(values)) for name, values in differences.items()
             for what, of in STATISTICS.items())  # fmt: skip
    for printed, (quantity, what, value) in zip(FIG_6.split(), cells, strict=True):
        section = "J Fig 6 (= repo images/Fig5.png)" if what == "mean" else "J Fig 6"
        yield row(section, quantity, printed, float(value))


class Bins(NamedTuple):
    """How many elements have a difference of F1 in each bin: with the authors' floats, and exactly."""

    floats: Ints
    exact: Ints


def _bins(run: Run) -> Bins:
    columns = cs.elements(run.gold, run.pred, metric="elm")
    tp, fp, fn = columns["tp"], columns["fp"], columns["fn"]
    precision, recall = (tp + 1) / (tp + 1 + fp), (tp + 1) / (tp + 1 + fn)
    bcubed = 2 * precision * recall / (precision + recall)
    elm = np.where(tp + fp + fn > 0, tp / np.maximum(tp + 0.5 * (fp + fn), 0.5), 1.0)
    floats = bcubed - elm
    bins = np.searchsorted([float(edge) for edge in EDGES], floats, side="right") - 1
    # 2n/(a+b) - 2(n-1)/(a+b-2) is 2 wrong/(both (both-2)), with both = a+b and wrong = fp+fn
    wrong, both = fp + fn, 2 * (tp + 1) + fp + fn
    above = [2 * wrong * edge.denominator >= edge.numerator * both * (both - 2) for edge in EDGES[1:]]
    exact = np.where(wrong > 0, np.sum(above, axis=0), 0)  # with nothing wrong the difference is 0, also of 0/0
    return Bins(*(np.bincount(each, minlength=len(EDGES) - 1) for each in (bins, exact)))


def _binned(bins: Mapping[str, Bins]) -> Iterator[Row]:
    for name, printed in BINNED.items():
        found, exact = (_shown(each, shares=name != "BERT") for each in bins[name])
        quantity = f"binned F1 differences [0,.1,.2,.5,.75,1) {name}"
        yield row("repo notebooks", quantity, printed, found, f"with floats at the edges; exactly {exact}")


def _shown(counts: Ints, shares: bool) -> str:
    return " ".join(f"{count / counts.sum():.6f}" if shares else str(count) for count in counts)


def _figures(runs: Mapping[str, Run], differences: Mapping[str, Floats], bins: Mapping[str, Bins]) -> Iterator[Figure]:
    named = {name: dict(zip(("BCubed", "ELM"), runs[name].scores.values(), strict=True)) for name in FIG_5}
    yield Figure(
        "elm-fig5", "J Fig. 5: three baselines on 110 page streams", partial(elm_figures.baselines, shown=named)
    )
    title = "J Fig. 6: by how much BCubed is above ELM for BERT, on 34 page streams"
    yield Figure("elm-fig6", title, partial(elm_figures.differences, shown=differences))
    title = "The tables of the authors' notebooks: differences of single elements, in bins"
    edges = [float(edge) for edge in EDGES]
    shares = {name: each.exact / each.exact.sum() for name, each in bins.items()}
    yield Figure("elm-bins", title, partial(elm_figures.binned, edges=edges, shown=shares))
