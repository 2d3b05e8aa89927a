"""Doubts about label images: arrays that are legal, and that whoever made them did not mean as label images.

Only a part of a large image is looked at, and of several images only the first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clusterscore.align.doubts import Compared, doubt
from clusterscore.align.noise import background_codes
from clusterscore.align.side_facts import DoubtedSide
from clusterscore.distinct import Array
from clusterscore.nouns import noun
from clusterscore.read.arrays import shape_in_words

_SLICES, _ACROSS = 4, 512  # slices of a volume that are looked at, and places in each direction
_SAME_PLACE = 0.1  # of the pixels of objects that neighbouring slices both have; in a volume most stay in place


def _guessed(compared: Compared) -> list[DoubtedSide]:
    """The sides that are images, and that nobody called so."""
    return [side for side in compared.sides if side.images and not side.origin.declared]


def _first(side: DoubtedSide) -> Array:
    """The first image of a side."""
    assert side.images is not None
    return np.asarray(side.images.arrays[0])


def _coarse(image: Array) -> Array:
    """Some slices of an image, and in each some places, as many in both directions if these are equal."""
    while image.ndim > 3:
        image = image[0]
    steps = tuple(slice(None, None, 1 + size // _ACROSS) for size in image.shape[-2:])
    return image[steps] if image.ndim < 3 else image[(slice(_SLICES), *steps)]


@doubt
def colours_as_labels(compared: Compared) -> str | None:
    """A picture in colour has three or four numbers for each place."""
    for side in _guessed(compared):
        image = _first(side)
        if image.ndim > 2 and image.dtype == np.uint8 and image.shape[-1] in (3, 4) and min(image.shape[-3:-1]) > 4:
            shape = shape_in_words(image.shape)
            return (
                f"{side.side} is {shape} of uint8, as a picture in colour is; a label image has one number for each "
                f"{noun('element')}"
            )
    return None


@doubt
def a_mask_as_an_object(compared: Compared) -> str | None:
    """A mask says where objects are, and not which is which."""
    for side in _guessed(compared):
        objects = np.setdiff1d(np.flatnonzero(side.sizes), background_codes(side.names))
        if len(objects) != 1:
            continue
        from scipy.ndimage import label

        image, value = _first(side), side.label(objects[0])
        pieces = label(image[: max(1, _ACROSS**2 * len(image) // max(1, image.size))] == value)[1]
        if pieces > 1:
            return (
                f"{side.side} has no label but {value!r} and 0, and {value!r} is in {pieces:,} pieces, as in a mask; "
                f"to number them, pass scipy.ndimage.label({side.side})[0]"
            )
    return None


@doubt
def another_background(compared: Compared) -> str | None:
    """Background is 0; -1, or a label that has most of an image without 0, may be meant as such."""
    for side in _guessed(compared):
        meant, why, remedy = side.minus_one(), "", f"{side.side} + 1"
        if meant is None and len(side.sizes) and not side.sizes[background_codes(side.names)].any():
            largest = int(side.sizes.argmax())
            if 2 * side.sizes[largest] > side.elements > side.sizes[largest]:
                meant, why = side.label(largest), f", which {side.sizes[largest]:,} {noun('elements')} have"
                remedy = f"np.where({side.side} == {meant!r}, 0, {side.side})"
        if meant is not None:
            return f"background is 0; if {side.side} means the label {meant!r} as such{why}, pass {remedy}"
    return None


@doubt
def slices_as_a_volume(compared: Compared) -> str | None:
    """A stack of images, in each of which objects are numbered from 1 on."""
    for side in _guessed(compared):
        stack = _coarse(_first(side))
        if stack.ndim != 3 or len(stack) < 3:
            continue
        above, below = stack[:-1], stack[1:]
        known = np.array([np.isin(here, there) for here, there in zip(above, below, strict=True)]) & (above != 0)
        both = known & (below != 0)
        if 2 * known.sum() > (above != 0).sum() and both.any() and (above == below)[both].mean() < _SAME_PLACE:
            return (
                f"{side.side} is {shape_in_words(_first(side).shape)}, and in the next slice most of its labels are "
                f"elsewhere; if its slices are {noun('documents')} of their own, pass both sides as lists: "
                f"list({side.side})"
            )
    return None


@doubt
def axes_exchanged(compared: Compared) -> str | None:
    """Rows and columns of a square image are easily exchanged, and no shape shows it."""
    sides = _guessed(compared)
    if len(sides) < 2 or _first(sides[0]).shape != _first(sides[1]).shape:
        return None
    gold, pred = (_coarse(_first(side)) != 0 for side in sides)
    if gold.ndim < 2 or gold.shape[-1] != gold.shape[-2]:
        return None
    straight, turned = (_in_common(gold, other) for other in (pred, pred.swapaxes(-1, -2)))
    if turned < 0.5 or straight > turned / 2:
        return None
    return (
        f"the {noun('clusters')} of both sides are {straight:.0%} in the same places, and {turned:.0%} if the last two "
        "axes of pred are exchanged; pass pred.swapaxes(-1, -2) if they are in another order"
    )


def _in_common(left: Array, right: Array) -> Any:
    return (left & right).sum() / max(1, (left | right).sum())
