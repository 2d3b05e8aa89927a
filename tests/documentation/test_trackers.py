"""The recipes for experiment trackers: run with stand-ins that are as strict as they are, and with the real ones."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import clusterscore as cs

PAGE = Path(__file__).resolve().parents[2] / "docs" / "ci_gates.md"
CARD = cs.score([0, 0, 1, 1, 2], [0, 0, 0, 1, 1], metrics=["elm", "bcubed(f=of-means, beta=2)", "ari"])


def recipe(which: str) -> str:
    codes = re.findall(r"```py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    (code,) = [code for code in codes if which in code]
    assert len(code.splitlines()) == 3
    return str(code)


def test_mlflow() -> None:
    logged: dict[str, Any] = {}

    def log_metrics(numbers: dict[str, float]) -> None:
        assert all(re.fullmatch(r"[\w\-. :/]+", name) for name in numbers)  # or MLflow raises
        logged.update(numbers)

    stand_in = SimpleNamespace(log_metrics=log_metrics, log_text=lambda text, path: logged.update({path: text}))
    exec(recipe("mlflow"), {"re": re, "card": CARD, "mlflow": stand_in})
    assert logged["bcubed_f_of_means_beta_2_"] == CARD["bcubed"].value
    assert json.loads(logged["clusterscore.json"])["scores"]["elm"]["signature"] == CARD["elm"].signature


def test_the_real_mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    with mlflow.start_run() as run:
        exec(recipe("mlflow"), {"re": re, "card": CARD, "mlflow": mlflow})
    assert mlflow.get_run(run.info.run_id).data.metrics["elm"] == CARD["elm"].value


def test_wandb() -> None:
    logged: dict[str, Any] = {}
    run = SimpleNamespace(log=logged.update, config={})
    exec(recipe("run.log"), {"card": CARD, "run": run})
    assert logged == {f"clusterscore/{name}": CARD[name].value for name in CARD}
    assert run.config["signatures"] == [CARD[name].signature for name in CARD]


def test_the_real_wandb(tmp_path: Path) -> None:
    wandb = pytest.importorskip("wandb")
    run = wandb.init(mode="offline", dir=tmp_path, project="clusterscore")
    exec(recipe("run.log"), {"card": CARD, "run": run})
    assert run.summary["clusterscore/elm"] == CARD["elm"].value
    run.finish()
