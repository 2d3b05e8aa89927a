"""What the pages of the API have beyond docstrings: the members of classes, related things, and shared options."""

from __future__ import annotations

import inspect
import re
from typing import Any

import clusterscore as cs
from clusterscore.show.result import Result

# members of a class; a result that can be printed has those of FORMS too
MEMBERS = {
    "Metric": "parts finish additive parameters signature check score value",
    "Clustering": "from_labels from_mapping from_clusters from_memberships from_pairs from_predictions from_linkage "
    "from_graph from_spacy from_frame from_file from_files from_lengths from_boundaries overlapping",
    "Table": "from_labels from_matrix from_contingency from_cells to_matrix elements clusters singletons pooled",
    "Accumulator": "update merge result to_json from_json",
    "Score": "value precision recall f signature std extras to_dict",
    "Scorecard": "micro macro weighted documents slices table facts",
    "Slices": "notes signature",
    "GoldScores": "",
    "ScoresByName": "mean scores",
    "Field": "",
    "Nouns": "",
    "Comparison": "is_significant paper notes signature",
    "Chances": "signature",
    "RankAgreement": "",
    "AgreementMatrix": "matrix mean elements signature",
    "constraints.Verdicts": "",
    "constraints.Matrix": "",
    "Sweep": "best within cross_validate labels_at dendrogram_purity best_flat",
    "Estimates": "effective_size units signature notes",
    "LabelledScores": "precision recall f notes",
    "Columns": "worst head take rows",
    "Diff": "changes cells only summary",
}
FORMS = "to_frame to_dict to_json to_csv to_markdown to_latex to_text"
CONSTRUCTED = {"Accumulator", "Field", "Nouns"}  # classes that users call; others are made by functions

# related things of the API | pages that use it
RELATED = {
    "metric": "registered Metric | own-metrics paper_tables",
    "registered": "metric Metric | own-metrics metrics/index",
    "Metric": "metric registered Table constraints.check | own-metrics",
    "Clustering": "File Table score | inputs objects segmentations overlapping",
    "File": "Clustering score | files inputs",
    "Sample": "estimate draw_sample score | estimate",
    "Table": "Clustering score Metric | inputs exactness",
    "score": "Scorecard score_table compare elements report | quickstart policies slices",
    "score_data_sets": "ScoresByName score | fields/crac command-line",
    "ScoresByName": "score_data_sets coref | fields/crac",
    "field": "Field score | fields/index",
    "Field": "field Nouns score | fields/index",
    "Nouns": "Field field | fields/index",
    "fields.known_fields": "field Field | fields/index",
    "fields.register_field": "Field field | fields/index",
    "score_table": "score Accumulator Scorecard | engines spark",
    "coref": "score compare Scorecard | coreference fields/coreference",
    "Accumulator": "score_table score Scorecard | engines",
    "Score": "Scorecard score | why paper_tables",
    "Scorecard": "score Score Slices GoldScores | quickstart paper_tables",
    "Slices": "score Scorecard | slices",
    "GoldScores": "score Scorecard | agreement",
    "compare": "Comparison chance rank_agreement plot.comparison | compare paper_tables ci_gates",
    "Comparison": "compare plot.comparison | compare paper_tables",
    "chance": "Chances baselines.shuffled score | chance",
    "Chances": "chance | chance",
    "rank_agreement": "RankAgreement compare | agreement",
    "RankAgreement": "rank_agreement | agreement",
    "agreement_matrix": "AgreementMatrix score | agreement",
    "AgreementMatrix": "agreement_matrix | agreement",
    "baselines.singletons": "baselines.one_cluster score | baselines",
    "baselines.one_cluster": "baselines.singletons score | baselines",
    "baselines.fixed_size": "baselines.mean_size score | baselines page_streams",
    "baselines.mean_size": "baselines.fixed_size score | baselines page_streams",
    "baselines.shuffled": "chance baselines.uniform_random | baselines chance",
    "baselines.uniform_random": "baselines.ultra_shaped_random chance | baselines",
    "baselines.ultra_shaped_random": "baselines.uniform_random chance | baselines",
    "constraints.check": "constraints.matrix constraints.counterexamples | constraints own-metrics",
    "constraints.matrix": "constraints.check constraints.Matrix | constraints",
    "constraints.counterexamples": "constraints.check | constraints",
    "constraints.satisfying": "constraints.matrix registered | constraints choosing",
    "constraints.Verdicts": "constraints.check | constraints",
    "constraints.Matrix": "constraints.matrix | constraints",
    "sweep": "Sweep plot.sweep score | sweep scikit_learn entity_resolution",
    "Sweep": "sweep plot.sweep | sweep scikit_learn",
    "ObjectSweep": "sweep plot.sweep average_precision | fields/images",
    "estimate": "Estimates plan draw_sample score_pairs | estimate",
    "Estimates": "estimate plan | estimate",
    "plan": "estimate draw_sample | estimate",
    "draw_sample": "estimate plan | estimate",
    "score_pairs": "LabelledScores estimate pairwise | labelled_pairs entity_resolution",
    "LabelledScores": "score_pairs | labelled_pairs",
    "elements": "clusters errors Columns report | diagnosis",
    "clusters": "elements errors Columns report | diagnosis",
    "errors": "error_cells elements clusters Columns | diagnosis",
    "error_cells": "errors clusters Columns | diagnosis",
    "Columns": "elements clusters errors | diagnosis",
    "diff": "Diff clusters | diff",
    "Diff": "diff | diff",
    "align_labels": "AlignedLabels set_matching clusters | align_labels",
    "AlignedLabels": "align_labels | align_labels",
    "scorer": "score Metric | scikit_learn",
    "report": "score compare elements clusters plot.sizes | report",
    "plot.flow": "errors clusters plot.overlaps report | plots diagnosis",
    "plot.sizes": "plot.by_size plot.overlaps report | plots",
    "plot.by_size": "plot.sizes elements | plots diagnosis",
    "plot.overlaps": "clusters plot.by_size | plots diagnosis",
    "plot.strip": "plot.overlaps report | plots segmentations page_streams",
    "plot.distribution": "plot.difference score | plots",
    "plot.difference": "plot.distribution | plots",
    "plot.comparison": "compare Comparison plot.scatter | plots compare",
    "plot.scatter": "plot.comparison plot.distribution compare | plots compare",
    "plot.sweep": "sweep Sweep | plots sweep",
    "plot.save": "plot.svg plot.offscreen | plots",
    "plot.svg": "plot.save plot.offscreen | plots",
    "plot.offscreen": "plot.save plot.svg | plots",
}

# options that mean the same everywhere: said on the page of each function that has no words of its own for them
SHARED = {
    "gold": "the true clustering, in any form listed in :doc:`/inputs`; or a :class:`Table`, which holds both sides.",
    "pred": "the predicted clustering of the same elements; leave it out if ``gold`` is a Table.",
    "metrics": "by :doc:`name </metrics/index>`, with parameters, or as objects; by default the default set.",
    "metric": "one that scores elements, with parameters: ``elm``, ``bcubed``, or for overlap ``matched_elm``.",
    "average": "``micro`` pools all elements, ``macro`` averages the documents' scores, ``weighted`` does so by size.",
    "documents": "the document of each element; clusters never span documents.",
    "missing": "how to treat elements that only one side has: see :doc:`/policies`.",
    "noise": "a label, or several, that mean *not clustered*, such as -1 from DBSCAN: see :doc:`/policies`.",
    "noise_as": "how to treat them: as singletons, dropped, as a cluster like any other, or as programs for logs do.",
    "background": "images: on which side elements with label 0 are left out: see :doc:`/policies`.",
    "uem": "diarization: the regions to score, a file or rows (recording, start, end): :doc:`/fields/diarization`.",
    "weights": 'a number for each element, or the word ``"class"`` or ``"effective"``.',
    "seed": "the same seed gives the same numbers.",
    "confidence": "the level of the intervals.",
    "n": "the number of elements; or a clustering, whose ids and documents are kept.",
    "policies": "``documents``, ``missing``, ``noise``, ``noise_as``, ``background``, ``weights``: see :func:`score`.",
    "field": "what the data is, such as ``page-streams``: sets words, metrics and conventions (:doc:`/fields/index`).",
    "match": "coreference: when two mentions count as the same, ``exact``, ``head`` or ``partial``.",
    "singletons": "coreference: ``drop`` leaves out entities with a single mention, on each side.",
    "zeros": "CorefUD: match empty nodes by their place (``linear``) or by what they depend on (``dependent``).",
    "cross_document": "coreference: whether an id is the same entity in all documents.",
    "ax": "the matplotlib Axes to draw on; by default a new figure.",
}


def context() -> dict[str, Any]:
    """What the template of a page reads, by the name that follows ``cs.``."""
    related = {name: [part.split() for part in line.split("|")] for name, line in RELATED.items()}
    printed = {name for name in MEMBERS if "." not in name and issubclass(getattr(cs, name), Result)}
    return {
        "listed": {
            name: ", ".join([*own.split(), *(FORMS * (name in printed)).split()]) for name, own in MEMBERS.items()
        },
        "see_also": {name: things for name, (things, _) in related.items()},
        "how_to": {name: pages for name, (_, pages) in related.items()},
        "constructed": CONSTRUCTED,
    }


def filenames() -> dict[str, str]:
    """Where each page is; ``sweep`` and ``Sweep`` are one file to Windows and macOS."""
    return {f"clusterscore.{name}": f"{name.lower()}-class" if name in MEMBERS else name for name in RELATED}


def add_shared_options(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Say what every option is, in the order of the signature: in words of the docstring, or in those for all."""
    if what not in ("function", "method", "class") or name.removeprefix("clusterscore.") not in RELATED:
        return
    words = {option: [f"    {option}: {text}"] for option, text in SHARED.items()}
    start = lines.index("Options:") if "Options:" in lines else None
    if start is not None:
        end = next((k for k in range(start + 1, len(lines)) if lines[k] and not lines[k].startswith(" ")), len(lines))
        option = ""
        for line in lines[start + 1 : end]:
            if begun := re.match(r"    (\w+): ", line):
                option = begun[1]
                words[option] = []
            words[option].append(line)
        del lines[start:end]
    elif what == "class":
        return
    else:
        start = next(
            (k for k, line in enumerate(lines) if line.startswith((">>> ", "Returns:", "Raises:"))), len(lines)
        )
    if "Returns:" in lines:  # napoleon takes what stands before a colon for a type
        k = lines.index("Returns:")
        lines[k : k + 2] = [f":returns: {lines[k + 1].strip()}"]
    described = [line for parameter in inspect.signature(obj).parameters for line in words.get(parameter, [])]
    if described:
        lines[start:start] = ["Args:", *described, ""]
