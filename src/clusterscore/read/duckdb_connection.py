"""DuckDB, the embedded engine: a session that reads files of any size and leaves nothing behind."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from decimal import Decimal
from functools import partial
from itertools import chain, count
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from clusterscore.exceptions import EngineError, FileError, InputError, InputTypeError
from clusterscore.messages import Given, Option, Wording
from clusterscore.nouns import plural
from clusterscore.progress import step
from clusterscore.read.duckdb_errors import complaint
from clusterscore.read.duckdb_queries import QUERIES, TableFile, quoted
from clusterscore.read.formats import TABLES, form_of
from clusterscore.read.labels import plain
from clusterscore.read.source import (
    BOM,
    LONGEST_ROW,
    ZSTD,
    Source,
    called,
    line_ends,
    long_row,
    rows_that_end,
    stream_id,
    with_one_end,
)
from clusterscore.requirements import check_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import duckdb

T = TypeVar("T")

_SIZE = re.compile(r"\s*((?=[0.]*[1-9])\d+(?:\.\d+)?)\s*([KMGT]i?)B?\s*", re.IGNORECASE)
_EXACT: Mapping[str, Callable[[Any], Any]] = {"HUGEINT": int, "UHUGEINT": int, "DECIMAL": Decimal, "BLOB": bytes}
_MOST_THREADS = 64  # that are accepted also where there are few cores
_NOT_OPEN = "the session is not open, or closed again; use it inside its with block"
_TICK = 0.1  # seconds between two looks at the progress
_SMALL = 1 << 20  # bytes: files up to here fit memory many times over, however they are packed
# the pipe to a process closes with it, however it ends
_WATCH = "import shutil, sys; sys.stdin.read(); shutil.rmtree(sys.argv[1], ignore_errors=True)"


class Session:
    """An in-memory DuckDB, connected when it is first used, and closed at the end with all that it wrote.

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
        self._config = {"preserve_insertion_order": str(ordered).lower()}
        if memory_limit is not None:
            self._config["memory_limit"] = _checked_size(memory_limit)
        if threads is not None:
            self._config["threads"] = str(_checked_threads(threads))
        self._parent = None if temp_directory is None else _checked_folder(temp_directory)
        self._spills = memory_limit is not None or temp_directory is not None
        self._open = False
        self._folder: SpillFolder | None = None
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._files: dict[str, TableFile] = {}  # that DuckDB reads
        self._numbers = count(1)  # of copies and of tables that are computed once

    def __enter__(self) -> Session:
        self._open = True
        if self._spills:
            self.make_folder()
        return self

    def close(self, *_: object) -> None:
        """Close the connection and remove the folder."""
        self._open = False
        try:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
        finally:
            if self._folder is not None:
                self._folder.remove()

    __exit__ = close

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The open connection."""
        if self._connection is None:
            if not self._open:
                raise EngineError(_NOT_OPEN)
            import duckdb

            check_version("duckdb", duckdb.__version__)
            # without a name DuckDB would spill to a folder in the current one
            spill = "" if self._folder is None else self._folder.path
            with self._in_our_words():
                self._connection = duckdb.connect(":memory:", config={**self._config, "temp_directory": spill})
                # without a bar DuckDB does not say how far it is
                self._connection.execute("SET enable_progress_bar = true; SET enable_progress_bar_print = false")
        return self._connection

    def make_folder(self) -> str:
        """The private folder for copies and for what does not fit memory; small reads do without it."""
        if not self._open:
            raise EngineError(_NOT_OPEN)
        if self._folder is None:
            self._folder = SpillFolder(self._parent)
            if self._connection is not None:
                self._connection.execute("SET temp_directory = ?", [self._folder.path])
        return self._folder.path

    def table(
        self,
        path: str | os.PathLike[str] | Source,
        form: str | None = None,
        requested: Iterable[Any] = (),
        *,
        header: bool = True,
    ) -> duckdb.DuckDBPyRelation:
        """The rows of a file, of all files that a pattern matches, or of a stream, read when they are needed.

        Without a ``header`` the columns of CSV are called "1", "2" and so on. Of a file with very many columns only
        those ``requested`` are there, and those that are called much like one.
        """
        source = path if isinstance(path, Source) else Source(path)
        form = form_of(source, form, has_columns=True)
        if form not in TABLES:
            raise FileError(f"{source.called} has no columns; use a CSV, TSV, Parquet, Arrow or JSON lines file")
        if source.size() > _SMALL:
            self.make_folder()
        files = {
            self._readable(file, source, form): TableFile(source.path, form, called(file), source.look(file), header)
            for file in source.files
        }
        self._files |= files
        with self._in_our_words(source.path):
            names = {name for name in requested if isinstance(name, str)}
            query, wide = QUERIES[form](self.connection, files, names)
            rows = self.connection.sql(query)
            # whatever is done to a relation reads its heading again
            return self.keep(rows, f"reading {source.called}", source.path) if wide else rows

    def _readable(self, file: str, source: Source, form: str) -> str:
        """The file, or a copy in the session's own folder: of a stream, and of what DuckDB cannot read or check."""
        is_csv, readable, look = form in ("csv", "tsv"), file, source.look(file)
        mixed, last_row = look.mixed_ends, look.last_row
        if stream_id(file) is not None or not look.is_plain or (look.is_marked and form == "jsonl"):
            readable = self._copy(source.chunks(file), file, rows=is_csv)
            if is_csv and not readable.endswith(".zst") and os.path.getsize(readable):
                with open(readable, "rb") as copy:
                    mixed, last_row = line_ends(copy.fileno())
        if is_csv and last_row > LONGEST_ROW:
            raise FileError(long_row(called(file)))
        return self._copy(with_one_end(readable), file, rows=False) if is_csv and mixed else readable

    def _copy(self, chunks: Iterator[bytes], file: str, rows: bool) -> str:
        """The path of a copy, without a byte order mark; it says by its name what only DuckDB can decompress.

        ``rows``: it is a table, whose rows end.
        """
        start = next(chunks, b"").removeprefix(BOM)
        is_packed = start.startswith(ZSTD)
        target = os.path.join(self.make_folder(), f"input-{next(self._numbers)}{'.zst' * is_packed}")
        chunks = chain([start], chunks)
        try:
            with open(target, "wb") as copy:
                copy.writelines(rows_that_end(chunks, called(file)) if rows and not is_packed else chunks)
        except OSError as error:
            raise EngineError(
                f"{called(file)} cannot be copied to {os.path.dirname(target)!r}: {error.strerror}; name a folder on a "
                "larger disk with ",
                Option("temp_directory"),
            ) from None
        return target

    def register(self, name: str, frame: Any) -> duckdb.DuckDBPyRelation:
        """A frame of another library, which may be of any size, as a table."""
        self.make_folder()
        self.connection.register(name, frame)
        return self.connection.table(name)

    def keep(self, relation: duckdb.DuckDBPyRelation, label: str, path: str | None = None) -> duckdb.DuckDBPyRelation:
        """A relation that is used more than once, computed once; what does not fit memory goes to the folder."""
        name = f"kept_{next(self._numbers)}"
        self.run(lambda: relation.create(name), label, path)
        return self.connection.table(name)

    def fetch(
        self, relation: duckdb.DuckDBPyRelation, label: str = "counting", path: str | None = None
    ) -> dict[str, Any]:
        """The columns of a relation by name, as :func:`exact_columns` has them."""
        return exact_columns(relation, partial(self.run, label=label, path=path))

    def run(self, work: Callable[[], T], label: str = "counting", path: str | None = None) -> T:
        """Do something that keeps the connection busy, with progress, and stoppable by Ctrl-C.

        ``work`` runs in another thread: Python looks after Ctrl-C only between two steps of its own. Where it reads one
        table only, ``path`` says which: DuckDB's complaints do not always name the file.
        """
        connection = self.connection  # opened here: two threads that open it would have one each
        with self._in_our_words(path), step(label) as at, ThreadPoolExecutor(1) as pool:
            done = pool.submit(work)
            try:
                while True:
                    try:
                        return done.result(_TICK)
                    except TimeoutError:
                        at(max(0.0, connection.query_progress() / 100))
            except KeyboardInterrupt:
                self._stop(done)
                raise

    def _stop(self, done: Future[T]) -> None:
        # a query that is still being planned does not hear the first call
        while not done.done():
            self.connection.interrupt()
            with suppress(TimeoutError):
                done.exception(_TICK)

    @contextmanager
    def _in_our_words(self, path: str | None = None) -> Iterator[None]:
        import duckdb

        try:
            yield
        except duckdb.Error as error:
            files = {file: table for file, table in self._files.items() if path in (None, table.path)}
            raise complaint(error, self._folder.path if self._folder else "", files) from None


class SpillFolder:
    """A fresh private folder. It goes when the work is over, and also when the process is killed.

    A small process that outlives this one sees to that.
    """

    def __init__(self, parent: str | None = None):
        self.path = os.path.abspath(tempfile.mkdtemp(prefix="clusterscore-", dir=parent))
        self.watcher: subprocess.Popen[bytes] | None = None
        if not sys.executable or getattr(sys, "frozen", False):  # then it is not Python that would start
            return
        with suppress(OSError):  # no room for another process: the normal ways to remove the folder are left
            self.watcher = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _WATCH, self.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C in the terminal is not for it
            )

    def remove(self) -> None:
        """Remove the folder first and the watcher after it: whatever happens between, one of them does it."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self.watcher is not None and self.watcher.stdin is not None:
            self.watcher.kill()
            self.watcher.wait()
            self.watcher.stdin.close()
            self.watcher = None


def _checked_size(size: str) -> str:
    match = _SIZE.fullmatch(size) if isinstance(size, str) else None
    if match is None:
        raise InputError(Given("memory_limit", size), " is not a size; write it like 2GB, 1.5G or 512M")
    return f"{match[1]}{match[2]}B"


def _checked_threads(threads: int) -> int:
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise InputError(Given("threads", threads), " is not a number of threads; write a whole number from 1 up")
    cores = os.cpu_count() or 1
    most = max(_MOST_THREADS, 4 * cores)
    if threads > most:  # each of them takes memory, and those beyond the cores only wait
        too_many = Wording(f"threads={threads:,}", f"--threads {threads:,}")
        raise InputError(too_many, f" is too many for {plural(cores, 'core')}; write a number up to {most:,}")
    return threads


def _checked_folder(folder: str | os.PathLike[str]) -> str:
    if not isinstance(folder, str | os.PathLike):
        raise InputTypeError(Given("temp_directory", folder), " is not a path; name a folder")
    name = os.fspath(folder)
    if not os.path.isdir(name):
        nowhere = " is not a folder; name one that exists, on a disk with enough space"
        raise InputError(Given("temp_directory", name), nowhere)
    if not os.access(name, os.W_OK | os.X_OK):
        raise InputError(Given("temp_directory", name), " cannot be written to; name a folder of your own")
    return name


def exact_columns(relation: duckdb.DuckDBPyRelation, run: Callable[[Callable[[], Any]], Any]) -> dict[str, Any]:
    """The columns of a relation as Python has their values, nulls as None; ``run`` does what takes its time.

    NumPy alone would lose digits of decimals, of integers of 128 bits, and of times of day: those come as text.
    """
    kinds = dict(zip(relation.columns, map(str, relation.types), strict=True))
    cells = []
    for name, kind in kinds.items():
        is_wide = kind.startswith("DECIMAL") or kind in ("HUGEINT", "UHUGEINT", "TIME_NS")
        cells.append(f"{quoted(name)}::VARCHAR AS {quoted(name)}" if is_wide else quoted(name))
    arrays = run(relation.project(", ".join(cells)).fetchnumpy)
    columns: dict[str, Any] = {}
    for (name, kind), values in zip(kinds.items(), arrays.values(), strict=True):  # DuckDB cuts a name at a NUL
        make = _EXACT.get(kind.partition("(")[0])
        if kind == "DATE":
            columns[name] = list(values.astype("datetime64[D]").tolist())  # a day is a day, not a moment
        elif make is not None:
            columns[name] = [None if value is None else make(value) for value in values.tolist()]
        elif type(values) is np.ndarray or not values.mask.any():  # first, as np.ma is imported when it is named
            columns[name] = values if type(values) is np.ndarray else values.data
        elif values.dtype.kind in "biuf":
            columns[name] = values.tolist()
        else:
            nulls = zip(values.data, np.ma.getmaskarray(values), strict=True)
            columns[name] = [None if is_null else plain(value) for value, is_null in nulls]
    return columns
