"""Record what nltk and segeval say about segmentations, in peers.json beside this file.

They are no test dependencies: nltk is large, and segeval is no longer worked on. Where they are installed:
pip install nltk segeval && python tests/segmentation/record_peers.py
"""

from __future__ import annotations

import json
import random
from importlib.metadata import version
from pathlib import Path
from typing import Any

PEERS = Path(__file__).with_name("peers.json")
Masses = tuple[int, ...]  # the lengths of the segments


def random_masses(rng: random.Random, n: int) -> Masses:
    share = rng.choice([0.05, 0.2, 0.5, 0.9])
    cuts = [k for k in range(1, n) if rng.random() < share]
    return tuple(end - start for start, end in zip([0, *cuts], [*cuts, n], strict=True))


def pairs() -> list[tuple[Masses, Masses]]:
    rng = random.Random(20261116)
    lengths = [rng.randint(3, 60) for _ in range(80)] + [2000]
    chosen = [
        ((9,), (9,)),
        ((9,), (1,) * 9),
        ((1,) * 9, (9,)),
        ((5, 5), (5, 5)),
        ((5,) * 4, (4, 6, 4, 6)),
        ((3,), (1, 2)),
    ]
    return chosen + [(random_masses(rng, n), random_masses(rng, n)) for n in lengths]


def gaps(masses: Masses) -> str:
    """A 0 or 1 for every gap between neighbours."""
    return starts(masses)[1:]


def starts(masses: Masses) -> str:
    """A 0 or 1 for every element, 1 for the first of a segment."""
    return "".join("1" + "0" * (mass - 1) for mass in masses)


def numbers(gold: Masses, pred: Masses, k: int) -> dict[str, dict[str, float]]:
    """What they say, by the name that it has here."""
    import segeval
    from nltk.metrics.segmentation import pk, windowdiff

    given = f"k={k}"
    both, strings = (gaps(gold), gaps(pred)), (starts(gold), starts(pred))
    fixed = segeval.window_diff(pred, gold, window_size=k, lamprier_et_al_2007_fix=True)
    windows = sum(gold) + k  # which it divides by one more
    nltk = {
        f"pk({given})": pk(*both, k),
        f"window_diff({given})": windowdiff(*both, k),
        f"window_diff({given}, weighted=true)": windowdiff(*both, k, weighted=True),
        "pk(dialect=nltk-starts)": pk(*strings),
        f"pk({given}, dialect=nltk-starts)": pk(*strings, k),
        f"window_diff({given}, dialect=nltk-starts)": windowdiff(*strings, k),
        f"window_diff({given}, dialect=nltk-starts, weighted=true)": windowdiff(*strings, k, weighted=True),
    }
    if len(gold) > 1:  # else it divides by 0
        nltk["pk(dialect=nltk-gaps)"] = pk(*both)
    return {
        "nltk": nltk,
        "segeval": {
            "pk": float(segeval.pk(pred, gold)),
            "window_diff": float(segeval.window_diff(pred, gold)),
            f"pk({given})": float(segeval.pk(pred, gold, window_size=k)),
            f"window_diff({given})": float(segeval.window_diff(pred, gold, window_size=k)),
            f"window_diff({given}, padded=true)": float(fixed * (windows + 1) / windows),
        },
    }


def record() -> None:
    rng = random.Random(7)
    cases: list[dict[str, Any]] = []
    for gold, pred in pairs():
        k = rng.randint(1, min(sum(gold) - 1, 12))
        cases.append({"gold": gold, "pred": pred, **numbers(gold, pred, k)})
    versions = {peer: version(peer) for peer in ("nltk", "segeval")}
    lines = ",\n".join(f"  {json.dumps(case)}" for case in cases)
    PEERS.write_text(f'{{\n "versions": {json.dumps(versions)},\n "cases": [\n{lines}\n ]\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    record()
