"""Files of every format, cut, shuffled and overwritten: a clustering, or one line that names the file."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
import tifffile

import clusterscore as cs
from clusterscore.read.formats import FORMATS

ROWS = [(f"p{k}", str(k % 5), f"d{k % 3}") for k in range(30)]


def _written(write: Callable[[pa.Table, pa.BufferOutputStream], None]) -> bytes:
    out = pa.BufferOutputStream()
    write(pa.table(dict(zip(("element", "cluster", "document"), map(list, zip(*ROWS, strict=True)), strict=True))), out)
    return bytes(out.getvalue().to_pybytes())


def _array(write: Callable[..., Any], values: Any) -> bytes:
    out = io.BytesIO()
    write(out, np.array(values))
    return out.getvalue()


WHOLE: dict[str, bytes] = {
    "csv": b"element,cluster,document\n" + "".join(f"{','.join(row)}\n" for row in ROWS).encode(),
    "tsv": b"element\tcluster\tdocument\n" + "".join("\t".join(row) + "\n" for row in ROWS).encode(),
    "jsonl": "".join(json.dumps({"element": e, "cluster": c}) + "\n" for e, c, _ in ROWS).encode(),
    "json": json.dumps({e: c for e, c, _ in ROWS}).encode(),
    "parquet": _written(pq.write_table),
    "arrow": _written(feather.write_feather),
    "npy": _array(np.save, [cluster for _, cluster, _ in ROWS]),
    "npz": _array(np.savez_compressed, [[1, 1, 0], [2, 0, 0]]),
    "tif": _array(tifffile.imwrite, [[1, 1, 0], [2, 0, 0]]),
    "labels": "".join(f"{c}\n" for _, c, _ in ROWS).encode(),
    "clusters": b"p1 p2\np3\n\np4 p5 p6\n",
    "elements": "".join(f"{e}\t{c}\n" for e, c, _ in ROWS).encode(),
    "memberships": "".join(f"{e}\t{c} {d}\n" for e, c, d in ROWS).encode(),
    "senses": "".join(f"{d} {e} {c}/0.5 {d}/2\n" for e, c, d in ROWS).encode(),
    "links": b"p1 p2\np2 p3\np4\n",
    "lengths": b"3 2 4\n1\n",
    "boundaries": b"1 0 0 1\n1 1\n",
    "conll": b"#begin document (a); part 000\na 0 0 x (1)\na 0 1 y (1|(2)\n#end document\n",
    "corefud": b"# newdoc id = a\n# global.Entity = eid-etype-head-other\n"
    b"1\ta\ta\tX\t_\t_\t0\t_\t_\tEntity=(e1-x-1-)\n1.1\t_\t_\tX\t_\t_\t_\t_\t1:nsubj\tEntity=(e1-x-1-)\n",
    "jsonlines": b'{"doc_key": "a", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}\n',
    "conllua": b"# global.columns = ID FORM IDENTITY\n# newdoc id = a\n1\ta\t(EntityID=1|MarkableID=m1)\n",
    "litbank": b"MENTION\tT1\t0\t0\t0\t1\ta b\tPER\tNOM\nCOREF\tT1\tx-1\n",
    "rttm": b"SPEAKER r 1 0.0 1.5 <NA> <NA> s <NA> <NA>\nSPEAKER r 1 1 2 <NA> <NA> t <NA> <NA>\n",
}
PACKED: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
}
PIECES = [b"", b"\n", b"\r", b",", b"\t", b'"', b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"PK\x03\x04",
          b"\x80\x04", b"NaN", b"null", b"1e999", b"[", b"{}", b"\x1b"]  # fmt: skip


def test_every_format_is_here() -> None:
    assert sorted(WHOLE) == sorted(FORMATS)


def broken(data: bytes, rng: random.Random) -> bytes:
    """Some of it missing, changed, or in another place."""
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 5])):
        at, to = sorted(rng.randrange(len(changed) + 1) for _ in range(2))
        way = rng.randrange(4)
        if way == 0:
            del changed[at : min(to, at + rng.choice([1, 4, 1000]))]
        elif way == 1:
            changed[at:at] = rng.choice(PIECES)
        elif way == 2 and at < len(changed):
            changed[at] = rng.randrange(256)
        else:
            changed[at:at] = changed[at:to]
    return bytes(changed)


def read(path: Path, form: str | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cs.ClusterscoreWarning)
        try:
            made = cs.Clustering.from_file(path, format=form)
            assert len(made) >= 0
            cs.score(made, made, metrics="matched_elm, omega" if made.overlapping else "elm, b3", noise=[None])
        except cs.ClusterscoreError as error:
            message = str(error)
            assert "\n" not in message, message
            assert len(message) < 1000, message


def try_format(form: str, rng: random.Random, folder: Path, count: int) -> None:
    for _ in range(count):
        ending = rng.choice(sorted(PACKED))
        pack, data = PACKED[ending], WHOLE[form]
        if data.isascii() and rng.random() < 0.2:
            data = data.decode().encode("utf-16")
        named = ending if rng.random() < 0.8 else rng.choice(["", ".gz", ".bz2", ".zst"])
        damaged_archive = ending and rng.random() < 0.5
        data = broken(pack(data), rng) if damaged_archive else pack(broken(data, rng))
        path = folder / f"file.{form}{named}"
        path.write_bytes(data)
        read(path, rng.choice([None, None, form, rng.choice(sorted(FORMATS))]))


@pytest.mark.parametrize("form", FORMATS)
def test_broken(form: str, tmp_path: Path) -> None:
    try_format(form, random.Random(form), tmp_path, 15)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("form", FORMATS)
def test_broken_long(form: str, seed: int, tmp_path: Path) -> None:
    try_format(form, random.Random(f"{form} {seed}"), tmp_path, 100)
