"""Progress is seen on a terminal after a second of work, leaves nothing behind, and is silent everywhere else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from time import perf_counter

import pytest

from clusterscore import progress
from clusterscore.progress import shown, step
from clusterscore.screen import Screen
from running import terminal

pytest.importorskip("pty", reason="pseudo-terminals are not to be had here")

START = """
import os, signal, sys, threading, time
from clusterscore import progress
from clusterscore.progress import shown, step
from clusterscore.screen import Screen

pictures, update = [], progress._update

def counted(*given):
    pictures.append(time.monotonic())
    update(*given)

def drawn():
    "Wait until what is open now has been drawn: the drawing before the last one was made after this call."
    awaited = len(pictures) + 3
    while len(pictures) < awaited:
        time.sleep(0.005)

progress._update = counted
"""
SOON = START + "progress.DELAY = 0.05; progress.TICK = 0.02\n"
UNSEEN = "with shown({}):\n with step('unseen') as at:\n  at(0.5); time.sleep(0.1)\nprint('rich' in sys.modules)"
CONTROL = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])")


def on_terminal(code: str, **environment: str) -> tuple[str, str, int]:
    """What a program writes to a terminal as its stderr, what it writes to stdout, and its exit code."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
    kept.update({"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"} | environment)
    with terminal() as (theirs, written):
        child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=theirs, env=kept)
        out, _ = child.communicate(timeout=20)
    return written.decode(), out.decode(), child.returncode


def left_on(written: str) -> str:
    """The text on the screen after all control sequences that rich uses were obeyed."""
    lines, row, column, cursor = [""], 0, 0, True
    for piece in re.findall(r"\x1b\[[?0-9;]*[A-Za-z]|[\s\S]", written):
        control = CONTROL.fullmatch(piece)
        if control is None and piece == "\r":
            column = 0
        elif control is None and piece == "\n":
            row += 1
            lines += [""] * (row + 1 - len(lines))
        elif control is None:
            lines[row] = lines[row][:column].ljust(column) + piece + lines[row][column + 1 :]
            column += 1
        elif control[2] == "A":
            row -= int(control[1] or 1)
            assert row >= 0, "the cursor has left the top of the output"
        elif control[2] == "K":
            assert control[1] == "2"
            lines[row] = ""
        elif control[1] == "?25":
            cursor = control[2] == "h"
        else:
            assert control[2] == "m", f"unexpected {piece!r}"
    assert cursor, "the cursor stays hidden"
    assert (row, column) == (len("\n".join(lines).rstrip().splitlines()), 0), "the cursor is not below what is left"
    return "\n".join(lines).rstrip()


def plain(written: str) -> str:
    return CONTROL.sub("", written)


def test_a_second_of_work_is_seen_and_leaves_nothing() -> None:
    code = (
        START
        + """
start = time.monotonic()
with shown(), step('reading [b]gold.csv') as at:
    at(0.37)
    drawn()
assert pictures[0] - start >= 1
print('done')
"""
    )
    written, out, status = on_terminal(code)
    assert (out, status) == ("done\n", 0)
    assert "reading [b]gold.csv" in plain(written)
    assert re.search("37% 0:00:0[1-9]", plain(written))  # more than 1 where rich takes a while to import
    assert left_on(written) == ""


def test_a_short_step_shows_nothing_and_does_not_wait() -> None:
    code = (
        START
        + """
start = time.monotonic()
with shown(), step('quick') as at:
    at(0.5)
assert time.monotonic() - start < 0.5
print('rich' in sys.modules)
"""
    )
    assert on_terminal(code) == ("", "False\n", 0)


@pytest.mark.parametrize(
    ("enabled", "environment"),
    [("False", {}), ("True", {"TERM": "dumb"}), ("True", {"NO_COLOR": "1"})],
    ids=["not enabled", "dumb", "no colour"],
)
def test_silent_on_a_terminal(enabled: str, environment: dict[str, str]) -> None:
    assert on_terminal(SOON + UNSEEN.format(enabled), **environment) == ("", "False\n", 0)


def test_silent_where_stderr_is_no_terminal() -> None:
    code = SOON + UNSEEN.format("")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("False\n", "")


def test_work_without_steps_shows_nothing() -> None:
    code = SOON + "with shown():\n time.sleep(0.1)\nprint('rich' in sys.modules)"
    assert on_terminal(code) == ("", "False\n", 0)


def test_nested_and_consecutive_steps_of_all_threads() -> None:
    code = (
        SOON
        + """
with shown():
    with step('outer') as outer, shown():
        with step('first'):
            drawn()
        outer(0.5)
        with step('second') as at:
            for late in (0.71, 0.2):
                worker = threading.Thread(target=at, args=(late,))
                worker.start()
                worker.join()
            print('a warning', file=sys.stderr)
            drawn()
    time.sleep(0.1)  # nothing is open, nothing is drawn
    with step('third'):
        drawn()
assert threading.active_count() == 1
with shown():
    with step('quick'):
        pass
with step('after'):
    pass
"""
    )
    written, out, status = on_terminal(code)
    assert (out, status) == ("", 0)
    seen = plain(written)
    places = [seen.find(word) for word in ("outer", "first", "second", "third")]
    assert -1 not in places
    assert places == sorted(places)
    assert re.search(r"outer.*50%.*\r?\n.*second.*71%", seen)
    assert "20%" not in seen
    assert "quick" not in seen
    assert "after" not in seen
    assert left_on(written) == "a warning"


def test_an_exception_cleans_the_screen() -> None:
    code = (
        SOON
        + """
for error in (ValueError, KeyboardInterrupt, SystemExit):
    try:
        with shown(), step(f'failing by {error.__name__}'):
            drawn()
            raise error
    except error:
        print(error.__name__, progress._display, threading.active_count())
"""
    )
    written, out, status = on_terminal(code)
    assert (out, status) == ("ValueError None 1\nKeyboardInterrupt None 1\nSystemExit None 1\n", 0)
    for name in ("ValueError", "KeyboardInterrupt", "SystemExit"):
        assert f"failing by {name}" in plain(written)
    assert left_on(written) == ""


def test_ctrl_c_cleans_the_screen() -> None:
    code = (
        SOON
        + """
def interrupt():
    drawn()
    os.kill(os.getpid(), signal.SIGINT)

try:
    with shown(), step('interrupted'):
        threading.Thread(target=interrupt).start()
        time.sleep(10)
except KeyboardInterrupt:
    print('stopped')
"""
    )
    written, out, status = on_terminal(code)
    assert (out, status) == ("stopped\n", 0)
    assert "interrupted" in plain(written)
    assert left_on(written) == ""


def test_a_narrow_terminal_cuts_the_label() -> None:
    code = SOON + "with shown(), step('a label that is far too long ' * 3) as at:\n at(2); drawn()"
    written, _, status = on_terminal(code, COLUMNS="40")
    assert status == 0
    assert re.search(r"a label.*….*100% +0:0\d", plain(written))
    assert left_on(written) == ""


def test_a_step_that_nobody_watches_costs_nothing() -> None:
    before = threading.active_count()
    with step("outer") as outer, step("inner") as inner:
        outer(0.5)
        inner(float("nan"))
    assert step("outer") is step("inner")
    assert threading.active_count() == before
    start = perf_counter()
    for _ in range(10_000):
        with step("again") as at:
            at(0.1)
    assert perf_counter() - start < 0.5  # 0.002 s where it was written


def test_a_fraction_stays_within_bounds_and_never_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Screen, "of", lambda stream: Screen(styled=True, terminal=True))
    with shown():
        with step("bounded") as at:
            (noted,) = progress._display.steps
            assert noted.fraction is None
            for given, kept in [(float("nan"), 0.0), (-1, 0.0), (0.4, 0.4), (0.2, 0.4), (7, 1.0)]:
                at(given)
                assert noted.fraction == kept
        at(0.5)  # a thread that reports late
        assert progress._display.steps == []
    assert progress._display is None


@pytest.mark.parametrize("stream", ["none", "closed"])
def test_a_missing_stderr_is_no_error(stream: str, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = open(os.devnull, "w")  # noqa: SIM115
    closed.close()
    monkeypatch.setattr(sys, "stderr", None if stream == "none" else closed)
    with shown(), step("unseen") as at:
        at(0.5)


def test_ctrl_c_before_the_display_has_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(thread: threading.Thread) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Screen, "of", lambda stream: Screen(styled=True, terminal=True))
    monkeypatch.setattr(progress, "Thread", type("Stopped", (threading.Thread,), {"start": stopped}))
    with pytest.raises(KeyboardInterrupt), shown():
        pass
    assert progress._display is None


def test_rich_is_told_not_to_draw(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TTY_INTERACTIVE", "0")
    display = progress._Display()
    display.over.set()
    display._draw((progress._Step("unseen", []),))
    assert capsys.readouterr().err == ""
