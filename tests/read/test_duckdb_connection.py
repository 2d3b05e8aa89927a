"""The DuckDB session: what it reads, what it says when it cannot, and that it leaves nothing behind."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import clusterscore as cs
from clusterscore.read import duckdb_connection, source
from clusterscore.read.duckdb_connection import Session
from running import needs_posix

MIXED_LINE_ENDS = [
    "element,cluster\na,1\r\nb,2\nc,2\rd,2\n",
    "element,cluster\r\na,1\r\nb,2\n",
    "element,cluster\ra,1\rb,2\nc,2",
    "\r\nelement,cluster\na,1\nb,2\rc,2\n",
    "element,cluster\na,1\r\r\nb,2\n",
    'element,cluster\n"a\r\nb",1\r\n"c\nd",5" disk\n"e\rf,""g""\r","x"\r"y",1',
]
SPILLING = (
    "SELECT count(*) AS n FROM (SELECT 'page' || (i * 7919 % 30000000) AS p FROM range(30000000) t(i) GROUP BY p)"
)


@pytest.fixture
def session() -> Iterator[Session]:
    with Session(ordered=True) as opened:
        yield opened


def rows(session: Session, path: str | Path, form: str | None = None) -> list[tuple[Any, ...]]:
    columns_by_name = session.fetch(session.table(path, form))
    columns = (values.tolist() if isinstance(values, np.ndarray) else values for values in columns_by_name.values())
    return list(zip(*columns, strict=True))


def message_of(session: Session, path: str | Path, form: str | None = None) -> str:
    """The one line that a file which cannot be read gives."""
    with pytest.raises(cs.ClusterscoreError) as caught:
        session.fetch(session.table(path, form))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def written(folder: Path, name: str, data: str | bytes) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


class TestOptions:
    @pytest.mark.parametrize(
        ("size", "taken"),
        [
            ("1G", "953.6 MiB"),
            ("1g", "953.6 MiB"),
            ("1 GB", "953.6 MiB"),
            ("1GiB", "1.0 GiB"),
            ("1gi", "1.0 GiB"),
            ("512M", "488.2 MiB"),
            ("1.5GiB", "1.5 GiB"),
            (" 300MiB ", "300.0 MiB"),
        ],
    )
    def test_sizes(self, size: str, taken: str) -> None:
        with Session(memory_limit=size, threads=1) as session:
            settings = session.connection.sql("SELECT current_setting('memory_limit'), current_setting('threads')")
            assert settings.fetchall() == [(taken, 1)]

    @pytest.mark.parametrize("size", ["2 apples", "", "2", "GB", "-1GB", "0GB", "0.0 MB", "1e3GB", "50%", 7, b"2GB"])
    def test_no_size(self, size: Any) -> None:
        with pytest.raises(cs.InputError, match="is not a size; write it like 2GB") as caught:
            Session(memory_limit=size)
        assert str(caught.value).startswith(f"memory_limit={size!r}")

    @pytest.mark.parametrize("threads", [0, -1, 1.5, "2", True])
    def test_no_threads(self, threads: Any) -> None:
        with pytest.raises(cs.InputError, match="whole number from 1 up"):
            Session(threads=threads)

    def test_temp_directory(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        with pytest.raises(cs.InputError, match="is not a folder"):
            Session(temp_directory=tmp_path / "nowhere")
        with Session(temp_directory=tmp_path) as session:
            folder = session.make_folder()
            assert Path(folder).parent == tmp_path
            assert oct(os.stat(folder).st_mode)[-3:] == "700"
            os.rmdir(folder)
            message = message_of(session, written(tmp_path, "t.csv.gz", gzip.compress(CSV.encode())))
            assert f"t.csv.gz' cannot be copied to '{folder}': No such file or directory; name a folder" in message
        monkeypatch.setattr(os, "access", lambda *_: False)
        with pytest.raises(cs.InputError, match="cannot be written to"):
            Session(temp_directory=tmp_path)


class TestSmallReads:
    @pytest.fixture
    def files(self, tmp_path: Path) -> list[Path]:
        pq.write_table(pa.table({"element": ["a", "b"], "cluster": ["x", "y"]}), tmp_path / "t.parquet")
        (tmp_path / "t.csv").write_text(CSV)
        (tmp_path / "t.jsonl").write_text('{"element": "a", "cluster": "x"}\n{"element": "b", "cluster": "y"}\n')
        return sorted(tmp_path.glob("t.*"))

    def test_one_session_no_folder_and_no_process(self, files: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
        connections: list[Any] = []
        connect = duckdb.connect
        monkeypatch.setattr(
            duckdb, "connect", lambda *args, **options: connections.append(1) or connect(*args, **options)
        )
        monkeypatch.setattr(duckdb_connection, "SpillFolder", None)
        for gold in files:
            for pred in files:
                connections.clear()
                assert cs.elm(*cs.Clustering.from_files(gold, pred)).f == 1.0
                assert len(connections) == 1
        connections.clear()
        assert cs.score_table(files[0], gold="element", pred="cluster", engine="duckdb")["elm"].f == 1.0
        assert len(connections) == 1

    def test_larger_ones_can_spill(self, files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(duckdb_connection, "_SMALL", 1)
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "spill"))
        (tmp_path / "spill").mkdir()
        for file in files:
            with Session() as session:
                rows = session.table(file)
                (folder,) = os.listdir(tmp_path / "spill")
                (spills_to,) = session.fetch(session.connection.sql("SELECT current_setting('temp_directory') AS x"))[
                    "x"
                ]
                assert Path(spills_to).name == folder
                assert len(session.fetch(rows)["element"]) == 2
            assert not os.listdir(tmp_path / "spill")

    def test_text_is_read_without_duckdb(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(duckdb, "connect", None)
        for name, data in (("t.labels", "x\ny\n"), ("t.json", '["x", "y"]'), ("t.lengths", "1\n1\n")):
            assert len(cs.Clustering.from_file(written(tmp_path, name, data))) == 2


class TestNothingStays:
    def test_after_success_error_and_interrupt(self, tmp_path: Path) -> None:
        for error in (None, ValueError, KeyboardInterrupt):
            try:
                with Session(temp_directory=tmp_path) as session:
                    assert os.listdir(tmp_path)
                    watcher = session._folder.watcher  # type: ignore[union-attr]
                    if error is not None:
                        raise error
            except (ValueError, KeyboardInterrupt):
                pass
            assert os.listdir(tmp_path) == []
            assert watcher is not None
            assert watcher.returncode is not None

    def test_a_failed_start(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fails(*_: Any, **__: Any) -> None:
            raise duckdb.IOException("IO Error: no")

        monkeypatch.setattr(duckdb, "connect", fails)
        with pytest.raises(cs.EngineError), Session(temp_directory=tmp_path) as session:
            session.connection  # noqa: B018
        assert os.listdir(tmp_path) == []

    def test_without_a_watcher(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "executable", "")
        with Session(temp_directory=tmp_path):
            assert os.listdir(tmp_path)
        assert os.listdir(tmp_path) == []

    def test_a_closed_session_says_so(self) -> None:
        with pytest.raises(cs.EngineError, match="not open"):
            Session().make_folder()
        with Session() as session:
            pass
        with pytest.raises(cs.EngineError, match="closed"):
            session.connection  # noqa: B018

    @pytest.mark.parametrize("name", ["SIGKILL", "SIGINT", "SIGTERM"])
    def test_a_spilling_run_that_is_stopped(self, tmp_path: Path, name: str) -> None:
        needs_posix()
        number = getattr(signal, name)
        code = (
            "from clusterscore.read.duckdb_connection import Session\n"
            f"with Session('60MB', {str(tmp_path)!r}, 1) as session:\n"
            f"    session.fetch(session.connection.sql({SPILLING!r}))\n"
        )
        run = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE)
        until(lambda: any(path.stat().st_size for path in tmp_path.rglob("*.tmp")))
        run.send_signal(number)
        _, errors = run.communicate(timeout=20)
        assert run.returncode != 0
        assert (b"KeyboardInterrupt" in errors) == (number == signal.SIGINT)
        until(lambda: not os.listdir(tmp_path))


def until(true: Any, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


class TestFetch:
    def test_arrays_and_lists_where_there_is_nothing(self, session: Session) -> None:
        table = session.fetch(session.connection.sql("SELECT unnest([1, NULL, 3]) AS a, unnest(['x', 'y', 'z']) AS b"))
        assert table["a"] == [1, None, 3]
        assert isinstance(table["b"], np.ndarray)
        assert table["b"].tolist() == ["x", "y", "z"]

    def test_run_does_anything(self, session: Session) -> None:
        session.run(lambda: session.connection.execute("CREATE TABLE t AS SELECT 7 AS a"), "writing")
        assert session.fetch(session.connection.sql("FROM t"))["a"].tolist() == [7]

    def test_a_slow_start_opens_one_connection(self, monkeypatch: pytest.MonkeyPatch) -> None:
        connect, opened = duckdb.connect, list[Any]()

        def slowly(*given: Any, **options: Any) -> Any:
            time.sleep(0.05)
            opened.append(connect(*given, **options))
            return opened[-1]

        monkeypatch.setattr(duckdb_connection, "_TICK", 0.001)
        monkeypatch.setattr(duckdb, "connect", slowly)
        with Session() as session:
            session.run(lambda: session.connection.execute("CREATE TABLE t AS SELECT 7 AS a"), "writing")
            assert session.fetch(session.connection.sql("FROM t"))["a"].tolist() == [7]
        assert len(opened) == 1

    def test_progress_is_reported(self, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
        from contextlib import nullcontext

        seen: list[float] = []
        labels: list[str] = []
        monkeypatch.setattr(duckdb_connection, "step", lambda label: labels.append(label) or nullcontext(seen.append))
        monkeypatch.setattr(duckdb_connection, "_TICK", 0.005)
        session.fetch(session.connection.sql("SELECT sum(sqrt(i)) FROM range(30000000) t(i)"), "adding up")
        assert labels == ["adding up"]
        assert seen
        assert all(0 <= part <= 1 for part in seen)

    def test_an_interrupt_stops_the_query_and_the_session_stays_usable(
        self, session: Session, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from contextlib import nullcontext

        def pressed(_: float) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(duckdb_connection, "step", lambda label: nullcontext(pressed))
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            session.fetch(session.connection.sql("SELECT sum(sqrt(i)) FROM range(100000000000) t(i)"))
        assert time.monotonic() - start < 5
        assert session.fetch(session.connection.sql("SELECT 1 AS a"))["a"].tolist() == [1]

    def test_out_of_memory(self) -> None:
        with Session(memory_limit="20MB", threads=1) as session, pytest.raises(cs.EngineError) as caught:
            session.fetch(session.connection.sql("SELECT list(i) FROM range(30000000) t(i)"))
        message = str(caught.value)
        assert message.startswith("out of memory (")
        assert message.endswith("allow more with memory_limit=, or use fewer threads with threads=")

    def test_disk_full(self) -> None:
        with Session(memory_limit="40MB", threads=1) as session:
            session.connection.execute("SET max_temp_directory_size = '1MB'")
            with pytest.raises(cs.EngineError, match=r"is full.*temp_directory=") as caught:
                session.fetch(session.connection.sql(SPILLING))
            assert session.make_folder() in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_anything_else_is_one_short_line(self, session: Session) -> None:
        with pytest.raises(cs.EngineError) as caught:
            session.fetch(session.connection.sql("SELECT error('boom' || chr(10) || 'and more')"))
        assert str(caught.value) == "DuckDB could not do it: Invalid Input Error: boom"
        assert isinstance(caught.value, RuntimeError)

    def test_a_query_that_is_wrong_does_not_blame_the_file(self, session: Session, tmp_path: Path) -> None:
        relation = session.table(written(tmp_path, "t.csv", CSV))
        with pytest.raises(cs.EngineError, match="DuckDB could not do it: Conversion Error"):
            session.fetch(relation.project("cluster::INTEGER"))
        (tmp_path / "t.csv").unlink()
        with pytest.raises(cs.FileError, match=r"cannot read '.*t.csv': IO Error: .*"):
            session.fetch(relation)


CSV = "element,cluster\na,x\nb,y\n"


class TestCsv:
    @pytest.mark.parametrize(
        ("data", "expected"),
        [
            (CSV, [("a", "x"), ("b", "y")]),
            ("\ufeffelement,cluster\r\na,x\r\nb,y\r\n", [("a", "x"), ("b", "y")]),
            ("element;cluster\na;x\nb;y\n", [("a", "x"), ("b", "y")]),
            ("element,cluster\ra,x\rb,y", [("a", "x"), ("b", "y")]),
            ("\n\n element , cluster\n\na,x\n\n\nb,y\n\n", [("a", "x"), ("b", "y")]),
            ('element,cluster\n"a,b","x ""y"""\n"c\nd"," z "\n', [("a,b", 'x "y"'), ("c\nd", "z")]),
            ('element,cluster\r\n"c\nd",z\r\n', [("c\nd", "z")]),
            ("element,cluster\n 01 ,NA\n1,null\n1.0,nan\n", [("01", "NA"), ("1", "null"), ("1.0", "nan")]),
            ('element,cluster\na,\nb,"  "\nc,\t\nd,""\n', [(k, None) for k in "abcd"]),
            ("element,cluster\n\ta\u00a0,\u3000x \t\n", [("a", "x")]),
            ("element,cluster\nå,日本\n😀,ß\n", [("å", "日本"), ("😀", "ß")]),
            (",element,cluster\n0,a,x\n1,b,y\n", [("0", "a", "x"), ("1", "b", "y")]),  # as pandas writes an index
            ('"ele""ment","clus\nter"\na,x\n', [("a", "x")]),
        ],
    )
    def test_cells(self, session: Session, tmp_path: Path, data: str, expected: list[tuple[Any, ...]]) -> None:
        assert rows(session, written(tmp_path, "table.csv", data)) == expected

    def test_the_heading(self, session: Session, tmp_path: Path) -> None:
        path = written(tmp_path, "table.csv", '"ele""ment";"clus\nter"; x\na;b;c\n')
        assert session.table(path).columns == ['ele"ment', "clus\nter", "x"]

    def test_tabs(self, session: Session, tmp_path: Path) -> None:
        assert rows(session, written(tmp_path, "t.tsv", "element\tcluster\na,b\tx;y\n")) == [("a,b", "x;y")]
        assert rows(session, written(tmp_path, "t.tab", "element\tcluster\na\t\n")) == [("a", None)]

    def test_compressed(self, session: Session, tmp_path: Path) -> None:
        plain = written(tmp_path, "t.csv", CSV)
        written(tmp_path, "t.csv.gz", gzip.compress(CSV.encode()))
        written(tmp_path, "t.csv.bz2", bz2.compress(CSV.encode()))
        written(tmp_path, "t.csv.xz", lzma.compress(CSV.encode()))
        duckdb.sql(f"COPY (FROM read_csv('{plain}')) TO '{plain}.zst' (FORMAT csv, COMPRESSION zstd)")
        for ending in ("", ".gz", ".bz2", ".xz", ".zst"):
            assert rows(session, f"{plain}{ending}") == [("a", "x"), ("b", "y")]

    def test_patterns(self, session: Session, tmp_path: Path) -> None:
        written(tmp_path, "d/part-1.csv", CSV)
        written(tmp_path, "d/e/part-2.csv.gz", gzip.compress(b"cluster,more,element\nz,0,c\n"))
        written(tmp_path, "d/e/part-3.csv", "")  # an engine's part without rows
        written(tmp_path, "d/e/part-4.csv", "cluster;element\n")
        together = session.table(f"{tmp_path}/d/**/*.csv*")
        assert together.columns == ["cluster", "more", "element"]
        assert sorted(together.project("element, cluster").fetchall()) == [("a", "x"), ("b", "y"), ("c", "z")]
        assert "part-1.csv' has no column 'more', which" in message_of(session, f"{tmp_path}/d/**/*.csv*")
        with pytest.raises(cs.FileError, match=r"no file matches .*quote the pattern"):
            session.table(f"{tmp_path}/*.nothing")
        written(tmp_path, "d/part-9.tsv", "element\tcluster\n")
        with pytest.raises(cs.FileError, match="files of 2 kinds"):
            session.table(f"{tmp_path}/d/part-*")
        written(tmp_path, "d/part-5.csv", "element,klass\nc,z\n")
        with pytest.raises(cs.FileError, match=r"part-5.csv' has no column 'cluster', which '.*part-1.csv' has; give"):
            session.fetch(session.table(f"{tmp_path}/d/*.csv").project("element, cluster"))

    @pytest.mark.parametrize(
        "name", ["part[1].csv", "it's.csv", 'a "b".csv', "what?*.csv", "seed=1/t.csv", "naïve é.csv"]
    )
    def test_names_of_all_kinds(self, session: Session, tmp_path: Path, name: str) -> None:
        assert rows(session, written(tmp_path, name, CSV)) == [("a", "x"), ("b", "y")]

    def test_standard_input(self, session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
        for form, data in ((None, CSV), ("csv", CSV), ("tsv", CSV.replace(",", "\t")), (None, CSV.replace(",", "\t"))):
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data.encode())))
            assert rows(session, "-", form) == [("a", "x"), ("b", "y")]
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"element,cluster\na\n")))
        assert message_of(session, "-", "csv").startswith("standard input: 1 row without 2 fields")

    @pytest.mark.parametrize(
        ("data", "expected"),
        [
            (
                "element,cluster\na\nb,x\nc,y,z\n",
                "2 rows without 2 fields as in the heading (e.g. line 2 has 1); quote",
            ),
            ("element;cluster\na\n", "quote fields that hold a ';'"),
            ("element,cluster\na\nb,x\r\n", "1 row without 2 fields as in the heading (e.g. line 2 has 1); quote"),
            ('element,cluster\na,x\nb,"y\nc,z\n', "line 3: a quoted field does not end as it should; check the quotes"),
            ('element,cluster\n"a"b,x\n', "line 2: a quoted field"),
            ('element,"cluster\na,b\n', "in the heading; check the quotes"),
            (b"element,cluster\na,\xe9\n", "is not UTF-8: line 2; save it as UTF-8"),
            (b"\xff\xfee\0,\0c", "begins as UTF-16 and is not: truncated data"),
            (b"ele\0ment,cluster\na,b\n", "NUL byte in line 1"),
            ("", "is empty"),
            ("\n \n", "is empty"),
            ("element,cluster,cluster\na,b,c\n", "two columns called 'cluster'; rename one"),
            ("element,cluster,Cluster\na,b,c\n", "'cluster' and 'Cluster', which SQL does not tell apart"),
        ],
    )
    def test_mistakes(self, session: Session, tmp_path: Path, data: str | bytes, expected: str) -> None:
        path = written(tmp_path, "bad.csv", data)
        message = message_of(session, path)
        assert repr(str(path)) in message
        assert expected in message

    @pytest.mark.parametrize("data", MIXED_LINE_ENDS)
    @pytest.mark.parametrize("name", ["t.csv", "t.csv.gz"])
    def test_mixed_line_ends(self, session: Session, tmp_path: Path, data: str, name: str) -> None:
        """As Python's own reader of CSV has them; a line end inside quotes stays as it is."""
        path = written(tmp_path, name, data if name == "t.csv" else gzip.compress(data.encode()))
        expected = [tuple(row) for row in csv.reader(io.StringIO(data, newline="")) if row]
        assert rows(session, path) == expected[1:]

    def test_mixed_line_ends_of_a_large_file(self, session: Session, tmp_path: Path) -> None:
        """The mixture begins late, and a chunk ends between the two letters of an end."""
        late = "e,f\r\n" * 200_000 + "a,b\n" + "c,d\r"
        path = written(tmp_path, "t.csv", "element,cluster\r\n" + late)
        assert len(rows(session, path)) == 200_002

    @pytest.mark.parametrize(
        ("name", "letter", "end"),
        [("t.csv", "x", ""), ("t.csv", ",", "\n"), ("t.tsv", " ", "\n"), ("t.csv.gz", "\0", "\n\n")],
    )
    def test_a_last_row_that_fills_a_buffer(
        self, session: Session, tmp_path: Path, letter: str, end: str, name: str
    ) -> None:
        data = (CSV + "c," + letter * 33_000_000 + end).replace(",", "\t" if name == "t.tsv" else ",").encode()
        path = written(tmp_path, name, gzip.compress(data, 1) if name == "t.csv.gz" else data)
        expected = f"{name}' has a row of more than 2 MB, too long for a table; check the quotes"
        assert expected in message_of(session, path)
        with pytest.raises(cs.FileError, match=re.escape(expected)):
            cs.score_table(path, gold="element", pred="cluster", metrics="elm")

    def test_a_heading_beyond_the_first_look(
        self, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(source, "_CHUNK", 8)
        assert rows(session, written(tmp_path, "t.csv", "\n\r\n" + CSV)) == [("a", "x"), ("b", "y")]
        assert "is empty" in message_of(session, written(tmp_path, "e.csv", "\n" * 20))

    def test_very_many_empty_lines(self, session: Session, tmp_path: Path) -> None:
        above, below = written(tmp_path, "a.csv", "\n" * 1_000_002), written(tmp_path, "b.csv", CSV + "\n" * 70_000_000)
        assert "begins with more than 1,000,000 empty lines; remove them" in message_of(session, above)
        expected = f"{str(above)!r} or {str(below)!r} has a row of more than 2 MB, or as many empty lines, too long"
        assert expected in message_of(session, below)

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("start", "piece", "size", "expected"),
        [
            ("element,cluster\nb,", "x", 3000, "has a row of more than 2 MB"),
            ("", ",", 3000, "has a row of more than 2 MB"),
            ("", "\n", 1500, "begins with more than 1,000,000 empty lines"),
            (CSV, "\n", 1500, "has a row of more than 2 MB, or as many empty lines"),
        ],
    )
    def test_archives_of_gigabytes(
        self, session: Session, tmp_path: Path, start: str, piece: str, size: int, expected: str
    ) -> None:
        with gzip.open(tmp_path / "t.csv.gz", "wb", 1) as file:
            file.write(start.encode())
            file.writelines(repeat(piece.encode() * 2**20, size))
        assert expected in message_of(session, tmp_path / "t.csv.gz")

    def test_broken_archives(self, session: Session, tmp_path: Path) -> None:
        long = "element,cluster\n" + "".join(f"{k},{k * 7919 % 1000}\n" for k in range(5000))
        for name, data in (
            ("cut.csv.gz", gzip.compress(long.encode())[:5000]), ("no.csv.gz", b"\0" + CSV.encode()),
            ("cut.csv.bz2", bz2.compress(long.encode())[:5000]), ("no.csv.xz", b"\0" + CSV.encode()),
            ("no.csv.zst", b"\0" + CSV.encode()),
        ):  # fmt: skip
            message = message_of(session, written(tmp_path, name, data))
            assert f"{name}' is not a complete .{name.rpartition('.')[2]} file" in message

    def test_a_mistake_in_one_of_many_files_names_it(self, session: Session, tmp_path: Path) -> None:
        written(tmp_path, "part-1.csv", CSV)
        written(tmp_path, "part-2.csv", CSV + "c\n")
        assert "part-2.csv': 1 row without 2 fields as in the heading (e.g. line 4 has 1)" in message_of(
            session, f"{tmp_path}/part-*.csv"
        )


class TestJsonLines:
    def test_everything_is_text(self, session: Session, tmp_path: Path) -> None:
        data = (
            '{"element": 1, "cluster": "x"}\n\n{"cluster": null, "element": "2"}\n{"element": 1.5}\n'
            '{"element": true, "cluster": "NA"}\n{"element": 123456789012345678901234567890, "cluster": "\\u00e9\\n"}\n'
        )
        expected = [("1", "x"), ("2", None), ("1.5", None), ("true", "NA"), ("123456789012345678901234567890", "é\n")]
        assert rows(session, written(tmp_path, "t.jsonl", data)) == expected
        assert rows(session, written(tmp_path, "t.ndjson.gz", gzip.compress(data.encode()))) == expected
        assert rows(session, written(tmp_path, "t.jsonl.xz", lzma.compress(data.encode()))) == expected
        assert rows(session, written(tmp_path, "mark.jsonl", "\ufeff" + data)) == expected

    def test_names_of_all_kinds(self, session: Session, tmp_path: Path) -> None:
        path = written(tmp_path, "t.jsonl", '{"a.b": 1, "it\'s": 2}\n{"$": 3, "c \\"d\\"": 4}\n')
        assert session.table(path).columns == ["a.b", "it's", "$", 'c "d"']
        assert rows(session, path) == [("1", "2", None, None), (None, None, "3", "4")]

    def test_patterns(self, session: Session, tmp_path: Path) -> None:
        written(tmp_path, "1.jsonl", '{"element": 1, "cluster": 2}\n')
        written(tmp_path, "2.jsonl", '{"cluster": 3, "element": 4}\n')
        assert sorted(rows(session, f"{tmp_path}/*.jsonl")) == [("1", "2"), ("4", "3")]

    @pytest.mark.parametrize(
        ("data", "expected"),
        [
            ('{"a": 1}\n{]\n', "line 2 is not JSON: unexpected character"),
            ('{"a": 1}\n\n\n{]\n{"a": 2}\n', "line 4 is not JSON"),
            ('{"a": 1}\n[1]\n', "line 2 is not a JSON object"),
            ('[{"a": 1},\n{"a": 2}]\n', 'line 1 is not JSON: unexpected end of data; write one object per line, or'),
            (b'{"a": "\xe9"}\n', "line 1 is not JSON: invalid UTF-8"),
            ('{"a": 1}\n{"a": [1, 2]}\n', "has a list or an object in 'a', where a label or an id should be: [1,2]"),
            ('{"a": {"b": 1}}\n', "has a list or an object in 'a'"),
            ("", "is empty"),
            ("{}\n", "has no columns"),
            ('{"a": 1, "A": 2}\n', "two columns called 'a' and 'A'"),
        ],
    )  # fmt: skip
    def test_mistakes(self, session: Session, tmp_path: Path, data: str | bytes, expected: str) -> None:
        path = written(tmp_path, "bad.jsonl", data)
        message = message_of(session, path)
        assert repr(str(path)) in message
        assert expected in message


class TestParquet:
    def test_types_are_kept(self, session: Session, tmp_path: Path) -> None:
        pq.write_table(pa.table({"element": [3, 1, None], "cluster": ["x", None, "01"]}), tmp_path / "t.parquet")
        assert rows(session, tmp_path / "t.parquet") == [(3, "x"), (1, None), (None, "01")]

    def test_patterns(self, session: Session, tmp_path: Path) -> None:
        for day, table in ((1, {"a": [1], "b": ["x"]}), (2, {"b": ["y"], "a": [2]})):
            (tmp_path / f"day={day}").mkdir()
            pq.write_table(pa.table(table), tmp_path / f"day={day}" / "part.pq")
        assert sorted(rows(session, f"{tmp_path}/*/*.pq")) == [(1, "x"), (2, "y")]  # a folder is no column
        assert rows(session, f"{tmp_path}/day=1/part.pq") == [(1, "x")]
        pq.write_table(pa.table({"a": [3]}), tmp_path / "day=2" / "other.pq")
        assert "other.pq" in message_of(session, f"{tmp_path}/*/*.pq")

    def test_mistakes(self, session: Session, tmp_path: Path) -> None:
        pq.write_table(pa.table({"a": list(range(1000))}), tmp_path / "t.parquet")
        data = (tmp_path / "t.parquet").read_bytes()
        for bad in (data[: len(data) // 2], CSV.encode(), b"", data[:4] + b"\xff" * 300 + data[304:]):
            message = message_of(session, written(tmp_path, "bad.parquet", bad))
            assert f"{tmp_path}/bad.parquet' is not a complete Parquet file" in message
        for compression in ("zstd", "gzip"):
            pq.write_table(pa.table({"a": list(range(1000))}), tmp_path / "bad.parquet", compression=compression)
            data = (tmp_path / "bad.parquet").read_bytes()
            message = message_of(session, written(tmp_path, "bad.parquet", data[:40] + b"\xff" * 300 + data[340:]))
            assert f"{tmp_path}/bad.parquet' is not a complete Parquet file" in message
        twice = pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"])
        pq.write_table(twice, tmp_path / "twice.parquet")
        assert "two columns called 'a'" in message_of(session, tmp_path / "twice.parquet")
        nested = {"element": [1.5], "list": [[{"element": 2}]], "cluster": [3], "at": pa.array([1], pa.time64("ns"))}
        pq.write_table(pa.table(nested), tmp_path / "nested.parquet")
        assert session.table(tmp_path / "nested.parquet").columns == list(nested)


def test_other_formats_have_no_columns(session: Session, tmp_path: Path) -> None:
    assert "has no columns; use a CSV" in message_of(session, written(tmp_path, "t.rttm", "x"))
    assert "no file" in message_of(session, tmp_path / "nothing.csv")
    assert "is a folder; name a file in it" in message_of(session, tmp_path)
