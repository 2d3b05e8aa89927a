"""A Score behaves like the number it is, and keeps what belongs to it."""

from __future__ import annotations

import copy
import json
import math
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest

import clusterscore as cs

GOLD, PRED = [0, 0, 1, 1, 1], [0, 1, 2, 2, 2]
ELM, BCUBED = cs.elm(GOLD, PRED), cs.bcubed(GOLD, PRED)


def test_rounding_and_formatting() -> None:
    assert round(BCUBED, 3) == 0.867
    assert type(round(BCUBED, 3)) is float
    assert round(BCUBED) == 1
    assert f"{BCUBED:.3f}" == "0.867"
    assert f"{BCUBED:8.1%}" == "   86.7%"
    assert f"{BCUBED}" == str(BCUBED) == "bcubed 0.8667 (P 1.0000, R 0.8000)"
    assert f"{BCUBED:.2f} {ELM:.2f}" == "0.87 0.60"


def test_comparing_and_sorting() -> None:
    assert ELM > 0.5
    assert ELM < BCUBED
    assert ELM == 0.6
    assert ELM != BCUBED
    assert sorted([BCUBED, ELM]) == [ELM, BCUBED]
    assert max(ELM, BCUBED) is BCUBED
    assert hash(ELM) == hash(0.6)
    assert math.isclose(ELM, 0.6)


def test_calculating() -> None:
    assert 0.6 + BCUBED.value == ELM + BCUBED
    assert 1 - ELM == 0.4
    assert type(ELM * 2) is float
    assert sum([ELM, BCUBED]) / 2 == np.mean([ELM, BCUBED]) == np.median([ELM, BCUBED])
    assert np.array([ELM, BCUBED]).dtype == np.float64
    assert np.std([ELM]) == 0
    assert pd.Series([ELM, BCUBED]).dtype == np.float64
    assert pl.Series([ELM, BCUBED]).dtype == pl.Float64
    assert json.dumps({"elm": ELM}) == '{"elm": 0.6}'


def test_what_belongs_to_it_stays() -> None:
    score = cs.alphamax_bcubed(GOLD, PRED)
    for other in (copy.copy(score), copy.deepcopy(score), pickle.loads(pickle.dumps(score))):
        assert other.to_dict() == score.to_dict()
        assert other.alpha_hat == score.alpha_hat
        assert type(other) is cs.Score
    assert type(score.value) is float


@pytest.mark.parametrize("name", ["value", "precision", "signature", "alpha_hat", "new"])
def test_a_score_does_not_change(name: str) -> None:
    with pytest.raises(AttributeError, match=f"scores are read-only: '{name}'"):
        setattr(ELM, name, 1.0)
    with pytest.raises(AttributeError, match=f"scores are read-only: '{name}'"):
        delattr(ELM, name)


def test_what_it_has_is_named() -> None:
    with pytest.raises(AttributeError, match="no 'presicion'; it has value, precision, recall, f"):
        ELM.presicion  # noqa: B018
