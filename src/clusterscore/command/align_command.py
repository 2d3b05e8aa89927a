"""``clusterscore align``: a prediction under the names of gold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from clusterscore.analyses.align_labels import align_labels
from clusterscore.command.group import PRINTING, Render, command, option
from clusterscore.command.inputs import PAIR, FilesOfSystems
from clusterscore.command.printing import say_dropped
from clusterscore.command.sweep_command import PLOT, draw_to
from clusterscore.progress import step
from clusterscore.screen import Screen
from clusterscore.show.saving import refuse_overwriting, write_file


@command(
    "align",
    *PAIR,
    option("--output -o path", "CSV file to write: the elements with their new clusters.", metavar="FILE"),
    PLOT,
    *PRINTING,
)
def align_command(path: str | None, plot: str | None, **given: Any) -> Render:
    """Rename the clusters of PRED to the clusters of GOLD that they match best, one to one.

    Prints which clusters were matched; --plot draws the confusion matrix, matched clusters on its diagonal. Of all
    one-to-one matchings, it is the one with most elements in matched clusters, as in set_matching. A cluster without a
    partner keeps its name, or gets a new one if GOLD has it. With documents, clusters are matched within each document.
    """
    sources = FilesOfSystems.one(given)
    for file in filter(None, (path, plot)):
        refuse_overwriting(file, sources.paths)
    if plot is not None:
        draw_to(plot)
    with step("aligning"):
        aligned = align_labels(sources.gold, sources.preds[""], **given)
    say_dropped(aligned.table)
    if plot is not None:
        draw_to(plot, "overlaps", aligned)

    def render(form: str, digits: int | None, raw: bool, screen: Screen) -> Iterator[str]:
        if path is not None:
            write_file(path, f"{aligned.elements.to_csv(raw=raw)}\n".encode())
        return aligned.pieces(form, digits, raw, screen)

    return render
