"""The experiments of the ELM paper on page streams: the data, baselines (Fig. 5), and BERT (Table 2, Fig. 6).

Printed numbers are compared under the authors' reading of page 0 (see ``page_streams``); the notes tell the right one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from clusterscore import baselines
from reproduce import elm_figures
from reproduce.elm_figures import plot
from reproduce.elm_rows import PARTS, STATISTICS, cells, in_text
from reproduce.page_streams import FOLDER, PageStreams, Scores, scores
from reproduce.result import Floats, Part, Row, agrees, row

TRIVIAL = {
    "Singletons": baselines.singletons,
    "Mean Document Length": baselines.mean_size,  # cut to a whole number
    "Giant Clusters": baselines.one_cluster,
}


Run = tuple[Mapping[str, Scores], Mapping[str, Scores]]  # what is scored as the authors read page 0, and rightly


def experiments(streams: PageStreams | None) -> Part:
    """All of it, or what it takes."""
    if streams is None:
        return Part(skipped=[f"J Sec. 3.5, Table 2, Figs. 5 and 6: they need page streams ({FOLDER} in the data)"])
    every, test, bert = streams.every, streams.test, streams.bert
    gold, right = every.documents_without_first_mark(), every.documents()
    trivial = {name: (scores(gold, make(gold)), scores(right, make(right))) for name, make in TRIVIAL.items()}
    theirs = scores(test.documents_without_first_mark(), bert.documents_without_first_mark())
    tables = {"J Fig. 5": trivial, "J Table 2": {"": (theirs, scores(test.documents(), bert.documents()))}}
    differences = {part: b - e for part, b, e in zip(PARTS, *theirs.values(), strict=True)}
    rows = [row for section, runs in tables.items() for row in _table(section, runs)]
    title, shown = "J Fig. 5: three baselines on 110 page streams", {name: run[0] for name, run in trivial.items()}
    of_bert = "J Fig. 6: by how much BCubed is above ELM for BERT, on 34 page streams"
    figures = [
        plot("elm-fig5", title, elm_figures.baselines, shown=shown),
        plot("elm-fig6", of_bert, elm_figures.differences, shown=differences),
    ]
    return Part([*_data(streams), *rows, *_fig_6(differences)], figures)


def _data(streams: PageStreams) -> Iterator[Row]:
    every, test = streams.every, streams.test
    sizes, pages = every.sizes, len(every.marks)
    yield in_text("J", "samples", len(every.names))
    unmarked, right = int((every.marks[every.first] == 0).sum()), len(np.unique(every.documents().codes))
    note = f"{unmarked} stream does not mark page 0; with the document that starts there {right:,}"
    yield in_text("J", "true clusters", len(sizes), note)
    note = f"the clusters hold {sizes.sum():,}: {pages - sizes.sum()} are lost"
    yield in_text("J", "elements of all samples", pages, note)
    yield in_text("J", "mean cluster size", float(sizes.mean()))
    yield in_text("J", "median cluster size", float(np.median(sizes)))
    share = float(every.mean_by_stream(sizes == 1).mean())
    note = f"of all clusters pooled {np.mean(sizes == 1):.6f}"
    quantity = "share of singleton clusters in a stream, on average"
    yield in_text("J", quantity, share, note, agrees("35%", share), known=False)
    counts = [len(part.names) for part in (streams.train, test)]
    split = [100 * count / sum(counts) for count in counts]
    shown = f"{counts[0]}/{counts[1]} = {split[0]:.1f}%/{split[1]:.1f}%"
    yield in_text("J", "train/test split", shown, "rounded to tens", [round(part, -1) for part in split] == [70, 30])
    yield in_text("J", "test samples", len(test.names))
    yield in_text("J", "test clusters", len(test.sizes))
    yield in_text("J", "test elements", len(test.marks))


def _table(section: str, runs: Mapping[str, Run]) -> Iterator[Row]:
    """Means and standard deviations of P, R and F1, the latter the mean of the F1 of the pages."""
    for line, part, statistic, printed in cells("J", section.removeprefix("J ").replace("Fig.", "Figure")):
        name, run = line.get("prediction", ""), runs[line.get("prediction", "")]
        column, of = PARTS.index(part), STATISTICS[statistic]
        theirs, right = (float(of(by_metric[line["metric"]][column])) for by_metric in run)
        note = "" if agrees(printed, right) else f"where page 0 starts a document {right:.6f}"
        quantity = f"{name}: {line['metric']} {part}, {statistic}".removeprefix(": ")
        yield row(section, quantity, printed, theirs, note)


def _fig_6(differences: Mapping[str, Floats]) -> Iterator[Row]:
    for _, part, statistic, printed in cells("J", "Figure 6"):
        value = float(STATISTICS[statistic](differences[part]))
        yield row("J Fig. 6", f"BCubed - ELM {part}, {statistic}", printed, value)
    value = float(differences["F1"].mean())
    yield in_text("J", "ELM F1 below BCubed F1 for BERT", value, match=agrees("3%", value))
