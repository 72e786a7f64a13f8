"""JSON-RPC 2.0 in both directions over a pair of descriptors."""

from __future__ import annotations

import sys
import threading
import traceback
from collections import deque

from ._errors import Cancelled, Error, told
from ._framing import MAXIMUM, FramingLost, Reader, decode, encode, too_long, write_frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Optional, Union

    Id = Union[int, str, None]

_MOST_OPEN = 64
"""Calls that each side may have open at once."""


class Once:
    """Happens once, with a value; who waits for it is called back, on whatever thread it happens."""

    def __init__(self) -> None:
        self.value: Any = None
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], None]] = []

    def set(self, value: Any = None) -> None:
        """The first one counts."""
        with self._lock:
            if self._event.is_set():
                return
            self.value = value
            self._event.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def is_set(self) -> bool:
        return self._event.is_set()

    def wait(self, timeout: Optional[float] = None) -> bool:
        return self._event.wait(timeout)

    def then(self, callback: Callable[[], None]) -> None:
        """Calls back once: at once, when it has happened already."""
        with self._lock:
            if not self._event.is_set():
                self._callbacks.append(callback)
                return
        callback()

    def forget(self, callback: Callable[[], None]) -> None:
        with self._lock:
            if callback in self._callbacks:
                self._callbacks.remove(callback)


class Pending:
    """A call of the other side that is not answered yet."""

    def __init__(self) -> None:
        self.settled = Once()

    def settle(self, result: Any = None, error: Optional[Error] = None) -> None:
        """The first answer counts."""
        self.settled.set((result, error))

    def value(self) -> Any:
        result, error = self.settled.value
        if error is not None:
            raise error
        return result


class Request:
    """A call of the host's, while it is worked on."""

    def __init__(self, id: Id, method: str, params: dict[str, Any]) -> None:
        self.id = id
        self.method = method
        self.params = params
        meta = params.get("_meta")
        self.meta: dict[str, Any] = meta if isinstance(meta, dict) else {}
        self.cancelled = Once()

    def cancel(self) -> None:
        self.cancelled.set()


class Reply:
    """A result, with work that goes on when the answer is sent."""

    def __init__(self, result: Any, afterwards: Callable[[], None]) -> None:
        self.result = result
        self.afterwards = afterwards


class Workers:
    """Threads for work that may block, made when they are needed: one for each that is open, or `most` at once.

    With one thread, work is done in its order.
    """

    def __init__(self, most: Optional[int] = None) -> None:
        self._most = most
        self._condition = threading.Condition()
        self._work: deque[Callable[[], Any]] = deque()
        self._idle = 0
        self._count = 0

    @property
    def is_busy(self) -> bool:
        with self._condition:
            return self._idle < self._count

    def submit(self, work: Callable[[], Any]) -> None:
        with self._condition:
            self._work.append(work)
            if self._idle >= len(self._work) or self._count == self._most:
                self._condition.notify()
                return
            self._count += 1
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            with self._condition:
                while not self._work:
                    self._idle += 1
                    self._condition.wait()
                    self._idle -= 1
                work = self._work.popleft()
            try:
                work()
            except Exception:
                traceback.print_exc()


class Connection:
    """One conversation: `run` reads until the end; calls and answers may come from any thread."""

    def __init__(self, source: int, sink: int, framing: str) -> None:
        self._reader = Reader(source, framing)
        self._sink = sink
        self._framing = framing
        self._writing = threading.Lock()
        self._lock = threading.Lock()
        self._next_id = 0
        self._pending: dict[int, Pending] = {}
        self._open: dict[Union[int, str, None], Request] = {}
        self._slots = threading.Semaphore(_MOST_OPEN)
        self._workers = Workers()
        self.is_closed = False
        self.is_ending = False
        """Ends `run` when the message that set it is answered."""
        self.serve: Callable[[Request], Any] = _serves_nothing
        """Runs on a thread of its own for each request; returns the result or a `Reply`."""
        self.serve_now: Callable[[Request], Optional[tuple[Any]]] = lambda request: None
        """Runs first, on the reading thread, for what must not wait: the result in a tuple, or `None`."""
        self.hear: Callable[[str, dict[str, Any]], None] = lambda method, params: None
        """Runs on the reading thread for each notification, in their order."""

    @property
    def is_busy(self) -> bool:
        """Whether a handler still runs."""
        with self._lock:
            return bool(self._open) or self._workers.is_busy

    # Sending

    def send(self, message: dict[str, Any]) -> None:
        frame = encode({"jsonrpc": "2.0", **message})
        if len(frame) > MAXIMUM:
            raise too_long()
        with self._writing:
            if self.is_closed:
                return
            try:
                write_frame(self._sink, frame, self._framing)
            except OSError:
                # The host is gone; the end of the input follows.
                self.is_closed = True

    def notify(self, method: str, params: dict[str, Any]) -> None:
        self.send({"method": method, "params": params})

    def start(self, method: str, params: dict[str, Any]) -> tuple[int, Pending]:
        """Sends a call and does not wait for its answer."""
        self._slots.acquire()
        pending = Pending()
        pending.settled.then(self._slots.release)
        with self._lock:
            self._next_id += 1
            number = self._next_id
            self._pending[number] = pending
        try:
            self.send({"id": number, "method": method, "params": params})
        except Error as error:
            self._settle(number, error=error)
        if self.is_closed:
            self._settle(number, error=gone())
        return number, pending

    def call(
        self, method: str, params: dict[str, Any], request: Optional[Request] = None, timeout: Optional[float] = None
    ) -> Any:
        """Sends a call and waits for its answer; the end of the request that it is for ends the wait."""
        if request is not None and request.cancelled.is_set():
            raise Cancelled()
        number, pending = self.start(method, params)

        def give_up() -> None:
            self.abandon(number, pending, Cancelled())

        if request is not None:
            request.cancelled.then(give_up)
        try:
            if not pending.settled.wait(timeout):
                late = Error("deadlineExceeded", f"{method} was not answered within {timeout} seconds.")
                self.abandon(number, pending, late)
            return pending.value()
        finally:
            if request is not None:
                request.cancelled.forget(give_up)

    def abandon(self, number: int, pending: Pending, error: Error) -> None:
        """The answer is not wanted any more; it is still to come."""
        with self._lock:
            is_open = number in self._pending
        if is_open:
            self.notify("$/cancelRequest", {"id": number})
        pending.settle(error=error)

    def _settle(self, number: int, result: Any = None, error: Optional[Error] = None) -> None:
        with self._lock:
            pending = self._pending.pop(number, None)
        if pending is not None:
            pending.settle(result, error)

    def _answer(self, id: Id, result: Any) -> None:
        try:
            self.send({"id": id, "result": result})
        except Error as error:
            self._refuse(id, error)

    def _refuse(self, id: Id, error: Error) -> None:
        try:
            self.send({"id": id, "error": error.to_wire()})
        except Error as other:
            self.send({"id": id, "error": {"code": error.code, "message": other.message}})

    # Receiving

    def run(self) -> None:
        """Reads until the other side ends, or `close` is called."""
        try:
            for frame in self._reader:
                try:
                    if isinstance(frame, Error):
                        raise frame
                    self._take(decode(frame))
                except Error as error:
                    self._refuse(None, error)
                if self.is_closed or self.is_ending:
                    break
        except FramingLost as error:
            self._refuse(None, Error("parseError", f"This is no message: {error}."))
            print(f"annex: what the host sends cannot be read: {error}", file=sys.stderr)
        self.close()

    def close(self) -> None:
        self.is_closed = True
        with self._lock:
            waiting = list(self._pending)
            open_requests = list(self._open.values())
        for number in waiting:
            self._settle(number, error=gone())
        for request in open_requests:
            request.cancel()

    def _take(self, message: Any) -> None:
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            raise Error("invalidRequest", 'A message is an object with "jsonrpc": "2.0".')
        method = message.get("method")
        if method is None:
            return self._take_answer(message)
        params = message.get("params", {})
        has_id = "id" in message
        id = message.get("id")
        if not isinstance(method, str) or (has_id and (isinstance(id, bool) or not isinstance(id, (int, str)))):
            raise Error("invalidRequest", "A method is a text, and an id a whole number or a text.")
        if not has_id:
            return self._hear(method, params if isinstance(params, dict) else {})
        if not isinstance(params, dict):
            return self._refuse(id, Error("invalidParams", f"The params of {method} are an object."))
        with self._lock:
            is_full = len(self._open) >= _MOST_OPEN
            is_known = id in self._open
        if is_known:
            return self._refuse(id, Error("invalidRequest", "There is a request with this id already."))
        if is_full:
            return self._refuse(id, Error("queueFull", f"There are {_MOST_OPEN} requests already."))
        self._begin(Request(id, method, params))

    def _begin(self, request: Request) -> None:
        try:
            now = self.serve_now(request)
        except Error as error:
            return self._refuse(request.id, error)
        if now is not None:
            return self._answer(request.id, now[0])
        with self._lock:
            self._open[request.id] = request
        self._workers.submit(lambda: self._work(request))

    def _work(self, request: Request) -> None:
        afterwards: Optional[Callable[[], None]] = None
        try:
            if request.cancelled.is_set():
                raise Cancelled()
            result = self.serve(request)
            if isinstance(result, Reply):
                result, afterwards = result.result, result.afterwards
            self._finish(request)
            self._answer(request.id, {} if result is None else result)
        except Error as error:
            self._finish(request)
            self._refuse(request.id, error)
        except BaseException as error:
            traceback.print_exc()
            self._finish(request)
            self._refuse(request.id, Error("handlerFailed", told(error)))
        try:
            if afterwards is not None:
                afterwards()
        except BaseException:
            traceback.print_exc()

    def _finish(self, request: Request) -> None:
        with self._lock:
            self._open.pop(request.id, None)

    def _take_answer(self, message: dict[str, Any]) -> None:
        number = message.get("id")
        if not isinstance(number, int) or isinstance(number, bool):
            if "error" in message and number is None:
                print(f"annex: the host could not read a message: {message['error']}", file=sys.stderr)
            return
        if "error" in message:
            self._settle(number, error=Error.from_wire(message["error"]))
        else:
            self._settle(number, message.get("result"))

    def _hear(self, method: str, params: dict[str, Any]) -> None:
        if method == "$/cancelRequest":
            id = params.get("id")
            with self._lock:
                request = self._open.get(id) if isinstance(id, (int, str)) else None
            if request is not None:
                request.cancel()
            return
        try:
            self.hear(method, params)
        except Exception:
            traceback.print_exc()


def _serves_nothing(request: Request) -> Any:
    raise Error("methodNotFound", f"{request.method} is not served here.")


def gone() -> Error:
    return Error("shuttingDown", "The other side has ended the conversation.")
