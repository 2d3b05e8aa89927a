"""Turns as people have them: lists, frames, mappings, Annotations of pyannote; and the regions of a UEM."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import clusterscore as cs

ROWS = [("r", 0, 2.5, "a"), ("r", 2, 4, "b"), ("s", 1, 3, "a")]
PRED = cs.Clustering.from_turns([("r", 0, 3, "x"), ("r", 3, 4, "y"), ("s", 1, 2, "x")])
COLUMNS = {name: [row[k] for row in ROWS] for k, name in enumerate(("recording", "start", "end", "speaker"))}
from_turns = cs.Clustering.from_turns


class Annotation:
    """What an Annotation of pyannote has."""

    def __init__(self, turns: list[tuple[Any, ...]]):
        self._turns = turns

    def itertracks(self, yield_label: bool) -> Iterator[tuple[Any, int, str]]:
        assert yield_label
        for k, (start, end, speaker) in enumerate(self._turns):
            yield SimpleNamespace(start=start, end=end), k, speaker


Annotation.__module__ = "pyannote.core.annotation"


def message_of(call: Any, *arguments: Any, **options: Any) -> str:
    with pytest.raises(cs.ClusterscoreError) as error:
        call(*arguments, **options)
    return str(error.value)


@pytest.mark.parametrize(
    "given",
    [
        ROWS, tuple(map(list, ROWS)), iter(ROWS), pd.DataFrame(COLUMNS), pl.DataFrame(COLUMNS),
        {"r": [row[1:] for row in ROWS[:2]], "s": [ROWS[2][1:]]},
        {"r": Annotation([row[1:] for row in ROWS[:2]]), "s": Annotation([ROWS[2][1:]])},
        [(name, str(start), Decimal(end), who) for name, start, end, who in ROWS],
        [*ROWS, ("s", 2, 2, "nobody")], pd.DataFrame(COLUMNS).rename(columns={"recording": "uri"}),
    ],
    ids=["rows", "lists", "iterator", "pandas", "polars", "mapping", "annotations", "texts", "empty turn", "uri"],
)  # fmt: skip
def test_all_kinds_are_the_same(given: Any) -> None:
    made = from_turns(given)
    assert cs.der(made, PRED) == cs.der(from_turns(ROWS), PRED)
    assert cs.elm(made, PRED) == cs.elm(from_turns(ROWS), PRED)


def test_one_recording_needs_no_name() -> None:
    sides = [(0, 2.5, "a"), (2, 4, "b")], [(0, 3, "x")]
    plain = cs.der(*map(from_turns, sides))
    assert cs.der(*map(Annotation, sides)) == plain  # understood by itself
    assert plain.value == pytest.approx(
        (1.5 + 0.5) / 4.5
    )  # b's last second, half a second of two, and half of b's that x has
    cut = [cs.der(*map(from_turns, sides), uem=uem).total for uem in ([(0, 2)], [SimpleNamespace(start=0, end=2)])]
    assert cut == [2.0, 2.0]
    assert str(from_turns(sides[0])) == "Clustering(400 elements by id, 3 clusters)"


def test_one_recording_has_the_name_that_the_others_give_it() -> None:
    gold, pred, uem = [(0, 2.5, "a"), (2, 4, "b")], [(0, 3, "x")], [(0, 2)]
    expected = cs.der(*map(from_turns, (gold, pred)), uem=uem)
    for names in product((None, "r"), repeat=3):
        sides = [given if name is None else {name: given} for name, given in zip(names, (gold, pred, uem), strict=True)]
        assert cs.der(*map(from_turns, sides[:2]), uem=sides[2]) == expected
    two = "does not say which of 2 documents it is (e.g. 'r'); name it"
    assert f"pred {two}" in message_of(cs.der, from_turns(ROWS), from_turns(pred))
    assert f"the UEM {two}" in message_of(cs.der, from_turns(ROWS), PRED, uem=uem)


def test_frames_are_made_where_they_are_asked_for() -> None:
    long = from_turns([(0, 90_000, "a")], step=0.0001)
    assert cs.der(long, from_turns([(0, 45_000, "x")], step=0.0001)).value == 0.5  # of 900 million frames
    short = from_turns([(0, 0.003, "a")])
    assert cs.der(short, from_turns([(0, 0.001, "x")])).value == pytest.approx(2 / 3)  # there is no frame at all
    assert "nothing for elm to score" in message_of(cs.elm, short, short)
    for other in (copy.copy(PRED), copy.deepcopy(PRED), pickle.loads(pickle.dumps(PRED))):
        assert cs.der(PRED, other).value == 0.0
        assert len(other) == 600
    with pytest.raises(AttributeError, match="has no 'label'"):
        PRED.label  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([(1, 2)], "or a list of (start, end, speaker) or (rec"), ([(0, 1, "a"), ("r", 0, 1, "a")], "the same for all"),
        (7, "speaker), not 7"), ([Annotation([(0, 1, "a")])], "several Annotations are a mapping recording ->"),
        ("talk.rttm", "turns are a frame"), ([(0, 1, None)], "without a speaker"),
        ([(None, 0, 1, "a")], "without a recording"), ([(0, 1, ["a"])], "must be hashable"),
        ([(2, 1, "a")], "starts at 2"),
        ([(-1, 1, "a")], "turn 0: the start '-1' is not a number of seconds"), ([(True, 1, "a")], "the start 'True'"),
        ([(0, float("nan"), "a")], "the end 'nan'"), ([(0, float("inf"), "a")], "the end 'inf'"),
        ([(0, "1e99999", "a")], "the end '1e99999'"), ([(0, None, "a")], "the end 'None'"),
        ([(0, "1_0", "a")], "the end '1_0' is not a number of seconds"),
        (pd.DataFrame({"start": [0], "stop": [1], "speaker": ["a"]}), "this one has start, stop, speaker"),
    ],
)  # fmt: skip
def test_no_turns(given: Any, message: str) -> None:
    assert message in message_of(from_turns, given)


def test_turns_in_a_table(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("recording,start,end,speaker\nr,0,1,a\n")
    assert "'t.csv' has turns, which are read from RTTM" in message_of(cs.der, tmp_path / "t.csv", PRED).replace(
        f"{tmp_path}/", ""
    )


def test_options_of_frames() -> None:
    assert "is not a length in seconds" in message_of(from_turns, ROWS, step=0)
    assert "frames='first' is not an option" in message_of(from_turns, ROWS, frames="first")
    assert "pass the same step=" in message_of(cs.elm, from_turns(ROWS, step=0.1), PRED)
    assert "pass the same step=" in message_of(cs.elm, from_turns(ROWS, frames="dscore"), PRED)


@pytest.mark.parametrize(
    ("uem", "message"),
    [
        ("r 1 0\n", "line 1 has 3 fields; a line of a UEM has 4"), ("r 1 0 x\n", "line 1: the end 'x'"),
        (";; no\nr 1 2 1\n", "line 2: it starts at 2 and ends at 1"), (";; nothing\n", "the UEM has no region"),
        ("t 1 0 9\n", "UEM: it has 't', not 'r'; give them the same names"), (5, "(recording, start, end), not 5"),
        ({"r": [(1, 2, 3)]}, "a UEM is a file, a mapping"), ({"r": 3}, ", not 3"), ({"r": [(1, 1)]}, "region 0"),
        ([], "the UEM has no region"), ("gone.uem", "gone.uem"), ("\n", "the UEM has no region; leave out uem="),
    ],
)  # fmt: skip
def test_no_regions(uem: Any, message: str, tmp_path: Path) -> None:
    if isinstance(uem, str) and "\n" in uem:
        (tmp_path / "u.uem").write_text(uem)
        uem = tmp_path / "u.uem"
    assert message in message_of(cs.der, from_turns(ROWS), PRED, uem=uem)


def test_a_float_may_be_a_sum() -> None:
    """Turns that touch are one, whose seam has no collar."""
    turns = [(0, 0.1 + 0.2, "a"), (0.3, 3600.1 + 0.2, "a"), (np.float32(0.3), 0.6, "b")]
    exact = [("0", "0.3", "a"), ("0.3", "3600.3", "a"), ("0.3", "0.6", "b")]
    pred = [("0", "1.1", "x"), ("1.1", "4000", "y")]
    both = [cs.der(from_turns(gold), from_turns(pred), collar=0.05) for gold in (turns, exact)]
    assert (both[0], both[0].total) == (both[1], 3600.0 + 0.2)


def test_a_field_with_turns_takes_them_as_they_are() -> None:
    by_recording = {name: [row[1:] for row in ROWS if row[0] == name] for name in "rs"}
    expected = cs.score(from_turns(ROWS), PRED, metrics="der, jer")
    for given in (ROWS, list(map(list, ROWS)), by_recording, pd.DataFrame(COLUMNS), pl.DataFrame(COLUMNS)):
        assert dict(cs.score(given, PRED, metrics="der, jer", field="diarization")) == dict(expected)
    assert cs.der(pd.DataFrame(COLUMNS), PRED) == expected["der"]  # a frame of turns can be nothing else
    assert cs.der({"r": Annotation(by_recording["r"]), "s": Annotation(by_recording["s"])}, PRED) == expected["der"]
    with pytest.warns(cs.ClusterscoreWarning, match="2 recordings only in gold"):
        assert cs.score(ROWS, [], field="diarization")["der"].value == 1.0
    assert cs.score([(0, 1, "a")], [], field="diarization")["der"].value == 1.0
    assert cs.der(ROWS, PRED) == expected["der"]  # a measure of turns takes rows for nothing else
    with pytest.raises(cs.InputError, match="needs to know who speaks when"):
        cs.score(ROWS, ROWS, metrics="der")  # labels that are tuples, elsewhere


def test_regions(tmp_path: Path) -> None:
    path = tmp_path / "u.uem"
    path.write_text(";; made by hand\nr 1 0.0 2\nr 1 1.5 2.25\n\ns 1 1 2\n")
    gold = from_turns(ROWS)
    expected = cs.der(gold, PRED, uem={"r": [(0, 2.25)], "s": [(1, 2)]})
    assert expected.total == 3.5
    given = [("r", Fraction(0), 1), ("r", 1, 2.25), ("s", 1, 2)]
    for uem in (path, str(path), given):
        assert cs.der(gold, PRED, uem=uem) == expected
    for name in "rs":
        lines = path.read_text().splitlines()
        (tmp_path / f"{name}.uem").write_text("\n".join(line for line in lines if line.startswith(name)))
    assert cs.der(gold, PRED, uem=tmp_path / "[rs].uem") == expected
    assert "or all of a kind as" in (folder := message_of(cs.der, gold, PRED, uem=tmp_path))
    assert folder.endswith("*.uem'")
    with pytest.warns(cs.ClusterscoreWarning, match=r"1 document not in the UEM \(e.g. 's'\), and left out"):
        assert cs.der(gold, PRED, uem={"r": [(0, 2)]}).total == 2.0
    # what nobody speaks in counts as well: 1 s of false alarm
    alone = {"r": [(0, 2.25)], "s": [(1, 2)], "t": [(0, 9)]}
    with pytest.warns(cs.ClusterscoreWarning, match=r"1 document of the UEM in neither gold nor pred \(e.g. 't'\)"):
        card = cs.score(gold, PRED, metrics="der, elm", uem=alone)
    assert (card["der"], card.table.elements) == (expected, 225 + 100 + 900)


FINE = [(0, 60, "a"), (60, 90, "b"), (90, 99, "a")]
THOUSAND = [(1000 * start, 1000 * end, who) for start, end, who in FINE]


@pytest.mark.parametrize(
    ("gold", "pred", "options", "message"),
    [
        (FINE, THOUSAND, {}, "pred ends at 99,000 s and gold at 99 s; if one of them has milliseconds"),
        (FINE, FINE[:1], {"uem": [(0, 99_000)]}, "the UEM ends at 99,000 s and gold at 99 s; if one"),
        (FINE, FINE[:1], {"uem": [(99, 120)]}, "nobody speaks in gold in the regions of the UEM"),
        ([(0, 180_000, "a")], [(0, 170_000, "a")], {}, "gold ends at 180,000 s, after 50 hours; times are seconds"),
        (FINE, [(k, 2 * k + 9, "x") for k in range(9)], {}, "8 of 9 turns of pred begin within another of the same"),
        (FINE, FINE[:1], {"collar": 60}, "der(collar=60) leaves out all speech of gold"),
        (FINE, FINE[:1], {"collar": 0.5, "dialect": "pyannote"}, "calls collar=0.5 is collar=0.25 here"),
    ],
)  # fmt: skip
def test_times_that_are_probably_not_meant(gold: Any, pred: Any, options: dict[str, Any], message: str) -> None:
    with pytest.warns(cs.ClusterscoreWarning) as caught:
        cs.der(from_turns(gold), from_turns(pred), **options)
    assert [message in str(warning.message) for warning in caught] == [True]


@pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")
def test_each_recording_is_silent_on_one_side() -> None:
    gold, pred = from_turns([("r", 0, 2, "a")]), from_turns([("s", 0, 3, "x")])
    names = "(gold has 'r'; pred has 's'); give them the same names, or name all in uem= if the other is silent there"
    for options in ({}, {"uem": {"r": [(0, 9)]}}):
        assert names in message_of(cs.der, gold, pred, **options)
    assert cs.der(gold, pred, uem={"r": [(0, 9)], "s": [(0, 9)]}).value == 2.5


@pytest.mark.filterwarnings("ignore::clusterscore.ClusterscoreWarning")
def test_nobody_speaks(tmp_path: Path) -> None:
    paths = [tmp_path / "a.rttm", tmp_path / "b.rttm"]
    paths[0].write_text("SPEAKER r 1 0 2 <NA> <NA> a <NA> <NA>\n")
    paths[1].write_text("")
    assert (cs.der(*paths).value, cs.jer(*paths).value, cs.speaker_coverage(*paths).value) == (1.0, 1.0, 0.0)
    assert (cs.der(*paths[::-1]).value, cs.der(*paths[::-1], dialect="dscore").value) == (1.0, 0.0)
    assert "there is no document to evaluate" in message_of(cs.der, paths[1], paths[1])
    assert cs.der(paths[1], paths[1], uem={"r": [(0, 3)]}).value == 0.0
