"""DuckDB, the embedded engine: a session that reads files of any size and leaves nothing behind."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from clusterscore.distinct import Array
from clusterscore.errors import EngineError, FileError, InputError
from clusterscore.progress import step
from clusterscore.read.complaints import Scans, complaint
from clusterscore.read.formats import TABLES, form_of
from clusterscore.read.scan import QUERIES
from clusterscore.read.source import BOM, Source, called, is_stream
from clusterscore.read.spill import SpillFolder, checked_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import duckdb

T = TypeVar("T")

_SIZE = re.compile(r"\d+(\.\d+)?\s*([KMGT]i?B)", re.IGNORECASE)
_TICK = 0.1  # seconds between two looks at the progress


class Session:
    """A connection to an in-memory DuckDB with a private folder to spill to, closed and removed at the end.

    ``memory_limit`` is a size such as ``"2GB"``, ``temp_directory`` the folder in which the private one is made,
    ``threads`` how many work at once. ``ordered`` keeps the rows of a file in their order, which costs memory::

        with Session(memory_limit="2GB") as session:
            rows = session.table("part-*.csv")
            counts = session.fetch(rows.aggregate("cluster, count(*) AS n"))
    """

    def __init__(
        self,
        memory_limit: str | None = None,
        temp_directory: str | os.PathLike[str] | None = None,
        threads: int | None = None,
        *,
        ordered: bool = False,
    ):
        self._config = {"preserve_insertion_order": "true" if ordered else "false"}
        if memory_limit is not None:
            self._config["memory_limit"] = _checked_size(memory_limit)
        if threads is not None:
            self._config["threads"] = str(_checked_threads(threads))
        self._inside = checked_folder(temp_directory)
        self._folder: SpillFolder | None = None
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._files: dict[str, str] = {}
        self._copies: dict[str, str] = {}
        self._numbers = count()

    def __enter__(self) -> Session:
        import duckdb

        self._folder = SpillFolder(self._inside)
        try:
            self._connection = duckdb.connect(":memory:", config={**self._config, "temp_directory": self._folder.path})
            # without a bar DuckDB does not say how far it is
            self._connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
        except BaseException as error:
            self.close()
            if isinstance(error, duckdb.Error):
                raise complaint(error, Scans(self._folder.path, {}, repr)) from None
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection and remove the folder."""
        try:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
        finally:
            if self._folder is not None:
                self._folder.remove()

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The open connection."""
        if self._connection is None:
            raise EngineError("the session is closed; use it inside its with block")
        return self._connection

    @property
    def folder(self) -> str:
        """The private folder for temporary files."""
        if self._folder is None:
            raise EngineError("the session is not open; use it inside its with block")
        return self._folder.path

    def table(
        self, path: str | os.PathLike[str] | Source, form: str | None = None, wanted: Iterable[Any] = ()
    ) -> duckdb.DuckDBPyRelation:
        """The rows of a file, of all files that a pattern matches, or of a stream, read when they are needed.

        Of a file with very many columns only those in ``wanted`` are there, and those that are called much like one.
        """
        source = path if isinstance(path, Source) else Source(path)
        form = form_of(source, form, has_columns=True)
        if form not in TABLES:
            raise FileError(f"{source.called} has no columns; use a CSV, TSV, Parquet or JSON lines file")
        files = [self._readable(each, source, form) for each in source.files()]
        these = dict.fromkeys(files, form)
        self._files.update(these)
        with self._in_our_words(these):
            found = QUERIES[form](
                self.connection, files, self._called, {each for each in wanted if isinstance(each, str)}
            )
            if not found.wide:
                return self.connection.sql(found.query)
            # whatever is done to a relation reads its heading again
            name = f"wide_{next(self._numbers)}"
            self.connection.execute(f"CREATE TEMP TABLE {name} AS {found.query}")
            return self.connection.table(name)

    def _readable(self, file: str, source: Source, form: str) -> str:
        """The file, or a copy in the session's own folder: of a stream, and of what DuckDB cannot read or check."""
        ending = os.path.splitext(file)[1].lower()
        marked = form == "jsonl" and not is_stream(file) and _has_mark(file)
        if not is_stream(file) and not marked and ending not in (".gz", ".bz2", ".xz"):
            return file
        copy = os.path.join(self.folder, f"input-{len(self._copies)}")
        if ending == ".zst":
            copy += ending
            with open(file, "rb") as pipe, open(copy, "wb") as target:
                shutil.copyfileobj(pipe, target)
        else:
            source.copy(file, copy)
        self._copies[copy] = file
        return copy

    def _called(self, file: str) -> str:
        return called(self._copies.get(file, file))

    def fetch(self, relation: duckdb.DuckDBPyRelation, label: str = "counting") -> dict[str, Array]:
        """The rows of a relation as NumPy arrays by name, masked where there are nulls."""
        return self.run(relation.fetchnumpy, label)

    def run(self, work: Callable[[], T], label: str = "counting") -> T:
        """Do something that keeps the connection busy, with progress, and stoppable by Ctrl-C.

        ``work`` runs in another thread: Python looks after Ctrl-C only between two steps of its own.
        """
        with self._in_our_words(self._files), step(label) as at, ThreadPoolExecutor(1) as pool:
            done = pool.submit(work)
            try:
                while True:
                    try:
                        return done.result(_TICK)
                    except TimeoutError:
                        at(max(0.0, self.connection.query_progress() / 100))
            except KeyboardInterrupt:
                self._stop(done)
                raise

    def _stop(self, done: Future[T]) -> None:
        # a query that is still being planned does not hear the first call
        while not done.done():
            self.connection.interrupt()
            try:
                done.exception(_TICK)
            except TimeoutError:
                continue

    @contextmanager
    def _in_our_words(self, files: dict[str, str]) -> Iterator[None]:
        import duckdb

        try:
            yield
        except duckdb.Error as error:
            raise complaint(error, Scans(self.folder, files, self._called)) from None


def _has_mark(file: str) -> bool:
    """A byte order mark, as some write it in front of JSON."""
    with open(file, "rb") as opened:
        return opened.read(len(BOM)) == BOM


def _checked_size(size: str) -> str:
    found = _SIZE.fullmatch(size.strip()) if isinstance(size, str) else None
    if found is None or not float(size.strip()[: -len(found[2])]):
        raise InputError(f"memory_limit={size!r} is not a size; write it like 2GB")
    return size.strip()


def _checked_threads(threads: int) -> int:
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise InputError(f"threads={threads!r} is not a number of threads; write a whole number from 1 up")
    return threads
