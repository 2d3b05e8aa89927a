"""Scorecard: the same scores as text, JSON, CSV, Markdown, LaTeX and frames."""

from __future__ import annotations

import json

import numpy as np
import pytest

import clusterscore as cs
from clusterscore.screen import Screen
from clusterscore.show.grid import Grid

GOLD, PRED = ["a", "a", "b", "b", "c"], [0, 0, 1, 2, 2]
DOCUMENTS = ["d", "d", "e", "e", "e"]
ASKED = ["elm", "bcubed(beta=2)", "ari", "alphamax"]
STORED = ["elm", "bcubed(beta=2)", "adjusted_rand", "alphamax_bcubed"]


@pytest.fixture
def card() -> cs.Scorecard:
    return cs.score(GOLD, PRED, metrics=ASKED)


@pytest.fixture
def macro() -> cs.Scorecard:
    return cs.score(GOLD, PRED, metrics=ASKED, documents=DOCUMENTS, average="macro")


def test_the_default_set() -> None:
    assert list(cs.score(GOLD, PRED)) == [
        "elm", "bcubed", "adapted_bcubed", "alphamax_bcubed", "blanc", "pairwise", "adjusted_rand", "nmi",
    ]  # fmt: skip


def test_lookup(card: cs.Scorecard) -> None:
    assert list(card) == STORED
    assert len(card) == 4
    assert card["ari"] == card["adjusted_rand"] == card[cs.metric("ari")] == cs.adjusted_rand(GOLD, PRED)
    assert card["bcubed"] == card["bcubed(beta=2.0)"] == cs.bcubed(GOLD, PRED, beta=2)
    assert "alphamax" in card
    assert "rand" not in card
    assert "no metric" not in card
    with pytest.raises(KeyError, match="rand was not scored"):
        card["rand"]
    assert card.get("rand") is None


def test_two_of_one_name_need_their_parameters() -> None:
    card = cs.score(GOLD, PRED, metrics=["bcubed(beta=2)", "bcubed(beta=3)"])
    with pytest.raises(KeyError, match="bcubed was not scored"):
        card["bcubed"]
    assert card["bcubed(beta=3)"] == card["bcubed(beta=3.0)"] == cs.bcubed(GOLD, PRED, beta=3)


def test_text(card: cs.Scorecard) -> None:
    head, scores, foot = str(card).split("\n\n")
    facts = [line.split() for line in head.splitlines()]
    assert facts == [["gold", "predicted"], ["elements", "5", "5"], ["clusters", "3", "3"], ["singletons", "1", "1"]]
    heading, rule, *rows = scores.splitlines()
    assert heading.split() == ["metric", "P", "R", "score"]
    assert set(rule) == {"-"}
    assert [row.split()[0] for row in rows] == ["elm", "bcubed(beta=2)", "adjusted_rand", "alphamax_bcubed"]
    assert rows[0].split()[1:] == ["0.6000", "0.6000", "0.4000"]
    assert rows[2].split() == ["adjusted_rand", f"{card['ari'].value:.4f}"]
    assert foot.splitlines() == [
        "elm|f:mean|beta:1, bcubed|f:mean|beta:2,",
        "alphamax_bcubed|alpha:auto|delta:none|beta:1|reading:marginal",
        f"avg:micro|missing:error|v:{cs.__version__}",
    ]
    assert repr(card) == str(card)
    assert "0.4000   f:mean|beta:1\n" in card.grid().to_text(Screen(100))


def test_text_of_documents(macro: cs.Scorecard) -> None:
    assert ["documents", "2"] in [line.split() for line in str(macro).splitlines()]
    assert "std" in str(macro)
    assert f"{macro['elm'].std:.4f}" in str(macro)
    assert str(macro).endswith(f"avg:macro|missing:error|documents:given|v:{cs.__version__}")


def test_thousands_are_separated() -> None:
    assert "1,234" in str(cs.score([0] * 1234, [0] * 1234, metrics="elm"))


def test_json(card: cs.Scorecard, macro: cs.Scorecard) -> None:
    plain = json.loads(card.to_json())
    assert {"scores", "elements", "documents", "version"} <= plain.keys()
    assert (plain["elements"], plain["documents"], plain["version"]) == (5, 1, cs.__version__)
    assert list(plain["scores"]) == STORED
    elm = card["elm"]
    assert plain["scores"]["elm"] == {
        "value": elm.value, "precision": elm.precision, "recall": elm.recall, "f": elm.f, "signature": elm.signature,
    }  # fmt: skip
    assert plain["scores"]["adjusted_rand"]["f"] is None
    assert plain["scores"]["alphamax_bcubed"]["alpha_hat"] == card["alphamax"].alpha_hat
    assert card.to_dict() == plain
    averaged = json.loads(macro.to_json())
    assert (averaged["documents"], averaged["scores"]["elm"]["std"]) == (2, macro["elm"].std)


def test_rows(macro: cs.Scorecard) -> None:
    rows = macro.records()
    assert list(rows[0]) == ["metric", "value", "precision", "recall", "f", "std", "signature"]
    assert [row["metric"] for row in rows] == STORED
    for row in rows:
        score = macro[row["metric"]]
        assert row == {"metric": row["metric"], **{name: getattr(score, name) for name in list(row)[1:]}}


def test_latex_escapes_all_that_it_must() -> None:
    body = Grid([r"a_b"], [["50% & $x^2$ #1 {~} \\"]]).to_latex().splitlines()
    assert body[2] == r"a\_b \\"
    assert body[4] == r"50\% \& \$x\textasciicircum{}2\$ \#1 \{\textasciitilde{}\} \textbackslash{} \\"


def test_latex_bars_and_angles() -> None:
    """In LaTeX's default encoding a bare | prints as a dash, < and > as Spanish marks."""
    body = Grid(["h"], [["a|b<c>"]]).to_latex().splitlines()[4]
    assert body == r"a\textbar{}b\textless{}c\textgreater{} \\"


@pytest.mark.parametrize("form", ["to_latex", "to_markdown", "__str__"])
def test_a_line_break_in_a_noise_label_does_not_break_the_line(form: str) -> None:
    plain, broken = (cs.score(GOLD, PRED, metrics="elm", noise=label) for label in ("xy", "x\ny"))
    assert len(getattr(broken, form)().splitlines()) == len(getattr(plain, form)().splitlines())


def test_documents(macro: cs.Scorecard) -> None:
    rows = macro.documents
    assert rows["document"].tolist() == ["d", "e"]
    assert rows["elements"].tolist() == [2, 3]
    alone = [cs.elm(GOLD[:2], PRED[:2]), cs.elm(GOLD[2:], PRED[2:])]
    assert rows["elm"].tolist() == [score.f for score in alone]
    assert rows["elm.precision"].tolist() == [score.precision for score in alone]
    assert rows["elm.recall"].tolist() == [score.recall for score in alone]
    assert "alphamax_bcubed.alpha_hat" in rows
    assert "adjusted_rand.precision" not in rows
    assert len(rows) == 2
    assert rows.head(1).rows()[0][:2] == ("d", 2)
    assert repr(rows).splitlines()[0].split()[:2] == ["document", "elements"]


def test_both_averages(macro: cs.Scorecard, card: cs.Scorecard) -> None:
    assert macro.average == "macro"
    assert macro["elm"] == macro.macro["elm"]
    assert macro.micro["elm"] == cs.elm(GOLD, PRED, documents=DOCUMENTS)
    assert macro["elm"].std == pytest.approx(np.std(macro.documents["elm"], ddof=1))
    assert card.macro["elm"].value == card["elm"].value
    assert card.macro["elm"].std is None


def test_documents_and_labels_of_any_kind_can_be_shown() -> None:
    for names in ([(1, 2), (3, 4)], [(1,), (1, 2)], ["d", 1], [1.5, 2.5], [2**70, 1], [frozenset({1}), "x"]):
        first, second = names
        rows = cs.score([0, 0, 1], [0, 1, 1], metrics="elm", documents=[first, first, second]).documents
        assert set(rows["document"].tolist()) == set(names)
        shown = cs.elements(cs.Clustering.from_labels([first, first, second]), [0, 1, 1])
        assert shown["gold"].tolist() == [first, first, second]


def test_elements() -> None:
    rows = cs.elements({"x": "g", "y": "g", "z": "h"}, {"z": 1, "y": 1, "x": 2}, metric="bcubed")
    by_id = {row[0]: dict(zip(rows, row, strict=True)) for row in rows.rows()}
    assert list(by_id) == ["x", "y", "z"]
    assert by_id["y"] == {
        "element": "y", "gold": "g", "pred": 1, "gold_size": 2, "pred_size": 2,
        "tp": 1, "fp": 1, "fn": 1, "precision": 0.5, "recall": 0.5, "f": 0.5, "loss": 0.5 / 3,
    }  # fmt: skip
    for name in ("elm", "bcubed", "elm(beta=2)"):
        assert cs.elements(GOLD, PRED, metric=name)["f"].mean() == pytest.approx(cs.metric(name)(GOLD, PRED).f)


def test_elements_with_documents_and_policies() -> None:
    rows = cs.elements([0, 0, -1], [0, 0, 0], documents=["d", "e", "e"], noise=-1)
    assert rows["document"].tolist() == ["d", "e", "e"]
    assert rows["gold_size"].tolist() == [1, 1, 1]
    assert rows["pred_size"].tolist() == [1, 2, 2]


def test_long_tables_are_cut() -> None:
    text = repr(cs.elements(range(1000), range(1000)))
    assert text.endswith("... 1,000 rows")
    assert len(text.splitlines()) < 30


def test_score_as_text_and_number() -> None:
    score = cs.elm(GOLD, PRED)
    assert str(score) == f"elm {score.f:.4f} (P {score.precision:.4f}, R {score.recall:.4f})"
    assert str(cs.rand(GOLD, PRED)) == f"rand {cs.rand(GOLD, PRED).value:.4f}"
    assert float(score) == score.value
    assert cs.alphamax_bcubed(GOLD, PRED).alpha_hat == cs.alphamax_bcubed(GOLD, PRED).extras["alpha_hat"]
    with pytest.raises(AttributeError, match="this score has no 'precison'; it has value, precision, recall, f"):
        score.precison  # noqa: B018
    with pytest.raises(AttributeError):
        score.value = 1


def test_scores_are_frozen_values() -> None:
    assert len({cs.elm(GOLD, PRED), cs.elm(GOLD, PRED)}) == 1
