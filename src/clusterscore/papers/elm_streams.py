"""The experiments of the ELM paper on page streams: baselines (Fig. 5), BERT (Table 2, Fig. 6), and the data itself.

Printed numbers are compared under the authors' reading of page 0 (see ``page_streams``); the notes tell the right one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from clusterscore import baselines
from clusterscore.count.sums import Floats, divide
from clusterscore.distinct import Ints
from clusterscore.papers import elm_figures
from clusterscore.papers.page_streams import FOLDER, PageStreams, Scores, scores
from clusterscore.papers.result import Figure, Result, Row, agrees, row
from clusterscore.pipeline import elements
from clusterscore.read.clustering import Clustering

TITLE = "the experiments of the ELM paper on page streams"
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


class Run(NamedTuple):
    """A prediction beside its gold documents, and what it scores: as the authors read page 0, and rightly."""

    gold: Clustering
    pred: Clustering
    scores: dict[str, Scores]
    right: dict[str, Scores]


def reproduce(streams: PageStreams | None) -> Result:
    """All of it, or what it takes."""
    if streams is None:
        told = f"J Sec. 3.5, Table 2, Figs. 5 and 6: they need page streams ({FOLDER} in the data)"
        return Result("elm", TITLE, [], [], [told])
    every, test, bert = streams.every, streams.test, streams.bert
    gold, right = every.documents_without_first_mark(), every.documents()
    runs = {
        name: Run(gold, make(gold), scores(gold, make(gold)), scores(right, make(right)))
        for name, make in (
            (SINGLETONS, baselines.singletons),
            (MEAN_LENGTH, baselines.mean_size),
            (GIANT, baselines.one_cluster),
        )
    }
    gold, pred = test.documents_without_first_mark(), bert.documents_without_first_mark()
    runs["BERT"] = Run(gold, pred, scores(gold, pred), scores(test.documents(), bert.documents()))
    differences = {name: b - e for name, b, e in zip(PARTS, *runs["BERT"].scores.values(), strict=True)}
    bins = {name: _bins(run) for name, run in runs.items()}
    rows = [
        *_data(streams),
        *_fig_5(runs),
        *_table_2(runs["BERT"], streams),
        *_fig_6(differences),
        *_binned(bins),
    ]
    return Result("elm", TITLE, rows, list(_figures(runs, differences, bins)))


def about_the_data(streams: PageStreams) -> Iterator[Row]:
    """What the paper does not say of its data."""
    train, test = streams.train, streams.test
    known = {vector.tobytes() for vector in np.split(train.marks, train.first[1:])}
    leaked = np.array([vector.tobytes() in known for vector in np.split(test.marks, test.first[1:])])
    run = scores(test.documents_without_first_mark(), streams.bert.documents_without_first_mark())
    told = [f"{name} F1 {each.f[leaked].mean():.6f} on them and {each.f[~leaked].mean():.6f} on the others"
            for name, each in zip(("BCubed", "ELM"), run.values(), strict=True)]  # fmt: skip
    pages = f"{int(leaked[test.stream].sum())} of {len(test.stream)} pages"
    quantity = "test streams whose boundary vector is identical to a train stream"
    yield row("data", quantity, None, f"{leaked.sum()} of {len(leaked)}, {pages}", f"BERT: {'; '.join(told)}")
    every = streams.every
    gold = every.documents_without_first_mark()
    alone = scores(gold, baselines.singletons(gold))["elm"].f.mean()
    share = every.mean_by_stream(every.sizes == 1).mean()
    quantity = "element share in singleton clusters, mean over streams vs cluster share"
    note = "ELM F1 of all singletons is the share of elements, not of clusters"
    yield row("data", quantity, None, f"{alone:.6f} vs {share:.6f}", note)


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
    for name, printed in FIG_5.items():
        called = f"{name} (int-truncated)" if name == MEAN_LENGTH else name
        for metric, numbers in printed.items():
            for part, mean, std, values, right in _columns(numbers, runs[name], metric):
                section, quantity = "J3.5 Fig 5 (= repo images/Fig4.png)", f"{called} {metric} {part}"
                yield row(section, f"{quantity} mean", mean, float(values.mean()), _changed(mean, right.mean()))
                note = f"ddof=1; {values.std():.6f} with ddof=0" if values.std() > 0 else ""
                note += _changed(std, right.std(ddof=1), "; ")
                yield row(section, f"{quantity} std", std, float(values.std(ddof=1)), note)
    told, values = "0.23", runs[GIANT].scores["bcubed"].precision
    sample, all_of_them = values.std(ddof=1), values.std()
    found = (f"giant BCubed P std: ddof=1 {sample:.6f} -> {sample:.2f} ; "
             f"ddof=0 {all_of_them:.6f} -> {all_of_them:.2f}")  # fmt: skip
    match = agrees(told, float(sample)) and not agrees(told, float(all_of_them))
    yield Row("J3.5 Fig 5", "what discriminates ddof", told, found, match, "ddof=1, as pandas has it")


def _table_2(run: Run, streams: PageStreams) -> Iterator[Row]:
    changed = 0
    for metric, numbers in TABLE_2.items():
        for part, mean, std, values, right in _columns(numbers, run, metric):
            for told, printed, of in (("mean", mean, np.mean), ("std", std, partial(np.std, ddof=1))):
                other = float(of(right))
                note = f"where page 0 starts a document {other:.6f}"
                if not agrees(printed, other):
                    changed += 1
                    note += f", which would print {other:.2f}"
                yield row("J Table 2 (BERT, N=34)", f"{metric} {part} {told}", printed, float(of(values)), note)
    unmarked = [int((pages.marks[pages.first] == 0).sum()) for pages in (streams.bert, streams.every)]
    quantity = "entries of 12 that change when the leading-0 predictions are read correctly"
    note = f"{unmarked[0]} of the {len(streams.bert.names)} vectors of BERT start with 0, and {unmarked[1]} gold one"
    yield row("J Table 2", quantity, None, changed, f"{note}: make_index drops their first document")
    of_means = scores(run.gold, run.pred, f="of-means").values()
    quantity = "F1 as harmonic mean of per-stream mean P and R (Amigo), mean over streams: BCubed / ELM"
    found = " / ".join(f"{each.f.mean():.6f}" for each in of_means)
    yield row("J Table 2", quantity, None, found, "so what is printed is the mean of F1")


def _columns(printed: str, run: Run, metric: str) -> Iterator[tuple[str, str, str, Floats, Floats]]:
    """For P, R and F1: what it is called, mean and standard deviation as printed, the values, and the right ones."""
    numbers = printed.split()
    called = ("P", "R", "F1_mean_of_F1")
    return zip(called, numbers[::2], numbers[1::2], run.scores[metric], run.right[metric], strict=True)


def _changed(printed: str, right: float, joint: str = "") -> str:
    """A note, where the right reading of page 0 would print another number."""
    return "" if agrees(printed, float(right)) else f"{joint}where page 0 starts a document {right:.6f}"


def _fig_6(differences: Mapping[str, Floats]) -> Iterator[Row]:
    printed = FIG_6.split()
    for name, mean, std in zip(differences, printed[::2], printed[1::2], strict=True):
        values = differences[name]
        yield row("J Fig 6 (= repo images/Fig5.png)", f"BCubed-ELM {name} mean", mean, float(values.mean()))
        yield row("J Fig 6", f"BCubed-ELM {name} std", std, float(values.std(ddof=1)))


class Bins(NamedTuple):
    """How many elements have a difference of F1 in each bin: with the authors' floats, and exactly."""

    floats: Ints
    exact: Ints


def _bins(run: Run) -> Bins:
    columns = elements(run.gold, run.pred, metric="elm")
    tp, fp, fn = columns["tp"], columns["fp"], columns["fn"]
    precision, recall = (tp + 1) / (tp + 1 + fp), (tp + 1) / (tp + 1 + fn)
    bcubed = 2 * precision * recall / (precision + recall)
    floats = bcubed - divide(tp, tp + 0.5 * (fp + fn), 1.0)
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
    edges, shares = (
        [float(edge) for edge in EDGES],
        {name: each.exact / each.exact.sum() for name, each in bins.items()},
    )
    yield Figure("elm-bins", title, partial(elm_figures.binned, edges=edges, shown=shares))
