"""``python -m benchmarks.images``: label images against scikit-image and stardist, and volumes that are only on disk.

``--peers FOLDER`` is where both are installed (``pip install --target FOLDER scikit-image stardist numba six tqdm``,
stardist and csbdeep without their dependencies); without it they are left out. ``--voxels 1e9`` writes two volumes of
so many voxels to a temporary folder, and counts them. The best of three turns by the clock: clusterscore uses two
cores, the peers one.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import clusterscore as cs
from benchmarks.timing import in_turns, same, shown

ACCUMULATE = """
import sys, time
import numpy as np, clusterscore as cs
start = time.perf_counter()
metrics = ["variation_of_information(base=2)", "adapted_rand_error", "cremi", "average_precision", "aji"]
seen = cs.Accumulator(metrics, background="gold")
seen.update(*(np.load(path, mmap_mode="r") for path in sys.argv[1:]))
status = open("/proc/self/status").read()  # getrusage would tell what the parent had
print(seen.result()["cremi"].value, time.perf_counter() - start, status.partition("VmHWM:")[2].split()[0])
"""


def volume(side: int, width: int, kind: str, deep: int | None = None) -> tuple[Any, Any]:
    """Objects of ``width`` voxels with a membrane between their layers, and a prediction that is moved and merged."""
    many = -(-side // width)
    names = np.random.default_rng(0).permutation(many**3).reshape(many, many, many) + 1
    layers = names[: -(-(deep or side) // width)].astype(kind).repeat(width, 0)
    gold = layers.repeat(width, 1).repeat(width, 2)[: deep or side, :side, :side]
    gold[::width] = 0
    pred = np.roll(gold, (3, 2, 1), (0, 1, 2))
    pred[(pred % 7 == 0) & (pred > 0)] -= 1
    return gold, pred


def cells(side: int, many: int) -> tuple[Any, Any]:
    """Discs in a grid, and discs of other sizes near them."""
    step, rng = side / many, np.random.default_rng(0)
    gold, pred = np.zeros((2, side, side), np.int32)
    for number, (row, column) in enumerate(np.ndindex(many, many), 1):
        for image, shift, radius in (
            (gold, (0, 0), 0.4 * step),
            (pred, rng.normal(0, 4, 2), 0.4 * step + rng.normal(0, 2)),
        ):
            middle = (np.array([row, column]) + 0.5) * step + shift
            low = np.maximum(middle - step, 0).astype(int)
            window = image[low[0] : low[0] + int(2 * step), low[1] : low[1] + int(2 * step)]
            y, x = np.ogrid[: window.shape[0], : window.shape[1]]
            window[(y + low[0] - middle[0]) ** 2 + (x + low[1] - middle[1]) ** 2 < radius**2] = number
    return gold, pred


def row(what: str, ours: Callable[[], Any], theirs: Callable[[], Any]) -> None:
    mine, peer = in_turns(ours, theirs, turns=3)
    print(f"| {what} | {shown(mine)} | {shown(peer)} | {peer / mine:.1f}x faster |", flush=True)


def against_scikit_image() -> None:
    from skimage.metrics import adapted_rand_error, variation_of_information  # type: ignore[import-not-found]

    for width, kind in ((32, "uint16"), (32, "int32"), (32, "int64"), (16, "int32")):
        gold, pred = volume(464, width, kind)
        vi = cs.variation_of_information(gold, pred, base=2)
        same([vi.split, vi.merge], variation_of_information(gold, pred))
        score = cs.adapted_rand_error(gold, pred, background="gold")
        same([score.value, score.recall, score.precision], adapted_rand_error(gold, pred))
        what = f"{gold.size:.0e} voxels of {kind}, objects {width} wide"
        row(
            f"variation_of_information, {what}",
            lambda g=gold, p=pred: cs.variation_of_information(g, p, base=2),
            lambda g=gold, p=pred: variation_of_information(g, p),
        )
        row(
            f"adapted_rand_error, {what}",
            lambda g=gold, p=pred: cs.adapted_rand_error(g, p, background="gold"),
            lambda g=gold, p=pred: adapted_rand_error(g, p),
        )


def against_stardist(folder: str) -> None:
    package = types.ModuleType("stardist")  # whose own __init__ asks for tensorflow
    package.__path__ = [str(Path(folder) / "stardist")]
    sys.modules["stardist"] = package
    matching = import_module("stardist.matching").matching
    gold, pred = cells(2048, 45)
    for threshold in (0.3, 0.5, 0.7):
        peer, score = (
            matching(gold, pred, thresh=threshold),
            cs.average_precision(gold, pred, threshold=threshold, tie="all"),
        )
        same([score.value, score.sq, score.pq], [peer.accuracy, peer.mean_matched_score, peer.panoptic_quality], 1e-5)
        row(
            f"average_precision of {gold.max():,} objects in 2048 x 2048 pixels, threshold {threshold}",
            lambda t=threshold: cs.average_precision(gold, pred, threshold=t, tie="all"),
            lambda t=threshold: matching(gold, pred, thresh=t),
        )


def on_disk(voxels: int) -> None:
    """Two volumes in .npy files, mapped to memory, in a process of its own."""
    side = 1024
    gold, pred = volume(side, 32, "uint16", deep=64)
    layers = -(-voxels // side**2)
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / f"{name}.npy") for name in ("gold", "pred")]
        for path, block in zip(paths, (gold, pred), strict=True):
            whole = np.lib.format.open_memmap(path, "w+", np.uint16, (layers, side, side))
            for first in range(0, layers, 64):
                whole[first : first + 64] = block[: layers - first]
            del whole
        out = subprocess.run([sys.executable, "-c", ACCUMULATE, *paths], capture_output=True, text=True, check=True)
    _, seconds, resident = map(float, out.stdout.split())
    print(
        f"{layers * side**2:.2e} voxels from two files: {shown(seconds)}, {resident / 2**20:.2f} GiB resident at most"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", metavar="FOLDER")
    parser.add_argument("--voxels", type=float, default=0)
    given = parser.parse_args()
    if given.peers:
        sys.path.append(given.peers)
        print("| what | clusterscore | peer | ratio |\n| :--- | ---: | ---: | ---: |", flush=True)
        against_scikit_image()
        against_stardist(given.peers)
    if given.voxels:
        on_disk(int(given.voxels))
