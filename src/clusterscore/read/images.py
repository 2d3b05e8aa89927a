"""Label images and volumes: arrays of whole numbers of any dimension, in memory or in files; several are documents."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from clusterscore.distinct import Array
from clusterscore.exceptions import ElementMismatch, FileError, InputError, InputTypeError
from clusterscore.fields import tries
from clusterscore.nouns import plural
from clusterscore.read.arrays import dimensions_refused, is_frame, shape_in_words
from clusterscore.read.labels import Labels, encode, is_tensor
from clusterscore.read.source import Source, opened
from clusterscore.requirements import check_version

_MAPPED = 1 << 26  # bytes: an array in a larger file is not read into memory
_ROWS_TRIED = 1000

Shapes = Mapping[Any, tuple[int, ...]]  # of images by their names; None is that of a single one


class Images(NamedTuple):
    """The label images of one side, and what they are called where there are several."""

    arrays: Sequence[Array]
    names: Sequence[Any] = (None,)

    @property
    def shapes(self) -> Shapes:
        """How large each image is."""
        return {name: array.shape for name, array in zip(self.names, self.arrays, strict=True)}

    def labels(self) -> Labels:
        """One label for each element of all images, one after the other."""
        flat = [array.ravel() for array in self.arrays]
        if np.result_type(*{array.dtype for array in flat}).kind == "f":  # which some of 64 bits do not fit
            flat = [array.astype(object) for array in flat]
        return encode(flat[0] if len(flat) == 1 else np.concatenate(flat))

    def documents(self, rows: Sequence[int]) -> Labels | None:
        """The image of each row, of which every image has so many."""
        return None if self.names == (None,) else Labels(np.repeat(np.arange(len(rows)), rows), self.names)


def images_given(given: Any, side: str, certain: bool = False) -> Images | None:
    """The images that are meant by arrays of several dimensions: one, a list of them, or a mapping name -> image.

    Unless that is ``certain``, rows that may be one-hot are refused.
    """
    several = isinstance(given, list | tuple | Mapping)
    first = given if not several else next(iter(given.values() if isinstance(given, Mapping) else given), None)
    if getattr(first, "ndim", 0) < 2 or not hasattr(first, "__array__") or is_frame(first):
        return None
    images = images_of(given, side)
    flat = next((name for name, array in zip(images.names, images.arrays, strict=True) if array.ndim < 2), None)
    if flat is not None:
        raise InputTypeError(
            f"{side} mixes images with an array of one dimension ({flat!r}); if all are images, pass "
            f"Clustering.from_images({side})"
        )
    rows = images.arrays[0][:_ROWS_TRIED]
    if (
        not (certain or tries("npy"))
        and rows.ndim == 2
        and len(rows) > 2
        and rows.shape[1] > 1
        and rows.max() == 1
        and (np.count_nonzero(rows, 1) == 1).all()
    ):
        raise InputError(
            f"{side} has a single 1 in each row; if these are one-hot rows, pass .argmax(axis=1) of it, and if it is a "
            f"label image, Clustering.from_images({side})"
        )
    return images


def images_of(given: Any, side: str) -> Images:
    """One array, a list of them, or a mapping name -> image."""
    if not isinstance(given, list | tuple | Mapping):
        return Images([_whole_numbers(given, side)])
    names: Sequence[Any] = sorted(given, key=str) if isinstance(given, Mapping) else range(len(given))
    if not names:
        raise InputError(f"{side} has no image: there is nothing to score")
    return Images([_whole_numbers(given[name], f"image {name!r} of {side}") for name in names], names)


def _whole_numbers(given: Any, what: str) -> Array:
    """An array of labels; anything else than whole numbers is refused."""
    array: Array = np.asanyarray(given.detach().cpu().numpy() if is_tensor(given) else given)
    if isinstance(array, np.ma.MaskedArray):
        raise InputError(f"{what} is a masked array; give what is masked a label, such as .filled(0) for background")
    if array.dtype.kind == "b" and array.ndim:
        return array.view(np.uint8)
    if array.dtype.kind not in "iu" or not array.ndim:
        dimensions_refused(array, what)
    return array


def images_in(source: Source, form: str) -> Images | Array:
    """The arrays in files, each an image with the name of its file; a single array as it is."""
    images: dict[str, Array] = {}
    for file in source.files:
        arrays = _arrays(source, file, form)
        stem = Path(file).name.partition(".")[0]
        for name, array in arrays.items():
            key = stem if len(arrays) == 1 else name if len(source.files) == 1 else f"{stem}/{name}"
            if key in images:
                raise FileError(f"two images of {source.called} are called {key!r}; give their files different names")
            images[key] = array
    return next(iter(images.values())) if len(images) == 1 else images_of(images, source.called)


def read_array(source: Source) -> Array:
    """The array in a file of NumPy's."""
    return _arrays(source, source.files[0], "npy")[""]


def _arrays(source: Source, file: str, form: str) -> dict[str, Array]:
    """The arrays in a file by name; a large one stays on disk, and what would have to be unpickled is refused."""
    is_plain = not source.is_stream and source.look(file).is_plain
    if form == "tif":
        try:
            import tifffile
        except ImportError:
            raise FileError(
                f'{source.called} is a TIFF file, and tifffile is not installed; pip install "clusterscore[images]"'
            ) from None
        check_version("tifffile", tifffile.__version__)
    try:
        if form == "npy" and is_plain and os.path.getsize(file) > _MAPPED:
            return {"": np.load(file, mmap_mode="r", allow_pickle=False)}
        with opened(file) if is_plain else BytesIO(b"".join(source.chunks(file))) as content:
            if form == "tif":
                return {"": np.asarray(tifffile.imread(content))}
            held = np.load(content, allow_pickle=False)
            if form == "npz":
                arrays = {name: held[name] for name in held.files}
                if not all(isinstance(array, np.ndarray) for array in arrays.values()):
                    raise ValueError("a file in it is none of NumPy's")
                return arrays
        if held.dtype.kind == "U":
            held.tolist()  # letters that there are not
        return {"": held}
    except Exception as error:  # a damaged file raises errors of many kinds there
        reason = "it holds Python objects" if "Object arrays" in str(error) else "it is damaged"
        raise FileError(f"{source.called} cannot be read: {reason}; save an array of numbers or text again") from None


def refuse_other_shapes(gold: Shapes | None, pred: Shapes | None) -> None:
    """Raise where the images of both sides are not as large, or are not called the same."""
    if gold == pred:
        return
    if gold is None or pred is None:
        side, shapes = ("pred", pred) if gold is None else ("gold", gold)
        shape = next(iter((shapes or {}).values()))
        dimensions_refused(np.broadcast_to(np.int8(0), shape), side)
    if (None in gold) != (None in pred):
        numbers = ["a single image" if None in side else plural(len(side), "image") for side in (gold, pred)]
        raise ElementMismatch(f"gold is {numbers[0]} and pred {numbers[1]}; pass as many on both sides")
    for side, mine, other in (("gold", gold, pred), ("pred", pred, gold)):
        only = [name for name in mine if name not in other]
        if only:
            raise ElementMismatch(
                f"{plural(len(only), 'image')} of {side} (of {len(mine):,}) not on the other side (e.g. {only[0]!r}); "
                "give each image the same name on both"
            )
    name = next(name for name in gold if gold[name] != pred[name])
    called = "" if name is None else f" for image {name!r}"
    raise ElementMismatch(
        f"gold is {shape_in_words(gold[name])} and pred {shape_in_words(pred[name])}{called}; label images are "
        "compared place by place, so both need the same shape"
    )
