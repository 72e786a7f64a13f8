"""An extension of any point: its handlers, and what the host tells every extension."""

from __future__ import annotations

import gc
import sys

from ._connection import Reply, Request
from ._context import Context, Session
from ._errors import Cancelled, Error, RequestCancelled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Optional, TypeVar

    Handler = Callable[[dict[str, Any], Context], Any]
    Method = TypeVar("Method", bound=Callable[..., Any])


def serves(method: str) -> Callable[[Method], Method]:
    """Marks a method of an `Extension` that answers a call of the host's.

    It takes the params and a `Context`, and returns the result; it may be `async`.
    """

    def mark(function: Method) -> Method:
        function.annex_serves = method  # type: ignore[attr-defined]
        return function

    return mark


def hears(method: str) -> Callable[[Method], Method]:
    """Marks a method of an `Extension` that hears a notification of the host's."""

    def mark(function: Method) -> Method:
        function.annex_hears = method  # type: ignore[attr-defined]
        return function

    return mark


class Extension:
    """Derive from this, or from a class of a point, and pass an instance to `annex.run`."""

    def handlers(self) -> dict[str, Handler]:
        """What answers the host's calls, by method."""
        return self._marked("annex_serves")

    def notifications(self) -> dict[str, Handler]:
        """What hears the host's notifications, by method."""
        return self._marked("annex_hears")

    def _marked(self, mark: str) -> dict[str, Handler]:
        found: dict[str, Handler] = {}
        for name in dir(type(self)):
            function = getattr(type(self), name, None)
            method = getattr(function, mark, None)
            if isinstance(method, str):
                found[method] = getattr(self, name)
        return found

    def overrides(self, name: str) -> bool:
        """Whether the author's class has a method of its own in place of the one here."""
        for kind in type(self).__mro__:
            if name in vars(kind):
                return kind.__module__.split(".")[0] != __name__.split(".")[0]
        return False

    def memory_pressure(self, level: str, usage: int, limit: int) -> None:
        """The process comes near its ceiling: let go of what can be made again."""
        gc.collect()

    def will_terminate(self, reason: str) -> None:
        """The last thing that runs; there are some seconds at most."""


class OpenRequests:
    """The requests that a host has begun and that this extension has not ended yet."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._open: dict[str, tuple[dict[str, Any], Request]] = {}

    def begin(self, params: dict[str, Any], context: Context) -> dict[str, Any]:
        id = params["requestID"]
        if id in self._open:
            raise Error("invalidParams", f"The request {id} has already begun.")
        # What runs for it later belongs to no call of the host's: a request of its own hears of the end.
        self._open[id] = (params, Request(None, "context/beginRequest", params))
        return {"accepted": True}

    def items(self, id: str) -> list[dict[str, Any]]:
        return list(self._entry(id)[0].get("inputItems") or [])

    def withdraw(self, params: dict[str, Any], context: Context) -> None:
        entry = self._open.pop(str(params.get("requestID")), None)
        if entry is not None:
            entry[1].cancel()

    def _entry(self, id: str) -> tuple[dict[str, Any], Request]:
        if id not in self._open:
            raise Error("requestUnknown", f"The request {id} has not begun, or has ended.")
        return self._open[id]

    def ending(self, id: str, result: Any, body: Callable[[Context], Any]) -> Reply:
        """Answers with the result; then runs an author's code and ends the request with what it returns or raises."""
        request = self._entry(id)[1]
        return Reply(result, lambda: self._run(id, request, body))

    def _run(self, id: str, request: Request, body: Callable[[Context], Any]) -> None:
        context = Context(self._session, request, id)
        failure: Optional[RequestCancelled] = None
        items: Any = None
        try:
            items = finished(body(context), request)
        except Cancelled as error:
            if request.cancelled.is_set():
                return
            failure = RequestCancelled.of(error)
        except RequestCancelled as error:
            failure = error
        except Exception as error:
            if not isinstance(error, Error):
                import traceback

                traceback.print_exc()
            failure = RequestCancelled.of(error)
        if self._open.pop(id, None) is None:
            return
        connection = self._session.connection
        call = connection.call
        try:
            if failure is None:
                call("context/completeRequest", {"requestID": id, "returningItems": list(items or [])})
            else:
                call("context/cancelRequest", {"requestID": id, "error": failure.to_wire()})
        except Error as error:
            if not connection.is_closed:
                print(f"annex: the host did not take the end of the request: {error}", file=sys.stderr)


def finished(result: Any, request: Optional[Request]) -> Any:
    """The value of a handler; a coroutine is run to its end first."""
    if not hasattr(result, "__await__"):
        return result
    import asyncio

    async def main() -> Any:
        task = asyncio.ensure_future(result)
        loop = asyncio.get_running_loop()

        def cancel() -> None:
            try:
                loop.call_soon_threadsafe(task.cancel)
            except RuntimeError:
                # The loop has ended: there is nothing to cancel.
                return

        if request is not None:
            request.cancelled.then(cancel)
        try:
            return await task
        except asyncio.CancelledError:
            raise Cancelled() from None
        finally:
            if request is not None:
                request.cancelled.forget(cancel)

    return asyncio.run(main())
