"""Pipes, compressed files and damaged ones: the same numbers as the plain file, or an error."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import clusterscore as cs
from read.reading import read_two
from running import needs_posix
from running import run as run_here

ROWS = 33_000  # more than one buffer of a pipe, more than one batch of an engine


@cache
def pages(seed: int) -> list[tuple[str, str]]:
    draw = random.Random(seed)
    return [(f"page-{k}", f"c{draw.randrange(4000)}") for k in range(ROWS)]


def as_csv(rows: list[tuple[str, str]], separator: str = ",") -> bytes:
    return "".join(f"{a}{separator}{b}\n" for a, b in [("element", "cluster"), *rows]).encode()


def as_clusters(rows: list[tuple[str, str]]) -> bytes:
    members_of: dict[str, list[str]] = {}
    for element, cluster in rows:
        members_of.setdefault(cluster, []).append(element)
    return "".join(" ".join(members) + "\n" for members in members_of.values()).encode()


def as_parquet(rows: list[tuple[str, str]]) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"element": [a for a, _ in rows], "cluster": [b for _, b in rows]}), sink)
    return bytes(sink.getvalue())


def as_rttm(rows: list[tuple[str, str]]) -> bytes:
    return "".join(f"SPEAKER r 1 {k} 1 <NA> <NA> {who} <NA> <NA>\n" for k, (_, who) in enumerate(rows)).encode()


FORMS: dict[str, Callable[[list[tuple[str, str]]], bytes]] = {
    "csv": as_csv,
    "tsv": lambda rows: as_csv(rows, "\t"),
    "jsonl": lambda rows: "".join(json.dumps({"element": a, "cluster": b}) + "\n" for a, b in rows).encode(),
    "parquet": as_parquet,
    "json": lambda rows: json.dumps(dict(rows)).encode(),
    "labels": lambda rows: "".join(f"{b}\n" for _, b in rows).encode(),
    "clusters": as_clusters,
    "elements": lambda rows: "".join(f"{a}\t{b}\n" for a, b in rows).encode(),
    "links": lambda rows: "".join(f"{b} {a}\n" for a, b in rows).encode(),
    "lengths": lambda rows: "".join(f"{1 + len(b) % 3}\n" for _, b in rows).encode(),
    "boundaries": lambda rows: "".join(str(len(b) % 2) for _, b in rows).encode(),
    "rttm": as_rttm,
}
TABLES = ("csv", "tsv", "jsonl", "parquet")
# rows of formats that no engine reads in batches: still more than a buffer of a pipe
FEWER = {"rttm": 3_000, "json": 8_000, "clusters": 8_000, "elements": 8_000, "links": 8_000}
PACKED: dict[str, Callable[[bytes], bytes]] = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


def zstd(data: bytes) -> bytes:
    return pa.Codec("zstd").compress(data, asbytes=True)  # type: ignore[no-any-return]


@cache
def content(form: str, ending: str = "") -> bytes:
    data = FORMS[form](pages(2)[: FEWER.get(form)])
    return PACKED[ending](data) if ending else data


@contextmanager
def fifo(path: Path, data: bytes) -> Iterator[Path]:
    """A named pipe that somebody writes to."""
    needs_posix()
    os.mkfifo(path)

    def write() -> None:
        with open(path, "wb") as file:
            file.write(data)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    yield path
    writer.join(20)
    assert not writer.is_alive(), "it was not read to the end"


@pytest.fixture(params=FORMS, scope="module")
def plain(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, cs.Clustering]:
    """A format, and what is read from a plain file of it."""
    path = tmp_path_factory.mktemp("plain") / f"plain.{request.param}"
    path.write_bytes(content(request.param))
    return request.param, cs.Clustering.from_file(path)


def taking_turns(form: str) -> str:
    return list(PACKED)[list(FORMS).index(form) % 3]


def check_same(expected: cs.Clustering, path: Path, form: str | None = None) -> None:
    made = cs.Clustering.from_file(path, format=form)
    assert len(made) == len(expected)
    assert cs.elm(expected, made).f == 1.0


def test_a_pipe_is_the_plain_file(plain: tuple[str, cs.Clustering], tmp_path: Path) -> None:
    form, expected = plain
    with fifo(tmp_path / f"pipe.{form}", content(form)) as path:
        check_same(expected, path)
    with fifo(tmp_path / "pipe", content(form)) as path:  # as /dev/fd/63: the name says nothing
        check_same(expected, path, form)
    ending = taking_turns(form)
    with fifo(tmp_path / f"pipe.{form}.{ending}", content(form, ending)) as path:
        check_same(expected, path)


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "labels", None])
def test_a_pattern_may_match_pipes(form: str | None, tmp_path: Path) -> None:
    parts = [FORMS[form or "csv"](pages(k)[k::2]) for k in (0, 1)]
    ending = f".{form}" if form else ""
    for k, part in enumerate(parts):
        (tmp_path / f"plain-{k}{ending}").write_bytes(part)
    expected = cs.Clustering.from_file(tmp_path / f"plain-*{ending}")
    with fifo(tmp_path / f"pipe-0{ending}", parts[0]), fifo(tmp_path / f"pipe-1{ending}", parts[1]):
        made = cs.Clustering.from_file(tmp_path / f"pipe-*{ending}")
    assert len(made) == len(expected) == ROWS
    assert cs.elm(made, expected).f == 1.0


def test_a_compressed_file_is_the_plain_file(plain: tuple[str, cs.Clustering], tmp_path: Path) -> None:
    form, expected = plain
    for ending in PACKED if form in (*TABLES, "labels") else [taking_turns(form)]:
        path = tmp_path / f"packed.{form}.{ending}"
        path.write_bytes(content(form, ending))
        check_same(expected, path)
    if form in ("csv", "tsv", "jsonl"):
        path = tmp_path / f"packed.{form}.zst"
        path.write_bytes(zstd(content(form)))
        check_same(expected, path)
        with fifo(tmp_path / f"pipe.{form}.zst", zstd(content(form))) as pipe:
            check_same(expected, pipe)


@pytest.mark.parametrize("form", TABLES)
def test_pipes_that_an_engine_counts(tmp_path: Path, form: str) -> None:
    files = {side: tmp_path / f"{side}.{form}" for side in ("gold", "pred")}
    data = [FORMS[form](pages(seed)) for seed in (1, 2)]
    for path, content in zip(files.values(), data, strict=True):
        path.write_bytes(content)
    expected = cs.score_table(gold_table=files["gold"], pred_table=files["pred"], metrics="elm")["elm"].f
    with fifo(tmp_path / "a", data[0]) as gold, fifo(tmp_path / f"b.{form}", data[1]) as pred:
        card = cs.score_table(gold_table=gold, pred_table=pred, metrics="elm", memory_limit="500MB")
    assert card["elm"].f == expected


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    needs_posix()
    return subprocess.run(["bash", "-c", f"clusterscore() {{ {sys.executable} -m clusterscore \"$@\"; }}; {command}"],
                          cwd=folder, capture_output=True, text=True)  # fmt: skip


def test_the_shell(tmp_path: Path) -> None:
    for name, seed in (("g.csv", 1), ("p.csv", 2)):
        (tmp_path / name).write_bytes(as_csv(pages(seed)))
    plain = run("clusterscore score g.csv p.csv --format json", tmp_path)
    assert plain.returncode == 0, plain.stderr
    for command in (
        "clusterscore score <(cat g.csv) <(cat p.csv)",
        "cat p.csv | clusterscore score g.csv -",
        "clusterscore score g.csv /dev/stdin < p.csv",
    ):
        done = run(f"{command} --format json", tmp_path)
        assert (done.stdout, done.stderr) == (plain.stdout, ""), command
    for command, message in (
        ("cat p.csv | clusterscore score - /dev/stdin", "'/dev/stdin', which is also standard input, can be read only"),
        ("cat p.csv | clusterscore score /dev/stdin /dev/stdin", "'/dev/stdin' can be read only once; write it to"),
    ):
        done = run(command, tmp_path)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
        assert message in done.stderr


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("compare - p.csv -", "standard input can be read only once; write it to a file first"),
        ("coref - -", "standard input can be read only once"),
        ("score p.csv -", "standard input is empty"),
    ],
)
def test_standard_input_twice_or_empty(line: str, message: str, tmp_path: Path) -> None:
    rows = as_csv(pages(1)[:9])
    (tmp_path / "p.csv").write_bytes(rows)
    done = run_here(*line.split(), stdin=b"" if "empty" in message else rows, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert message in done.stderr


CONLL = "".join(f"#begin document (d{k}); part 000\n" + "d 0 0 w x (1)\nd 0 1 w x (1)\n" + "#end document\n"
                for k in range(ROWS // 10))  # fmt: skip


@pytest.mark.parametrize("form", ["conll", "jsonlines"])
def test_coreference_from_a_pipe(tmp_path: Path, form: str) -> None:
    plain = tmp_path / "key.conll"
    plain.write_text(CONLL)
    text = CONLL if form == "conll" else "".join(
        json.dumps({"doc_key": f"d{k}_0", "sentences": [["w", "w"]], "clusters": [[[0, 0], [1, 1]]]}) + "\n"
        for k in range(ROWS // 10)
    )  # fmt: skip
    with fifo(tmp_path / "pipe", text.encode()) as path:
        assert cs.coref(plain, path)["conll"].value == 1
    for ending, pack in PACKED.items():
        with fifo(tmp_path / f"pipe.{form}.{ending}", pack(text.encode())) as path:
            assert cs.coref(plain, path)["muc"].extras["recall_numerator"] == ROWS // 10


@pytest.mark.parametrize("form", ["csv", "jsonl", "labels", "unknown"])
@pytest.mark.parametrize("damage", ["cut", "checksum", "middle", "no archive", "nothing"])
def test_damaged_archives(tmp_path: Path, form: str, damage: str) -> None:
    for ending in PACKED:
        packed = bytearray(content("csv" if form == "unknown" else form, ending))
        if damage == "checksum":
            packed[-6 if ending == "gz" else len(packed) // 2] ^= 0xFF
        elif damage == "middle":
            packed[len(packed) // 2 : len(packed) // 2 + 9] = b"\0" * 9
        cut = {"cut": packed[: len(packed) // 2], "no archive": bytearray(b"hello\0"), "nothing": bytearray()}
        path = tmp_path / f"bad.{form}.{ending}"
        path.write_bytes(bytes(cut.get(damage, packed)))
        with pytest.raises(cs.FileError) as caught:
            read_two(path, path)
        assert repr(str(path)) in str(caught.value)
        assert ("is not a complete" in str(caught.value)) or damage == "nothing"


def test_memory_that_is_full_is_no_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise MemoryError

    (tmp_path / "t.labels.gz").write_bytes(gzip.compress(b"a\nb\n"))
    monkeypatch.setattr(gzip, "open", full)
    with pytest.raises(MemoryError):
        cs.Clustering.from_file(tmp_path / "t.labels.gz")


def test_a_heading_that_begins_like_json(tmp_path: Path) -> None:
    """In a file and in a pipe, which is read once, although its whole content decides what it is."""
    data = b"[id],[cluster]\np1,a\np2,b\n"
    (tmp_path / "plain").write_bytes(data)
    with fifo(tmp_path / "pipe", data) as pipe:
        for path in (tmp_path / "plain", pipe):
            made = cs.Clustering.from_file(path, element="[id]", cluster="[cluster]")
            assert dict(zip(made.ids, made.labels, strict=True)) == {"p1": "a", "p2": "b"}


@pytest.mark.skipif(not os.path.exists("/proc/version"), reason="files without a size on disk are Linux's")
def test_a_file_of_the_system() -> None:
    assert (
        cs.Clustering.from_file("/proc/version", format="labels").labels[0] == Path("/proc/version").read_text().strip()
    )


def test_a_heading_that_never_ends(tmp_path: Path) -> None:
    path = tmp_path / "zeros.csv.gz"
    path.write_bytes(gzip.compress(b"x" * (40 << 20), 1))
    with pytest.raises(cs.ClusterscoreError) as caught:
        cs.score_table(path, memory_limit="500MB")
    assert repr(str(path)) in str(caught.value)


@pytest.mark.parametrize("width", [2_000, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet"])
def test_many_columns_of_which_two_are_asked_for(tmp_path: Path, form: str, width: int) -> None:
    names = ["element", "cluster", *(f"feature {k}" for k in range(width))]
    rows = [[f"e{k}", f"c{k % 3}", *["1"] * width] for k in range(12)]
    path = tmp_path / f"wide.{form}"
    if form == "csv":
        path.write_text("".join(",".join(row) + "\n" for row in [names, *rows]))
    elif form == "jsonl":
        path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows))
    else:
        pq.write_table(pa.table({name: [row[k] for row in rows] for k, name in enumerate(names)}), path)
    made = read_two(path, path)[0]
    assert made.labels.name(int(made.labels.codes[4])) == "c1"
    assert cs.score_table(gold_table=path, pred_table=path, metrics="elm")["elm"].f == 1
    with pytest.raises(cs.ClusterscoreError, match=r"no column 'clustr'.*'cluster'"):
        cs.score_table(gold_table=path, pred_table=path, cluster="clustr")


class TestLongLabels:
    def test_in_a_file(self, tmp_path: Path) -> None:
        long = "x" * 50_000_000
        (tmp_path / "a.labels").write_text(f"{long}\ny\n{long}z\n")
        (tmp_path / "a.csv").write_text(f"element,cluster\na,{long}\nb,y\n")
        assert cs.elm(*read_two(tmp_path / "a.labels", tmp_path / "a.labels")).f == 1
        with pytest.raises(cs.FileError, match=r"a.csv' has a row of more than 2 MB"):
            read_two(tmp_path / "a.csv", tmp_path / "a.csv")

    def test_in_memory(self) -> None:
        import numpy as np

        long = "x" * 5_000_000
        assert cs.elm([long, "y", long + "z"], ["a", "b", "c"]).f == 1
        assert cs.elm(np.array([long, "y", long]), ["a", "b", "a"]).f == 1


class TestPartsOfATable:
    """Several Parquet files, larger than a vector of an engine."""

    def written(self, folder: Path, name: str, **columns: Any) -> None:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table(columns), folder / name)

    def test_a_folder_is_no_column(self, tmp_path: Path) -> None:
        gold, pred = [k % 97 for k in range(ROWS)], [k % 31 for k in range(ROWS)]
        for name in ("kmeans", "agglomerative"):
            self.written(tmp_path, f"pred={name}/part.parquet", gold=gold, pred=pred)
        expected = cs.elm(gold * 2, pred * 2).f
        assert cs.score_table(f"{tmp_path}/*/*.parquet", metrics="elm")["elm"].f == expected
        (tmp_path / "pred=x").mkdir()
        (tmp_path / "pred=x" / "a.csv").write_text("gold,pred\n1,2\n")
        (tmp_path / "pred=y").mkdir()
        (tmp_path / "pred=y" / "a.csv").write_text("gold,pred\n1,3\n")
        assert cs.score_table(f"{tmp_path}/*/*.csv", metrics="bcubed")["bcubed"].precision == 1

    def test_integers_of_two_widths(self, tmp_path: Path) -> None:
        big = [2**40 + k % 97 for k in range(ROWS)]
        self.written(tmp_path, "a.parquet", gold=pa.array([k % 97 for k in range(ROWS)], pa.int32()), pred=big)
        self.written(tmp_path, "b.parquet", gold=pa.array(big, pa.int64()), pred=big)
        small = [k % 97 for k in range(ROWS)]
        score = cs.score_table(f"{tmp_path}/*.parquet", metrics="bcubed")["bcubed"]
        assert score.f == cs.bcubed(small + big, big + big).f

    @pytest.mark.parametrize(
        ("values", "kind"),
        [([k % 7 + 0.4 for k in range(ROWS)], "DOUBLE"), ([f"0{k % 7}" for k in range(ROWS)], "VARCHAR")],
    )
    def test_different_types(self, tmp_path: Path, values: list[Any], kind: str) -> None:
        self.written(tmp_path, "a.parquet", gold=[k % 97 for k in range(ROWS)], pred=[k % 7 for k in range(ROWS)])
        self.written(tmp_path, "b.parquet", gold=[k % 97 for k in range(ROWS)], pred=values)
        with pytest.raises(cs.FileError) as caught:
            cs.score_table(f"{tmp_path}/*.parquet")
        for part in ("a.parquet", "b.parquet", "BIGINT", kind, "'pred'"):
            assert part in str(caught.value)
        assert cs.score_table(f"{tmp_path}/*.parquet", pred="gold", metrics="elm")["elm"].f == 1  # nobody asks for it


JSON_MISTAKES = {
    "a key twice": '{"element": "z", "cluster": "a", "cluster": "b"}',
    "a key twice, spelled differently": '{"element": "z", "cluster": "a", "cl\\u0075ster": "b"}',
    "NaN": '{"element": "z", "cluster": NaN}',
    "Infinity": '{"element": "z", "cluster": Infinity}',
    "-Infinity": '{"element": "z", "cluster": -Infinity}',
    "too large": '{"element": "z", "cluster": 1e999}',
    "an id": '{"element": NaN, "cluster": "a"}',
}


@pytest.mark.parametrize("mistake", JSON_MISTAKES)
def test_json_that_python_would_take(tmp_path: Path, mistake: str) -> None:
    """In the last of many rows."""
    rows = [json.dumps({"element": a, "cluster": b}) for a, b in pages(1)] + [JSON_MISTAKES[mistake]]
    (tmp_path / "a.jsonl").write_text("\n".join(rows) + "\n")
    (tmp_path / "a.json").write_text("[" + ",\n".join(rows) + "]")
    for name in ("a.jsonl", "a.json"):
        with pytest.raises(cs.FileError, match=name):
            read_two(tmp_path / name, tmp_path / name)
    with pytest.raises(cs.FileError, match=r"a\.jsonl"):
        cs.score_table(gold_table=tmp_path / "a.jsonl", pred_table=tmp_path / "a.jsonl", metrics="elm")


@pytest.mark.parametrize("text", ['{"a": "x", "b": "y", "a": "z"}', '["x", NaN]', '{"a": Infinity}', "[1e999]"])
def test_json_of_other_shapes(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(cs.FileError, match=r"a\.json"):
        read_two(tmp_path / "a.json", tmp_path / "a.json")


@pytest.mark.parametrize("extra", ['"clusters": [], ', '"x": NaN, ', '"speakers": {"a": 1, "a": 2}, '])
def test_json_of_coreference(tmp_path: Path, extra: str) -> None:
    good = '{"doc_key": "a_0", "clusters": [[[0, 0], [1, 1]]]}\n'
    (tmp_path / "key.jsonlines").write_text(good)
    (tmp_path / "bad.jsonlines").write_text(good.replace("a_0", "b_0") + "{" + extra + good[1:])
    with pytest.raises(cs.FileError, match=r"bad.jsonlines', line 2"):
        cs.coref(tmp_path / "key.jsonlines", tmp_path / "bad.jsonlines")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the peak of a process")
@pytest.mark.skipif(duckdb.__version__.startswith("1."), reason="with DuckDB 1.4 it peaks at 475 MB, with 2.0 at 306")
def test_memory_that_a_large_archive_takes(tmp_path: Path) -> None:
    """300 MB of rows, read with far less."""
    path = tmp_path / "large.csv.gz"
    duckdb.sql(f"COPY (SELECT i AS element, repeat('x', 40) || i % 5 AS gold, i % 7 AS pred FROM range(5000000) t(i)) "
               f"TO '{path}' (FORMAT csv, COMPRESSION gzip)")  # fmt: skip
    code = (
        "import clusterscore as cs\n"
        f"card = cs.score_table({str(path)!r}, metrics='pairwise', memory_limit='200MB', threads=1)\n"
        "status = open('/proc/self/status').read()\n"
        "print(int(status.split('VmHWM:')[1].split()[0]) // 1024, card['pairwise'].f)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    used, f = done.stdout.split()
    assert int(used) < 400, used  # MB, with Python and DuckDB themselves
    assert 0 < float(f) < 1
