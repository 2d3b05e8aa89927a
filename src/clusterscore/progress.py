"""What is being done, shown on stderr while it lasts: a line per open step, gone when the work is over.

The work only notes how far it is. One thread looks at the notes ten times a second and draws them, so that reporting
costs the work an assignment, and nothing where nobody looks.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

from clusterscore.exceptions import visible

if TYPE_CHECKING:
    from rich.table import Table

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
    if not enabled or _display is not None or not _on_a_screen():
        was, _quiet = _quiet, _quiet or not enabled
        try:
            yield
        finally:
            _quiet = was
        return
    display = _display = _Display()
    try:
        display.start()
        yield
    finally:
        _display = None
        display.stop()


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
        self._over = Event()
        self._thread = Thread(target=self._watch, name="clusterscore-progress", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        if self._thread.ident is not None:  # it has none if Ctrl-C came before it was started
            self._thread.join()

    def _watch(self) -> None:
        pause = DELAY
        while not self._over.wait(pause):
            pause = TICK
            if self.steps:
                with suppress(OSError, ValueError):  # the terminal is gone: the work goes on without it
                    self._draw()
                return

    def _draw(self) -> None:
        from rich.console import Console
        from rich.live import Live

        console = Console(file=sys.stderr)
        if not console.is_interactive or self._over.is_set():
            return

        def picture() -> Table:
            return _picture(tuple(self.steps), console.width)

        # what others write to stderr goes above the bar; what they write to stdout stays on stdout
        screen = Live(
            console=console, get_renderable=picture, auto_refresh=False, transient=True, redirect_stdout=False
        )
        with screen:
            while not self._over.wait(TICK):
                screen.refresh()


def _picture(steps: tuple[_Step, ...], width: int) -> Table:
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    bar_width = min(30, width // 3)
    rows = Table.grid(padding=(0, 1))
    rows.add_column(no_wrap=True, overflow="ellipsis", max_width=max(1, width - bar_width - len(" 100% 999:59 ")))
    for _ in range(3):
        rows.add_column(no_wrap=True, justify="right")
    for each in steps:
        part = each.fraction
        bar = ProgressBar(total=1.0, completed=part or 0.0, width=bar_width, pulse=part is None)
        percent = "" if part is None else f"{int(100 * part)}%"
        minutes, seconds = divmod(int(monotonic() - each.since), 60)
        rows.add_row(Text(visible(each.label)), bar, percent, f"{minutes}:{seconds:02}")
    if not steps:
        rows.add_row("")  # rich 13 and 14.0 do not take back a picture without a line
    return rows


def _on_a_screen() -> bool:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM", "").lower() in ("dumb", "unknown"):
        return False
    return sys.stderr is not None and not sys.stderr.closed and sys.stderr.isatty()


_UNSEEN: AbstractContextManager[Callable[[float], None]] = nullcontext(lambda fraction: None)
_display: _Display | None = None
_quiet = False
