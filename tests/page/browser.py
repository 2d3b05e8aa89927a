"""A real browser without a window, driven through its DevTools protocol over a pipe: no driver, no network."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import signal
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PATIENCE = 60.0


def find_browser() -> str | None:
    """The first Chromium on the path; None on Windows, which starts programs in another way."""
    return None if os.name != "posix" else next((program for name in NAMES if (program := shutil.which(name))), None)


class Browser:
    """One Chromium with one page; what goes wrong in the page is kept in ``errors``."""

    def __init__(self, program: str):
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._rest = b""
        self._last = 0
        self._session: str | None = None
        self.errors: list[str] = []
        self.requests: list[str] = []
        self._start(program)
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.call(f"{domain}.enable")
        except BaseException:
            self.close()
            raise

    def _start(self, program: str) -> None:
        import fcntl

        theirs_to_read, self._write = os.pipe()
        self._read, theirs_to_write = os.pipe()
        # away from 3 and 4, which is where the browser reads and writes
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (theirs_to_read, theirs_to_write)]
        nowhere = (os.POSIX_SPAWN_OPEN, os.devnull, os.O_RDWR, 0)
        arguments = [
            "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--no-first-run", "--hide-scrollbars", "--disable-background-networking",
            f"--user-data-dir={self._folder.name}", "about:blank",
        ]  # fmt: skip
        self._process = os.posix_spawn(
            program, [program, *arguments], os.environ,
            file_actions=[*((nowhere[0], place, *nowhere[1:]) for place in range(3)),
                          (os.POSIX_SPAWN_DUP2, ends[0], 3), (os.POSIX_SPAWN_DUP2, ends[1], 4)],
        )  # fmt: skip
        for end in (theirs_to_read, theirs_to_write, *ends):
            os.close(end)

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        for descriptor in (self._write, self._read):
            os.close(descriptor)
        until = time.monotonic() + 5
        while os.waitpid(self._process, os.WNOHANG) == (0, 0):
            if time.monotonic() > until:
                os.kill(self._process, signal.SIGKILL)
                os.waitpid(self._process, 0)
                break
            time.sleep(0.02)
        self._folder.cleanup()

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Tell the browser to do something, and wait for its answer."""
        self._last += 1
        message: dict[str, Any] = {"id": self._last, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        until = time.monotonic() + PATIENCE
        while True:
            answer = self._next(until)
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return dict(answer["result"])
            self._note(answer)

    def _next(self, until: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(0.0, until - time.monotonic()))
            data = os.read(self._read, 1 << 20) if ready else b""
            if not data:
                raise TimeoutError("the browser does not answer")
            self._rest += data
        message, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(message))

    def _note(self, event: dict[str, Any]) -> None:
        method, params = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(value.get("value", value.get("description"))) for value in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.errors.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def open(self, path: Path, fragment: str = "") -> None:
        """Open a report, and wait until its tables are there."""
        self.errors.clear()
        self.requests.clear()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=path.resolve().as_uri() + fragment)
        self.wait("document.documentElement?.dataset.ready === 'true'")

    def run(self, expression: str) -> Any:
        """The value of an expression in the page; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def wait(self, condition: str) -> None:
        """Wait until something is true in the page."""
        until = time.monotonic() + PATIENCE
        while not self.run(f"Boolean({condition})"):
            if time.monotonic() > until:
                raise TimeoutError(f"never true: {condition}; errors: {self.errors}")
            time.sleep(0.02)

    def click(self, selector: str) -> None:
        """Click on the middle of an element, as a mouse does."""
        spot = self.run(
            f"(() => {{ const found = document.querySelector({json.dumps(selector)});"
            "found.scrollIntoView({block: 'center', behavior: 'instant'});"
            "const box = found.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=spot[0], y=spot[1], button="left", clickCount=1)

    def press(self, key: str, code: int) -> None:
        """Press a key."""
        text = {"Enter": "\r", " ": " "}.get(key, "")
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, selector: str, text: str) -> None:
        """Type into a field, in the place of what is there."""
        field = f"document.querySelector({json.dumps(selector)})"
        self.run(f"{field}.focus(), {field}.select()")
        self.call("Input.insertText", text=text)

    def unnamed(self) -> list[str]:
        """Buttons, fields and links that a screen reader has no name for."""
        spoken = ("button", "searchbox", "spinbutton", "combobox", "radio", "link", "table", "region", "img")
        return [
            str(node)
            for node in self.call("Accessibility.getFullAXTree")["nodes"]
            if not node["ignored"]
            and node["role"]["value"] in spoken
            and not node.get("name", {}).get("value", "").strip()
        ]

    def resize(self, width: int, height: int) -> None:
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def prefer(self, scheme: str, medium: str = "") -> None:
        """What the system's colours are, "light" or "dark", and whether the page is for "print"."""
        self.call(
            "Emulation.setEmulatedMedia", media=medium, features=[{"name": "prefers-color-scheme", "value": scheme}]
        )

    def picture(self, path: Path, full: bool = True) -> None:
        """A screenshot."""
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=full)
        path.write_bytes(base64.b64decode(answer["data"]))
