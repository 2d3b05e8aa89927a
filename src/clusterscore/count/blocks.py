"""Images that come block by block, as arrays or as tensors on a device: only counts of them are kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from clusterscore.align.match import align
from clusterscore.align.policies import OPTIONS
from clusterscore.align.tally import Tally, put_together, sides_of, tallies_of
from clusterscore.count.counting import count
from clusterscore.count.packing import distinct_rows, to_host
from clusterscore.count.table import Table
from clusterscore.exceptions import InputError, InputTypeError, a_type
from clusterscore.messages import Option
from clusterscore.nouns import noun
from clusterscore.read.arrays import stays_on_device
from clusterscore.read.guess import on_device
from clusterscore.read.images import images_of, refuse_other_shapes
from clusterscore.read.labels import is_tensor
from clusterscore.read.names import Names


def count_blocks(blocks: Iterable[tuple[Any, Any]], **options: Any) -> Table:
    """The table of one image or volume, whose blocks come one after the other as arrays or tensors."""
    unable = next((name for name in options if name in OPTIONS - {"background"}), None)
    if unable is not None:
        raise InputError(
            Option(unable), noun(" is for single elements, and of blocks only counts are kept; leave it out")
        )
    tallies = put_together(tally for number, block in enumerate(blocks) for tally in _of_block(block, number))
    if not tallies:
        raise InputError("there is no block: there is nothing to score")
    return count(align(*sides_of(tallies), **options))


def _of_block(block: Any, number: int) -> list[Tally]:
    if not isinstance(block, tuple | list) or len(block) != 2:
        raise InputTypeError(f"block {number} is {a_type(block)}; pass pairs of arrays, (gold, pred)")
    if is_tensor(block[0]) and is_tensor(block[1]) and stays_on_device(block[0]):
        return [_of_tensors(*block)]
    left, right = (images_of([side], f"block {number}") for side in block)
    refuse_other_shapes(left.shapes, right.shapes)
    return tallies_of(left.arrays[0], right.arrays[0])


def _of_tensors(gold: Any, pred: Any) -> Tally:
    left, right = on_device(gold, pred)
    refuse_other_shapes(left.shapes, right.shapes)
    (rows, columns), n = distinct_rows([left.codes, right.codes], [len(left.names) - 1, len(right.names) - 1])
    return Names(left.names).take(to_host(rows)), Names(right.names).take(to_host(columns)), to_host(n)
