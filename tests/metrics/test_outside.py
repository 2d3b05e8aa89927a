"""A metric from outside the package: through every function, and refused where it is not what it seems."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import polars as pl
import pytest

import clusterscore as cs
from clusterscore.metrics.metric import METRICS, Limits, Metric, Parts, Values, divide, register

if TYPE_CHECKING:
    from fractions import Fraction

GOLD, PRED = [0, 0, 1, 1, 2, 2, 2, 3], [0, 0, 0, 1, 2, 2, 2, 3]
DOCUMENTS = [1, 1, 1, 1, 2, 2, 2, 2]


@pytest.fixture(autouse=True)
def _registry() -> Iterator[None]:
    """What a test registers is gone after it."""
    known = dict(METRICS)
    yield
    METRICS.clear()
    METRICS.update(known)


class Unchanged(Metric):
    """The share of elements whose two clusters are the same."""

    power: float = 1.0
    count: Literal["elements", "clusters"] = "elements"

    name = "unchanged"
    aliases = ("kept",)
    limits: ClassVar[Limits] = {"power": (0, 3)}

    def parts(self, table: cs.Table) -> Parts:
        rows = table.rows()
        same = (rows.n == rows.a) & (rows.n == rows.b)
        return {"same": table.add(np.where(same, rows.n, 0), rows.document, rows.times), "elements": table.common}

    def finish(self, same: Any, elements: Any) -> Values:
        return Values(divide(same, elements, 0.0) ** self.power)


def test_it_goes_everywhere() -> None:
    kind = register(Unchanged)
    assert cs.metric("kept(power=2)") == kind(power=2)
    assert str(kind(power=2)) == "unchanged(power=2)"
    card = cs.score(GOLD, PRED, documents=DOCUMENTS, metrics="unchanged")
    assert card.micro["unchanged"].value == 0.5
    assert card.macro["unchanged"].value == 0.5
    assert card.macro["unchanged"].std == pytest.approx(np.sqrt(0.5))
    seen = cs.Accumulator("unchanged")
    for some in (slice(4), slice(4, 8)):
        seen.update(GOLD[some], PRED[some])
    assert seen.result()["unchanged"].value == 0.5
    frame = pl.DataFrame({"gold": GOLD, "pred": PRED, "document": DOCUMENTS})
    assert cs.score_table(frame, document="document", metrics="unchanged")["unchanged"].value == 0.5
    for unit in ("documents", "clusters"):
        systems = {"A": PRED, "B": GOLD}
        comparison = cs.compare(GOLD, systems, documents=DOCUMENTS, metrics="unchanged", unit=unit, resamples=50)
        assert all(note.startswith("only ") for note in comparison.notes)  # few units, but none that it does not add up
        difference = comparison["B"]["unchanged"].difference
        assert difference is not None
        assert difference.value == 0.5
        assert difference.intervals is not None
    assert cs.chance(GOLD, PRED, metrics="unchanged", resamples=20)["unchanged"].most == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("power=4", "out of range; it is a finite number from 0 to 3"),
        ("power=much", "must be a number"),
        ("count=letters", "is not an option; use one of 'elements', 'clusters'"),
        ("size=2", "has no parameter 'size'"),
    ],
)
def test_its_parameters_are_checked(options: str, message: str) -> None:
    register(Unchanged)
    with pytest.raises(cs.MetricError, match=message):
        cs.metric(f"unchanged({options})")


class Titled(Unchanged):
    """It has a parameter of any text."""

    name = "titled"
    title: str = ""


class Scaled(Unchanged):
    """The type of its parameter is known to a type checker only."""

    name = "scaled"
    scale: Fraction | None = None


@pytest.mark.parametrize(("kind", "metric"), [(Titled, "titled(title=some words)"), (Scaled, "scaled(scale=2)")])
def test_parameters_of_other_types_are_taken_as_they_are(kind: type[Metric], metric: str) -> None:
    register(kind)
    assert str(cs.metric(metric)) == metric
    assert cs.score(GOLD, PRED, metrics=metric)[metric].value == 0.5


def test_two_of_one_name() -> None:
    register(Unchanged)
    with pytest.raises(ValueError, match="two metrics are called 'unchanged'"):
        register(Unchanged)


class Surplus(Unchanged):
    """No sum over documents: the number of all elements is in it."""

    name = "surplus"

    def parts(self, table: cs.Table) -> Parts:
        return {**super().parts(table), "same": table.common - np.sqrt(table.elements)}


def test_parts_that_do_not_add_up_are_noticed() -> None:
    metric = register(Surplus)()
    assert not metric.additive
    with pytest.raises(cs.MetricError, match="not a sum over"):
        cs.Accumulator(metric)
    # counted again for every resample, it has an interval over documents, but none over clusters
    options: dict[str, Any] = {"documents": DOCUMENTS, "metrics": metric, "resamples": 20}
    assert cs.compare(GOLD, {"A": PRED}, **options)["A"][metric].intervals is not None
    assert cs.compare(GOLD, {"A": PRED}, unit="clusters", **options)["A"][metric].intervals is None


class Singletons(Unchanged):
    """Sums over documents that gold clusters have no shares of: it looks at the cells itself."""

    name = "lonely"

    def parts(self, table: cs.Table) -> Parts:
        lonely = (table.pred_size == 1).astype(np.float64)
        return {**super().parts(table), "same": table.add(lonely, table.cells.pred.document)}


def test_shares_that_are_missing_are_noticed() -> None:
    metric = register(Singletons)()
    assert metric.additive
    comparison = cs.compare(GOLD, {"A": PRED}, metrics=metric, unit="clusters", resamples=20)
    assert comparison["A"][metric].intervals is None
    assert any("do not add up" in note for note in comparison.notes)
    # it did not say that it needs cells: an error where an engine has none
    with pytest.raises(cs.InputError, match="counted by an engine"):
        cs.score_table(pl.DataFrame({"gold": GOLD, "pred": PRED}), metrics=metric)


class OneRow(Unchanged):
    """One row for all documents."""

    name = "one_row"

    def parts(self, table: cs.Table) -> Parts:
        return {name: part[:1] for name, part in super().parts(table).items()}


def test_a_row_for_each_document_or_an_error() -> None:
    metric = register(OneRow)()
    for average in ("micro", "macro"):
        with pytest.raises(cs.MetricError, match="gave 1 row for"):
            cs.Accumulator(metric, average=average).update(GOLD, PRED, documents=DOCUMENTS)
    with pytest.raises(cs.MetricError, match="gave 1 row for 2 documents"):
        cs.score(GOLD, PRED, documents=DOCUMENTS, metrics=metric, average="macro")


def test_additive_is_not_declared() -> None:
    with pytest.raises(cs.MetricError, match="declares additive"):
        type("Wrong", (Unchanged,), {"name": "wrong", "additive": True})
