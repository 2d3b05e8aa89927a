"""What only Spark has: a cluster that keeps the rows, Java, files that others read otherwise."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import clusterscore as cs
from engines.cases import FEW, documents, same, shuffled
from engines.makers import WAYS, needs_spark, spark
from engines.scoring import refused, score_two, tables


def test_without_pyspark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "pyspark"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pyspark", None)
    made = WAYS["csv"].make({"gold": [1], "pred": [1]}, tmp_path / "table")
    for table in (made, "there is no such file.csv", pd.DataFrame({"gold": [1], "pred": [1]})):
        message = refused(
            lambda table=table: cs.score_table(table, engine="spark"), 'pip install "clusterscore[spark]"'
        )
        assert "pyspark" in message
    with pytest.raises(cs.EngineError):
        cs.score_table(made, engine="spark")


@needs_spark
def test_without_java(tmp_path: Path) -> None:
    """In a process of its own: here Java is running already."""
    for name in ("bash", "sh", "env", "dirname", "basename", "uname", "ps", "grep", "cat", "realpath", "readlink"):
        if program := shutil.which(name):
            (tmp_path / name).symlink_to(program)
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("JAVA", "SPARK", "PYSPARK"))
    }
    environment |= {"PATH": str(tmp_path), "JAVA_HOME": str(tmp_path / "nothing")}
    code = (
        "import clusterscore as cs\n"
        "try: cs.score_table('table.csv', engine='spark')\n"
        "except cs.EngineError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert "Java 17" in done.stdout
    assert "JAVA_HOME" in done.stdout
    assert done.stdout.count("\n") == 1


@pytest.fixture
def travelled(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows came to the driver, each time that some did."""
    kind = type(spark().range(1))
    seen: list[int] = []

    def counted(name: str) -> None:
        original = getattr(kind, name)

        def watched(self: Any, *given: Any, **more: Any) -> Any:
            rows = original(self, *given, **more)
            seen.append(len(rows) if hasattr(rows, "__len__") else rows.num_rows)
            return rows

        monkeypatch.setattr(kind, name, watched)

    def refused(self: Any, *given: Any, **more: Any) -> Any:
        raise AssertionError("rows travel one by one")

    for name in ("collect", "toPandas", "toArrow", "take"):
        if hasattr(kind, name):
            counted(name)
    for name in ("toLocalIterator", "foreach", "foreachPartition"):
        monkeypatch.setattr(kind, name, refused)
    return seen


@pytest.fixture
def clean() -> Iterator[None]:
    """Nothing stays in the cluster's memory."""
    yield
    assert spark().sparkContext._jsc.getPersistentRDDs().size() == 0
    assert spark()._jsparkSession.sharedState().cacheManager().isEmpty()


@needs_spark
@pytest.mark.usefixtures("clean")
def test_only_the_small_table_travels(travelled: list[int]) -> None:
    size = 40_000
    ids = np.arange(size)
    gold, pred = ids // 8, (ids + ids % 3) // 10
    rows = (
        spark().range(size).selectExpr("id", "concat('g', cast(id div 8 as string)) gold", "(id + id % 3) div 10 pred")
    )
    same(cs.score_table(rows, metrics=FEW), cs.score(gold, pred, metrics=FEW))
    assert len(travelled) >= 2
    assert sum(travelled) < size / 20
    del travelled[:]
    left = rows.selectExpr("id as element", "gold as cluster")
    right = rows.filter("id % 100 != 0").selectExpr("id as element", "pred as cluster")
    expected = cs.score(
        dict(enumerate(gold)), {k: label for k, label in enumerate(pred) if k % 100}, metrics="elm", missing="singleton"
    )
    same(cs.score_table(gold_table=left, pred_table=right, metrics="elm", missing="singleton"), expected)
    with pytest.raises(cs.ElementMismatch, match=r"400 elements are only in gold \(e.g. 0\)"):
        cs.score_table(gold_table=left, pred_table=right, metrics="elm")
    assert sum(travelled) < size / 20


@needs_spark
@pytest.mark.usefixtures("clean")
def test_what_fails_leaves_nothing_in_memory() -> None:
    frame = spark().createDataFrame([("a", 1), (None, 1)], "gold string, pred long")
    refused(lambda: cs.score_table(frame, metrics=["elm", "purity"]), "gold has 1 element with no label")
    fails = spark().range(3).selectExpr("raise_error('no such\n label') as gold", "id as pred")
    refused(lambda: cs.score_table(fails, metrics=["elm", "purity"]), "Spark could not count this: no such label")


@needs_spark
@pytest.mark.usefixtures("clean")
def test_the_usual_settings_of_spark() -> None:
    """The other tests do without what pays on large data only."""
    given = documents()
    metrics = "elm, purity_f, adjusted_rand"
    expected = cs.score(given["gold"], given["pred"], documents=given["document"], metrics=metrics)
    names = ("spark.sql.adaptive.enabled", "spark.sql.codegen.wholeStage")
    before = {name: spark().conf.get(name) for name in names}
    for name in names:
        spark().conf.set(name, "true")
    try:
        frame = WAYS["spark partitions"].make(shuffled(given), Path())
        same(cs.score_table(frame, document="document", metrics=metrics), expected)
    finally:
        for name, value in before.items():
            spark().conf.set(name, value)


@needs_spark
def test_the_session_is_left_as_it_is(tmp_path: Path) -> None:
    made = WAYS["csv"].make({"gold": [1, 1], "pred": [1, 2]}, tmp_path / "table")
    views, settings = spark().catalog.listTables(), dict(spark().sparkContext.getConf().getAll())
    cs.score_table(made, engine="spark", metrics="elm")
    assert spark().range(3).count() == 3
    assert (spark().catalog.listTables(), dict(spark().sparkContext.getConf().getAll())) == (views, settings)


@needs_spark
@pytest.mark.usefixtures("clean")
def test_what_is_wrong_with_ids(tmp_path: Path) -> None:
    def join(ids: list[Any], more: list[Any], missing: str = "error", **columns: Any) -> Any:
        document = "document" if "gold_document" in columns else None
        options = {"missing": missing, "metrics": "blanc", "document": document}
        return lambda: score_two("spark", *tables(ids, more, **columns), tmp_path, **options)

    refused(join(["é", "b"], ["b"]), "1 element is only in gold (e.g. 'é')", 'missing="drop"')
    refused(join(["a", "a", "b"], ["a", "b"]), "1 element in more than one row of gold (e.g. 'a')")
    refused(join(["a"], ["a", "z", "z"], "keep"), "1 element in more than one row of pred (e.g. 'z')")
    refused(join(["a", None], ["a", None]), "without an id")
    refused(join(["a", "b"], ["a", "b"], pred_cluster=[None, None]), "pred has 2 elements with no label")
    refused(join(["a"], ["a"], gold_document=[None], pred_document=[None]), "without a document")
    refused(join(["1"], [1.5]), "the element ids are text in gold and numbers in pred")
    assert join(["1", "2"], [2, 1])() is not None  # integers are text where the other side's ids are


@needs_spark
def test_what_is_wrong_with_frames() -> None:
    def frame(rows: list[Any], schema: str) -> Any:
        return spark().createDataFrame(rows, schema)

    flat = frame([("a", 1)], "gold string, pred long")
    refused(lambda: cs.score_table(flat, gold="glod"), "did you mean 'gold'?")
    refused(lambda: cs.score_table(flat.limit(0), metrics="elm"), "empty", "nothing to score")
    refused(lambda: cs.score_table(frame([([1], 1)], "gold array<long>, pred long")), "column 'gold'", "lists")
    refused(lambda: cs.score_table(frame([({"a": 1}, 1)], "gold map<string, long>, pred long")), "gold")
    refused(lambda: cs.score_table(frame([((1,), 1)], "gold struct<a: long>, pred long")), "column 'gold'", "Struct")
    refused(lambda: cs.score_table(flat, memory_limit="2GB"), "memory_limit= is for DuckDB")
    refused(lambda: cs.score_table(flat, engine="duckdb"), "pyspark")
    refused(lambda: cs.score_table(pd.DataFrame({"gold": [1], "pred": [1]}), engine="spark"), "spark.createDataFrame")
    refused(lambda: cs.score_table([1, 2], engine="spark"), "a table is a frame", "list")
    refused(lambda: cs.score_table(gold_table=flat, pred_table=pd.DataFrame({"element": [1]})), "pyspark and pandas")
    refused(lambda: cs.score_table(flat, metrics="set_matching"), 'engine="arrays"')
    assert cs.score_table(flat, metrics="set_matching", engine="arrays")["set_matching"].value == 1


@needs_spark
def test_numbers_of_any_width_match() -> None:
    frames = [
        spark()
        .createDataFrame([(1, 1), (2, 1)], "element long, cluster long")
        .selectExpr(f"cast(element as {kind}) element", "cluster")
        for kind in ("tinyint", "bigint", "double")
    ]
    for gold, pred in pairwise(frames):
        assert cs.score_table(gold_table=gold, pred_table=pred, metrics="elm")["elm"].value == 1


# as DuckDB reads them: blanks around a cell go, what is empty is null, quotes hold anything
TEXTS = {
    "blanks.csv": 'gold,pred\n" a ",1\na,1\n"",2\n  ,2\n\tb\t,3\nb,3\n"b\u00a0",3\n',
    "semicolons.csv": "gold;pred\na;1\na;1\nb;1\n",
    "mark.csv": "\ufeffgold,pred\na,1\na,1\n",
    "windows.csv": "gold,pred\r\na,1\r\na,1\r\nb,2\r\n",
    "quotes.csv": 'gold,pred\n"a,""b""",1\n"a,""b""",1\n"two\nlines",2\n',
    "empty lines.csv": "\n\ngold,pred\na,1\n\na,1\nb,1\n",
    "names.csv": ' gold ,"pred",other\na,1,x\nb,1,y\n',
    "values.jsonl": '{"gold": "a", "pred": 1}\n{"pred": true, "gold": "a"}\n{"gold": "", "pred": null}\n',
    "more.jsonl": '{"gold": "1", "pred": 1.5}\n{"gold": 1, "pred": 1.5, "other": [1]}\n\n{"gold": " 1", "pred": "x"}\n',
}


@needs_spark
def test_files_are_read_as_duckdb_reads_them(tmp_path: Path) -> None:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text, encoding="utf-8", newline="")
        card, expected = (
            cs.score_table(tmp_path / name, metrics=["elm"], noise=[None], engine=engine)
            for engine in ("spark", "duckdb")
        )
        assert card.to_dict() == expected.to_dict(), name


BROKEN = {
    "ragged.csv": (b"gold,pred\na,1\na\n", ["ragged.csv", "fields"]),
    "open.csv": (b'gold,pred\n"a,1\nb,2\n', ["open.csv", "quote"]),
    "empty.csv": (b"", ["empty.csv", "empty"]),
    "heading.csv": (b"gold,pred\n", ["empty"]),
    "latin.csv": ("gold,pred\né,1\nè,2\n".encode("latin1"), ["latin.csv", "UTF-8"]),
    "broken.jsonl": (b'{"gold": "a", "pred": 1}\n{"gold":\n', ["JSON"]),
    "empty.jsonl": (b"", ["empty.jsonl", "empty"]),
    "nested.jsonl": (b'{"gold": [1], "pred": 1}\n', ["gold"]),
    "broken.parquet": (b"PAR1 nothing", ["broken.parquet", "Parquet"]),
    "no.labels": (b"1\n2\n", ["no.labels", "format="]),
}


@needs_spark
def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for name, (data, words) in BROKEN.items():
        (tmp_path / name).write_bytes(data)
        refused(lambda name=name: cs.score_table(tmp_path / name, metrics="elm", engine="spark"), *words)
    for name in ("no such.csv", "no such.parquet", "none-*.csv"):
        refused(
            lambda name=name: cs.score_table(tmp_path / name, metrics="elm", engine="spark"), name.partition(" ")[0]
        )
    for k, text in enumerate(["gold,pred\na,1\n", "pred,gold\n1,a\n"]):
        (tmp_path / f"part-{k}.csv").write_text(text)
    refused(lambda: cs.score_table(tmp_path / "part-*.csv", metrics="elm", engine="spark"), "part-", "heading")


@needs_spark
def test_a_folder_of_files(tmp_path: Path) -> None:
    """As Spark writes them, with parts that have no rows."""
    given = documents()
    expected = cs.score(given["gold"], given["pred"], documents=given["document"], metrics="elm")
    frame = WAYS["spark partitions"].make(given, Path())
    for form in ("parquet", "csv"):
        folder = tmp_path / f"table.{form}"
        frame.write.option("header", True).format(form).save(str(folder))
        assert len(list(folder.glob("part-*"))) > 1
        same(cs.score_table(folder, document="document", metrics="elm", engine="spark"), expected)
        pattern = str(folder / f"*.{form}")
        same(cs.score_table(pattern, document="document", metrics="elm"), expected)


@needs_spark
def test_columns_with_a_dot() -> None:
    """Which is a field of a struct elsewhere in Spark."""
    frame = spark().createDataFrame([("a", 1), ("a", 2)], "`gold.label` string, pred long")
    assert cs.score_table(frame, gold="gold.label", metrics="elm")["elm"] == cs.elm(["a", "a"], [1, 2])


@needs_spark
def test_progress_is_silent_without_a_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    frame = spark().createDataFrame([("a", 1), ("a", 2)], "gold string, pred long")
    capfd.readouterr()
    cs.score_table(frame, progress=True, metrics="elm")
    assert capfd.readouterr() == ("", "")
