"""Tests of an extension in its own process: no host, no sandbox, milliseconds.

    with TestHost(Clock(), defaults={"group.org.example.clock": {"visits": 41}}) as host:
        assert host.perform_update()["view"] == "Visit 42"
"""

from __future__ import annotations

import os
import tempfile
import threading
from typing import Any, Callable, Mapping, Optional

from ._connection import Connection, Request
from ._errors import Error
from ._extension import Extension
from ._run import Server
from .protocol import VERSION

Service = Callable[[dict[str, Any]], Any]


class TestHost:
    """A host with one extension. `services` answers calls by method; group stores are there from the beginning."""

    __test__ = False

    def __init__(
        self,
        extension: Extension,
        *,
        defaults: Optional[Mapping[str, Mapping[str, Any]]] = None,
        services: Optional[Mapping[str, Service]] = None,
    ) -> None:
        self.defaults: dict[str, dict[str, Any]] = {suite: dict(values) for suite, values in (defaults or {}).items()}
        self.logs: list[dict[str, Any]] = []
        self._revision = 0
        self._services = dict(services or {})
        self._folder = tempfile.TemporaryDirectory()
        to_extension, to_host = os.pipe(), os.pipe()
        self._descriptors = [*to_extension, *to_host]
        server = Server(extension, to_extension[0], to_host[1], "lines")
        self._connection = Connection(to_host[0], to_extension[1], "lines")
        self._connection.serve = self._serve
        self._connection.hear = self._hear
        self._ends: dict[str, Any] = {}
        self._has_ended = threading.Condition()
        self._threads = [
            threading.Thread(target=run, daemon=True) for run in (lambda: self._serve_end(server), self._connection.run)
        ]
        for thread in self._threads:
            thread.start()
        self.call(
            "initialize",
            {
                "protocolVersions": [VERSION],
                "host": {"name": "annex.testing", "version": "1"},
                "extension": {"id": "org.example.test", "point": "test", "containingApp": "org.example"},
                "capabilities": {},
                "permissions": {},
                "limits": {},
                "locale": "en-US",
                "directories": {"scratch": self._folder.name, "container": self._folder.name, "groups": {}},
            },
        )
        self._connection.notify("initialized", {})

    def _serve_end(self, server: Server) -> None:
        server.run()
        os.close(self._descriptors[3])

    def __enter__(self) -> TestHost:
        return self

    def __exit__(self, *error: Any) -> None:
        self.call("terminate", {"reason": "quit", "graceMs": 2000})
        for thread in self._threads:
            thread.join(5)
        for descriptor in self._descriptors[:3]:
            os.close(descriptor)
        self._folder.cleanup()

    # What a host does

    def call(self, method: str, params: Optional[dict[str, Any]] = None, timeout: float = 10) -> Any:
        """Calls the extension. Raises `Error` with what it answered."""
        return self._connection.call(method, params or {}, timeout=timeout)

    def notify(self, method: str, params: Optional[dict[str, Any]] = None) -> None:
        self._connection.notify(method, params or {})

    def perform_update(self, reason: str = "visible", display_mode: str = "compact") -> Any:
        """One update of a Today widget."""
        return self.call("widget/performUpdate", {"requestID": "r1", "reason": reason, "displayMode": display_mode})

    def did_select_row(self, row: int, action: str) -> Any:
        """The choice of a row with an action; rows count from 0."""
        return self.call("widget/didSelectRow", {"requestID": "r1", "row": row, "action": action})

    def perform(self, items: list[Any]) -> list[Any]:
        """One run of an action: the items that it returns."""
        self._begin("com.apple.services", items)
        self.call("action/perform", {"requestID": "r1", "inputItems": items})
        return self._end()

    def post(self, text: str, items: Optional[list[Any]] = None) -> list[Any]:
        """One post of a Share extension: the items that it returns."""
        self._begin("com.apple.share-services", items or [])
        self.call("share/didSelectPost", {"requestID": "r1", "contentText": text})
        return self._end()

    def _begin(self, point: str, items: list[Any]) -> None:
        self._ends.clear()
        self.call("context/beginRequest", {"requestID": "r1", "point": point, "inputItems": items})

    def _end(self) -> list[Any]:
        with self._has_ended:
            if not self._has_ended.wait_for(lambda: "r1" in self._ends, timeout=10):
                raise AssertionError("the request was not ended within 10 seconds")
            end = self._ends["r1"]
        if "error" in end:
            error = end["error"]
            raise Error("handlerFailed", error.get("localizedDescription") or f"{error['domain']} {error['code']}")
        return list(end.get("returningItems") or [])

    # What an extension calls

    def _hear(self, method: str, params: dict[str, Any]) -> None:
        if method == "$/log":
            self.logs.append(params)

    def _serve(self, request: Request) -> Any:
        method, params = request.method, request.params
        if method in self._services:
            return self._services[method](params)
        if method in ("context/completeRequest", "context/cancelRequest"):
            with self._has_ended:
                self._ends[params["requestID"]] = params
                self._has_ended.notify_all()
            return {"delivered": True}
        if method.startswith("defaults/") and params.get("suite") in self.defaults:
            return self._store(method, params, self.defaults[params["suite"]])
        raise Error("methodNotFound", f"The test has no service for {method}.")

    def _store(self, method: str, params: dict[str, Any], values: dict[str, Any]) -> Any:
        key = params.get("key")
        if method == "defaults/get":
            found = {"value": values[key]} if key in values else {}
            return {**found, "revision": self._revision}
        if method == "defaults/all":
            return {"values": values, "revision": self._revision}
        self._revision += 1
        if method in ("defaults/set", "defaults/compareAndSet"):
            values[str(key)] = params["value"]
        elif method == "defaults/setMany":
            values.update(params["values"])
            for name in params.get("remove") or []:
                values.pop(name, None)
        elif method == "defaults/remove":
            values.pop(str(key), None)
        else:
            raise Error("methodNotFound", f"The test has no service for {method}.")
        return {"swapped": True, "revision": self._revision}
