"""Large data, and data that comes bit by bit: nothing is sent before the reader gives credit."""

from __future__ import annotations

import base64
import threading
from collections import deque

from ._connection import Connection, gone
from ._errors import Error
from ._framing import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Iterator, Optional, Union

CREDIT = 256 << 10
"""What a reader lets the other side send before it has read."""

_PIECE = 48 << 10
_MOST_WAITING = 64


class IncomingStream:
    """What the host sends, to be read once: bytes, or any JSON."""

    def __init__(self, id: str, connection: Connection) -> None:
        self.id = id
        self._connection = connection
        self._condition = threading.Condition()
        self._pieces: deque[tuple[Any, int]] = deque()
        self._next = 1
        self._credit = 0
        self.has_ended = False
        self._error: Optional[Error] = None
        self.is_taken = False

    def begin(self) -> None:
        """Takes the stream, and lets the other side send."""
        if not self.is_taken:
            self.is_taken = True
            if not self.has_ended:
                self._give(CREDIT)

    def __iter__(self) -> Iterator[Any]:
        self.begin()
        while True:
            with self._condition:
                while not self._pieces and not self.has_ended:
                    self._condition.wait()
                if not self._pieces:
                    if self._error is not None:
                        raise self._error
                    return
                piece, cost = self._pieces.popleft()
            yield piece
            if not self.has_ended:
                self._give(cost)

    def read(self) -> bytes:
        """All bytes."""
        return b"".join(self)

    def drop(self) -> None:
        """Nothing more is wanted."""
        with self._condition:
            if self.has_ended:
                return
            self._end(None)
        self._connection.notify("$/stream/drop", {"streamID": self.id})

    def _give(self, credit: int) -> None:
        if credit > 0:
            self._credit += credit
            self._connection.notify("$/stream/ack", {"streamID": self.id, "credit": credit})

    def take(self, params: dict[str, Any]) -> None:
        if params.get("seq") != self._next:
            return self.end(Error("protocolViolation", "A piece of a stream is missing."))
        self._next += 1
        piece, cost = _piece(params)
        with self._condition:
            self._credit -= cost
            if self._credit < -_PIECE * 4:
                return self._end(Error("protocolViolation", "The stream sends more than it was allowed to."))
            self._pieces.append((piece, cost))
            self._condition.notify_all()

    def end(self, error: Optional[Error]) -> None:
        with self._condition:
            self._end(error)

    def _end(self, error: Optional[Error]) -> None:
        if not self.has_ended:
            self.has_ended, self._error = True, error
            self._condition.notify_all()


def _piece(params: dict[str, Any]) -> tuple[Any, int]:
    if isinstance(params.get("data"), str):
        data = base64.b64decode(params["data"], validate=True)
        return data, len(data)
    return params.get("value"), len(encode(params.get("value")))


class OutgoingStream:
    """What this extension sends. Name its `id` in a call or a result; then `write`, and `end`."""

    def __init__(self, id: str, connection: Connection, forget: Callable[[], None]) -> None:
        self.id = id
        self._connection = connection
        self._forget = forget
        self._condition = threading.Condition()
        self._credit = 0
        self._next = 0
        self._is_dropped = False
        self._error: Optional[Error] = None
        connection.notify("$/stream/open", {"streamID": id})

    def write(self, data: Union[bytes, bytearray, memoryview]) -> None:
        """Sends bytes; waits until the reader wants them. Raises `Error` when it wants no more."""
        rest = memoryview(data).cast("B")
        while rest:
            room = min(self._wait_for(1), _PIECE, len(rest))
            self._send(room, {"data": base64.b64encode(rest[:room]).decode("ascii")})
            rest = rest[room:]

    def send(self, value: Any) -> None:
        """Sends any JSON as one piece."""
        cost = len(encode(value))
        self._wait_for(cost)
        self._send(cost, {"value": value})

    def end(self, error: Optional[Error] = None) -> None:
        """Nothing follows; with an error, what came is not whole."""
        params: dict[str, Any] = {"streamID": self.id}
        if error is not None:
            params["error"] = error.to_wire()
        self._forget()
        self._connection.notify("$/stream/end", params)

    def __enter__(self) -> OutgoingStream:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, Error):
            self.end(error)
        else:
            self.end(Error("handlerFailed", str(error)) if error is not None else None)

    def _send(self, cost: int, piece: dict[str, Any]) -> None:
        with self._condition:
            self._credit -= cost
            self._next += 1
            number = self._next
        self._connection.notify("$/stream/data", {"streamID": self.id, "seq": number, **piece})

    def _wait_for(self, cost: int) -> int:
        with self._condition:
            while self._credit < cost and not self._is_dropped:
                self._condition.wait()
            if self._is_dropped:
                raise self._error or Error("cancelled", "The reader of the stream wants no more.")
            return self._credit

    def acknowledge(self, credit: Any) -> None:
        with self._condition:
            if isinstance(credit, int) and 0 < credit <= 1 << 40:
                self._credit += credit
            self._condition.notify_all()

    def drop(self, error: Optional[Error]) -> None:
        with self._condition:
            self._is_dropped, self._error = True, error
            self._condition.notify_all()


class Streams:
    """The streams of a conversation, by their ids."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()
        self._incoming: dict[str, IncomingStream] = {}
        self._outgoing: dict[str, OutgoingStream] = {}
        self._count = 0

    def open(self) -> OutgoingStream:
        with self._lock:
            self._count += 1
            id = f"s{self._count}"
        stream = OutgoingStream(id, self._connection, lambda: self._forget(id))
        with self._lock:
            self._outgoing[id] = stream
        return stream

    def _forget(self, id: str) -> None:
        with self._lock:
            self._outgoing.pop(id, None)

    def incoming(self, id: str) -> IncomingStream:
        """The stream of the host's with an id, which is not announced before its `$/stream/open`."""
        with self._lock:
            stream = self._incoming.get(id)
            if stream is None:
                stream = self._incoming[id] = IncomingStream(id, self._connection)
            if stream.has_ended:
                del self._incoming[id]
        stream.begin()
        return stream

    def hear(self, method: str, params: dict[str, Any]) -> None:
        id = params.get("streamID")
        if not isinstance(id, str):
            return
        error = Error.from_wire(params["error"]) if "error" in params else None
        with self._lock:
            incoming, outgoing = self._incoming.get(id), self._outgoing.get(id)
        if method == "$/stream/open":
            if incoming is None:
                with self._lock:
                    is_full = len(self._incoming) >= _MOST_WAITING
                    if not is_full:
                        self._incoming[id] = IncomingStream(id, self._connection)
                if is_full:
                    self._connection.notify("$/stream/drop", {"streamID": id})
        elif method == "$/stream/data" and incoming is not None:
            incoming.take(params)
        elif method == "$/stream/end" and incoming is not None:
            incoming.end(error)
            if incoming.is_taken:
                with self._lock:
                    self._incoming.pop(id, None)
        elif method == "$/stream/ack" and outgoing is not None:
            outgoing.acknowledge(params.get("credit"))
        elif method == "$/stream/drop" and outgoing is not None:
            outgoing.drop(error)
            with self._lock:
                self._outgoing.pop(id, None)

    def close(self) -> None:
        with self._lock:
            incoming, outgoing = list(self._incoming.values()), list(self._outgoing.values())
        for received in incoming:
            received.end(gone())
        for sent in outgoing:
            sent.drop(gone())
