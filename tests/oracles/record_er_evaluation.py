"""Records what er-evaluation 2.3.0 estimates from sampled clusters; run by a Python that has it:

python tests/oracles/record_er_evaluation.py > tests/oracles/er_evaluation.json
"""

from __future__ import annotations

import json
import random

import pandas as pd


def population(seed: int) -> tuple[dict[str, int], dict[str, str]]:
    """A prediction of some hundred records, and whole gold clusters of some of them."""
    dice = random.Random(seed)
    pred, sample = {}, {}
    for cluster in range(60):
        for _ in range(dice.choice([1, 1, 2, 3, 4, 7])):
            record = f"r{len(pred)}"
            pred[record] = dice.randrange(60) if dice.random() < 0.2 else cluster
            if cluster % 3 == 0:
                sample[record] = f"c{cluster}"
    return pred, sample


def main() -> None:
    from er_evaluation import estimators as er  # not among the packages that the tests install

    cases = []
    for seed in range(3):
        pred, sample = population(seed)
        prediction, clusters = pd.Series(pred), pd.Series(sample)
        own = {name: 1 + k % 4 for k, name in enumerate(sorted(set(sample.values())))}
        sizes = clusters.value_counts()
        drawn = {"uniform": pd.Series(1, index=sizes.index), "size": 1 / sizes, "given": pd.Series(own)}
        for name, given in drawn.items():
            estimates = {
                "pairwise_precision": er.pairwise_precision_estimator(prediction, clusters, given),
                "pairwise_recall": er.pairwise_recall_estimator(prediction, clusters, given),
                "pairwise_f": er.pairwise_f_estimator(prediction, clusters, given),
                "pairwise_f_beta_2": er.pairwise_f_estimator(prediction, clusters, given, beta=2.0),
                "pairwise_f_beta_half": er.pairwise_f_estimator(prediction, clusters, given, beta=0.5),
                "cluster_recall": er.cluster_recall_estimator(prediction, clusters, given),
            }
            values = {key: [float(number) for number in pair] for key, pair in estimates.items()}
            cases.append({"pred": pred, "sample": sample, "weights": name if name != "given" else own, "found": values})
    print("[\n" + ",\n".join(json.dumps(case) for case in cases) + "\n]")


if __name__ == "__main__":
    main()
