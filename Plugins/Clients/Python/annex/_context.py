"""What an extension has while it works on a request: its directories, and the services of the host."""

from __future__ import annotations

import base64
import os
import time

from ._connection import Connection, Request
from ._errors import Cancelled
from ._items import Attachment
from ._streams import IncomingStream, OutgoingStream, Streams

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Optional, Union

    from . import types

_PROGRESS_INTERVAL = 0.1


class Session:
    """What holds from the handshake to the end of the process."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.streams = Streams(connection)
        self.parameters: dict[str, Any] = {}


class Context:
    """The request that a handler works on. Every call waits; `acall` is for `async` handlers."""

    def __init__(self, session: Session, request: Optional[Request] = None, request_id: Optional[str] = None) -> None:
        self._session = session
        self._request = request
        self._progress: tuple[float, float] = (-1.0, 0.0)
        found = request.params.get("requestID") if request is not None else None
        self.request_id: str = request_id or (found if isinstance(found, str) else "")
        """The id of the user's request, which calls about it carry."""

    # What the handshake said

    @property
    def extension_id(self) -> str:
        """The bundle identifier of this extension."""
        return str(self._member("extension").get("id", ""))

    @property
    def point(self) -> str:
        """The identifier of the extension point."""
        return str(self._member("extension").get("point", ""))

    @property
    def locale(self) -> str:
        """The user's locale, for example `en-US`."""
        return str(self._session.parameters.get("locale", "en-US"))

    @property
    def scratch(self) -> str:
        """A directory that is emptied when the process ends."""
        return str(self._member("directories").get("scratch", ""))

    @property
    def directory(self) -> str:
        """The container: a directory of the extension's own, which stays."""
        return str(self._member("directories").get("container", ""))

    def _member(self, name: str) -> dict[str, Any]:
        value = self._session.parameters.get(name)
        return value if isinstance(value, dict) else {}

    # Calls

    def call(self, method: str, params: Optional[dict[str, Any]] = None, timeout: Optional[float] = None) -> Any:
        """Calls the host and waits for the result.

        Raises `Error` with what the host answered, and `Cancelled` when the request is cancelled meanwhile.
        """
        return self._session.connection.call(method, self._with_trace(params), self._request, timeout)

    async def acall(self, method: str, params: Optional[dict[str, Any]] = None) -> Any:
        """The same in an `async` handler: other tasks go on."""
        import asyncio

        loop = asyncio.get_running_loop()
        answered = asyncio.Event()
        connection = self._session.connection
        number, pending = connection.start(method, self._with_trace(params))

        def wake() -> None:
            try:
                loop.call_soon_threadsafe(answered.set)
            except RuntimeError:
                # The loop has ended, and nobody waits.
                return

        pending.settled.then(wake)
        try:
            await answered.wait()
        except asyncio.CancelledError:
            connection.abandon(number, pending, Cancelled())
            raise
        return pending.value()

    def notify(self, method: str, params: Optional[dict[str, Any]] = None) -> None:
        """Sends a notification."""
        self._session.connection.notify(method, params or {})

    def _with_trace(self, params: Optional[dict[str, Any]]) -> dict[str, Any]:
        meta = self._request.meta if self._request is not None else {}
        trace = {name: meta[name] for name in ("traceparent", "tracestate") if name in meta}
        return {**(params or {}), "_meta": trace} if trace else dict(params or {})

    # The request

    @property
    def is_cancelled(self) -> bool:
        """Whether the host does not want the answer any more."""
        return self._request is not None and self._request.cancelled.is_set()

    def check_cancelled(self) -> None:
        """Raises `Cancelled` when the host does not want the answer any more; for loops that take long."""
        if self.is_cancelled:
            raise Cancelled()

    def progress(self, done: float, total: Optional[float] = None, message: Optional[str] = None) -> None:
        """Tells the host how far the request is, if it asked. What comes too fast, or does not rise, is left out."""
        token = self._request.meta.get("progressToken") if self._request is not None else None
        before, at = self._progress
        now = time.monotonic()
        if token is None or done <= before or (now - at < _PROGRESS_INTERVAL and done != total):
            return
        self._progress = (done, now)
        params: dict[str, Any] = {"token": token, "progress": done}
        if total is not None:
            params["total"] = total
        if message is not None:
            params["message"] = message
        self.notify("$/progress", params)

    def log(self, level: str, message: str, **fields: Any) -> None:
        """A line for the host's log: `trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`."""
        params: dict[str, Any] = {"level": level, "message": message[:8000]}
        if fields:
            params["fields"] = fields
        self.notify("$/log", params)

    # Services

    def defaults(self, suite: str) -> Defaults:
        """The group store of an app group that both manifests name."""
        return Defaults(self, suite)

    def container(self, group: str) -> types.ContainerPathResult:
        """The folder of an app group: `path`, and `mode` (`ro` or `rw`)."""
        return self.call("container/path", {"group": group})  # type: ignore[no-any-return]

    def content(
        self, query: str, variables: Optional[dict[str, Any]] = None, refresh: bool = False
    ) -> types.ContentExecuteResult:
        """Runs a persisted query, `configuration/name`, that `Annex.Content` names. Needs the entitlement `content`.

        What the server could not give is in `errors`, beside the data.
        """
        params: dict[str, Any] = {"query": query}
        if variables is not None:
            params["variables"] = variables
        if refresh:
            params["refresh"] = True
        return self.call("content/execute", params)  # type: ignore[no-any-return]

    def content_image(
        self,
        path: str,
        width: Optional[int] = None,
        height: Optional[int] = None,
        format: Optional[str] = None,
        quality: Optional[int] = None,
        refresh: bool = False,
    ) -> types.ContentImageResult:
        """Fetches a picture, a `_dynamicUrl` or `_path` of an answer, into a file of the scratch directory."""
        asked = {"path": path, "width": width, "height": height, "format": format, "quality": quality}
        params = {name: value for name, value in asked.items() if value is not None}
        if refresh:
            params["refresh"] = True
        return self.call("content/image", params)  # type: ignore[no-any-return]

    def open_url(self, url: str) -> bool:
        """Asks the host to open a URL of the containing app; only a widget may. Whether the app took it."""
        return bool(self.call("url/open", {"requestID": self.request_id, "url": url}).get("success"))

    def request_permission(self, name: str, reason: str) -> str:
        """Asks the user for a permission that the manifest names: `granted`, `denied` or `undecided`."""
        return str(self.call("permission/request", {"name": name, "reason": reason})["state"])

    def fetch(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Optional[dict[str, str]] = None,
        body: Union[str, bytes, None] = None,
        timeout: Optional[float] = None,
        max_bytes: Optional[int] = None,
        stream: bool = False,
        scopes: Optional[list[str]] = None,
        account: Optional[str] = None,
    ) -> Response:
        """Asks the host for a request to a server that `Annex.Network` names; the user has to agree.

        With `stream`, the body is read while it comes: iterate over the response. With `scopes`, the host adds an access
        token for them, to a server that `Annex.Auth` names with these scopes.
        """
        params: dict[str, Any] = {"url": url, "method": method, "delivery": "stream" if stream else "file"}
        if self.request_id:
            params["requestID"] = self.request_id
        if headers:
            params["headers"] = headers
        if isinstance(body, str):
            params["body"] = {"text": body}
        elif body is not None:
            params["body"] = {"base64": base64.b64encode(body).decode("ascii")}
        if timeout is not None:
            params["timeoutMs"] = int(timeout * 1000)
        if max_bytes is not None:
            params["maxBytes"] = max_bytes
        if scopes is None:
            return Response(self, self.call("network/fetch", params))
        params["scopes"] = scopes
        if account is not None:
            params["account"] = account
        return Response(self, self.call("auth/fetch", params))

    def access_token(
        self, scopes: list[str], *, account: Optional[str] = None, force_refresh: bool = False
    ) -> types.AuthTokenResult:
        """An access token itself, where the entry of `Annex.Auth` has `Token`; call with `fetch` where you can."""
        params: dict[str, Any] = {"scopes": scopes}
        if account is not None:
            params["account"] = account
        if force_refresh:
            params["forceRefresh"] = True
        return self.call("auth/token", params)  # type: ignore[no-any-return]

    def request_sign_in(self, reason: str, scopes: Optional[list[str]] = None) -> str:
        """Has the host ask the user to sign in: `signedIn`, `cancelled` or `unavailable`."""
        params: dict[str, Any] = {"reason": reason}
        if scopes is not None:
            params["scopes"] = scopes
        return str(self.call("auth/requestSignIn", params)["state"])

    def load(self, attachment: Union[Attachment, dict[str, Any]], type: str = "public.data") -> bytes:
        """The bytes of an attachment of this request, in a type that conforms to the one asked for."""
        found = attachment if isinstance(attachment, Attachment) else Attachment(attachment)
        inline = found.inline_bytes(type)
        if inline is not None:
            return inline
        params = {"requestID": self.request_id, "itemID": found.id, "typeIdentifier": type}
        answer = self.call("item/load", params)
        inline = Attachment({**found.wire, "inline": answer["inline"]}).inline_bytes() if "inline" in answer else None
        if inline is not None:
            return inline
        with open(os.path.join(self.scratch, answer["path"]), "rb") as file:
            return file.read()

    def text(self, attachment: Union[Attachment, dict[str, Any]]) -> str:
        """The text of an attachment."""
        return self.load(attachment, "public.text").decode("utf-8", "replace")

    def open_stream(self) -> OutgoingStream:
        """A stream to the host: name its `id` in a call or a result."""
        return self._session.streams.open()

    def stream(self, id: str) -> IncomingStream:
        """A stream of the host's that a call or an answer names."""
        return self._session.streams.incoming(id)


class Defaults:
    """The values of one app group. Dates and bytes are `{"$date": seconds}` and `{"$data": base64}`."""

    def __init__(self, context: Context, suite: str) -> None:
        self._context = context
        self.suite = suite

    def _call(self, method: str, **params: Any) -> Any:
        return self._context.call(f"defaults/{method}", {"suite": self.suite, **params})

    def get(self, key: str, default: Any = None) -> Any:
        return self._call("get", key=key).get("value", default)

    def all(self) -> dict[str, Any]:
        return dict(self._call("all")["values"])

    def set(self, key: str, value: Any) -> int:
        """Returns the suite's revision."""
        return int(self._call("set", key=key, value=value)["revision"])

    def update(self, values: dict[str, Any], remove: Optional[list[str]] = None) -> int:
        """Sets and removes several keys at once."""
        return int(self._call("setMany", values=values, **({"remove": remove} if remove else {}))["revision"])

    def remove(self, key: str) -> int:
        return int(self._call("remove", key=key)["revision"])

    def add(self, key: str, amount: int = 1) -> int:
        """Counts, and loses nothing that somebody else counts meanwhile."""
        while True:
            found = self._call("get", key=key)
            value = found.get("value")
            number = (value if isinstance(value, int) else 0) + amount
            params = {"key": key, "value": number, "expectedRevision": found["revision"]}
            if self._call("compareAndSet", **params)["swapped"]:
                return number


class Response:
    """What a server answered. Every status is an answer, 404 and 500 too."""

    def __init__(self, context: Context, wire: dict[str, Any]) -> None:
        self.status: int = wire["status"]
        self.headers: dict[str, str] = wire["headers"]
        """By name in lower case."""
        self.url: str = wire["finalURL"]
        """Another than was asked for after a redirect."""
        self._context = context
        self._body: dict[str, Any] = wire["body"]

    def __iter__(self) -> Iterator[bytes]:
        if "stream" in self._body:
            return iter(self._context.stream(self._body["stream"]))
        return iter([self.read()])

    def read(self) -> bytes:
        """The whole body."""
        body = self._body
        if "text" in body:
            return str(body["text"]).encode("utf-8")
        if "base64" in body:
            return base64.b64decode(body["base64"])
        if "file" in body:
            with open(os.path.join(self._context.scratch, body["file"]), "rb") as file:
                return file.read()
        if "stream" in body:
            return self._context.stream(body["stream"]).read()
        return b""

    def text(self) -> str:
        """The body as text."""
        return self.read().decode("utf-8", "replace")

    def json(self) -> Any:
        """The body as JSON."""
        import json

        return json.loads(self.read())
