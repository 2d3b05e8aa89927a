"""er-evaluation's estimate of pairwise precision on a given sample; run by a Python that has it: see estimates.py."""

from __future__ import annotations

import json
import sys
import time
import warnings

import numpy as np
import pandas as pd
from er_evaluation.estimators import pairwise_precision_estimator

warnings.simplefilter("ignore")


def main() -> None:
    given = np.load(sys.argv[1])
    prediction, sample = pd.Series(given["pred"]), pd.Series(given["gold"], index=given["sampled"])
    times = []
    for _ in range(2):
        start = time.perf_counter()
        value, error = pairwise_precision_estimator(prediction, sample, "uniform")
        times.append(time.perf_counter() - start)
    print(json.dumps({"value": float(value), "error": float(error), "seconds": min(times)}))


if __name__ == "__main__":
    main()
