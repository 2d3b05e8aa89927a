"""Files people have: each format against the constructor that makes the same clustering."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import re
import sys
import tempfile
from collections.abc import Callable
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore.read.files import READERS
from clusterscore.read.formats import FORMATS, MENTIONS, by_content, by_name
from read.reading import from_file, message_of, plain, read_both, read_two, written

GOLD = {"p1": "cats", "p2": "cats", "p3": "cats", "p4": "dogs", "p5": "dogs", "p6": "fish"}
Write = Callable[[str, str | bytes], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    return partial(written, tmp_path)


def partition(made: cs.Clustering) -> set[frozenset[Any]]:
    """The clusters, whatever they are called."""
    groups: dict[Any, set[Any]] = {}
    for element, label in plain(made).items():
        groups.setdefault(label, set()).add(element)
    return {frozenset(group) for group in groups.values()}


PARTS = {frozenset({"p1", "p2", "p3"}), frozenset({"p4", "p5"}), frozenset({"p6"})}
SAME = {
    "t.csv": "element,cluster\n" + "".join(f"{e},{c}\n" for e, c in GOLD.items()),
    "t.tsv": "cluster\telement\n" + "".join(f"{c}\t{e}\n" for e, c in GOLD.items()),
    "t.jsonl": "".join(json.dumps({"element": e, "cluster": c}) + "\n" for e, c in GOLD.items()),
    "t.json": json.dumps(GOLD),
    "t.elements": "".join(f"{e}\t{c}\n" for e, c in GOLD.items()),
    "t.memberships": "".join(f"{e}\t{c} \n" for e, c in GOLD.items()),
    "t.clusters": "p1 p2\tp3\n\n  p4 p5  \np6\n",
    "t.links": "p1 p2\np3 p2\np6\np4 p5\np5 p4\n",
    "t.edges": "p1,p2\np2,p3\np4, p5\np6\n",
}


class TestEveryFormat:
    @pytest.mark.parametrize("name", SAME)
    @pytest.mark.parametrize(
        ("ending", "pack"), [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
    )
    def test_by_id(self, write: Write, name: str, ending: str, pack: Callable[[bytes], bytes]) -> None:
        made = from_file(write(name + ending, pack(SAME[name].encode())))
        assert partition(made) == PARTS
        if name not in ("t.clusters", "t.links", "t.edges"):
            assert plain(made) == GOLD

    @pytest.mark.parametrize("name", SAME)
    def test_said_and_not_told_by_the_name(self, write: Write, name: str) -> None:
        made = from_file(write("anything", SAME[name].replace("\n", "\r\n")), format=by_name(name))
        assert partition(made) == PARTS

    @pytest.mark.parametrize("name", [name for name in SAME if by_name(name) != "links"])
    def test_guessed_by_content(self, write: Write, name: str) -> None:
        assert partition(from_file(write("anything.txt", "\ufeff" + SAME[name]))) == PARTS

    def test_all_of_them_score_as_the_same(self, write: Write) -> None:
        expected = cs.elm(GOLD, {**GOLD, "p6": "dogs"}).f
        pred = write("pred.csv", SAME["t.csv"].replace("fish", "dogs"))
        for name, data in SAME.items():
            assert cs.elm(from_file(write(name, data)), from_file(pred)).f == expected

    def test_parquet(self, tmp_path: Path) -> None:
        pq.write_table(pa.table({"element": list(GOLD), "cluster": list(GOLD.values())}), tmp_path / "t.parquet")
        assert plain(from_file(tmp_path / "t.parquet")) == GOLD

    def test_labels(self, write: Write) -> None:
        for name in ("t.txt", "t.labels", "no_ending"):
            made = from_file(write(name, "a\r\nb \n a\n"))
            assert made.ids is None
            assert list(plain(made).values()) == ["a", "b", "a"]
        assert list(plain(from_file(write("t.txt", "New York\nRome\n"), format="labels")).values()) == [
            "New York",
            "Rome",
        ]
        assert plain(from_file(write("t.json", "[true, false]"))) == {0: "true", 1: "false"}

    def test_the_formats_are_all_read(self, write: Write) -> None:
        known = {by_name(name) for name in SAME} | {
            "labels",
            "npy",
            "npz",
            "tif",
            "arrow",
            "parquet",
            "lengths",
            "boundaries",
            "rttm",
            "senses",
        }
        assert known == set(FORMATS) - {*MENTIONS}  # those of coreference are in a folder of their own
        assert "format='xml' is not an option" in message_of(from_file, write("t.csv", SAME["t.csv"]), format="xml")

    def test_order_of_rows_is_kept(self, write: Write) -> None:
        count = 300_000  # more than one thread reads
        data = "gold,pred\n" + "".join(f"{k},{k % 7}\n" for k in range(count))
        gold, pred = read_both(write("t.csv", data))
        assert [gold.labels.name(code) for code in gold.codes[:: count // 10].tolist()] == [
            str(k) for k in range(0, count, count // 10)
        ]
        assert len(pred) == count

    def test_columns_of_other_names(self, write: Write) -> None:
        path = write("t.csv", "who,id,day\nx,1,a\ny,1,b\n")
        made = from_file(path, element="id", cluster="who", document="day")
        assert plain(made) == {("a", "1"): "x", ("b", "1"): "y"}
        assert "no column 'whom': did you mean 'who'?" in message_of(from_file, path, element="id", cluster="whom")
        assert "has 'who', 'id', 'day': which column is the cluster? pass cluster=\"...\"" in message_of(
            from_file, path
        )
        days = write("days.csv", "who,id,date\nx,1,a\ny,1,b\n")  # which is no document
        assert plain(from_file(days, element="id", cluster="who")) == {"1": frozenset({"x", "y"})}

    def test_patterns(self, write: Write, tmp_path: Path) -> None:
        lines = SAME["t.csv"].splitlines()
        for k, row in enumerate(lines[1:]):
            write(f"part-{k}.csv", f"{lines[0]}\n{row}\n")
        assert plain(from_file(tmp_path / "part-*.csv")) == GOLD
        write("a.clusters", "p1 p2 p3")
        write("b.clusters", "p4 p5\np6")
        assert partition(from_file(tmp_path / "*.clusters")) == PARTS

    @pytest.mark.parametrize("name", [*SAME, "labels"])
    def test_standard_input(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        data = SAME.get(name, "a\nb\na\n")
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data.encode())))
        made = from_file("-", format="links" if by_name(name) == "links" else None)
        assert len(made) == (3 if name == "labels" else 6)


class TestTwoFiles:
    def test_integers_of_parquet_match_text(self, write: Write, tmp_path: Path) -> None:
        table = {"element": [2, 1, 3], "cluster": ["y", "x", "y"], "document": [8, 7, 8]}
        pq.write_table(pa.table(table), tmp_path / "t.parquet")
        text = write("t.csv", "element,cluster,document\n1,a,7\n3,b,8\n2,b,8\n")
        for pair in ((text, tmp_path / "t.parquet"), (tmp_path / "t.parquet", text)):
            assert cs.elm(*cs.Clustering.from_files(*pair)).f == 1.0
        clusters = write("t.clusters", "2 3\n1\n")
        pq.write_table(pa.table({"element": [2, 1, 3], "cluster": [5, 6, 5]}), tmp_path / "u.parquet")
        assert cs.elm(*cs.Clustering.from_files(clusters, tmp_path / "u.parquet")).f == 1.0
        gold, pred = cs.Clustering.from_files(tmp_path / "u.parquet", tmp_path / "u.parquet")
        assert isinstance(gold.ids, np.ndarray)
        assert cs.elm(gold, pred).f == 1.0

    def test_text_and_integers_in_two_parquet_files_match(self, tmp_path: Path) -> None:
        pq.write_table(pa.table({"element": [2, 1], "cluster": [5, 6]}), tmp_path / "a.parquet")
        pq.write_table(pa.table({"element": ["2", "1"], "cluster": [5, 6]}), tmp_path / "b.parquet")
        pair = tmp_path / "a.parquet", tmp_path / "b.parquet"
        assert cs.rand(*read_two(*pair)).value == 1
        assert cs.score_table(*map(str, pair), metrics="rand")["rand"].value == 1

    def test_position_and_id_are_told_with_what_was_read(self, write: Write) -> None:
        message = message_of(cs.elm, write("t.csv", SAME["t.csv"]), write("t.txt", "a\nb\n"))
        assert "pred (" in message
        assert "t.txt) is matched by position and gold (" in message
        assert "t.csv) by element id" in message


def test_a_format_of_somebody_else(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def bracketed(text: str, called: str, _: Any) -> cs.Clustering:
        if "(" not in text:
            raise cs.FileError(f"{called} has no brackets")
        return cs.Clustering.from_clusters([group.strip("( ").split() for group in text.split(")") if group.strip()])

    monkeypatch.setitem(FORMATS, "brackets", (".brackets", ".br"))
    monkeypatch.setitem(READERS, "brackets", bracketed)
    expected = {"a": 0, "b": 0, "c": 1}
    assert plain(from_file(write("t.brackets", "(a b) (c)"))) == expected
    assert plain(from_file(write("t.br.gz", gzip.compress(b"(a b) (c)")))) == expected
    assert plain(from_file(write("t.txt", "(a b) (c)"), format="brackets")) == expected
    path = write("t.csv", "element,cluster\na,x\nb,x\nc,y\n")
    gold, pred = cs.Clustering.from_files(write("t.br", "(a b) (c)"), path)
    assert cs.elm(gold, pred).f == 1.0
    assert message_of(from_file, write("bad.br", "a b")).endswith("bad.br' has no brackets")
    assert "is not UTF-8" in message_of(from_file, write("bad.br", b"(\xe9)"))


class TestParquetTypes:
    def write(self, folder: Path, **columns: Any) -> Path:
        pq.write_table(pa.table(columns), folder / "t.parquet")
        return folder / "t.parquet"

    def test_digits_are_not_lost(self, tmp_path: Path) -> None:
        big = [10**18 + 1, 10**18 + 2, 10**18 + 1]
        ids = pa.array([Decimal(10**30 + k) for k in range(3)], pa.decimal128(38, 0))
        path = self.write(tmp_path, element=ids, cluster=pa.array([Decimal(n) for n in big], pa.decimal128(20, 0)))
        assert plain(from_file(path)) == {10**30: big[0], 10**30 + 1: big[1], 10**30 + 2: big[0]}
        path = self.write(tmp_path, element=[1, 2], cluster=pa.array([Decimal("1.10"), None], pa.decimal128(9, 2)))
        assert plain(from_file(path)) == {1: Decimal("1.10"), 2: None}

    @pytest.mark.parametrize("column", ["element", "cluster"])
    def test_decimals_beyond_38_digits_are_refused(self, tmp_path: Path, column: str) -> None:
        values = pa.array([Decimal(f"1{'0' * 40}{k}") for k in range(4)], pa.decimal256(50, 0))
        other = {"element", "cluster"} - {column}
        path = self.write(tmp_path, **{column: values, other.pop(): list("abcd"), "plain": [1, 1, 2, 2]})
        expected = f"'{re.escape(str(path))}' has decimals of 50 digits in column '{column}', and at most 38 can"
        with pytest.raises(cs.FileError, match=expected):
            from_file(path)
        for engine in ("arrays", "duckdb"):
            with pytest.raises(cs.FileError, match=expected):
                cs.score_table(path, gold=column, pred="plain", engine=engine)
        name = "element" if column == "cluster" else "cluster"  # who does not ask for it can read the rest
        assert (
            cs.score_table(path, gold=name, pred="plain", engine="duckdb", metrics="bcubed")["bcubed"].precision == 0.5
        )

    def test_all_kinds_of_labels(self, tmp_path: Path) -> None:
        for values in (["x", None], [1, None], [2.5, 1.0], [True, False], [b"x", b"\xff"], [2**63, 1]):
            kind = pa.uint64() if values[0] == 2**63 else None
            path = self.write(tmp_path, element=[1, 2], cluster=pa.array(values, kind))
            assert list(plain(from_file(path)).values()) == values

    def test_null_ids_and_nested_values_are_told(self, tmp_path: Path) -> None:
        path = self.write(tmp_path, element=[1, None, 3], cluster=[1, 2, 3])
        assert "1 row without a value in column 'element' (e.g. row 2)" in message_of(from_file, path)
        path = self.write(tmp_path, element=[[1, 2]], cluster=[1])
        assert "column 'element' contains BIGINT[] values" in message_of(from_file, path)
        path = self.write(tmp_path, element=[1], cluster=[[[1, 2]]])
        assert "column 'cluster' contains BIGINT[][] values" in message_of(from_file, path)
        path = self.write(tmp_path, element=pa.array([], pa.int64()), cluster=pa.array([], pa.int64()))
        assert "no rows" in message_of(from_file, path)


class TestLines:
    def test_an_empty_cluster_is_no_label(self, write: Write) -> None:
        assert plain(from_file(write("t.elements", "a\tx\nb\t\n"))) == {"a": "x", "b": None}

    def test_links_are_closed(self, write: Write) -> None:
        chain = "".join(f"{k}\t{k + 1}\n" for k in range(1000))
        assert len(partition(from_file(write("t.links", chain + "alone\n")))) == 2
        assert partition(from_file(write("t.links", "New York\tNYC\nRome\n"))) == {
            frozenset({"New York", "NYC"}), frozenset({"Rome"}),
        }  # fmt: skip

    @pytest.mark.parametrize(
        ("name", "data", "expected"),
        [
            ("t.clusters", "a b\nb b\n", "1 membership given twice (e.g. element 'b' in cluster 2)"),
            ("guess.txt", "a b\nb c\n", "1 element would be in several clusters (e.g. 'b')"),
            ("guess.txt", "a b\nb c\n", 'if each line is a link, pass format="links"'),
            ("guess.txt", "New York\nRome\nNew York\n", 'if it is one label, format="labels"'),
            ("t.elements", "a\tx\nb\nc\n", "2 lines without exactly one tab (e.g. line 2: 'b')"),
            ("t.elements", "a\tx\n\ty\n", "1 line without an element (e.g. line 2)"),
            ("t.elements", "a\tx\na\tx\n", "(e.g. element 'a' in cluster 'x')"),
            ("guess.txt", "a\tx\nb\ty\na\ty\nc\tx\n", 'if each line is a link, pass format="links"'),
            ("t.links", "a b\nc d 0.93\n", "1 line not made of one or two elements (e.g. line 2 has 3); cut"),
            ("t.links", "a,b\n,\n", "(e.g. line 2 has 0)"),
            ("t.labels", "a\n\nb\n", "1 empty line (e.g. line 2)"),
            ("t.labels", "\n\n", "is empty"),
            ("t.labels", b"a\xe9\n", "is not UTF-8: byte 0xe9 in line 1"),
            ("t.labels", b"a\nb\0\n", "NUL byte in line 2"),
            ("t.csv", "element,cluster\na,b\n".encode("utf-16-le"), "if it is UTF-16, save it as UTF-8"),
            ("t.clusters.gz", gzip.compress(b"a b\n" * 99, mtime=0)[:-9], "is not a complete .gz file"),
            ("t.clusters.bz2", b"BZh9\0", "is not a complete .bz2 file"),
            ("t.clusters.xz", b"\xfd7zXZ\0", "is not a complete .xz file"),
            ("t.clusters.zst", b"\x28\xb5\x2f\xfd\0", "a .zst file can hold CSV, TSV or JSON lines"),
            ("t.json", '{"a": 1}\n{"a": 2}\n', 'Extra data in line 2 (one object per line is format="jsonl")'),
            ("guess", '{"a": \n', "is not JSON"),
            ("t.json", '{"element": [1, 2, 3], "cluster": ["a", "b"]}', "its columns have from 2 to 3 values"),
        ],
    )
    def test_mistakes(self, write: Write, name: str, data: str | bytes, expected: str) -> None:
        path = write(name, data)
        message = message_of(from_file, path)
        assert repr(path) in message
        assert expected in message


class TestSegments:
    @pytest.mark.parametrize(
        ("name", "data"),
        [
            ("t.lengths", "3\n2\n"), ("t.lengths", "3 2\n"), ("t.lengths", "3, 2"), ("t.boundaries", "1\n0\n0\n1\n0\n"),
            ("t.boundaries", "0 0 0 1 0\n"), ("t.boundaries", "1,0,0,1,0"), ("t.boundaries", "10010\n"),
        ],
    )  # fmt: skip
    def test_one_stream(self, write: Write, name: str, data: str) -> None:
        made = from_file(write(name, data))
        assert made.codes.tolist() == cs.Clustering.from_lengths([3, 2]).codes.tolist()
        assert made.documents is None
        assert made.ids is None

    @pytest.mark.parametrize(
        ("name", "data"),
        [
            ("t.lengths", "3 2\n1\n2,2\n"),
            ("t.boundaries", "10010\n0\n0010\n"),
            ("t.boundaries", "1 0 0 1 0\n1\n1 0 1 0"),
        ],
    )
    def test_a_stream_a_line(self, write: Write, name: str, data: str) -> None:
        made = from_file(write(name, data))
        assert made.codes.tolist() == [0, 0, 0, 1, 1, 2, 3, 3, 4, 4]
        assert made.documents is not None
        assert [made.documents.name(code) for code in made.documents.codes] == list("1111123333")

    def test_two_sides(self, write: Write) -> None:
        gold = write("gold.lengths", "3 2\n4\n")
        for pred in (write("p.json", "[[5], [4]]"), write("p.boundaries", "10000\n1000\n")):
            left, right = read_two(gold, pred, pred_format="lengths" if pred.endswith("json") else None)
            assert right.documents is not None
            assert cs.elm(left, right).f == cs.elm([0, 0, 0, 1, 1, 2, 2, 2, 2], [0] * 5 + [1] * 4).f
        message = message_of(cs.elm, gold, write("q.lengths", "6\n1 2\n"))
        assert message.startswith("1 element is only in gold (e.g. 4 in document '2') and 1 element is only in pred")
        # one number a line is one stream, whatever the other side has
        assert "is matched by position and gold" in message_of(cs.elm, gold, write("q.lengths", "5\n4\n"))

    @pytest.mark.parametrize(
        ("name", "data", "expected"),
        [
            ("t.lengths", "3\n0\n", "1 number out of place (e.g. '0' in line 2); segment lengths are whole"),
            ("t.lengths", "3 x -1\n2\n", "2 numbers out of place (e.g. 'x' in line 1)"),
            ("t.lengths", "2.5\n", 'a 0 or 1 for every page is format="boundaries"'),
            ("t.lengths", "9999999999999\n", "out of place"),
            ("t.lengths", "999999999999\n" * 20, "it does not fit into memory"),
            ("t.boundaries", "1 0\n0 2\n", "(e.g. '2' in line 2)"),
            ("t.boundaries", "10012\n", 'segment lengths are format="lengths"'),
            ("t.boundaries", "1\n\n0\n", "1 empty line (e.g. line 2)"),
            ("t.boundaries", "1\n,\n0\n", "1 empty line (e.g. line 2)"),
        ],
    )
    def test_mistakes(self, write: Write, name: str, data: str, expected: str) -> None:
        assert expected in message_of(from_file, write(name, data))


def speaker(recording: str, start: str, duration: str, name: str) -> str:
    return f"SPEAKER {recording} 1 {start} {duration} <NA> <NA> {name} <NA> <NA>\n"


class TestRttm:
    def test_classes_are_sets_of_speakers(self, write: Write) -> None:
        text = (
            ";; made by hand\nSPKR-INFO r 1 <NA> <NA> <NA> unknown A <NA> <NA>\n"
            + speaker("r", "0.1", "0.3", "A") + speaker("r", "0.3", "0.2", "B") + speaker("s", "0", "0.1", "A")
        )  # fmt: skip
        made = from_file(write("t.rttm", text), step=0.1)
        expected = ["(silence)", "A", "A", "A+B", "B"]
        assert plain(made) == {**{("r", k): name for k, name in enumerate(expected)}, ("s", 0): "A"}
        assert plain(from_file(write("guess.txt", text), step=0.1)) == plain(made)

    def test_overlaps_of_one_speaker_and_empty_segments(self, write: Write) -> None:
        text = (
            speaker("r", "0", "0.3", "A") + speaker("r", "0.1", "0.4", "A") + speaker("r", "0.2", "0", "B")
            + speaker("r", "0.31", "0.02", "C")
        )  # fmt: skip
        assert list(plain(from_file(write("t.rttm", text), step=0.1)).values()) == ["A"] * 5

    def test_a_frame_belongs_where_its_middle_does(self, write: Write) -> None:
        text = speaker("r", "0.05", "0.1", "A") + speaker("r", "0.2501", "0.1", "B")
        assert list(plain(from_file(write("t.rttm", text), step=0.1)).values()) == ["A", "(silence)", "(silence)", "B"]

    def test_channels_are_scored_together(self, write: Write) -> None:
        line = speaker("r", "0", "1", "A")
        path = write("t.rttm", line + speaker("s", "0", "1", "A") + line.replace("r 1", "r 2"))
        with pytest.warns(cs.ClusterscoreWarning, match=r"1 recording with several channels \(e.g. 'r' with 1 and 2\)"):
            assert plain(from_file(path, step=0.5)) == {(name, k): "A" for name in "rs" for k in (0, 1)}

    def test_no_rounding(self, write: Write) -> None:
        # 0.005 + 0.01 * k is a middle: binary floats would put some of them on the wrong side
        for k in range(0, 3000, 7):
            text = speaker("r", f"{0.005 + k / 100:.3f}", "0.01", "A")
            made = from_file(write("t.rttm", text))
            assert len(made) == k + 1
            assert made.codes.sum() == 1

    def test_both_sides_are_as_long(self, write: Write) -> None:
        gold = write("gold.rttm", speaker("r", "0", "1", "A") + speaker("s", "0", "1", "A"))
        pred = write("pred.rttm", speaker("s", "0", "1.5", "X") + speaker("r", "0", "0.5", "Y"))
        left, right = cs.Clustering.from_files(gold, pred)
        assert (len(left), len(right)) == (200, 200)  # each up to its own end, and silent after it
        assert cs.score(left, right, metrics="elm").to_dict()["elements"] == 250
        assert cs.elements(left, right)["pred"].tolist().count("(silence)") == 50
        assert 0 < cs.elm(left, right).f < 1
        dropped = cs.score(left, right, noise="(silence)", noise_as="drop", metrics=["elm"])
        assert dropped.to_dict()["elements"] == 150
        assert dropped["elm"].f == 1.0

    def test_a_recording_on_one_side(self, write: Write) -> None:
        gold = write("gold.rttm", speaker("r", "0", "1", "A") + speaker("s", "0", "1", "A"))
        pred = write("pred.rttm", speaker("r", "0", "1", "Y"))
        for pair, alone, silent in (((gold, pred), "gold", "pred"), ((pred, gold), "pred", "gold")):
            with pytest.warns(cs.ClusterscoreWarning) as heard:
                assert cs.elm(*pair).f == 1.0
            assert f"1 document only in {alone} (e.g. 's'): nobody speaks there in {silent}" in str(heard[0].message)
            assert 'give both the same names, or pass missing="drop"' in str(heard[0].message)
        other = write("other.rttm", speaker("t", "0", "1", "Y"))
        assert "no document is on both sides (gold has 'r', 's'; pred has 't')" in message_of(cs.elm, gold, other)
        left, right = read_two(gold, pred)
        assert cs.elm(left, right, missing="drop").f == 1.0
        silent = write("pred.rttm", "; by hand\n" + speaker("r", "0", "1", "Y") + "SPKR-INFO s 1\n")
        left, right = read_two(gold, silent)
        assert len(right) == 100
        assert cs.elm(left, right).f == 1.0

    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            (speaker("r", "-1", "1", "A"), "line 2: the start '-1' is not a number of seconds from 0 up"),
            (speaker("r", "1", "-0.5", "A"), "line 2: the duration '-0.5'"),
            (speaker("r", "NaN", "1", "A"), "line 2: the start 'NaN'"),
            (speaker("r", "1", "inf", "A"), "line 2: the duration 'inf'"),
            (speaker("r", "1", "1e99999", "A"), "line 2: the duration"),
            (speaker("r", "1", "0" * 50, "A"), "line 2: the duration"),
            (speaker("r", "soon", "1", "A"), "line 2: the start 'soon'"),
            (speaker("r", "1", "1", "A B C"), "line 2 has 12 fields; a SPEAKER line has 8 to 10"),
            ("SPEAKER r 1 0 1\n", "line 2 has 5 fields"),
            (
                "type file chnl\n",
                "line 2 is not RTTM: it begins with 'type', not with SPEAKER; put ;; in front of a head",
            ),
            (speaker("r", "0", "1e9", "A"), "more than can be listed; take a longer step="),
        ],
    )
    def test_mistakes(self, write: Write, line: str, expected: str) -> None:
        path = write("t.rttm", speaker("r", "0", "1", "A") + line)
        assert expected in message_of(lambda: len(from_file(path)))  # frames are made where they are asked for

    @pytest.mark.parametrize("step", [0, -1, float("nan"), float("inf"), "x", True])
    def test_no_step(self, write: Write, step: Any) -> None:
        assert "is not a length in seconds" in message_of(
            from_file, write("t.rttm", speaker("r", "0", "1", "A")), step=step
        )

    def test_an_hour_is_fast(self, write: Write) -> None:
        text = "".join(speaker(f"r{k % 4}", str(k), "1.37", f"s{k % 3}") for k in range(3600))
        gold, pred = cs.Clustering.from_files(write("a.rttm", text), write("b.rttm", text))
        assert len(gold) == 359_737 + 359_837 + 359_937 + 360_037
        assert np.array_equal(gold.codes, pred.codes)
        assert cs.adjusted_rand(gold, pred).value == 1


def test_guesses() -> None:
    assert by_content("element;cluster\n", False) == "csv"
    assert by_content("x\ty\n", True) == "tsv"
    assert by_content("[CLS]\n[SEP]\n", False) == "labels"
    assert by_content('{"a": 1}\n{"a": 2}\n', False) == "jsonl"
    assert by_content('[\n{"a": 1},\n', False) == "json"
    assert by_content("SPEAKER\nLISTENER\n", False) == "labels"
    assert by_content("a\tb\nc\tb\n", False) == "elements"  # a heading does not come again
    for text, asked in (
        ("a\tb\nc\td\n", 'format="tsv" if it is a table (or call it .tsv), format="elements" if it has no header'),
        ("a,b\nc,d\n", 'every line has 1 comma, so it may be a table .*format="csv".*header=False.*format="labels"'),
        ("a,b,c\nc,d,e\n", "every line has 2 commas"),
        ("New York, NY\nBoise, ID\n", "every line has 1 comma"),
    ):
        with pytest.raises(cs.FileError, match=asked.replace("(", r"\(").replace(")", r"\)")):
            by_content(text, False)
    assert by_content("a,b\nc\n", False) == "labels"
    for heading in ("id,gold", "id\tgold", "name;cluster", ",label", '"unique_id","cluster_id"', "Cluster ID,Id"):
        assert by_content(f"{heading}\n", False) in ("csv", "tsv")
    assert by_content("a\tb\nc\n", False) == "clusters"
    assert by_name("A.CSV.GZ") == "csv"
    assert by_name("a.gz") is None


def test_one_file_with_both_sides(write: Write, tmp_path: Path) -> None:
    expected = cs.score(GOLD, {**GOLD, "p6": "dogs"}).to_dict()
    rows = [{"id": e, "true": c, "found": c.replace("fish", "dogs")} for e, c in GOLD.items()]
    table = pa.Table.from_pylist(rows)
    pq.write_table(table, tmp_path / "both.parquet")
    text = io.StringIO()
    writer = csv.DictWriter(text, ["id", "true", "found"])
    writer.writeheader()
    writer.writerows(rows)
    paths = [
        str(tmp_path / "both.parquet"),
        write("both.csv", text.getvalue()),
        write("both.jsonl", "".join(json.dumps(row) + "\n" for row in rows)),
        write("both.json", json.dumps(rows)),
    ]
    for path in paths:
        for element in (None, "id"):
            assert cs.score(*read_both(path, "true", "found", element=element)).to_dict() == expected
    assert "which has no columns" in message_of(read_both, write("t.clusters", "a b"), "true", "found")


_words = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"]), min_size=1, max_size=8)
_cells = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8).map(str.strip)


@settings(max_examples=25, deadline=None)
@given(
    st.dictionaries(_cells.filter(bool), _cells, min_size=1, max_size=8),
    st.sampled_from(",;\t"),
    st.sampled_from(["\n", "\r\n"]),
)
def test_csv_round_trip(mapping: dict[str, str], delimiter: str, line_end: str) -> None:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator=line_end, quoting=csv.QUOTE_ALL)
    writer.writerows([("element", "cluster"), *mapping.items()])
    with tempfile.NamedTemporaryFile(suffix=".tsv" if delimiter == "\t" else ".csv") as file:
        file.write(text.getvalue().encode())
        file.flush()
        assert plain(from_file(file.name)) == {element: label or None for element, label in mapping.items()}


@settings(max_examples=25, deadline=None)
@given(st.lists(_words, min_size=1, max_size=20, unique=True), st.data())
def test_clusters_round_trip(words: list[str], data: st.DataObject) -> None:
    codes = data.draw(st.lists(st.integers(0, 4), min_size=len(words), max_size=len(words)))
    groups = [[word for word, code in zip(words, codes, strict=True) if code == k] for k in sorted(set(codes))]
    with tempfile.NamedTemporaryFile(suffix=".clusters") as file:
        file.write("\n".join(" ".join(group) for group in groups).encode())
        file.flush()
        assert partition(from_file(file.name)) == {frozenset(group) for group in groups}
