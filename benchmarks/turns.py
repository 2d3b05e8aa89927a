"""``python -m benchmarks.turns``: measures of RTTM files, reading included, against pyannote.metrics.

``--peers PYTHON`` names a Python that has pyannote.metrics 4.2, in an environment of its own; without it, that part is
left out. Times are CPU seconds, the best of three turns.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

import clusterscore as cs
from benchmarks.timing import same, shown

METRICS = "der(dialect=pyannote), jer(dialect=pyannote), speaker_purity, speaker_coverage"
PEER = """
import json, sys, time, warnings
from collections import defaultdict
from pyannote.core import Annotation, Segment
from pyannote.metrics.diarization import (
    DiarizationCoverage, DiarizationErrorRate, DiarizationPurity, JaccardErrorRate
)
warnings.simplefilter("ignore")
start = time.process_time()
metrics = [DiarizationErrorRate(), JaccardErrorRate(), DiarizationPurity(), DiarizationCoverage()]
sides = [defaultdict(Annotation), defaultdict(Annotation)]
for side, path in zip(sides, sys.argv[1:]):
    for k, line in enumerate(open(path)):
        _, name, _, at, length, _, _, who, _, _ = line.split()
        side[name][Segment(float(at), float(at) + float(length)), k] = who
for name in sides[0]:
    for metric in metrics:
        metric(sides[0][name], sides[1][name])
print(json.dumps([*map(abs, metrics), time.process_time() - start]))
"""


def write(folder: Path, recordings: int, turns: int, speakers: int) -> list[Path]:
    """Meetings in which people interrupt each other, and a system that moves turns, misses some and confuses some."""
    rng, texts = np.random.default_rng(recordings), {"gold": "", "pred": ""}
    for recording in range(recordings):
        length, who = rng.exponential(2, turns) + 0.2, rng.integers(0, speakers, turns)
        start = np.maximum(np.cumsum(length) - length + np.cumsum(rng.normal(-0.1, 0.3, turns)), 0)
        other = np.where(rng.random(turns) < 0.1, rng.integers(0, speakers, turns), who)
        moved = np.abs(start + rng.normal(0, 0.1, turns))
        heard = rng.random(turns) < 0.93
        for side, at, names in (("gold", start, who), ("pred", moved[heard], other[heard])):
            texts[side] += "".join(
                f"SPEAKER m{recording} 1 {a:.3f} {b:.3f} <NA> <NA> {c} <NA> <NA>\n"
                for a, b, c in zip(at, length if side == "gold" else length[heard], names, strict=True)
            )
    paths = [folder / f"{side}-{recordings}.rttm" for side in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        path.write_text(text)
    return paths


def corpora(python: str | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for recordings, turns, speakers in ((16, 1000, 5), (500, 200, 4)):
            paths, times = write(Path(folder), recordings, turns, speakers), []
            for _ in range(3):
                start = time.process_time()
                card = cs.score(*paths, metrics=METRICS)
                times.append(time.process_time() - start)
            line = f"{recordings} recordings of {turns:,} turns on either side: {shown(min(times))}"
            if python is not None:
                made = subprocess.run([python, "-c", PEER, *paths], capture_output=True, text=True, check=True)
                *values, theirs = json.loads(made.stdout)
                same([score.value for score in card.values()], values, 1e-6)  # they compute in binary fractions
                line += f"; pyannote.metrics {shown(theirs)}"
            print(line)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", metavar="PYTHON")
    corpora(parser.parse_args().peers)
