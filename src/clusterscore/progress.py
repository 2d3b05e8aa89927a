"""What is being done, shown on stderr while it lasts: a line per open step, gone when the work is over.

The work only notes how far it is. One thread looks at the notes ten times a second and draws them, so that reporting
costs the work an assignment, and nothing where nobody looks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

from clusterscore.messages import visible
from clusterscore.screen import Screen

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

DELAY = 1.0  # seconds of work that pass in silence
TICK = 0.1  # seconds between two drawings


def step(label: str) -> AbstractContextManager[Callable[[float], None]]:
    """Mark a piece of work: ``with step("counting") as at: ... at(0.3)``; ``at`` may be called from any thread.

    A step that never says how far it is has a pulsing bar. Outside of :func:`shown` nothing is kept or displayed.

    >>> with step("counting") as at:
    ...     at(0.5)
    """
    display = _display  # read once: another thread may leave shown() meanwhile
    return _UNSEEN if display is None else _Step(label, display.steps)


def say(text: str) -> None:
    """Write a line to stderr, above the steps that are displayed; nothing where :func:`shown` was told to be quiet."""
    if not _quiet and sys.stderr is not None:
        with suppress(OSError, ValueError):  # nobody reads it any more
            print(visible(text), file=sys.stderr, flush=True)


@contextmanager
def shown(enabled: bool = True) -> Iterator[None]:
    """Display the steps taken within, in all threads, once they last a second and if stderr is a terminal.

    Print to stdout after leaving it: then nothing is left of the display on the screen.
    """
    global _display, _quiet
    screen = Screen.of(sys.stderr)
    if not enabled or _display is not None or not (screen.terminal and screen.styled):
        was, _quiet = _quiet, _quiet or not enabled
        try:
            yield
        finally:
            _quiet = was
        return
    display = _display = _Display()
    thread = Thread(target=display.watch, name="clusterscore-progress", daemon=True)
    try:
        thread.start()
        yield
    finally:
        _display = None
        display.over.set()
        if thread.ident is not None:  # it has none if Ctrl-C came before it was started
            thread.join()


class _Step:
    __slots__ = ("_among", "fraction", "label", "since")

    def __init__(self, label: str, among: list[_Step]):
        self.label = label
        self.fraction: float | None = None
        self.since = monotonic()
        self._among = among

    def __enter__(self) -> Callable[[float], None]:
        self._among.append(self)
        return self.at

    def __exit__(self, *_: object) -> None:
        self._among.remove(self)

    def at(self, fraction: float) -> None:
        # within 0 and 1, and never back: threads may report out of order
        self.fraction = max(self.fraction or 0.0, min(fraction, 1.0))


class _Display:
    def __init__(self) -> None:
        self.steps: list[_Step] = []
        self.over = Event()

    def watch(self) -> None:
        pause = DELAY
        with suppress(OSError, ValueError):  # the terminal is gone: the work goes on without it
            while not self.over.wait(pause):
                pause = TICK
                if steps := tuple(self.steps):
                    self._draw(steps)

    def _draw(self, steps: tuple[_Step, ...]) -> None:
        """Draw the open steps as long as there are some: rich 13 and 14.0 do not take back a picture without a line."""
        bars = _bars()
        tasks: dict[_Step, TaskID] = {}
        if not bars.console.is_interactive:
            return
        _update(bars, tasks, steps)
        with bars:
            while not self.over.wait(TICK) and (steps := tuple(self.steps)):
                _update(bars, tasks, steps)
                bars.refresh()


def _bars() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.table import Column

    console = Console(file=sys.stderr)
    bar_width = min(30, console.width // 3)
    label_width = max(1, console.width - bar_width - len(" 100% 99:59:59 "))
    return Progress(
        TextColumn("{task.description}", markup=False, table_column=Column(no_wrap=True, max_width=label_width)),
        BarColumn(bar_width),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        console=console,
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,  # what others write to stderr goes above the bars, but stdout stays as it is
    )


def _update(bars: Progress, tasks: dict[_Step, TaskID], steps: tuple[_Step, ...]) -> None:
    """Make the tasks of the bars those of the open steps."""
    for gone in tasks.keys() - set(steps):
        bars.remove_task(tasks.pop(gone))
    for step in steps:
        if step not in tasks:
            tasks[step] = bars.add_task(visible(step.label), total=None)
            bars.tasks[-1].start_time = step.since
        if step.fraction is not None:
            bars.update(tasks[step], total=1.0, completed=step.fraction)


_UNSEEN: AbstractContextManager[Callable[[float], None]] = nullcontext(lambda fraction: None)
_display: _Display | None = None
_quiet = False
