"""File: how a file is to be read; and the same of a table that is in no file."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import Literal

from clusterscore.exceptions import FileError, InputError, InputTypeError, a_type
from clusterscore.messages import Given, Message, Option

STEP = 0.01  # seconds of a frame of RTTM
Frames = Literal["middle", "dscore"]  # which frames of RTTM a turn has
OFFSETS = ("tokens", "characters")  # what the numbers of a JSON file of coreference count
COLUMNS = ("element", "cluster", "document", "grade")


@dataclass(frozen=True, kw_only=True)
class ReadOptions:
    """Which columns hold what, and the format: None where the user did not say."""

    element: str | None = None
    cluster: str | None = None
    document: str | None = None
    grade: str | None = None
    format: str | None = None
    header: bool = True
    step: float = STEP
    frames: Frames = "middle"
    offsets: str = OFFSETS[0]

    def __post_init__(self) -> None:
        for name in (*COLUMNS, "format"):
            value = getattr(self, name)
            whole = name != "format" and isinstance(value, int) and not isinstance(value, bool)  # columns of pandas
            if value is not None and not isinstance(value, str) and not whole:
                raise InputTypeError(Given(name, value), f" is {a_type(value)}; pass a name as text")
        if not isinstance(self.header, bool):
            raise InputTypeError(Given("header", self.header), " must be True, or False if the first line is data")

    @property
    def signed(self) -> dict[str, str]:
        """What the user chose and a signature names."""
        named = {"format": self.format, "header": None if self.header else "no", "grade": self.grade}
        return {option: value for option, value in named.items() if value is not None}


DEFAULT = ReadOptions()


@dataclass(frozen=True)
class File(ReadOptions):
    """How a file is to be read. You can pass it wherever you can pass a clustering, and a path if nothing needs saying.

    Options:
        path: the file, or a pattern such as ``"part-*.parquet"``; ``"-"`` is standard input.
        element: the column with the element id.
        cluster: the column with the cluster.
        document: the column with the document.
        grade: the column with the weight of each row, where elements belong to clusters by weights.
        format: what the file contains, if neither its name nor its content tells: ``"csv"``, ``"labels"``,
            ``"clusters"``, ``"boundaries"`` and so on.
        header: False if the first line of a CSV file is data. Its columns are then called "1", "2" and so on.
        step: the length of a frame of RTTM, in seconds.
        frames: RTTM: a frame belongs to whoever speaks in its ``"middle"``, or as in ``"dscore"``, at its start.
        offsets: ``"tokens"``, or ``"characters"`` for coreference in JSON lines with character offsets.

    >>> import clusterscore as cs
    >>> gold = cs.File("examples/people.csv", element="record_id", cluster="person_id")
    >>> pred = cs.File("examples/found_people.csv", element="record_id", cluster="golden_id")
    >>> round(cs.elm(gold, pred).f, 4)
    0.6111
    """

    path: str | os.PathLike[str]

    def __post_init__(self) -> None:
        if not isinstance(self.path, str | os.PathLike):
            raise FileError(f"a file is named by its path, not by {a_type(self.path)} ({self.path!r:.60})")
        super().__post_init__()

    @property
    def name(self) -> str:
        """The path as text."""
        return os.fsdecode(self.path)


def two_sides(
    both: ReadOptions, gold: ReadOptions, pred: ReadOptions, *, cluster: str = "{}_cluster", tables: int = 2
) -> tuple[ReadOptions, ReadOptions]:
    """Gold and pred, read as the user said of both sides, or of one; ``cluster`` is what that option is called.

    In one table with both sides nothing but their clusters can differ.
    """
    unset = asdict(DEFAULT)
    shared, own = asdict(both), {"gold": asdict(gold), "pred": asdict(pred)}
    for role in (*COLUMNS, "format", "header"):
        names = [cluster.format(side) if role == "cluster" else f"{side}_{role}" for side in own]
        given = [name for name, side in zip(names, own.values(), strict=True) if side[role] != unset[role]]
        is_shared = shared[role] != unset[role]
        if not is_shared and not given:
            continue
        of_both, of_one = Option(role, "..."), Option(given[0] if given else "", "...")
        of_each = Message(Option(names[0], "..."), " and ", Option(names[1], "..."))
        if tables == 1 and role == "cluster" and is_shared:
            raise InputError(of_both, " is for two tables; in one table ", of_each, " name columns")
        if tables == 1 and role != "cluster" and given:
            raise InputError(of_one, " is for two tables; in one table ", of_both, " holds for both sides")
        if is_shared and given:
            alone = Message(of_both, " alone, or ", of_each)
            raise InputError(of_both, " is for both sides and ", of_one, " for one; pass ", alone)
    left, right = (
        ReadOptions(**{role: side[role] if side[role] != unset[role] else shared[role] for role in unset})
        for side in own.values()
    )
    return left, right
