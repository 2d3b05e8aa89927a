"""Ctrl-C and SIGTERM end the command with one line and 128 plus the signal's number."""

from __future__ import annotations

import os
import signal
from types import FrameType

received = 0  # the signal that asked the command to end
raising = False  # whether it ends by an exception, so that files are closed and removed; else at once


def watch() -> None:
    """Take the signals over, where nobody else has, such as nohup."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL):
            signal.signal(number, _end)


def message() -> str:
    """What the command says of its end."""
    return "terminated" if received == signal.SIGTERM else "interrupted"


def _end(number: int, frame: FrameType | None) -> None:
    global received
    again, received = received, number
    if raising and not again:
        raise KeyboardInterrupt
    if not again:
        os.write(2, f"clusterscore: {message()}\n".encode())
    os._exit(128 + number)
