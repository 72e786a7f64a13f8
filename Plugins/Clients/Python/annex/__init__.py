"""Write an Annex extension in Python: 3.9 or later, without any other package.

    import annex

    class Clock(annex.TodayExtension):
        def perform_update(self, context):
            visits = context.defaults("group.com.example.clock").add("visits")
            return f"Visit {visits}"

    annex.run(Clock())

Handlers may wait: each request has a thread of its own. They may be `async` too, and then call with `await
context.acall(…)`. What is printed goes to standard error.
"""

from ._connection import Reply
from ._context import Context, Defaults, Response
from ._errors import Cancelled, Error, RequestCancelled
from ._extension import Extension, hears, serves
from ._items import Attachment, attachments, data_item, text_item
from ._points import (
    FAILED,
    NO_DATA,
    ActionExtension,
    ContainingApp,
    Post,
    ShareExtension,
    TodayContext,
    TodayExtension,
    new_data,
)
from ._run import run
from ._streams import IncomingStream, OutgoingStream
from .protocol import ERROR_CODES, VERSION

__all__ = [
    "ERROR_CODES",
    "FAILED",
    "NO_DATA",
    "VERSION",
    "ActionExtension",
    "Attachment",
    "Cancelled",
    "ContainingApp",
    "Context",
    "Defaults",
    "Error",
    "Extension",
    "IncomingStream",
    "OutgoingStream",
    "Post",
    "Reply",
    "RequestCancelled",
    "Response",
    "ShareExtension",
    "TodayContext",
    "TodayExtension",
    "attachments",
    "data_item",
    "hears",
    "new_data",
    "run",
    "serves",
    "text_item",
]
