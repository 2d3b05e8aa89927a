"""``python -m benchmarks``: every figure that the project claims, as a ratio measured in this run.

``python -m benchmarks large`` adds the runs that need many gigabytes or minutes.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse
import sklearn
from scipy.sparse.csgraph import min_weight_full_bipartite_matching
from sklearn.metrics import adjusted_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

import clusterscore as cs
from benchmarks.timing import best_of, in_turns, same, shown
from clusterscore.align import align
from clusterscore.count import count

Row = tuple[str, str, str, str, str]


def labels(elements: int, clusters: int, right: float = 0.7, seed: int = 0) -> tuple[Any, Any]:
    """Gold labels, and a prediction that keeps ``right`` of them and deals the others anew."""
    rng = np.random.default_rng(seed)
    gold = rng.integers(0, clusters, elements)
    pred = np.where(rng.random(elements) < right, gold, rng.integers(0, clusters, elements))
    return gold, pred


def peer_bcubed(gold: Any, pred: Any) -> list[float]:
    """BCubed and ELM as a user of scikit-learn writes them: its sparse contingency matrix, and the arithmetic."""
    table = contingency_matrix(gold, pred, sparse=True).tocoo()
    a = np.asarray(table.sum(axis=1)).ravel()[table.row]
    b = np.asarray(table.sum(axis=0)).ravel()[table.col]
    n = table.data.astype(float)
    bcubed = [(n * n / b).sum(), (n * n / a).sum(), (2 * n * n / (a + b)).sum()]
    elm = [
        np.where(b == 1, n, n * (n - 1) / np.maximum(b - 1, 1)).sum(),
        np.where(a == 1, n, n * (n - 1) / np.maximum(a - 1, 1)).sum(),
        np.where(a + b == 2, n, 2 * n * (n - 1) / np.maximum(a + b - 2, 1)).sum(),
    ]
    return [float(total) / len(gold) for total in bcubed + elm]


def ours_bcubed(gold: Any, pred: Any) -> list[float | None]:
    card = cs.score(gold, pred, metrics=["bcubed", "elm"])
    return [getattr(card[name], part) for name in ("bcubed", "elm") for part in ("precision", "recall", "f")]


def against_scikit_learn() -> list[Row]:
    rows: list[Row] = []
    for elements, clusters, right, target in (
        (10**6, 200_000, 0.7, 10), (10**6, 200_000, 0.0, 10), (10**6, 1000, 0.7, 5), (10**6, 50, 0.7, 5),
        (100, 10, 0.7, 3),
    ):  # fmt: skip
        gold, pred = labels(elements, clusters, right)
        same(ours_bcubed(gold, pred), peer_bcubed(gold, pred))
        small = elements < 1000
        times = in_turns(lambda g=gold, p=pred: ours_bcubed(g, p), lambda g=gold, p=pred: peer_bcubed(g, p),
                         200 if small else 7, 10 if small else 1)  # fmt: skip
        what = f"bcubed + elm, N={elements:,}, {clusters:,} clusters, {right:.0%} right"
        rows.append((what, shown(times[0]), shown(times[1]), f"{times[1] / times[0]:.1f}x faster", f">= {target}x"))
    return rows


def strings_against_integers() -> list[Row]:
    rows: list[Row] = []
    for clusters in (200_000, 1000):
        gold, pred = labels(10**6, clusters)
        named = [[f"c{label}" for label in side.tolist()] for side in (gold, pred)]
        for kind, (left, right) in (("list", named), ("ndarray", [np.array(side) for side in named])):
            same(ours_bcubed(left, right), ours_bcubed(gold, pred), 0)
            times = in_turns(lambda a=left, b=right: ours_bcubed(a, b), lambda a=gold, b=pred: ours_bcubed(a, b))
            what = f"string labels ({kind}) against integers, N=1e6, {clusters:,} clusters"
            rows.append((what, shown(times[0]), shown(times[1]), f"{times[0] / times[1]:.1f}x the time", "<= 5x"))
    return rows


def default_set_against_count() -> list[Row]:
    rows: list[Row] = []
    for clusters in (200_000, 1000, 50):
        gold, pred = labels(10**6, clusters)
        times = in_turns(lambda g=gold, p=pred: cs.score(g, p), lambda g=gold, p=pred: count(align(g, p)))
        what = f"whole default set against the count alone, N=1e6, {clusters:,} clusters"
        rows.append((what, shown(times[0]), shown(times[1]), f"{times[0] / times[1]:.1f}x the time", "<= 3x"))
    return rows


def adjusted_mutual_information() -> list[Row]:
    gold, pred = labels(10**4, 2000)
    same(cs.ami(gold, pred).value, adjusted_mutual_info_score(gold, pred))
    times = in_turns(lambda: cs.ami(gold, pred), lambda: adjusted_mutual_info_score(gold, pred), 1)
    small = ("ami, N=1e4, 2,000 clusters", shown(times[0]), shown(times[1]), f"{times[1] / times[0]:.0f}x faster", "")
    gold, pred = labels(10**5, 20_000)
    mine = best_of(lambda: cs.ami(gold, pred), 3)
    return [small, ("ami, N=1e5, 20,000 clusters (scikit-learn: minutes)", shown(mine), "", "", "< 1 s")]


def peer_accuracy(gold: Any, pred: Any) -> float:
    """The best alignment with SciPy's sparse solver; a column of its own for each row makes the matching full."""
    table = contingency_matrix(gold, pred, sparse=True)
    alone = scipy.sparse.eye_array(table.shape[0])
    graph = scipy.sparse.hstack([table + (table > 0), alone], format="csr").astype(float)
    rows, columns = min_weight_full_bipartite_matching(graph, maximize=True)
    matched = columns < table.shape[1]
    return float(table[rows[matched], columns[matched]].sum()) / len(gold)


def assignments() -> list[Row]:
    rows: list[Row] = []
    for clusters, right in ((40_000, 0.7), (40_000, 0.5)):
        gold, pred = labels(5 * clusters, clusters, right)
        same(cs.set_matching(gold, pred).value, peer_accuracy(gold, pred), 1e-12)
        mine, peer = (best_of(lambda g=gold, p=pred, f=f: f(g, p), 3) for f in (cs.set_matching, peer_accuracy))
        what = f"set_matching, N={5 * clusters:,}, {clusters:,} clusters, {right:.0%} right, against SciPy"
        rows.append((what, shown(mine), shown(peer), f"{peer / mine:.0f}x faster", "< 0.3 s"))
    gold, pred = labels(5_000_000, 1_000_000)
    for name in ("set_matching", "ceafe"):
        mine = best_of(lambda name=name: cs.score(gold, pred, metrics=name), 1)
        rows.append((f"{name}, N=5,000,000, 1,000,000 clusters, 70% right", shown(mine), "", "", "< 6 s"))
    return rows


def many_documents() -> list[Row]:
    rng = np.random.default_rng(0)
    documents = np.repeat(np.arange(10_000), 20)
    gold, pred = rng.integers(0, 6, len(documents)), rng.integers(0, 6, len(documents))
    wanted = ["bcubed", "elm"]
    starts = np.arange(0, len(documents), 20)

    def one_by_one() -> list[float]:
        return [float(cs.score(gold[k : k + 20], pred[k : k + 20], metrics=wanted)["elm"]) for k in starts]

    rows: list[Row] = []
    for average in ("micro", "macro"):

        def together(average: str = average) -> cs.Scorecard:
            return cs.score(gold, pred, metrics=wanted, documents=documents, average=average)

        same(together().documents["elm"], one_by_one(), 1e-12)
        mine, loop = best_of(together), best_of(one_by_one, 1)
        what = f"10,000 documents of 20 elements, {average}, against a loop of calls"
        rows.append((what, shown(mine), shown(loop), f"{loop / mine:.0f}x faster", ">= 100x"))
    return rows


def peak_memory(elements: int, clusters: int) -> tuple[float, float, float]:
    """Bytes an element beyond the input at the peak, seconds, and the largest resident size, in a process of its own.

    NumPy reports its memory to tracemalloc, which slows nothing down here: there are few and large arrays.
    """
    code = f"""
import resource, time, tracemalloc, numpy as np, clusterscore as cs
rng = np.random.default_rng(0)
gold = rng.integers(0, {clusters}, {elements}, dtype=np.int64)
pred = rng.integers(0, {clusters}, {elements}, dtype=np.int64)
cs.score(gold[:5000], pred[:5000], metrics=["bcubed", "elm"])
tracemalloc.start()
start = time.perf_counter()
cs.score(gold, pred, metrics=["bcubed", "elm"])
seconds = time.perf_counter() - start
print(tracemalloc.get_traced_memory()[1], seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    return float(out[0]) / elements, float(out[1]), float(out[2]) / 2**20


def memory() -> list[Row]:
    rows: list[Row] = []
    sizes = [(10**7, 2_000_000), (10**7, 1000)]
    if "large" in sys.argv:
        sizes += [(10**8, 20_000_000)]
    for elements, clusters in sizes:
        per_element, seconds, resident = peak_memory(elements, clusters)
        what = f"peak memory beyond the input, N={elements:.0e}, {clusters:,} clusters"
        whole = f"{resident:.1f} GiB resident"
        rows.append((what, f"{per_element:.0f} bytes an element", shown(seconds), whole, "<= 64 bytes"))
    return rows


def imports() -> list[Row]:
    def run(code: str) -> Callable[[], Any]:
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    nothing, numpy, mine = (best_of(run(code), 9) for code in ("pass", "import numpy", "from clusterscore import elm"))
    ratio = (mine - nothing) / (numpy - nothing)
    return [("import clusterscore and all metrics against import numpy", shown(mine - nothing), shown(numpy - nothing),
             f"{ratio:.1f}x the time", "< 3x")]  # fmt: skip


def main() -> None:
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}, "
          f"scikit-learn {sklearn.__version__}, {os.cpu_count()} cores, {platform.machine()}\n")  # fmt: skip
    parts = (against_scikit_learn, strings_against_integers, default_set_against_count, adjusted_mutual_information,
             assignments, many_documents, memory, imports)  # fmt: skip
    print("| what | clusterscore | against | ratio | target |\n| :--- | ---: | ---: | ---: | ---: |", flush=True)
    for part in parts:
        for row in part():
            print("| " + " | ".join(row) + " |", flush=True)


if __name__ == "__main__":
    main()
