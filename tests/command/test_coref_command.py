"""``clusterscore coref`` as a person uses it, and ``cs.coref`` behind it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

import clusterscore as cs
from clusterscore.command import main
from clusterscore.read.coreference import read_coreference
from running import run

MEASURES = cs.field("coreference").measures
NAMES = list(MEASURES)
# two documents; (1) twice in each, and a singleton of two tokens
KEY = {"a": ["(1)", "(2", "2)", "", "(1)"], "b": ["(1)", "(1)", "-"]}
NOTHING = {"a": ["-", "-", "-", "", "-"], "b": ["-", "-", "-"]}
OTHER = {"a": ["(5)", "-", "(6)", "", "(5)"], "b": ["(1)", "(2)", "(2)"]}


def conll(documents: dict[str, list[str]]) -> str:
    lines = []
    for name, cells in documents.items():
        lines.append(f"#begin document ({name}); part 000")
        lines += [f"{name} 0 {k} word {cell}" if cell else "" for k, cell in enumerate(cells)]
        lines += ["", "#end document"]
    return "\n".join(lines) + "\n"


FILES = {
    "key": conll(KEY), "nothing": conll(NOTHING), "other": conll(OTHER), "only_a": conll({"a": KEY["a"]}),
    "more": conll({**KEY, "c": ["(1)", "(1)"]}), "unclosed": conll({**KEY, "b": ["(1)", "(1", "-"]}),
    "empty": "", "blank": "\n\n",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        (tmp_path / f"{name}.conll").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Command:
    """What the command printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, *arguments: str, code: int = 0) -> tuple[str, str]:
        with pytest.raises(SystemExit) as left:
            main(["coref", *(f"{a}.conll" if a in FILES else a for a in arguments)])
        captured = self.capsys.readouterr()
        assert (left.value.code or 0) == code, captured.err
        assert "Traceback" not in captured.err
        return captured.out, captured.err

    def json(self, *arguments: str) -> Any:
        return json.loads(self(*arguments, "--format", "json")[0])

    def error(self, *arguments: str) -> str:
        out, err = self(*arguments, code=2)
        assert not out
        assert err.startswith("clusterscore: ")
        assert err.count("\n") == 1
        return err


@pytest.fixture
def coref(folder: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


def cells(text: str) -> dict[str, list[str]]:
    """The numbers of each metric, which papers call otherwise."""
    named = {name: line for name, label in MEASURES.items() for line in text.splitlines() if line.startswith(label)}
    return {name: line.removeprefix(MEASURES[name]).split() for name, line in named.items()}


def test_one_response(coref: Command) -> None:
    out, err = coref("key", "other")
    assert not err
    assert [line.split() for line in out.splitlines()[1:4]] == [
        ["documents", "2"], ["mentions", "5", "6"], ["entities", "3", "4"],
    ]  # fmt: skip
    rows = cells(out)
    assert list(rows) == NAMES
    # 4 of the key's 5 mentions, and of the response's 6
    assert rows["mentions"] == ["66.67", "80.00", "72.73"]
    # one link of two in the key, one of two in the response
    assert rows["muc"] == ["50.00", "50.00", "50.00"]
    assert len(rows["conll"]) == 1
    assert "avg:micro|missing:keep" in out


def test_the_command_is_the_function(coref: Command) -> None:
    printed, card = coref.json("key", "other"), cs.coref("key.conll", "other.conll")
    assert list(printed["scores"]) == list(card) == NAMES
    for name, score in card.items():
        assert printed["scores"][name] == score.to_dict()
    assert (printed["elements"], printed["documents"], printed["field"]) == (7, 2, "coreference")
    assert "warnings" not in printed
    assert printed["version"] == cs.__version__
    macro = cs.coref("key.conll", "other.conll", average="macro")
    assert {name: score.value for name, score in macro.items()} == {n: s.value for n, s in card.macro.items()}


def test_key_as_response(coref: Command) -> None:
    for row in cells(coref("key", "key")[0]).values():
        assert set(row) == {"100.00"}


def test_nothing_found(coref: Command) -> None:
    for pair in (("key", "nothing"), ("nothing", "key"), ("nothing", "nothing")):
        for row in cells(coref(*pair)[0]).values():
            assert set(row) == {"0.00"}
    card = cs.coref("nothing.conll", "nothing.conll")
    assert {score.value for score in card.values()} == {0}
    out, _ = coref("nothing", "nothing", "--by-document")
    assert "avg:micro" in out
    assert "part 000" not in out


@pytest.mark.parametrize("form", ["json", "csv"])
def test_nothing_on_either_side_in_full(coref: Command, form: str) -> None:
    out, _ = coref("nothing", "nothing", "--format", form)
    assert "muc" in out
    assert cs.coref("nothing.conll", "nothing.conll", average="macro")["muc"].value == 0


def test_responses_one_below_the_other(coref: Command) -> None:
    out, _ = coref("key", "other", "key", "nothing")
    alone = {name: cells(coref("key", name)[0]) for name in ("other", "key", "nothing")}
    lines = {row[0]: row[2:] for row in map(str.split, out.splitlines()) if row}
    for name, rows in alone.items():
        assert lines[name] == [row[-1] for row in rows.values()]
    printed = coref.json("key", "other", "nothing")
    assert list(printed["systems"]) == ["other", "nothing"]
    assert printed["systems"]["other"]["scores"] == coref.json("key", "other")["scores"]


def test_responses_of_one_name_in_two_folders(coref: Command, folder: Path) -> None:
    (folder / "x").mkdir()
    (folder / "x" / "other.conll").write_text(FILES["key"])
    out, _ = coref("key", "other", "x/other.conll")
    assert [line.split()[0] for line in out.splitlines() if "other.conll" in line][:2] == [
        "other.conll", "x/other.conll",
    ]  # fmt: skip


def test_data_sets(coref: Command, folder: Path) -> None:
    """A row for each file of two folders, and their mean, whatever they are called."""
    long = "a_language_with_a_name_that_is_far_too_long_for_any_table"
    for side, names in (("keys", ("key", "key")), ("found", ("other", "key"))):
        (folder / side).mkdir()
        for data_set, name in zip(("de", long), names, strict=True):
            (folder / side / f"{data_set}.conll").write_text(FILES[name])
    printed = coref.json("keys", "found")
    other = coref.json("key", "other")["scores"]
    assert printed["data_sets"]["de"]["scores"] == other
    assert printed["mean"]["scores"]["conll"]["value"] == pytest.approx((other["conll"]["value"] + 1) / 2, abs=1e-15)
    out, _ = coref("keys", "found")
    assert [line.split()[0] for line in out.splitlines()[:6] if "." in line] == [long, "de", "mean"]
    assert coref("keys", "found", "--fail-under", "mean: conll=90", code=1)[1].startswith(
        "clusterscore: mean: conll is"
    )
    assert "for files, not for folders" in coref.error("keys", "found", "--layout", "paper")
    assert "for one data set, not for folders" in coref.error("keys", "found", "--truncate")
    (folder / "keys" / "fr.conll").write_text(FILES["key"])
    assert "'fr.conll'" in coref.error("keys", "found")


def test_documents(coref: Command) -> None:
    lines = coref("key", "other", "--by-document")[0].splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("(a);"))
    assert [line.split()[0] for line in lines[first : first + 4]] == ["(a);", "(b);", "avg:micro", "avg:macro"]
    out = coref("key", "other", "--by-document", "--format", "csv")[0]
    rows = list(csv.DictReader(io.StringIO(out)))
    card = cs.coref("key.conll", "other.conll")
    for k, row in enumerate(rows):
        assert row["document"] == ("(a); part 000", "(b); part 000")[k]
        assert [float(row[name]) for name in NAMES] == [card.documents[name][k] for name in NAMES]
    assert len(rows) == 2
    means = [f"{100 * card.macro[name].value:.2f}" for name in NAMES]
    shown = lines[first + 3].split()[2:]
    assert shown == means[: len(shown)]
    by_document = coref.json("key", "other", "--by-document")["by_document"]
    assert [row["muc"] for row in by_document] == [float(row["muc"]) for row in rows]
    assert "one RESPONSE" in coref.error("key", "other", "nothing", "--by-document")


def test_formats(coref: Command) -> None:
    scores = coref.json("key", "other")["scores"]
    rows = list(csv.DictReader(io.StringIO(coref("key", "other", "--format", "csv")[0])))
    assert [row["metric"] for row in rows] == NAMES
    for row in rows:
        assert float(row["value"]) == scores[row["metric"]]["value"]
        assert row["signature"] == scores[row["metric"]]["signature"]
    markdown = coref("key", "other", "--format", "markdown")[0]
    assert "| MUC | 50.00 | 50.00 | 50.00 |" in markdown
    latex = coref("key", "other", "--format", "latex")[0]
    assert r"MUC & 50.00 & 50.00 & 50.00" in latex


def test_truncated(coref: Command) -> None:
    assert cells(coref("key", "other", "--truncate")[0])["mentions"][0] == "66.66"
    whole = coref.json("key", "other", "--by-document")
    assert coref.json("key", "other", "--by-document", "--truncate") == whole
    both = "--by-document", "--format", "csv"
    assert coref("key", "other", "--truncate", *both) == coref("key", "other", *both)
    card = cs.coref("key.conll", "other.conll")
    scores = [*zip(*(card.documents[name] for name in NAMES), strict=True)]
    scores += [[float(view[name]) for name in NAMES] for view in (card.micro, card.macro)]
    lines = coref("key", "other", "--by-document", "--truncate")[0].splitlines()[:-1]
    for name, row in zip(("(a);", "(b);", "avg:micro", "avg:macro"), scores, strict=True):
        shown = " ".join(line.partition(name)[2] for line in lines if line.startswith(name)).split()
        assert [number for number in shown if "." in number] == [f"{int(10000 * value) / 100:.2f}" for value in row]


def test_singletons_dropped(coref: Command) -> None:
    """What is left: 2 entities with 2 mentions each; in the response 5 in a and (2 2) in b."""
    scores = coref.json("key", "other", "--singletons", "drop")["scores"]
    mentions = scores["mentions"]
    assert (mentions["recall_numerator"], mentions["recall_denominator"], mentions["precision_denominator"]) == (
        3,
        4,
        4,
    )
    assert cs.coref("key.conll", "other.conll", singletons="drop")["mentions"].recall == 0.75


def test_metrics(coref: Command) -> None:
    printed = coref.json("key", "other", "-m", "lea, blanc(dialect=luo2014, links=document)", "--metrics", "bcub")
    assert list(printed["scores"]) == ["lea", "blanc(dialect=luo2014, links=document)", "b3"]
    assert list(cs.coref("key.conll", "other.conll", metrics=["muc", cs.metric("lea")])) == ["muc", "lea"]


def test_a_document_that_the_response_lacks(coref: Command) -> None:
    out, err = coref("key", "only_a")
    assert err.startswith("clusterscore: warning: ")
    assert err.count("\n") == 1
    assert "only_a.conll" in err
    assert "1 document" in err
    assert "(b); part 000" in err
    assert cells(out)["mentions"] == ["100.00", "60.00", "75.00"]
    with pytest.warns(cs.ClusterscoreWarning, match="1 document of the 2 in 'key.conll' missing"):
        card = cs.coref("key.conll", "only_a.conll")
    assert coref.json("key", "only_a")["warnings"] == card.warnings
    assert coref("key", "only_a", "--quiet")[1] == err  # progress is quiet, trouble is not
    assert "1 document" in coref.error("key", "only_a", "--strict")


def test_a_document_that_the_key_lacks(coref: Command) -> None:
    out, err = coref("key", "more")
    assert "(c); part 000" in err
    assert set(cells(out)["conll"]) == {"100.00"}
    assert "(c); part 000" in coref.error("key", "more", "--strict")
    with pytest.raises(cs.InputError, match="part 000"):
        cs.coref("key.conll", "more.conll", strict=True)


def test_an_unclosed_mention(coref: Command) -> None:
    out, err = coref("key", "unclosed")
    assert "unclosed.conll" in err
    assert "line " in err
    assert "(b); part 000" in err
    assert cells(out)["mentions"][:2] == ["100.00", "80.00"]
    assert "never closed" in coref.error("key", "unclosed", "--strict")


def test_a_warning_is_told_once(coref: Command) -> None:
    _, err = coref("unclosed", "key", "other")
    assert err.count("never closed") == 1


ERRORS = {
    "no file": (["key", "gone.conll"], "no file 'gone.conll'"),
    "no key": (["gone.conll", "key"], "no file 'gone.conll'"),
    "a folder": (["key", "."], "."),
    "an empty file": (["key", "empty"], "'empty.conll' is empty"),
    "an empty key": (["empty", "key"], "'empty.conll' is empty"),
    "a blank file": (["key", "blank"], "blank.conll"),
    "the same twice": (["key", "other", "other"], "'other.conll' is given twice"),
    "standard input twice": (["-", "-"], "standard input can be read only once"),
    "standard input twice among responses": (["key", "-", "-"], "standard input can be read only once"),
    "an unknown metric": (["key", "other", "-m", "mucc"], "unknown metric 'mucc': did you mean 'muc'?"),
    "an unknown metric, before a file is read": (["gone", "gone", "-m", "mucc"], "unknown metric"),
    "a metric that is not defined": (["key", "other", "-m", "ari"], "same mentions on both sides"),
    "no response": (["key"], "RESPONSE"),
    "singletons": (["key", "other", "--singletons", "some"], "'some'"),
    "a format": (["key", "other", "--format-in", "xml"], "'xml'"),
    "an option": (["key", "other", "--singleton-s"], "--singleton"),
}


@pytest.mark.parametrize("case", ERRORS)
def test_error(coref: Command, case: str) -> None:
    arguments, words = ERRORS[case]
    assert words in coref.error(*arguments)


def test_standard_input(coref: Command, folder: Path) -> None:
    expected = coref.json("key", "other")["scores"]
    for arguments, text in ((["key.conll", "-"], "other"), (["-", "other.conll"], "key")):
        done = run("coref", *arguments, "--format", "json", stdin=FILES[text], cwd=folder)
        assert (done.returncode, done.stderr) == (0, "")
        assert json.loads(done.stdout)["scores"] == expected
    done = run("coref", "key.conll", "-", stdin="", cwd=folder)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "empty" in done.stderr


CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any], str]] = {
    "clusters": (([{"a"}], [{"a"}]), {}, "paths of a key and a response, not a list; cs.conll takes clusterings"),
    "None": (("key.conll", None), {}, "not None"),
    "bytes": ((b"key.conll", "key.conll"), {}, "not a bytes"),
    "a number": ((3, "key.conll"), {}, "not an int"),
    "average": (("key.conll", "key.conll"), {"average": "median"}, "average='median'"),
    "match": (("key.conll", "key.conll"), {"match": "fuzzy"}, "match='fuzzy'"),
    "singletons": (("key.conll", "key.conll"), {"singletons": True}, "singletons=True"),
    "format": (("key.conll", "key.conll"), {"format": "xml"}, "xml"),
    "offsets": (("key.conll", "key.conll"), {"offsets": "bytes"}, "bytes"),
    "metrics": (("key.conll", "key.conll"), {"metrics": "mucc"}, "did you mean 'muc'"),
    "no metrics": (("key.conll", "key.conll"), {"metrics": 3}, "metric"),
}


@pytest.mark.parametrize("case", CALLS)
def test_wrong_calls(folder: Path, case: str) -> None:
    arguments, options, words = CALLS[case]
    with pytest.raises(cs.ClusterscoreError) as caught:
        cs.coref(*arguments, **options)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_paths_of_both_kinds(folder: Path) -> None:
    assert cs.coref(folder / "key.conll", "other.conll").to_dict() == cs.coref("key.conll", "other.conll").to_dict()


JSON_NAMES = {"a": False, "a_0": True, "a_00": False, "a_1": False, "(a); part 000": True}


@pytest.mark.parametrize("name", JSON_NAMES)
def test_documents_pair_across_formats(coref: Command, folder: Path, name: str) -> None:
    """Where none does, that is an error with a name of each side, and no score of 0."""
    (folder / "key.conll").write_text(
        "#begin document (a); part 000\na 0 0 w x (1)\na 0 1 w x (1)\n#end document;\n", encoding="utf-8"
    )
    line = {"doc_key": name, "sentences": [["w", "w"]], "clusters": [[[0, 0], [1, 1]]]}
    (folder / "response.jsonlines").write_text(json.dumps(line) + "\n", encoding="utf-8")
    if JSON_NAMES[name]:
        assert coref.json("key", "response.jsonlines")["scores"]["muc"]["f"] == 1
        return
    for files in (("key", "response.jsonlines"), ("response.jsonlines", "key")):
        error = coref.error(*files)
        assert "have no document in common" in error
        assert "'(a); part 000'" in error
        assert repr(name) in error


def test_the_end_of_a_document(coref: Command, folder: Path) -> None:
    """It is no token, in any of many documents."""
    ends = ["#end document", "#end document;", "# end document (a); part 000", ""]
    lines = [f"#begin document (d{k}); part 000\nx 0 0 w x (1)\nx 0 1 w x (1)\n{ends[k % 4]}\n" for k in range(20_000)]
    (folder / "key.conll").write_text("".join(lines), encoding="utf-8")
    assert coref.json("key", "key", "--strict")["scores"]["mentions"]["recall_denominator"] == 40_000
    assert {document.tokens for document in read_coreference("key.conll").documents.values()} == {2}


def test_the_layout_of_papers(coref: Command) -> None:
    """P, R and F1 under the names of papers, a row per response; JSON does not depend on how it is laid out."""
    paper = list(csv.DictReader(io.StringIO(coref("key", "other", "--layout", "paper", "--format", "csv")[0])))
    card = cs.coref("key.conll", "other.conll")
    assert [row["system"] for row in paper] == ["other"]
    assert float(paper[0]["B³ P"]) == card["b3"].precision
    assert float(paper[0]["CoNLL F1"]) == card["conll"].value
    both = coref("key", "other", "key", "--layout", "paper", "--format", "latex")[0]
    assert r"\multicolumn{3}{c}{CEAF$_{\phi_4}$}" in both
    assert r"\textbf{100.00} \\" in both
    assert coref.json("key", "other", "--layout", "paper") == coref.json("key", "other")
    assert "without --by-document" in coref.error("key", "other", "--layout", "paper", "--by-document")
