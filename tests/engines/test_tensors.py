"""Tensors are counted where they lie, and score as arrays do.

Those of a device are many, and lie elsewhere than arrays do; here, small ones in main memory are made to pass for them.
"""

from __future__ import annotations

import pickle
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import clusterscore as cs
from clusterscore.count import blocks, counting, packing, tensors
from clusterscore.count.rows import by_denominator
from clusterscore.count.tensors import DeviceCells, DeviceClusters
from clusterscore.metrics import DEFAULT_SET
from clusterscore.read import arrays
from fake_torch import Tensor
from variants import COUNTED

torch = pytest.importorskip("torch")
pytestmark = [  # labels from -1 up and truth values are drawn, and such options scored, on purpose
    pytest.mark.filterwarnings("ignore:.* the label .?-1"),
    pytest.mark.filterwarnings("ignore:gold and pred are nothing but 0 and 1"),
]

few = settings(max_examples=12, deadline=None, derandomize=True, database=None)
QUICK = [metric for metric in COUNTED if ("cells",) not in metric.needs]
WHOLE = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


def labels(count: int, clusters: int, seed: int = 0, lowest: int = 0) -> tuple[Any, Any]:
    """Gold labels, and a prediction that keeps 60% of them."""
    random = np.random.default_rng(seed)
    gold, other = random.integers(lowest, lowest + clusters, (2, count))
    return gold, np.where(random.random(count) < 0.6, gold, other)


@pytest.fixture(autouse=True)
def on_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (arrays, blocks, counting):
        monkeypatch.setattr(module, "stays_on_device", lambda tensor: True)


def check(gold: Any, pred: Any, *, metrics: Any = COUNTED, documents: Any = None, **options: Any) -> None:
    """The same scores as from arrays; ``documents`` go to both sides as they are, and as a tensor where they can."""
    for average in ("micro", "macro"):
        asked = {"metrics": metrics, "average": average, **options}
        expected = cs.score(gold, pred, documents=documents, **asked)
        kinds = [documents]
        if isinstance(documents, np.ndarray) and documents.dtype.kind in "biuf" and documents.flags.writeable:
            kinds.append(torch.from_numpy(documents))
        for kind in kinds:
            card = cs.score(torch.from_numpy(gold), torch.from_numpy(pred), documents=kind, **asked)
            assert isinstance(card.table.counts, DeviceCells)
            for name, score in card.items():
                wanted = vars_of(expected[name])
                assert vars_of(score) == pytest.approx(wanted, rel=1e-13, abs=1e-13, nan_ok=True), name
                assert tensors._MANY == 0 or score == expected[name], name


def vars_of(score: cs.Score) -> dict[str, float]:
    parts = {"value": score.value, "precision": score.precision, "recall": score.recall, **score.extras}
    return {part: value for part, value in parts.items() if value is not None}


@pytest.fixture(params=["as it is", "sorted in parts", "keys too wide", "added up there", "merged and added up there"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Every way of counting that a size or a range of labels may call for."""
    if request.param == "sorted in parts":
        monkeypatch.setattr(packing, "AT_ONCE", 100)
        monkeypatch.setattr(packing, "_MANY", 10)
    if request.param == "keys too wide":
        monkeypatch.setattr(packing, "_BITS", 20)
    if "added up there" in request.param:  # of few cells, whose sums are rounded in another order then
        monkeypatch.setattr(tensors, "_MANY", 0)
    if "merged" in request.param:
        monkeypatch.setattr(tensors, "_MERGED", 0)
    return str(request.param)


@pytest.mark.parametrize("documents", [None, 1, 9])
@pytest.mark.parametrize(("count", "clusters"), [(1, 1), (2, 3), (60, 5), (400, 40), (900, 2000)])
def test_scores(way: str, count: int, clusters: int, documents: int | None) -> None:
    gold, pred = labels(count, clusters, seed=count)
    where = None if documents is None else np.random.default_rng(1).integers(-2, documents - 2, count)
    check(gold, pred, documents=where)


@few
@given(st.lists(st.tuples(st.integers(-2, 4), st.integers(0, 4), st.integers(0, 2)), min_size=1, max_size=14))
def test_small_scores(rows: list[tuple[int, int, int]]) -> None:
    gold, pred, documents = np.array(rows).T
    check(gold, pred)
    check(gold, pred, documents=documents)


@pytest.mark.parametrize("documents", [None, 300])
def test_scores_beyond_the_small_sizes(documents: int | None) -> None:
    """Where arrays are counted by hashing, and sums are made in stretches."""
    gold, pred = labels(30_000, 9_000)
    where = None if documents is None else np.random.default_rng(1).integers(0, documents, len(gold))
    check(gold, pred, metrics=QUICK, documents=where)


def test_many_different_sizes() -> None:
    """More pairs of sizes than the expectation of AMI takes together."""
    gold = np.repeat(np.arange(1100), np.arange(1, 1101))
    check(gold, np.random.default_rng(0).permutation(gold), metrics=["ami", "nmi", "elm"])


SHAPES = {
    "singletons": (np.arange(50), np.arange(50)),
    "gold of singletons": (np.arange(50), np.zeros(50, np.int64)),
    "one cluster": (np.zeros(50, np.int64), np.zeros(50, np.int64)),
    "prediction of singletons": (np.full(50, -7), np.arange(50)),
    "ties": (np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 2, 2])),
    "negative": labels(80, 9, lowest=-200),
    "huge": tuple(side * 2**58 for side in labels(80, 9, lowest=-4)),
    "2**62": (np.array([2**62, 2**62, 2**62 + 1]), np.array([-(2**62), 2**62, 2**62])),
    "all of 64 bits": (np.array([-(2**63), 2**63 - 1, 0, 0]), np.array([2**63 - 1, 2**63 - 1, -(2**63), 1])),
    "all of 8 bits": (np.array([-128, 127, 0, 0], np.int8), np.array([127, 127, -128, 1], np.int8)),
    "without a sign": (np.array([2**64 - 1, 2**63, 3, 3], np.uint64), np.array([3, 3, 2**64 - 1, 4], np.uint64)),
    "truth values": (np.array([True, False, True, True]), np.array([True, False, False, True])),
    "different kinds": (np.array([3, 3, 4], np.int16), np.array([0.5, 0.25, 0.25], np.float32)),
    "both zeros": (np.array([0.0, -0.0, 1.0]), np.array([np.inf, -np.inf, np.inf])),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(way: str, shape: str) -> None:
    gold, pred = SHAPES[shape]
    check(gold, pred)
    check(gold, pred, documents=np.arange(len(gold)) // 2 * 5)


@pytest.mark.parametrize("kind", [*WHOLE, "float16", "float32", "float64"])
def test_kinds_of_labels(kind: str) -> None:
    gold, pred = (side.astype(kind) for side in labels(300, 90))
    check(gold, pred, metrics=QUICK)


def test_a_kind_that_numpy_lacks() -> None:
    gold, pred = labels(200, 30)
    tensor = [torch.from_numpy(side).to(torch.bfloat16) for side in (gold, pred)]
    assert cs.elm(*tensor) == cs.elm(gold, pred)


DOCUMENTS = {
    "words": ["a", "b", "b"] * 20,
    "a tuple": tuple(range(60)),
    "dates": np.repeat(np.array(["2020", "2021"], "M8[Y]"), 30),
    "small integers": np.repeat(np.arange(6, dtype=np.int8), 10),
    "far apart": np.repeat([-(10**15), 0, 2**62], 20),
    "floats": np.repeat([0.5, -1.5, 7.0], 20),
    "truth values": np.repeat([True, False], 30),
    "one": np.zeros(60, np.int64),
    "read-only": np.frombuffer(np.arange(60).tobytes(), np.int64),
}  # fmt: skip


@pytest.mark.parametrize("kind", DOCUMENTS)
@pytest.mark.parametrize("noise", [None, 3])
def test_kinds_of_documents(kind: str, noise: int | None) -> None:
    gold, pred = labels(60, 9)
    documents = DOCUMENTS[kind]
    check(gold, pred, documents=documents, metrics=QUICK, noise=noise, noise_as="drop")
    table = cs.Table.from_labels(torch.from_numpy(gold), torch.from_numpy(pred), documents=documents)
    expected = cs.Table.from_labels(gold, pred, documents=documents)
    assert list(table.documents) == list(expected.documents)
    assert table.gold_elements.tolist() == expected.gold_elements.tolist()


NAN = float("nan")
NOISE = [-1, 0, [0, 2], {-1, None}, NAN, 2.0, 0.1, True, "0", np.int64(2), 10**30, float("inf"), [], 1 + 2j]


def complaint(*sides: Any, **options: Any) -> str | None:
    try:
        cs.Table.from_labels(*sides, **options)
    except cs.ClusterscoreError as error:
        return f"{type(error).__name__}: {error}"
    return None


@pytest.mark.parametrize("noise_as", ["singleton", "drop", "cluster"])
@pytest.mark.parametrize("noise", NOISE, ids=str)
@pytest.mark.parametrize("kind", ["int8", "uint8", "int64", "float32", "bool"])
def test_noise(noise: Any, noise_as: str, kind: str) -> None:
    gold, pred = (side.astype(kind) for side in labels(70, 6, lowest=0 if kind in ("uint8", "bool") else -1))
    where = np.arange(70) // 20
    for documents in (None, where):
        options = {"noise": noise, "noise_as": noise_as, "documents": documents}
        message = complaint(gold, pred, **options)  # all of it is noise, or the noise is misspelt
        assert complaint(torch.from_numpy(gold), torch.from_numpy(pred), **options) == message
        if message is None:
            check(gold, pred, metrics=["elm", "alphamax", "acc", "f_measure", "ami"], **options)


@pytest.mark.parametrize("noise_as", ["singleton", "drop", "cluster"])
@pytest.mark.parametrize("noise", [[None], [NAN, 1]])
def test_elements_without_a_label_as_noise(noise: Any, noise_as: str) -> None:
    gold, pred = (np.where(side == 3, NAN, side) for side in labels(90, 6))
    check(gold, pred, noise=noise, noise_as=noise_as)
    check(gold, pred, noise=noise, noise_as=noise_as, documents=np.arange(90) // 7)
    payload = np.array([0x7FF8000000000001, 0x7FF8000000000002], np.uint64).view(np.float64)  # two NaNs that differ
    check(payload, payload, noise=noise, noise_as="singleton")


def named(table: cs.Table) -> set[tuple[Any, ...]]:
    document = [0] * len(table.n) if table.cells.document is None else table.cells.document
    cells = zip(document, table.gold, table.pred, table.n, table.a, table.b, strict=True)
    return {
        (
            table.documents[d],
            repr(table.cells.gold.name(int(g))),
            repr(table.cells.pred.name(int(p))),
            int(n),
            int(a),
            int(b),
        )
        for d, g, p, n, a, b in cells
    }


@pytest.mark.parametrize("documents", [None, np.arange(40) % 3])
@pytest.mark.parametrize(
    "options", [{}, {"noise": 2}, {"noise": 2, "noise_as": "drop"}, {"noise": 2, "noise_as": "cluster"}]
)
@pytest.mark.parametrize("kind", ["int64", "far apart", "uint64", "float32", "bool"])
def test_cells_come_to_the_host_when_asked_for(documents: Any, options: dict[str, Any], kind: str) -> None:
    gold, pred = labels(40, 6, lowest=0 if kind in ("bool", "uint64") else -1)
    if kind == "far apart":
        gold, pred = np.where(gold == 2, 2, gold * 10**14), np.where(pred == 2, 2, pred * 10**14)
    else:
        gold, pred = (side.astype(kind) for side in (gold, pred))
    table = cs.Table.from_labels(torch.from_numpy(gold), torch.from_numpy(pred), documents=documents, **options)
    expected = cs.Table.from_labels(gold, pred, documents=documents, **options)
    assert named(table) == named(expected)
    assert repr(table) == repr(expected)
    assert sorted(table.gold_size[table.gold_size > 0]) == sorted(expected.gold_size[expected.gold_size > 0])
    assert sorted(table.to_matrix().ravel()) == sorted(expected.to_matrix().ravel())
    assert sorted(cs.elements(table)["f"]) == sorted(cs.elements(expected)["f"])
    assert table.cells.largest_cells("gold").size.sum() == table.largest_total("gold").sum()
    for side in ("gold", "pred", "cell"):
        assert table.clusters(side).tolist() == expected.clusters(side).tolist()
        assert table.number(side) == expected.number(side)
    with pytest.raises(AttributeError, match="nothing_of_this_name"):
        _ = table.nothing_of_this_name


def test_no_label_is_named_none() -> None:
    gold = torch.tensor([0.5, NAN, NAN])
    table = cs.Table.from_labels(gold, gold, noise=[None], noise_as="cluster")
    assert {table.cells.gold.name(int(cluster)) for cluster in table.gold} == {0.5, None}


@pytest.mark.parametrize("documents", [None, ["d", "d", "e"]])
def test_pickles(documents: Any) -> None:
    gold, pred = torch.tensor([4, 4, 5]), torch.tensor([0, 1, 1])
    table = cs.Table.from_labels(gold, pred, documents=documents)
    again = pickle.loads(pickle.dumps(table))
    assert (named(again), cs.elm(again), repr(again)) == (named(table), cs.elm(table), repr(table))
    card = cs.score(table, metrics=COUNTED)
    assert pickle.loads(pickle.dumps(card)).to_json() == card.to_json()


def test_a_pool_of_documents_keeps_their_clusters_apart() -> None:
    table = cs.Table.from_labels(*torch.zeros(2, 3), documents=["d", "e", "e"])
    assert table.pooled().to_matrix().tolist() == table.to_matrix().tolist() == [[1, 0], [0, 2]]
    assert (list(table.pooled().documents), table.pooled().pooled()) == ([None], table.pooled())


def test_squares_beyond_64_bits_are_added_on_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensors, "MOST_SQUARED", 10)
    check(*labels(60, 5), metrics=["alphamax", "alphamax(reading=own)"])


@pytest.mark.parametrize(("count", "clusters"), [(9_000, 900), (90_000, 60)])
def test_sums_by_denominator_are_made_where_the_cells_lie(
    way: str, count: int, clusters: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows stay where they are for measures that need nothing but sums."""
    gold, pred = labels(count, clusters)
    metrics = [*DEFAULT_SET, "bcubed(f=of-means)", "mirkin", "variation_of_information"]
    monkeypatch.setattr(tensors, "_MANY", min(tensors._MANY, 3000))
    monkeypatch.setattr(DeviceCells, "rows_in_memory", None)
    check(gold, pred, metrics=metrics)
    check(gold, pred, metrics=metrics, documents=np.arange(count) % 7)


@pytest.mark.parametrize("largest", [10, 10**6, 10**8, 2 * 10**9, 4 * 10**9])
def test_sums_by_denominator_of_any_size(largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(largest)
    cluster = [torch.from_numpy(side) for side in np.divmod(np.arange(3600), 60)]
    n = torch.from_numpy(np.append(largest, random.integers(1, 9, 3599)))
    sides = [DeviceClusters(side, packing.sums(n, side, 60), None, None, range(60)) for side in cluster]
    cells = DeviceCells(n, *sides, int(n.sum()))
    monkeypatch.setattr(tensors, "_MANY", 3000)
    sums, expected = cells.denominator_sums, by_denominator(cells.rows_in_memory, int(n.sum()))
    assert (sums is None) == (largest > 3 * 10**9)  # then squares do not fit 64 bits, and the host adds them up
    for ours, theirs in zip(sums or [], expected, strict=sums is not None):
        assert sorted(zip(*ours, strict=True)) == sorted(zip(*theirs, strict=True))
    assert cs.elm(cs.Table(cells)) == cs.elm(cs.Table(cells.cells()))


def test_what_a_tensor_may_be() -> None:
    gold, pred = labels(100, 7)
    expected = cs.elm(gold, pred)
    strided = [torch.from_numpy(np.repeat(side, 2))[::2] for side in (gold, pred)]
    assert cs.elm(*strided) == expected
    learned = [torch.from_numpy(side).double().requires_grad_() for side in (gold, pred)]
    assert cs.elm(*learned) == expected
    assert cs.elm(torch.nn.Parameter(learned[0]), learned[1] * 2) == expected
    assert [side.tolist() for side in strided] == [gold.tolist(), pred.tolist()]  # nothing is changed


def test_other_ways_stay_open() -> None:
    gold, pred = labels(100, 7)
    tensor, weights = torch.from_numpy(gold), np.linspace(0, 1, 100)
    for other in (pred, pred.tolist(), cs.Clustering.from_labels(torch.from_numpy(pred)), Tensor(pred)):
        table = cs.Table.from_labels(tensor, other)
        assert not isinstance(table.counts, DeviceCells)
        assert cs.elm(table) == cs.elm(gold, pred)
    assert not isinstance(cs.Table.from_labels(Tensor(gold), Tensor(pred)).counts, DeviceCells)
    for other in (weights, torch.from_numpy(weights)):
        assert cs.elm(tensor, torch.from_numpy(pred), weights=other) == cs.elm(gold, pred, weights=weights)
    rows, expected = cs.elements(tensor, torch.from_numpy(pred)), cs.elements(gold, pred)
    assert all(rows[name].tolist() == expected[name].tolist() for name in expected)


OK = torch.tensor([0, 0, 1])
WRONG = {
    "lengths": (OK, OK[:2], {}, cs.ElementMismatch, ["gold has 3 labels and pred has 2", "by position"]),
    "empty": (OK[:0], OK[:0], {}, cs.InputError, ["gold is empty (0 elements)"]),
    "one empty": (OK, OK[:0], {}, cs.InputError, ["pred is empty"]),
    "2-D": (OK, torch.full((3, 2), 0.5), {}, cs.InputError, ["pred is 2-dimensional (3 x 2)", "argmax"]),
    "2-D, whole": (OK, torch.zeros(3, 2), {}, cs.InputError, ["pred is 2-dimensional (3 x 2)", ".long() of a tensor"]),
    "one column": (OK[:, None], OK, {}, cs.InputError, ["gold is 2-dimensional (3 x 1)", ".ravel()"]),
    "0-D": (OK[0], OK, {}, cs.InputTypeError, ["gold is the single value", "one label per element"]),
    "complex": (OK, OK + 1j, {}, cs.InputTypeError, ["pred is a tensor of torch.complex64"]),
    "sparse": (OK.to_sparse(), OK, {}, cs.InputTypeError, ["gold is a sparse tensor", ".to_dense()"]),
    "another device": (OK, OK.to("meta"), {}, cs.InputError, ["gold is on cpu and pred on meta", "pred.to('cpu')"]),
    "NaN": (torch.tensor([1, NAN, NAN]), OK, {}, cs.InputError, ["gold has 2 elements with no label", "position 1"]),
    "all noise": (OK, OK, {"noise": [0, 1], "noise_as": "drop"}, cs.InputError, ["what is left with missing:error"]),
    "misspelt noise": (OK, OK, {"noise": "1"}, cs.InputError, ["noise='1' is not a label here, but 1 is"]),
    "an option": (OK, OK, {"noice": 1}, cs.OptionError, ["did you mean 'noise'?"]),
    "a word": (OK, OK, {"missing": "dropp"}, cs.InputError, ["missing='dropp'"]),
    "document lengths": (OK, OK, {"documents": [1, 2]}, cs.InputError, ["2 document ids for 3 elements"]),
    "tensor lengths": (OK, OK, {"documents": OK[:2]}, cs.InputError, ["2 document ids for 3 elements"]),
    "null document": (OK, OK, {"documents": ["a", None, "a"]}, cs.InputError, ["1 element without a document"]),
    "NaN document": (OK, OK, {"documents": OK * NAN}, cs.InputError, ["3 elements without a document"]),
    "2-D documents": (OK, OK, {"documents": OK[:, None]}, cs.InputError, ["documents is 2-dimensional"]),
    "mapping": (OK, OK, {"documents": {0: 1}}, cs.InputTypeError, ["documents is a mapping"]),
    "documents elsewhere": (OK, OK, {"documents": OK.to("meta")}, cs.InputError, ["on cpu and documents on meta"]),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_errors(case: str) -> None:
    gold, pred, options, kind, words = WRONG[case]
    with pytest.raises(kind) as raised:
        cs.Table.from_labels(gold, pred, **options)
    assert all(part in str(raised.value) for part in words), raised.value
    if case not in {"complex", "sparse", "another device", "documents elsewhere"}:  # arrays know no such thing
        host = {name: value.numpy() if isinstance(value, torch.Tensor) else value for name, value in options.items()}
        assert complaint(gold.numpy(), pred.numpy(), **host) == complaint(gold, pred, **options)


@pytest.mark.parametrize("options", [{}, {"noise": 0, "noise_as": "drop"}])
def test_nothing_at_all(options: dict[str, Any]) -> None:
    nothing = np.zeros(3 if options else 0, np.int64)
    tensor = torch.from_numpy(nothing)
    for documents in (None, nothing):
        asked = {"missing": "keep", "documents": documents, **options}
        assert cs.blanc(tensor, tensor, **asked) == cs.blanc(nothing, nothing, **asked)
        with pytest.raises(cs.InputError, match="gold and pred are empty"):
            cs.elm(tensor, tensor, **asked)


@pytest.fixture
def journeys(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How many numbers leave their tensor, each time that some do."""
    sizes: list[int] = []
    for name in ("cpu", "numpy", "tolist", "item", "__array__", "__int__", "__bool__", "__index__"):
        original = getattr(torch.Tensor, name)

        def recorded(self: Any, *given: Any, original: Any = original, **more: Any) -> Any:
            sizes.append(self.numel())
            return original(self, *given, **more)

        monkeypatch.setattr(torch.Tensor, name, recorded)
    return sizes


@pytest.mark.parametrize("documents", [None, 20])
def test_labels_do_not_travel(journeys: list[int], documents: int | None) -> None:
    count = 200_000
    gold, pred = (torch.from_numpy(side) for side in labels(count, count // 4))
    where = None if documents is None else torch.arange(count) % documents
    journeys.clear()
    card = cs.score(gold, pred, metrics=QUICK, documents=where, noise=[3], average="macro" if documents else "micro")
    assert card["elm"].f
    assert 0 < max(journeys) < count / 20
    assert sum(journeys) < count


@pytest.mark.parametrize("documents", [[30, -4, 7, 0], [2**60, 3, -(2**61), 0], [0.5, -1.5, 2.5, 0.25], [True, False]])
def test_documents_in_the_order_of_their_first_element(documents: list[Any]) -> None:
    gold, where = torch.arange(1000) % 3, documents * (1000 // len(documents))
    for kind in (torch.tensor(where), where, list(map(str, where))):
        table = cs.Table.from_labels(gold, gold, documents=kind)
        assert list(map(str, table.documents)) == list(map(str, documents))
        assert table.common.tolist() == [1000 / len(documents)] * len(documents)
        last = cs.Table.from_labels(gold[500:], gold[500:], documents=kind[500:], noise=int(gold[500]), noise_as="drop")
        assert list(map(str, last.documents)) == list(map(str, documents))


def test_a_hint_at_noise() -> None:
    gold, pred = torch.tensor([0, 1, 2, 2]), torch.tensor([0, 1, -1, -1])
    with pytest.warns(cs.ClusterscoreWarning, match="^pred has the label -1 among labels from 0 up"):
        cs.elm(gold, pred)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cs.elm(gold, pred, noise=-1)
        cs.elm(gold, torch.tensor([1, 1, -1, -1]))
