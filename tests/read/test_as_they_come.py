"""Files as spreadsheets, other systems and browsers leave them: read, or told what they are and what to do."""

from __future__ import annotations

import builtins
import bz2
import gzip
import io
import lzma
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import clusterscore as cs
from clusterscore.command import main
from read.reading import from_file, message_of, plain, written

ROWS = [("p1", "x"), ("p2", "x"), ("p3", "y"), ("p4", "é")]
PACKS: list[Callable[[bytes], bytes]] = [gzip.compress, bz2.compress, lzma.compress]


def table(separator: str = ",", heading: str = "element cluster") -> str:
    return "".join(separator.join(row) + "\n" for row in [tuple(heading.split()), *ROWS])


class TestSeparators:
    @pytest.mark.parametrize("separator", [",", "\t", ";", "|"])
    @pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.txt", "t.xls"])
    def test_the_heading_tells(self, tmp_path: Path, separator: str, name: str) -> None:
        path = written(tmp_path, name, table(separator))
        assert plain(from_file(path)) == dict(ROWS)

    def test_a_comma_stays_one(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", "element,cluster;x\np1,a;b\n")
        assert plain(from_file(path, cluster="cluster;x")) == {"p1": "a;b"}
        quoted = written(tmp_path, "q.csv", '"a,b"\telement\tcluster\n1\tp1\tx,y\n')  # a comma inside of quotes is none
        assert plain(from_file(quoted)) == {"p1": "x,y"}

    def test_two_that_may_be_meant(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", "element\tclu;ster\np1\tx\n")
        expected = "its heading has no comma, but tab (1) and semicolon (1); write one of them between the columns"
        assert expected in message_of(from_file, path)
        assert expected in message_of(cs.score_table, path)


class TestEncodings:
    @pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
    @pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl", "t.json", "t.elements", "t.txt", "t.csv.gz"])
    def test_with_a_mark(self, tmp_path: Path, encoding: str, name: str) -> None:
        texts = {
            "t.csv": table(),
            "t.tsv": table("\t"),
            "t.csv.gz": table("\t"),
            "t.txt": table("\t"),
            "t.jsonl": "".join(f'{{"element": "{e}", "cluster": "{c}"}}\n' for e, c in ROWS),
            "t.json": "{" + ", ".join(f'"{e}": "{c}"' for e, c in ROWS) + "}",
            "t.elements": table("\t").partition("\n")[2],
        }
        data = texts[name].replace("\n", "\r\n").encode(encoding)
        if encoding == "utf-16-be":
            data = b"\xfe\xff" + data
        path = written(tmp_path, name, gzip.compress(data) if name.endswith("gz") else data)
        assert plain(from_file(path)) == dict(ROWS)

    @pytest.mark.parametrize(
        ("data", "expected"),
        [
            (b"\xff\xfe", "is empty: there is nothing to score"),
            (b"\xfe\xff\0\n\0\n", "is empty: there is nothing to score"),
            (b"\xef\xbb\xbf", "is empty: there is nothing to score"),
            (table().encode("utf-16")[:-1], "begins as UTF-16 and is not: truncated data, after line 5; save it as"),
            (b"\xff\xfea\0\n\0\0\xd8a\0", "begins as UTF-16 and is not: illegal UTF-16 surrogate, after line 1"),
            (table().encode("latin-1"), "is not UTF-8: "),
        ],
    )
    def test_broken(self, tmp_path: Path, data: bytes, expected: str) -> None:
        for name in ("t.csv", "t.txt", "t.labels", "t.jsonl"):
            if not (name == "t.jsonl" and "UTF-8" in expected):
                assert expected in message_of(from_file, written(tmp_path, name, data))

    def test_coreference(self, tmp_path: Path) -> None:
        text = "#begin document (a); part 000\na 0 0 x (1)\na 0 1 y (1)\n#end document\n"
        path = written(tmp_path, "key.conll", text.encode("utf-16"))
        assert cs.coref(path, path)["muc"].f == 1


class TestArchives:
    def test_by_what_they_are(self, tmp_path: Path) -> None:
        for pack in PACKS:
            for name in ("t.csv", "t.csv.gz", "t.tsv", "t", "t.csv.zst"):
                assert plain(from_file(written(tmp_path, name, pack(table().encode())))) == dict(ROWS)
        zstd = pa.Codec("zstd").compress(table().encode(), asbytes=True)
        for name in ("z.csv", "z.csv.gz"):
            assert plain(from_file(written(tmp_path, name, zstd))) == dict(ROWS)

    @pytest.mark.parametrize("ending", ["gz", "bz2", "xz", "zst"])
    def test_what_is_only_called_so(self, tmp_path: Path, ending: str) -> None:
        path = written(tmp_path, f"t.csv.{ending}", table())
        assert plain(from_file(path)) == dict(ROWS)
        assert cs.score_table(gold_table=path, pred_table=path, metrics="elm")["elm"].f == 1
        assert len(from_file(written(tmp_path, f"t.labels.{ending}", "a\nb\n"))) == 2

    def test_cut_off(self, tmp_path: Path) -> None:
        path = written(tmp_path, "t.csv", gzip.compress(table().encode() * 99)[:-9])
        assert message_of(from_file, path) == f"{path!r} is not a complete .gz file; copy or compress it again"
        assert message_of(cs.score_table, path) == f"{path!r} is not a complete .gz file; copy or compress it again"


def npy(values: Any) -> bytes:
    out = io.BytesIO()
    np.save(out, values)
    return out.getvalue()


def zipped(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, "something")
    return out.getvalue()


class TestOtherKinds:
    @pytest.mark.parametrize(
        ("name", "data", "expected"),
        [
            (
                "people.xlsx",
                zipped("[Content_Types].xml", "xl/workbook.xml"),
                "is an Excel workbook; save the sheet as",
            ),
            ("people.csv", zipped("[Content_Types].xml", "xl/workbook.xml"), "is an Excel workbook"),
            ("people.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), "pandas.read_excel("),
            ("people.zip", zipped("people.csv"), "is a zip archive; unpack it, and name the file that was in it"),
            ("a.pkl", pickle.dumps({"a": 1}), "is a Python pickle; opening it may run a program"),
            ("a.pickle", pickle.dumps(["a", "b"], 0), "is a Python pickle"),
            ("a.csv", pickle.dumps(["a", "b"], 2), "is a Python pickle"),
            ("a.sav", b"$FL2@(#) SPSS", "is an SPSS file; save it as CSV, or pass pandas.read_spss("),
            ("a.dta", b"<stata_dta><header>", "is a Stata file"),
            ("a.dta", b"\x72\x02\x01\x00", "is a Stata file"),
            ("a.h5", b"\x89HDF\r\n\x1a\n", "is an HDF5 file"),
            ("a.png", b"\x89PNG\r\n\x1a\n", "is a picture; save label images as .tif or .npy"),
        ],
    )
    def test_told(self, tmp_path: Path, name: str, data: bytes, expected: str) -> None:
        path = written(tmp_path, name, data)
        for read in (from_file, cs.score_table):
            message = message_of(read, path)
            assert message.startswith(f"{path!r} is a")
            assert expected in message
        assert expected in message_of(from_file, path, format="csv")

    def test_labels_of_numpy(self, tmp_path: Path) -> None:
        assert plain(from_file(written(tmp_path, "a.npy", npy([3, 3, 4])))) == {0: 3, 1: 3, 2: 4}
        assert plain(from_file(written(tmp_path, "a.csv", npy(["a", "b"])))) == {0: "a", 1: "b"}
        assert from_file(written(tmp_path, "a.npy", npy([[1, 2], [3, 4]]))).shapes == {None: (2, 2)}  # an image
        for data, expected in (
            (npy(np.array(["a", None], object)), "it holds Python objects; save an array of numbers or text"),
            (npy([1, 2, 3])[:-4], "it is damaged; save an array"),
            (b"no file of NumPy's", "it is damaged; save an array"),
            (npy([1, 2, 3])[:20], "it is damaged; save an array"),
        ):
            assert expected in message_of(from_file, written(tmp_path, "bad.npy", data))
        assert "it is damaged; save an array" in message_of(from_file, written(tmp_path, "a.npz", zipped("a.npy")))

    def test_arrow(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        columns = {"element": [3, 1, 2], "cluster": pa.array(["x", None, "y"]).dictionary_encode()}
        feather.write_feather(pa.table(columns), tmp_path / "a.feather")
        pq.write_table(pa.table(columns), tmp_path / "a.parquet")
        data = (tmp_path / "a.feather").read_bytes()
        path = written(tmp_path, "a.arrow", data)
        expected = plain(from_file(tmp_path / "a.parquet"))
        assert expected == {3: "x", 1: None, 2: "y"}
        for copy in (
            path,
            written(tmp_path, "named.csv", data),
            written(tmp_path, "b.feather.gz", gzip.compress(data)),
        ):
            assert plain(from_file(copy)) == expected
        text = written(tmp_path, "t.csv", "element,cluster\n1,a\n2,b\n3,c\n")
        assert cs.elm(*cs.Clustering.from_files(text, path), noise=[None]).f == 1
        assert "is not a complete Arrow file; write or copy it again" in message_of(
            from_file, written(tmp_path, "c.arrow", data[:99])
        )
        assert "'b'" in message_of(from_file, path, element="b")
        for column, expected in (
            (pa.array([1, 2], pa.duration("ns")), "has nanoseconds in column 'cluster', and this DuckDB keeps micro"),
            (pa.array(np.array([1, 2], np.float16)), "does not read all columns of '"),
        ):
            feather.write_feather(pa.table({"element": [1, 2], "cluster": column}), tmp_path / "kind.arrow")
            assert expected in message_of(from_file, tmp_path / "kind.arrow")
        feather.write_feather(
            pa.table({"element": ["p1", "p2"], "cluster": ["x", "y"]}), path, compression="uncompressed"
        )
        offsets = np.array([0, 2, 4], np.int32).tobytes()
        data = Path(path).read_bytes()
        assert offsets in data
        outside = data.replace(offsets, np.array([0, 2, 2**30], np.int32).tobytes())  # would be read from anywhere
        assert "is not a complete Arrow file" in message_of(from_file, written(tmp_path, "d.arrow", outside))

        def without(name: str, *rest: Any, original: Any = builtins.__import__) -> Any:
            if name == "pyarrow":
                raise ImportError(name)
            return original(name, *rest)

        monkeypatch.setattr(builtins, "__import__", without)
        assert "is an Arrow file: pip install pyarrow to read it, or write it as Parquet" in message_of(from_file, path)


class TestCoreferenceAndOthers:
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("a.conll", "#begin document (a); part 000\na 0 0 x (1)\n#end document\n"),
            ("a.txt", "#begin document (a); part 000\na 0 0 x (1)\n#end document\n"),
            (
                "a.conllu",
                "# global.Entity = eid-etype-head-other\n# sent_id = 1\n1\ta\ta\tX\t_\t_\t0\t_\t_\tEntity=(e1)\n",
            ),
            ("a.jsonl", '{"doc_key": "a", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}\n'),
            ("a.json", '{"doc_key": "a", "predicted_clusters": [[[0, 0],\n [1, 1]]]}\n'),
        ],
    )
    def test_a_coreference_file(self, tmp_path: Path, name: str, text: str, capsys: pytest.CaptureFixture[str]) -> None:
        """It is read by every command, which says what it is."""
        path = written(tmp_path, name, text)
        assert from_file(path).coreference is not None
        for command in ("score", "elements", "clusters", "compare"):
            with pytest.raises(SystemExit) as left:
                main([command, path, path, *(["--resamples", "0"] if command == "compare" else [])])
            shown = capsys.readouterr()
            assert left.value.code in (0, None), shown.err
            assert "field: coreference, as the files are " in shown.out

    def test_a_table_of_mentions(self, tmp_path: Path) -> None:
        """Mentions and entities in columns are scored as coreference is, by cs.coref too."""
        path = written(tmp_path, "gold.csv", table())
        card = cs.coref(path, path)
        assert list(card) == list(cs.field("coreference").measures)
        assert card["b3"] == cs.b3(path, path)


LINES = "1001\n10\n"
PAGES = "document,page,boundary\ns1,1,1\ns1,2,0\ns2,1,1\ns1,3,0\ns1,4,1\ns2,2,0\n"  # of two streams at once
SEGMENTS = "stream,length\ns1,3\ns1,1\ns2,2\n"


class TestPageStreams:
    FORMS: ClassVar[dict[str, tuple[str, str]]] = {
        "lines": ("boundaries", LINES),
        "pages.csv": ("boundaries", PAGES),
        "pages.tsv": ("boundaries", PAGES.replace(",", "\t")),
        "pages.jsonl": (
            "boundaries",
            "".join(f'{{"stream": "s{1 + (k > 3)}", "boundary": {b}}}\n' for k, b in enumerate((1, 0, 0, 1, 1, 0))),
        ),
        "pages.json": ("boundaries", '{"s1": [1, 0, false, true], "s2": [0, 0]}'),
        "lists.json": ("boundaries", "[[1, 0, 0, 1], [1, 0]]"),
        "segments.csv": ("lengths", SEGMENTS),
        "segments.json": ("lengths", '{"s1": [3, 1], "s2": [2]}'),
        "segments.txt": ("lengths", "3 1\n2\n"),
    }

    @pytest.mark.parametrize(
        ("gold", "pred"),
        [
            *(("lines", name) for name in ("lines", "lists.json", "segments.txt")),  # by number
            *(("pages.csv", name) for name in FORMS if name not in ("lines", "lists.json", "segments.txt")),  # by name
        ],
    )
    def test_both_sides_in_any_form(self, tmp_path: Path, gold: str, pred: str) -> None:
        paths = [written(tmp_path, name, self.FORMS[name][1]) for name in (gold, pred)]
        sides = cs.Clustering.from_files(*paths, gold_format=self.FORMS[gold][0], pred_format=self.FORMS[pred][0])
        for made in sides:
            assert [made.names[code] for code in made.codes] == [1, 1, 1, 2, 1, 1]  # in each stream
            assert made.documents is not None
            assert made.documents.codes.tolist() == [0, 0, 0, 0, 1, 1]
        assert cs.elm(*sides).f == 1

    def test_names_match_whatever_their_order(self, tmp_path: Path) -> None:
        gold = written(tmp_path, "gold.csv", PAGES)
        pred = written(tmp_path, "pred.json", '{"s2": [1, 1], "s1": [1, 0, 0, 0]}')
        left, right = cs.Clustering.from_files(gold, pred, format="boundaries")
        assert [right.names[code] for code in right.codes] == [1, 2, 1, 1, 1, 1]  # numbered in each stream
        card = cs.score(left, right, metrics="elm")
        assert card.documents["document"].tolist() == ["s1", "s2"]

    def test_one_stream(self, tmp_path: Path) -> None:
        for name, text in (("a.json", "[1, 0, 0, 1]"), ("a.csv", "boundary\n1\n0\n0\n1\n")):
            made = from_file(written(tmp_path, name, text), format="boundaries")
            assert (made.codes.tolist(), made.documents) == ([0, 0, 0, 1], None)
        pq.write_table(pa.table({"boundary": [1, 0, 0, 1]}), tmp_path / "a.parquet")
        assert from_file(tmp_path / "a.parquet", format="boundaries").codes.tolist() == [0, 0, 0, 1]
        lists = from_file(written(tmp_path, "b.json", "[[3], [2]]"), format="lengths")
        assert lists.documents is not None

    def test_columns_of_other_names(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = written(tmp_path, "a.csv", "book;starts;found\ns1;1;1\ns1;0;1\ns2;1;1\n")
        made = from_file(path, document="book", cluster="starts", format="boundaries")
        assert made.codes.tolist() == [0, 0, 1]
        options = "--gold starts --pred found --document book --format-in boundaries -m elm --format csv"
        with pytest.raises(SystemExit) as left:
            main(["score", path, *options.split()])
        assert left.value.code == 0
        assert "elm,0.3333333333333333,1.0,0.3333333333333333," in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("name", "text", "expected"),
        [
            (
                "a.json",
                '{"s1": [1, 0, 0, 1], "s3": [1, 0]}',
                "1 document is only in gold (e.g. 's2') and 1 document is only in pred",
            ),
            (
                "a.json",
                '{"s1": [1, 0, 0, 1], "s2": [1]}',
                "1 element is only in gold (e.g. 2 in document 's2')",
            ),
            ("a.json", '{"s1": [1, 0, 0, 2], "s2": [1, 0]}', "{pred}: 1 number out of place (e.g. '2' in 's1')"),
            ("a.json", '{"s1": [1, 0, 0, 1], "s2": []}', "{pred} has no boundaries of page streams: write a list"),
            ("a.json", "{}", "{pred} has no boundaries of page streams"),
            ("a.json", "[1, 0, 0, 1, 1, 0]", "is matched by position and gold"),
            ("a.csv", "stream,boundary\ns1,1\ns1,x\n", "{pred}: 1 number out of place (e.g. 'x' in row 2)"),
            (
                "a.csv",
                "stream,boundary\ns1,1\ns1,\n",
                "{pred}: 1 row without a value in column 'boundary' (e.g. row 2)",
            ),
            (
                "a.csv",
                "stream,start\ns1,1\n",
                "{pred} has no column 'boundary', which {gold} has: it has 'stream', 'start'; pass ",
            ),
            ("a.csv", "stream,boundary\n", "{pred} has a header but no rows"),
        ],
    )
    def test_mistakes(self, tmp_path: Path, name: str, text: str, expected: str) -> None:
        gold, pred = written(tmp_path, "gold.csv", PAGES), written(tmp_path, name, text)
        message = message_of(lambda: cs.elm(*cs.Clustering.from_files(gold, pred, format="boundaries")))
        assert expected.format(gold=repr(gold), pred=repr(pred)) in message

    @pytest.mark.parametrize(
        ("form", "text", "expected"),
        [
            ("boundaries", "page,boundary\np1,1\np1,0\n", "'p1'); a page is in a stream once: name the column of"),
            (
                "boundaries",
                "stream,page,boundary\na,1,1\na,1,0\n",
                "'1' of stream 'a'); a page is in a stream once: rem",
            ),
            ("lengths", "page,length\np1,2\n", "a row of lengths is a segment, and no page; leave out element="),
        ],
    )
    def test_pages_of_rows(self, tmp_path: Path, form: str, text: str, expected: str) -> None:
        assert expected in message_of(from_file, written(tmp_path, "a.csv", text), format=form, element="page")

    def test_labels_that_may_be_boundaries(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        gold, pred = written(tmp_path, "gold.txt", "1\n0\n0\n1\n"), written(tmp_path, "pred.txt", "1\n0\n1\n1\n")
        labels = cs.Clustering.from_files(gold, pred)
        with pytest.warns(cs.ClusterscoreWarning, match='pass format="boundaries"'):
            cs.elm(*labels)
        labels = [cs.Clustering.from_labels(side.labels[:]) for side in labels]
        for form in ("labels", "boundaries"):  # whoever says what they are is not asked
            assert (cs.elm(*cs.Clustering.from_files(gold, pred, format=form)) == cs.elm(*labels)) == (form == "labels")
        lists = written(tmp_path, "lists.json", '{"s1": [1, 0, 0, 1], "s2": [1, 0]}')
        assert message_of(from_file, lists).endswith('; 0 or 1 for every page of a stream is format="boundaries"')
        three = written(tmp_path, "three.txt", "1\n0\n2\n1\n")
        cs.elm(gold, three)
        with pytest.raises(SystemExit):
            main(["score", gold, pred])
        message = capsys.readouterr().err
        assert "if 1 starts a segment of a page stream, pass --format-in boundaries" in message
        assert "and if they are labels, --format-in labels" in message


def test_memberships_are_counted_once(tmp_path: Path) -> None:
    path = written(tmp_path, "a.csv", "element,cluster\np1,a\np1,a\np1,a\np2,a\np2,a\np3,a\n")
    assert "2 memberships given twice (e.g. element 'p1' in cluster 'a')" in message_of(from_file, path)
    several = from_file(written(tmp_path, "b.csv", "element,cluster\np1,a\np1,b\np1,c\np2,a\np2,b\np3,a\n"))
    assert "2 elements of gold in more than one cluster (e.g. 'p1' in 'a' and 'b')" in message_of(
        cs.elm, several, {"p1": 0, "p2": 0, "p3": 1}
    )


class TestWithoutAHeading:
    def test_columns_are_numbered(self, tmp_path: Path) -> None:
        for name, data in (
            ("a.csv", "p1,x\np2,x\np3,y\n"),
            ("a.tsv", "p1\tx\np2\tx\np3\ty\n"),
            ("a.txt", "p1;x\np2;x\np3;y\n"),
            ("b.csv", b"\xef\xbb\xbf\r\np1|x\r\np2|x\r\np3|y\r\n"),
            ("c.csv", "p1,x\np2,x\np3,y".encode("utf-16")),
            ("d.csv.gz", gzip.compress(b"p1,x\np2,x\np3,y")),
        ):
            path = written(tmp_path, name, data)
            assert plain(from_file(path, header=False)) == {"p1": "x", "p2": "x", "p3": "y"}
        swapped = from_file(path, header=False, element="2", cluster="1")
        assert swapped.overlapping  # x holds p1 and p2
        document = from_file(
            written(tmp_path, "e.csv", "d,p1,x\n"), header=False, document="1", element="2", cluster="3"
        )
        assert plain(document) == {("d", "p1"): "x"}

    @pytest.mark.parametrize("engine", ["arrays", "duckdb"])
    def test_scores(self, tmp_path: Path, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
        gold, pred = written(tmp_path, "gold.csv", "p1,x\np2,x\np3,y\np4,y\n"), str(tmp_path / "pred.parquet")
        pq.write_table(pa.table({"element": ["p4", "p3", "p2", "p1"], "cluster": [1, 1, 1, 2]}), pred)
        both = written(tmp_path, "both.csv", "p1,x,2\np2,x,1\np3,y,1\np4,y,1\n")
        expected = cs.elm(["x", "x", "y", "y"], [2, 1, 1, 1]).f
        for given in ([gold, pred], [both, "--gold", "2", "--pred", "3"]):
            with pytest.raises(SystemExit):
                main(["score", *given, "--no-header", "--engine", engine, "-m", "elm", "--format", "csv"])
            shown = capsys.readouterr().out
            assert f"elm,{expected}," in shown
            assert "|header:no|" in shown
        named: dict[str, Any] = {"gold": "2", "pred": "3", "engine": engine, "metrics": "elm"}
        for file, how in ((both, {"header": False}), (cs.File(both, header=False), {})):
            assert cs.score_table(file, **named, **how)["elm"].f == expected
        with pytest.raises(SystemExit):
            main(["score", gold, gold, "--engine", engine])
        assert "has 'p1', 'x'" in (message := capsys.readouterr().err)
        assert message.endswith("; if the first line is data, pass --no-header\n")

    def test_ids_from_1_on_are_no_heading(self, tmp_path: Path) -> None:
        bare = written(tmp_path, "bare.csv", "1;x\n2;x\n3;y\n")
        assert message_of(from_file, bare).endswith("; if the first line is data, pass header=False")
        assert plain(from_file(bare, header=False)) == {"1": "x", "2": "x", "3": "y"}

    @pytest.mark.parametrize(
        ("data", "expected"),
        [
            ("", "is empty"),
            ("p1,x\np2\n", "1 row without 2 fields as in the first line (e.g. line 2 has 1)"),
            ('p1,"x\n', "in the first line; check the quotes"),
            ("p1;x|y\n", "its first line has no comma, but semicolon (1) and bar (1)"),
            (b"p1,\xe9\n", "is not UTF-8: line 1"),
        ],
    )
    def test_mistakes(self, tmp_path: Path, data: str | bytes, expected: str) -> None:
        path = written(tmp_path, "a.csv", data)
        message = message_of(from_file, path, header=False)
        assert expected in message
        assert "header=False" not in message
        with_heading = message_of(from_file, written(tmp_path, "b.csv", "x,x\n1,1\n"))
        assert with_heading.endswith(
            "two columns called 'x'; rename one, or pass header=False if the first line is data"
        )

    def test_page_streams(self, tmp_path: Path) -> None:
        gold = written(tmp_path, "gold.csv", "s1,1\ns1,0\ns2,1\n")
        pred = written(tmp_path, "pred.json", '{"s2": [1], "s1": [1, 1]}')
        left, right = cs.Clustering.from_files(gold, pred, header=False, format="boundaries")
        segments = [[made.names[code] for code in made.codes] for made in (left, right)]
        assert segments == [[1, 1, 1], [1, 1, 2]]  # numbered in each stream


@pytest.mark.parametrize("way", ["tabs", "UTF-16", "feather", "no heading"])
def test_large_tables(tmp_path: Path, way: str) -> None:
    count = 40_000
    gold, pred = ([str(k * factor % modulus) for k in range(count)] for factor, modulus in ((7, 6_011), (11, 4_007)))
    usual = written(tmp_path, "t.csv", "gold,pred\n" + "".join(f"{a},{b}\n" for a, b in zip(gold, pred, strict=True)))
    options: dict[str, Any] = {"gold": "1", "pred": "2", "header": False} if way == "no heading" else {}
    if way == "feather":
        path = str(tmp_path / "t.feather")
        feather.write_feather(pa.table({"gold": gold, "pred": pred}), path)
    else:
        text = Path(usual).read_text().replace(",", "\t")
        text = text.partition("\n")[2] if way == "no heading" else text
        path = written(tmp_path, "t.tsv.csv", text.encode("utf-16" if way == "UTF-16" else "utf-8"))
    expected = cs.score(gold, pred, metrics="elm, bcubed, nmi").to_dict()["scores"]
    for engine in ("duckdb", "arrays"):
        scores = cs.score_table(path, metrics="elm, bcubed, nmi", engine=engine, **options).to_dict()["scores"]
        assert {name: score["value"] for name, score in scores.items()} == {n: e["value"] for n, e in expected.items()}
