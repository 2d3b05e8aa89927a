"""What tests of files have in common: write one, read it back as plain values, and catch the one line of a mistake."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs
from clusterscore.read.files import read_files

from_file = cs.Clustering.from_file


def written(folder: Path, name: str, data: str | bytes) -> str:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return str(path)


def plain(made: cs.Clustering) -> dict[Any, Any]:
    """Element -> label, or (document, element) -> label."""
    ids = range(len(made)) if made.ids is None else [getattr(value, "item", lambda e=value: e)() for value in made.ids]
    labels = [made.labels.name(code) for code in made.codes.tolist()]
    if made.documents is None:
        return dict(zip(ids, labels, strict=True))
    documents = [made.documents.name(code) for code in made.documents.codes.tolist()]
    return dict(zip(zip(documents, ids, strict=True), labels, strict=True))


def message_of(read: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    with pytest.raises(cs.ClusterscoreError) as caught:
        read(*arguments, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def read_two(gold: Any, pred: Any, **options: Any) -> tuple[cs.Clustering, cs.Clustering]:
    return cs.Clustering.from_files(gold, pred, **options)


def read_both(path: str, gold: str = "gold", pred: str = "pred", **options: Any) -> tuple[cs.Clustering, cs.Clustering]:
    """Two columns of one file."""
    files = {side: cs.File(path, cluster=column, **options) for side, column in (("gold", gold), ("pred", pred))}
    sides = read_files(files)
    return sides["gold"], sides["pred"]
