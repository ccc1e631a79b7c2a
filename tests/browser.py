"""Headless Chromium over the DevTools protocol: pages, their requests, errors and widths."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import websocket

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
)
#: Names of the browser on Debian, elsewhere, and on machines of CI services.
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
TIMEOUT_S = 30


def chromium() -> str | None:
    """The browser's path, or None where there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@dataclass
class Page:
    """A tab. `requests` and `errors` hold what the page itself asked for and complained about."""

    socket: websocket.WebSocket
    requests: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    _loaded: bool = False
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a command; events that arrive meanwhile are noted."""
        number = next(self._numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']['message']}")
                return message["result"]
            self._note(message)

    def _note(self, event: dict[str, Any]) -> None:
        method, params = event.get("method"), event.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Network.loadingFailed" and not params.get("canceled"):
            self.failed.append(params.get("errorText", "failed"))
        elif method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
            self.errors.append(" ".join(str(a.get("value", a)) for a in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        elif method == "Page.loadEventFired":
            self._loaded = True

    def open(self, url: str, width: int, *, dark: bool = False, height: int = 900) -> None:
        """Load a page, its charts included, at a width in CSS pixels."""
        self._go("about:blank")
        self.requests.clear()
        self.failed.clear()
        self.errors.clear()
        self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self._go(url)
        self.wait(
            "!document.querySelector('figure.sb-chart')"
            " || document.documentElement.dataset.charts === 'drawn'"
        )
        self.wait("document.getAnimations().every(a => a.playState !== 'running')")

    def _go(self, url: str) -> None:
        self._loaded = False
        self.send("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'", until=lambda: self._loaded)

    def run(self, expression: str) -> Any:
        """The value of a JavaScript expression."""
        result = self.send(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, condition: str, until: Any = lambda: True) -> None:
        """Wait for a JavaScript condition to hold."""
        end = time.monotonic() + TIMEOUT_S
        while not (self.run(condition) and until()):
            if time.monotonic() > end:
                raise TimeoutError(f"{condition} does not come true; errors: {self.errors}")
            time.sleep(0.02)


@contextmanager
def browser() -> Iterator[Page]:
    """A fresh browser with one tab, closed at the end."""
    executable = chromium()
    if executable is None:
        raise FileNotFoundError("chromium")
    with tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [executable, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield _tab(Path(profile) / "DevToolsActivePort", process)
        finally:
            process.terminate()
            process.wait(TIMEOUT_S)


def _tab(port_file: Path, process: subprocess.Popen) -> Page:
    end = time.monotonic() + TIMEOUT_S
    while not (port_file.is_file() and port_file.read_text().count("\n")):
        if process.poll() is not None or time.monotonic() > end:
            raise RuntimeError("chromium does not start")
        time.sleep(0.05)
    port = port_file.read_text().splitlines()[0]
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=TIMEOUT_S) as reply:
        tab = next(t for t in json.load(reply) if t["type"] == "page")
    page = Page(
        websocket.create_connection(
            tab["webSocketDebuggerUrl"], timeout=TIMEOUT_S, suppress_origin=True
        )
    )
    for domain in ("Page", "Runtime", "Network", "Log"):
        page.send(f"{domain}.enable")
    return page
