"""A file is opened twice at most, to look at its beginning and to read it, whatever a command does with it."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

import clusterscore as cs
from clusterscore import engines
from clusterscore.command import main

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's"),
    pytest.mark.usefixtures("without_plots"),
]
_OPEN, _CLOSED, _NONBLOCK = 0x20, 0x18, 0o4000
_EVENT = struct.Struct("iIII")


def opened(files: list[Path], work: Callable[[], Any]) -> dict[str, int]:
    """How often each file is opened by some work, in whatever thread or library."""
    system = ctypes.CDLL(None, use_errno=True)
    queue = system.inotify_init1(_NONBLOCK)
    # closing is watched too: two equal events in a row would be one
    watched = {system.inotify_add_watch(queue, os.fsencode(file), _OPEN | _CLOSED): file.name for file in files}
    try:
        work()
        data = os.read(queue, 1 << 20)
    finally:
        os.close(queue)
    counts: Counter[str] = Counter()
    while data:
        watch, mask, _, length = _EVENT.unpack_from(data)
        data = data[_EVENT.size + length :]
        counts[watched[watch]] += bool(mask & _OPEN)
    return {file.name: counts[file.name] for file in files}


def run(*words: str) -> Callable[[], None]:
    def command() -> None:
        with pytest.raises(SystemExit) as left:
            main(list(words))
        assert left.value.code == 0

    return command


def text(form: str, size: int, shift: int) -> str:
    rows = [(f"e{k}", f"c{(k + shift) // 4}", f"g{k % 3}") for k in range(size)]
    if form == "jsonl":
        return "".join(f'{{"element": "{a}", "cluster": "{b}", "group": "{c}"}}\n' for a, b, c in rows)
    if form == "json":
        return "{" + ", ".join(f'"{a}": "{b}"' for a, b, _ in rows) + "}"
    if form == "clusters":
        members: dict[str, list[str]] = {}
        for a, b, _ in rows:
            members.setdefault(b, []).append(a)
        return "".join(" ".join(some) + "\n" for some in members.values())
    return "".join(",".join(row) + "\n" for row in [("element", "cluster", "group"), *rows])


@pytest.fixture(params=["csv", "jsonl", "json", "clusters", "csv.gz"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> list[Path]:
    import gzip

    form, made = request.param.partition(".")[0], []
    for k, name in enumerate("abcd"):
        made.append(tmp_path / f"{name}.{request.param}")
        data = text(form, 200, k).encode()
        made[-1].write_bytes(gzip.compress(data) if request.param.endswith("gz") else data)
    return made


def test_every_command(files: list[Path], tmp_path: Path) -> None:
    a, b, c, d = map(str, files)
    page = str(tmp_path / "r.html")
    for words in (
        ("score", a, b),
        ("score", a, b, "--gold-also", c),
        ("score", a, b, "--baselines"),
        ("compare", a, b, c, d, "--resamples", "0"),
        ("agreement", a, b, c, d),
        ("elements", a, b),
        ("errors", a, b),
        ("diff", a, b),
        ("report", a, b, c, "-o", page),
        ("estimate", a, b, "--sample", "uniform", "--resamples", "0"),
    ):
        assert max(opened(files, run(*words)).values()) <= 2, words


def test_columns_of_one_file(tmp_path: Path) -> None:
    for name in ("t.csv", "t.txt"):
        path = tmp_path / name
        path.write_text(
            "element,gold,a,b,text,group\n" + "".join(f"e{k},{k // 3},{k // 4},{k // 5},x,{k % 2}\n" for k in range(99))
        )
        page = str(tmp_path / "r.html")
        columns = ("--gold", "gold", "--pred", "a", "--pred", "b")
        for words in (
            ("score", str(path), "--gold", "gold", "--pred", "a", "--by", "group"),
            ("compare", str(path), *columns, "--resamples", "0"),
            ("agreement", str(path), "--column", "a", "--column", "b", "--column", "gold"),
            ("report", str(path), *columns, "--show", "text", "--by", "group", "-o", page),
        ):
            assert opened([path], run(*words))[name] <= 2, words


def test_functions(files: list[Path]) -> None:
    a, b, c, _ = map(str, files)
    for work in (
        lambda: cs.score(a, b),
        lambda: cs.compare(a, {"B": b, "C": c}, resamples=0),
        lambda: cs.agreement_matrix({"A": a, "B": b, "C": c}),
        lambda: cs.elements(a, cs.File(b)),
    ):
        assert max(opened(files, work).values()) <= 2


@pytest.mark.parametrize("engine", ["auto", "duckdb"])
def test_a_large_table_in_an_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    """All queries run on what was read once."""
    monkeypatch.setattr(engines, "LARGE", 0)  # else above 8 MB a table stays in DuckDB
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for k, path in enumerate(files):
        path.write_text(text("csv", 1000, k))
    assert max(opened(files, run("score", *map(str, files), "--engine", engine)).values()) <= 2


def test_parquet(tmp_path: Path) -> None:
    """One look of ours; DuckDB opens a Parquet file several times for one query, before 2.0 once more."""
    import polars as pl

    most = 7 if duckdb.__version__.startswith("1.") else 6

    files = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    for k, path in enumerate(files):
        pl.DataFrame({"element": range(100), "cluster": [(j + k) // 4 for j in range(100)]}).write_parquet(path)
    assert max(opened(files, run("score", *map(str, files))).values()) <= most
    assert max(opened(files, run("compare", *map(str, files), "--resamples", "0")).values()) <= most
