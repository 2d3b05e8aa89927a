"""What must not change: every metric with its options on some fifty inputs, as written down once.

``python tests/snapshot/test_snapshot.py`` writes it anew, where a score changes on purpose (say so in CHANGELOG.md).
"""

from __future__ import annotations

import gzip
import json
import math
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs
from snapshot.inputs import Input, inputs
from variants import EVERY

FILE = Path(__file__).with_name("scores.json.gz")
INPUTS = inputs()


def scores(given: Input) -> dict[str, Any]:
    """Micro, macro and every document, of all metrics that are defined there."""
    table = cs.Table.from_labels(given.gold, given.pred, members=True, **given.options)
    by_metric: dict[str, Any] = {}
    for metric in EVERY:
        try:
            card = cs.score(table, metrics=[metric])
            (name,) = card
            views = {"micro": _plain(card.micro[name]), "macro": _plain(card.macro[name])}
            columns = card.documents
            if len(columns["document"]) > 1:
                views["documents"] = dict(zip(map(str, columns["document"]), columns[name].tolist(), strict=True))
        except cs.ClusterscoreError as error:
            views = {"refused": type(error).__name__}
        by_metric[str(metric)] = views
    return by_metric


def _plain(score: cs.Score) -> dict[str, float | None]:
    return {name: value for name, value in score.to_dict().items() if name != "signature"}


@cache
def snapshot() -> dict[str, Any]:
    recorded: dict[str, Any] = json.loads(gzip.decompress(FILE.read_bytes()))
    return recorded


def test_snapshot_has_every_input_and_metric() -> None:
    assert list(snapshot()) == list(INPUTS)
    assert {name for by_metric in snapshot().values() for name in by_metric} == {str(metric) for metric in EVERY}


@pytest.mark.parametrize("name", INPUTS)
def test_scores_are_as_they_were(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cs.ClusterscoreWarning)
        now, before = scores(INPUTS[name]), snapshot()[name]
    assert now.keys() == before.keys()
    apart = {metric: _apart(now[metric], before[metric]) for metric in now}
    assert not any(apart.values()), {metric: where for metric, where in apart.items() if where}


def _apart(now: Any, before: Any) -> list[str]:
    if isinstance(before, dict) and isinstance(now, dict):
        if now.keys() != before.keys():
            return [f"{sorted(now)} for {sorted(before)}"]
        return [f"{key}: {where}" for key in before for where in _apart(now[key], before[key])]
    if isinstance(before, float) and isinstance(now, float):
        near = math.isclose(now, before, rel_tol=1e-13, abs_tol=1e-13)
        return [] if near else [f"{now!r} for {before!r}"]
    return [] if now == before else [f"{now!r} for {before!r}"]


if __name__ == "__main__":
    written = json.dumps({name: scores(given) for name, given in INPUTS.items()}, separators=(",", ":"))
    FILE.write_bytes(gzip.compress(written.encode(), mtime=0))
