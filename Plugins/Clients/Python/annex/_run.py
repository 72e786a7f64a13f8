"""The conversation of one process, from the handshake to its end."""

from __future__ import annotations

import os
import sys
import time

from ._connection import Connection, Request, Workers
from ._context import Context, Session
from ._errors import Error
from ._extension import Extension, finished
from .protocol import PARAMS, VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

NAME = "annex-python"


def run(extension: Extension) -> None:
    """Serves the host until it ends the conversation. Call it last.

    Standard output belongs to the protocol: whatever is printed goes to standard error from here on.
    """
    source, sink = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    try:
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
    except OSError:
        # A sandbox without the device: reading from standard input would take the host's messages.
        os.close(0)
    if sys.stdout is not None:
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    server = Server(extension, source, sink, os.environ.get("ANNEX_FRAMING", "lines"))
    server.run()
    sys.stdout.flush()
    if server.is_busy:
        # A handler that does not end must not keep the process.
        sys.stderr.flush()
        os._exit(0)


class Server:
    """Answers one host. `run` does it for the process; tests make one over pipes."""

    def __init__(self, extension: Extension, source: int, sink: int, framing: str) -> None:
        if framing not in ("lines", "content-length"):
            raise SystemExit(f"annex: the framing {framing!r} is not known: it is lines or content-length")
        self._extension = extension
        self._handlers = extension.handlers()
        self._notifications = extension.notifications()
        self._started = time.monotonic()
        self.connection = Connection(source, sink, framing)
        self.session = Session(self.connection)
        self.connection.serve = self._serve
        self.connection.serve_now = self._serve_now
        self.connection.hear = self._hear
        self._heard = Workers(most=1)

    @property
    def is_busy(self) -> bool:
        return self.connection.is_busy or self._heard.is_busy

    def run(self) -> None:
        self.connection.run()
        self.session.streams.close()

    # Requests

    def _serve_now(self, request: Request) -> Optional[tuple[Any]]:
        method, params = request.method, request.params
        if method == "initialize":
            return (self._initialize(params),)
        if not self.session.parameters:
            raise Error("notInitialized", f"{method} came before initialize.")
        if method == "terminate":
            self._extension.will_terminate(str(params.get("reason", "")))
            self.connection.is_ending = True
            return ({},)
        if method == "$/ping":
            nonce = {"nonce": params["nonce"]} if "nonce" in params else {}
            return ({**nonce, "uptimeMs": int((time.monotonic() - self._started) * 1000)},)
        if method not in self._handlers:
            raise Error("methodNotFound", f"{method} is not served here.")
        check(method, params)
        return None

    def _initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        if self.session.parameters:
            raise Error("alreadyInitialized", "initialize came twice.")
        versions = params.get("protocolVersions")
        if not isinstance(versions, list):
            raise Error("invalidParams", "protocolVersions is an array of texts.")
        if VERSION not in versions:
            raise Error("versionUnsupported", f"This extension speaks protocol {VERSION}.")
        self.session.parameters = params
        return {"protocolVersion": VERSION, "sdk": {"name": NAME, "language": "python", "version": VERSION}}

    def _serve(self, request: Request) -> Any:
        result = self._handlers[request.method](request.params, Context(self.session, request))
        return finished(result, request)

    # Notifications

    def _hear(self, method: str, params: dict[str, Any]) -> None:
        if method.startswith("$/stream/"):
            self.session.streams.hear(method, params)
        elif method == "memoryPressure":
            level, usage, limit = params.get("level"), params.get("usage"), params.get("limit")
            if isinstance(level, str) and isinstance(usage, int) and isinstance(limit, int):
                self._heard.submit(lambda: self._extension.memory_pressure(level, usage, limit))
        elif method in self._notifications:
            handler = self._notifications[method]
            self._heard.submit(lambda: finished(handler(params, Context(self.session)), None))


_KINDS: dict[str, Any] = {
    "string": str,
    "integer": int,
    "number": (int, float),
    "boolean": bool,
    "array": list,
    "object": dict,
}


def check(method: str, params: dict[str, Any]) -> None:
    """Refuses params that lack a member, or have one of another type, than the method's schema says."""
    members = PARAMS.get(method)
    if members is None:
        return
    for name, (kind, is_required) in members.items():
        if name not in params or params[name] is None:
            if is_required:
                raise Error("invalidParams", f"The params of {method} lack the member {name}.")
            continue
        wanted = _KINDS.get(kind)
        value = params[name]
        if wanted is None or (isinstance(value, wanted) and isinstance(value, bool) == (kind == "boolean")):
            continue
        raise Error("invalidParams", f"The member {name} of the params of {method} is no {kind}.")
