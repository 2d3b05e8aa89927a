"""Vectors and collections of every library, without importing any of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from clusterscore.distinct import Array
from clusterscore.exceptions import InputError, InputTypeError
from clusterscore.fields import tries
from clusterscore.nouns import noun, plural
from clusterscore.read.labels import Labels, encode, shortened
from clusterscore.read.texts import Texts

if TYPE_CHECKING:
    import narwhals as nw

_FRAMES = ("DataFrame", "LazyFrame", "Table", "RecordBatch", "DuckDBPyRelation")
_COLUMNS = ("pandas", "polars", "pyarrow", "modin", "cudf")  # libraries of frames and their columns
LIBRARIES = (*_COLUMNS, "duckdb", "_duckdb", "torch")
_SIDES = ("gold", "pred", "n")  # what a clustering is passed as
_LISTABLE = {list, tuple, set, frozenset}  # what collections usually are
_FEW_LABELS = 1 << 17
_TENSORS = {"torch.bool"} | {f"torch.{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}


def as_vector(values: Any, what: str) -> Sequence[Any] | Array:
    """A list or a one-dimensional array of what the user gave as ``what`` (labels, elements, ...)."""
    if isinstance(values, list | Labels | Texts) or (type(values) is np.ndarray and values.ndim == 1):
        return values
    if isinstance(values, np.ndarray):
        vector = _one_dimensional(values, what)
        masked: list[Any] = vector.tolist()  # what is masked has no value
        return masked if isinstance(values, np.ma.MaskedArray) else vector
    if isinstance(values, tuple | range):
        return list(values)
    if isinstance(values, str | bytes) and what == "elements":
        return list(values)
    if isinstance(values, str | bytes):
        path = ", or the path of a file that exists" if what in _SIDES else ""
        raise InputTypeError(
            f"{what} is the single {type(values).__name__} {shortened(values)}; pass a list of labels "
            f"(list({shortened(values)}) if every character is one){path}"
        )
    if _from(values, "torch"):
        return _one_dimensional(values.detach().cpu().numpy(), what)
    if _from(values, *_COLUMNS):
        return column(values, what)
    if isinstance(values, Mapping):
        raise InputTypeError(f"{what} is a mapping; use Clustering.from_mapping")
    if isinstance(values, set | frozenset):
        raise InputTypeError(f"{what} is a set, which has no order; pass a list")
    if hasattr(values, "__array__"):
        return _one_dimensional(np.asarray(values), what)
    if isinstance(values, Iterable):
        return list(values)
    raise InputTypeError(
        f"{what} is {shortened(values)}, a single {type(values).__name__}; pass a sequence with one label per "
        f"{noun('element')}"
    )


def column(series: Any, what: str = "labels") -> Sequence[Any] | Array:
    """A column of pandas, polars, pyarrow (or a narwhals one) as an array; strings as a list, nulls as None."""
    import narwhals as nw

    if not isinstance(series, nw.Series):
        if is_frame(series):
            raise InputTypeError(f"{what} is a frame; pass one column of it, or use Clustering.from_frame")
        if type(series).__module__.startswith("pyarrow") and not hasattr(series, "chunks"):
            arrow = sys.modules["pyarrow"]
            series = arrow.chunked_array([series])
        elif _from(series, "pandas") and hasattr(series, "__array__") and not hasattr(series, "index"):
            if getattr(series, "nlevels", 1) > 1:
                return list(series)  # an index of several levels: tuples
            series = sys.modules["pandas"].Series(series)  # an Index, a Categorical, an extension array
        try:
            series = nw.from_native(series, series_only=True)
        except TypeError:
            raise InputTypeError(
                f"{what} is a {type(series).__module__}.{type(series).__name__}; pass one column of labels"
            ) from None
    kind = series.dtype
    wide = kind in (nw.Int128, nw.UInt128)  # NumPy has no such integers
    if (kind.is_numeric() or kind == nw.Boolean) and not wide and not series.is_null().any():
        return np.asarray(series.to_numpy())
    fine = _nanoseconds(series)
    return list(series.to_list()) if fine is None else fine


def encoded(series: nw.Series[Any]) -> Sequence[Any] | Array:
    """The same, text as pandas or pyarrow encodes it: that is faster than to make a string of each value."""
    import narwhals as nw

    native = series.to_native()
    if series.dtype != nw.String or str(getattr(native, "dtype", "")) == "object":
        return column(series)
    if series.implementation.is_pyarrow():
        text = native.dictionary_encode().unify_dictionaries()
        codes = np.concatenate(
            [np.zeros(0, np.int64), *(chunk.indices.fill_null(-1).to_numpy() for chunk in text.chunks)]
        )
        names = text.chunk(0).dictionary.to_pylist() if text.num_chunks else []
    elif series.implementation.is_pandas():
        codes, distinct = native.factorize()
        names = distinct.tolist()
    else:
        return column(series)
    missing = codes < 0
    if missing.any():
        return Labels(np.where(missing, len(names), codes), [*names, None], len(names))
    return encode(names).take(codes)


def _nanoseconds(series: nw.Series[Any]) -> Array | None:
    """Times as NumPy has them, where some are finer than the microseconds of Python's times; else None."""
    import narwhals as nw

    kind, native = series.dtype, series.to_native()
    if series.implementation.is_pandas_like():  # whose own times hold nanoseconds, except Arrow's times of day
        if kind != nw.Time or not hasattr(native.dtype, "pyarrow_dtype"):
            return None
        series = nw.from_native(sys.modules["pyarrow"].chunked_array([native]), series_only=True)
    if kind == nw.Time:
        fine = (series.dt.nanosecond() % 1000 > 0).any()
        return np.array(series.cast(nw.Int64).to_list(), "m8[ns]") if fine else None
    if getattr(kind, "time_unit", None) != "ns":
        return None
    values = np.asarray(series.to_numpy())
    return values if (values.astype(f"{values.dtype.kind}8[us]") != values)[~np.isnat(values)].any() else None


def tensor_vector(tensor: Any, what: str, gold: Any = None) -> Any:
    """A tensor of one label per element, on the device of ``gold``, apart from the graph that it may be part of."""
    if tensor.layout is not sys.modules["torch"].strided:
        raise InputTypeError(f"{what} is a sparse tensor; pass .to_dense() of it")
    if not tensor.is_floating_point() and str(tensor.dtype) not in _TENSORS:
        raise InputTypeError(f"{what} is a tensor of {tensor.dtype}; labels are whole numbers, floats or truth values")
    if tensor.ndim > 1 and what in _SIDES and not tensor.is_floating_point():
        tensor = tensor.reshape(-1)  # an image
    elif tensor.ndim != 1:
        as_vector(_on_host(tensor.detach()), what)  # refuses it in the words for arrays
    if gold is not None and gold.device != tensor.device:
        raise InputError(
            f"gold is on {gold.device} and {what} on {tensor.device}; move one: {what}.to({str(gold.device)!r})"
        )
    return tensor.detach()


def _on_host(tensor: Any) -> Array:
    """The tensor in main memory; NumPy has no bfloat16."""
    array: Array = (tensor.float() if tensor.dtype is sys.modules["torch"].bfloat16 else tensor).cpu().numpy()
    return array


def stays_on_device(tensor: Any) -> bool:
    """Whether labels are counted where they lie: those in main memory, and few, are counted faster as arrays."""
    return bool(tensor.device.type != "cpu" and tensor.numel() > _FEW_LABELS)


def encode_tensor(tensor: Any) -> Labels:
    """Code labels by the same rule as arrays: small integers less the smallest, all else by its distinct values."""
    torch = sys.modules["torch"]
    kind = tensor.dtype
    if not stays_on_device(tensor):
        return encode(_on_host(tensor))
    if tensor.is_floating_point():
        return _encode_floats(tensor)
    if kind is torch.bool:
        return Labels(tensor.byte(), (False, True))
    if kind is torch.uint64:
        tensor = tensor.view(torch.int64)  # the largest turn negative: other codes, as far apart
    elif kind in (torch.uint16, torch.uint32):
        tensor = tensor.long()
    if not len(tensor):
        return Labels(tensor, range(0))
    lowest, highest = torch.stack(tensor.aminmax()).tolist()
    span = highest - lowest + 1
    if span > max(4 * len(tensor), 1024) or (kind is torch.uint64 and lowest < 0):
        distinct, codes = tensor.unique(return_inverse=True)
        return Labels(codes, (distinct.view(kind) if kind is torch.uint64 else distinct).cpu().numpy())
    if lowest:  # -128 .. 127 leaves int8 when shifted; in 64 bits it does not, and the codes need half of them
        tensor = tensor.long() - lowest
        tensor = tensor.int() if span < 2**31 else tensor
    return Labels(tensor, range(lowest, highest + 1))


def _encode_floats(tensor: Any) -> Labels:
    torch = sys.modules["torch"]
    wide, bits = (tensor.double(), torch.int64) if tensor.element_size() == 8 else (tensor.float(), torch.int32)
    wide = wide + 0.0  # -0.0 equals 0.0 and must share its bits
    missing = wide.isnan()
    wide = wide.masked_fill(missing, float("nan"))  # there are many NaNs; the bits of this one are the largest number
    distinct, codes = wide.view(bits).unique(return_inverse=True)
    names = distinct.view(wide.dtype).cpu().numpy()
    if not missing.any():
        return Labels(codes, names)
    return Labels(codes, [*names[:-1], None], len(names) - 1)


def numbers(values: Any, what: str) -> Array:
    """A vector of real numbers."""
    vector = as_vector(values, what)
    try:
        array = np.asarray(vector)
        if array.dtype == object:
            if any(isinstance(value, np.ndarray) and value.ndim for value in vector):
                raise TypeError  # as NumPy does from 2.4 on; before, an array of one number is taken for it
            array = np.array([float(value) for value in vector])
    except (TypeError, ValueError, OverflowError):
        raise InputTypeError(f"{what} must be numbers, one after the other; got {shortened(vector)}") from None
    if array.dtype.kind not in "biuf":
        raise InputTypeError(f"{what} must be numbers; got {shortened(vector)}")
    return _one_dimensional(array, what)


_USUAL = 1e-100, 1e100  # of weights: sums and squares of these neither overflow nor vanish
_HIGHEST = 400  # the binary exponent of the largest of others


def proportional(weights: Array) -> Array:
    """Weights, of which only the proportions matter, as they are, or multiplied by a power of two, which is exact."""
    above = weights[weights > 0]
    low, high = float(above.min(initial=1.0)), float(above.max(initial=1.0))
    if _USUAL[0] <= low and high <= _USUAL[1]:
        return weights
    scaled = np.ldexp(weights, _HIGHEST - np.frexp(above.max())[1])
    if scaled[weights > 0].min() < np.finfo(np.float64).tiny:
        raise InputError(
            f"the weights are too far apart, from {low:g} to {high:g}, and the smallest would count for nothing; bring "
            "them closer together, or leave out what is not to count"
        )
    return np.asarray(scaled)


def listed(values: Any) -> list[Any] | None:
    """A list of what can be iterated; None for what cannot."""
    try:
        return list(values)
    except TypeError:
        return None


def members_of(values: Any) -> list[Any] | None:
    """The elements of a cluster or a pair; a text is no collection of its letters, nor a mapping of its keys."""
    if type(values) in _LISTABLE:
        return list(values)
    return None if isinstance(values, str | bytes | Mapping) else listed(values)


def is_frame(values: Any) -> bool:
    """A frame of pandas, polars, pyarrow or DuckDB, known by its library and its name."""
    kind = type(values).__name__
    return _from(values, *_COLUMNS, "duckdb", "_duckdb") and kind in _FRAMES


def is_column(values: Any) -> bool:
    """A column of a library of frames."""
    return _from(values, *_COLUMNS)


def _from(values: Any, *libraries: str) -> bool:
    return type(values).__module__.partition(".")[0] in libraries


def _one_dimensional(values: Array, what: str) -> Array:
    if values.ndim != 1:
        dimensions_refused(values, what)
    return values


def shape_in_words(shape: tuple[int, ...]) -> str:
    """Such as 512 x 512."""
    return " x ".join(map(str, shape))


def dimensions_refused(values: Array, what: str) -> NoReturn:
    """Raise for an array that is no vector of labels, nor an image of them."""
    if values.ndim == 0:
        raise InputTypeError(
            f"{what} is the single value {values!r}; pass a sequence with one label per {noun('element')}"
        )
    if values.size == max(values.shape):
        remedy = "pass .ravel() of it"
    elif values.ndim == 2 and values.shape[1] == 4 and values.dtype.kind == "f" and not tries("npy"):
        remedy = "a linkage is cut by Clustering.from_linkage(linkage, threshold=...)"
    elif (
        values.dtype.kind == "f"
        and np.array_equal(values, np.floor(values), equal_nan=True)
        and (values.sum(axis=-1) != 1).any()
    ):
        remedy = "a label image has whole numbers: pass .astype(int) of it, or .long() of a tensor"
        if np.isnan(values).any():
            remedy = "a label image has no NaN: pass numpy.nan_to_num(...).astype(int) of it, where NaN is background"
    else:
        graded = "weights of clusters are read by Clustering.from_graded(...), " if values.dtype.kind == "f" else ""
        remedy = f"{graded}a table of counts is scored as cs.Table.from_matrix(...), one-hot rows by .argmax(axis=1), "
        remedy += "and label images by whole numbers of the same shape on both sides"
    kind = "" if values.dtype.kind in "biu" else f" of {values.dtype}"
    shape = shape_in_words(values.shape)
    raise InputError(
        f"{what} is {values.ndim}-dimensional ({shape}){kind}; one label per {noun('element')} is needed: {remedy}"
    )


def check_some(count: int, what: str) -> None:
    """Nothing to score is never a score."""
    if not count:
        raise InputError(f"{what} is empty ({plural(0, 'element')}): there is nothing to score")


def pandas_index(labels: Any) -> Any:
    """The index of a pandas Series; only to notice when two of them disagree."""
    return getattr(labels, "index", None) if type(labels).__module__.startswith("pandas") else None


def joined(left: Any, right: Any) -> Sequence[Any] | Array:
    """Two vectors, one after the other."""
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        # times of another unit may overflow in the finer one
        alike = left.dtype == right.dtype if left.dtype.kind in "Mm" else left.dtype.kind == right.dtype.kind
        if alike:
            return np.concatenate([left, right])
    if isinstance(left, Texts) and isinstance(right, Texts):
        return Texts(np.concatenate([left.letters, right.letters]))
    return [*python_values(left), *python_values(right)]


def python_values(values: Sequence[Any] | Array) -> Any:
    """Values as Python has them; of NumPy's times it would have a number."""
    return values.tolist() if isinstance(values, np.ndarray) and values.dtype.kind not in "Mm" else values[:]
