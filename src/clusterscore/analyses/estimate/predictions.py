"""Some elements looked up in whole predictions, which are read into memory or stay where they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from clusterscore.align.doubts import Compared, express
from clusterscore.align.side_facts import DoubtedSide
from clusterscore.analyses.estimate.gold_sample import SampledClusters, columns_of, find_in_clustering
from clusterscore.count.sampled import SampleLookup
from clusterscore.engines import stays_in_place
from clusterscore.exceptions import ElementMismatch, InputError, InputTypeError
from clusterscore.nouns import noun, plural
from clusterscore.read.clustering import Clustering
from clusterscore.read.file import File
from clusterscore.read.files import FilesRead, read_files
from clusterscore.read.guess import as_clustering, file_given
from clusterscore.read.sample import Sample


def look_up(sample: Sample, systems: Mapping[str, Any]) -> tuple[SampledClusters, dict[str, SampleLookup]]:
    """The clusters of a sample, and where their elements are in each prediction."""
    if not systems:
        raise InputError("there is no prediction; pass one, or a mapping of names to predictions")
    if any(pred is None for pred in systems.values()):
        raise InputTypeError(
            noun("the prediction is None; a sample of gold clusters is scored with the whole prediction")
        )
    predictions, read = read_predictions(systems, file_given(sample.gold), sample.columns)
    gold, clusters = read_sample(sample, read)
    for pred in predictions.values():
        by_position = isinstance(pred, Clustering) and gold.ids is gold.index is pred.ids is pred.index is None
        if by_position and len(gold) != len(pred):
            counts = f"{plural(len(gold), 'label')} for {plural(len(pred), 'element')} of the prediction"
            remedy = noun("give one for each, None where there is none, or elements by their ids")
            raise ElementMismatch(f"by position the sample has {counts}; {remedy}")
    return clusters, find_elements(clusters, predictions, DoubtedSide("gold", gold))


def read_sample(sample: Sample, read: FilesRead | None = None) -> tuple[Clustering, SampledClusters]:
    """The gold of a sample, and its clusters; its file may have been read already."""
    file = file_given(sample.gold)
    if file is None:
        gold = as_clustering(sample.gold, "sample")
        return gold, SampledClusters.of(gold, columns_of(sample.gold))
    if read is None:
        read = read_files({"gold": file}, sample.columns)
    by_name = {name: read.columns[option] for option, name in sample.columns.items()}
    return read["gold"], SampledClusters.of(read["gold"], by_name.__getitem__)


def read_predictions(
    systems: Mapping[str, Any], sample: File | None = None, columns: Mapping[str, str] | None = None
) -> tuple[dict[str, Any], FilesRead]:
    """Predictions as clusterings; those in which an engine looks up the elements stay what they are.

    All files are read together, with the sample and some columns of it.
    """
    files = {} if sample is None else {"gold": sample}
    for name, pred in systems.items():
        file = file_given(pred)
        with_sample = file is not None and sample is not None and file.name == sample.name
        if file is not None and (with_sample or not stays_in_place(file)):
            files[f"pred {name}"] = file
    read = read_files(files, columns, sides=sample is not None) if files else FilesRead()
    predictions = {}
    for name, pred in systems.items():
        if f"pred {name}" in read:
            predictions[name] = read[f"pred {name}"]
        else:
            predictions[name] = pred if stays_in_place(pred) else as_clustering(pred, "pred")
    return predictions, read


def find_elements(
    sample: SampledClusters, predictions: Mapping[str, Any], gold: DoubtedSide | None = None
) -> dict[str, SampleLookup]:
    """Where the elements of a sample are in each prediction, whose doubts are expressed."""
    lookups = {}
    for name, pred in predictions.items():
        if isinstance(pred, Clustering):
            side = DoubtedSide("pred", pred)
            express(Compared(side, None) if gold is None else Compared(gold, side))
            lookups[name] = find_in_clustering(sample, pred)
        else:
            from clusterscore.engines.sample_in_place import find_touched

            lookups[name] = find_touched(pred, sample.ids, gold)
    return lookups
