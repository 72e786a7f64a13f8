"""The extension points with classes of their own; any other is an `Extension` with handlers marked by `serves`."""

from __future__ import annotations

from ._context import Context
from ._errors import Cancelled
from ._extension import Extension, OpenRequests, finished

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Awaitable, Optional, Union

    from . import types
    from ._connection import Reply
    from ._extension import Handler

    View = Union[str, types.WidgetView, dict[str, Any]]
    Update = Union[View, types.WidgetPerformUpdateResult, None]
    Items = Union[list[Any], None]

NO_DATA = {"result": "noData"}
"""Nothing changed: the host goes on showing what it showed."""

FAILED = {"result": "failed"}
"""The update failed: the host shows what it showed, marked as stale."""


def new_data(
    text: Optional[str] = None, *, title: Optional[str] = None, rows: Optional[list[Any]] = None
) -> types.WidgetPerformUpdateResult:
    """Something new to show; a row is `{"title": …, "subtitle": …, "value": …, "url": …}`, or with `action` for `url`."""
    view: dict[str, Any] = {"rows": list(rows or [])}
    if title is not None:
        view["title"] = title
    if text is not None:
        view["text"] = text
    return {"result": "newData", "view": view}  # type: ignore[typeddict-item]


class TodayExtension(Extension):
    """A Today widget."""

    def perform_update(self, context: TodayContext) -> Union[Update, Awaitable[Update]]:
        """Brings the widget up to date: a view, `new_data(…)`, `NO_DATA` or `FAILED`; `None` is `NO_DATA`."""
        return None

    def display_mode_did_change(self, context: TodayContext) -> Union[View, None, Awaitable[Union[View, None]]]:
        """The widget is larger or smaller than before: a view for the new size, or `None` to leave it."""
        return None

    def did_select_row(self, row: int, action: str, context: Context) -> Union[Update, Awaitable[Update]]:
        """A row with an action was chosen; rows count from 0. What is returned is what an update returns."""
        return None

    def handlers(self) -> dict[str, Handler]:
        found = super().handlers()
        found["widget/performUpdate"] = self._update
        if self.overrides("did_select_row"):
            found["widget/didSelectRow"] = self._select
        if self.overrides("display_mode_did_change"):
            found["widget/displayModeDidChange"] = self._change
        return found

    def _update(self, params: dict[str, Any], context: Context) -> Any:
        return self._result(finished(self.perform_update(TodayContext.of(context, params)), context._request))

    def _select(self, params: dict[str, Any], context: Context) -> Any:
        return self._result(
            finished(self.did_select_row(params["row"], params["action"], context), context._request)
        )

    @staticmethod
    def _result(result: Update) -> Any:
        if result is None:
            return NO_DATA
        if isinstance(result, dict) and "result" in result:
            return result
        return {"result": "newData", "view": result}

    def _change(self, params: dict[str, Any], context: Context) -> Any:
        view = finished(self.display_mode_did_change(TodayContext.of(context, params)), context._request)
        return {} if view is None else {"view": view}


class TodayContext(Context):
    """What a widget knows of its update."""

    reason: str = "visible"
    """`scheduled`, `visible`, `snapshot` or `push`."""
    display_mode: str = "compact"
    """`compact` or `expanded`."""
    size: Optional[tuple[int, int]] = None
    """The most columns and lines."""

    @classmethod
    def of(cls, context: Context, params: dict[str, Any]) -> TodayContext:
        made = cls(context._session, context._request)
        made.reason = params.get("reason", "visible")
        made.display_mode = params.get("displayMode", "compact")
        size = params.get("maxSize")
        if isinstance(size, dict):
            made.size = (size.get("width", 80), size.get("height", 1))
        return made

    def allow_expanded(self, is_allowed: bool = True) -> None:
        """Says that the widget has an expanded view."""
        self.call("widget/setLargestAvailableDisplayMode", {"mode": "expanded" if is_allowed else "compact"})

    def set_preferred_height(self, lines: int) -> None:
        """The height that the widget would like to have in expanded mode."""
        self.call("widget/setPreferredContentSize", {"height": lines})

    def set_has_content(self, has_content: bool) -> None:
        """Without content the widget is hidden until its app says otherwise."""
        self.call("widget/setHasContent", {"flag": has_content, "bundleIdentifier": self.extension_id})


class _RequestExtension(Extension):
    """A point whose requests are begun, and ended with items."""

    _requests: Optional[OpenRequests] = None

    def _open(self, context: Context) -> OpenRequests:
        if self._requests is None:
            self._requests = OpenRequests(context._session)
        return self._requests

    def handlers(self) -> dict[str, Handler]:
        return {
            **super().handlers(),
            "context/beginRequest": lambda params, context: self._open(context).begin(params, context),
        }

    def notifications(self) -> dict[str, Handler]:
        return {
            **super().notifications(),
            "context/cancel": lambda params, context: self._open(context).withdraw(params, context),
        }


class ActionExtension(_RequestExtension):
    """An action, with or without something to show."""

    def perform(self, items: list[dict[str, Any]], context: Context) -> Union[Items, Awaitable[Items]]:
        """Acts on the items. What is returned completes the request, what is raised cancels it."""
        return []

    def view(self, items: list[dict[str, Any]], context: Context) -> Union[View, None, Awaitable[Union[View, None]]]:
        """What an action with a user interface shows before it acts."""
        return None

    def handlers(self) -> dict[str, Handler]:
        return {**super().handlers(), "action/perform": self._perform}

    def _perform(self, params: dict[str, Any], context: Context) -> Reply:
        id, items = params["requestID"], params["inputItems"]
        requests = self._open(context)
        requests.items(id)
        view = finished(self.view(items, context), context._request)
        return requests.ending(id, {} if view is None else {"view": view}, lambda own: self.perform(items, own))


class Post:
    """What the user is about to share."""

    def __init__(self, text: str, items: list[dict[str, Any]]) -> None:
        self.text = text
        self.items = items


class ShareExtension(_RequestExtension):
    """A Share extension: takes every text, and completes without items, unless you say otherwise."""

    placeholder: Optional[str] = None
    """Shown where there is no text yet."""

    def preview(self, items: list[dict[str, Any]]) -> Optional[str]:
        """A line that says what will be shared."""
        return None

    def characters_remaining(self, post: Post) -> Optional[int]:
        """How many characters may follow, negative when there are too many; `None` hides the counter."""
        return None

    def is_valid(self, post: Post) -> bool:
        """Whether the post may go out."""
        remaining = self.characters_remaining(post)
        return remaining is None or remaining >= 0

    def did_select_post(self, post: Post, context: Context) -> Union[Items, Awaitable[Items]]:
        """The user posts. What is returned completes the request, what is raised cancels it."""
        return []

    def did_select_cancel(self, context: Context) -> None:
        """The user does not post; afterwards the request is cancelled."""

    def handlers(self) -> dict[str, Handler]:
        return {
            **super().handlers(),
            "share/presentation": self._presentation,
            "share/validateContent": self._validate,
            "share/didSelectPost": self._post,
            "share/didSelectCancel": self._cancel,
        }

    def _presentation(self, params: dict[str, Any], context: Context) -> Any:
        preview = self.preview(self._open(context).items(params["requestID"]))
        answer = {"placeholder": self.placeholder, "preview": preview}
        return {name: text for name, text in answer.items() if text is not None}

    def _validate(self, params: dict[str, Any], context: Context) -> Any:
        post = Post(params["contentText"], self._open(context).items(params["requestID"]))
        remaining = self.characters_remaining(post)
        answer: dict[str, Any] = {"isValid": self.is_valid(post)}
        return answer if remaining is None else {**answer, "charactersRemaining": remaining}

    def _post(self, params: dict[str, Any], context: Context) -> Reply:
        requests = self._open(context)
        post = Post(params["contentText"], requests.items(params["requestID"]))
        return requests.ending(params["requestID"], {}, lambda own: self.did_select_post(post, own))

    def _cancel(self, params: dict[str, Any], context: Context) -> Reply:
        def body(own: Context) -> Any:
            self.did_select_cancel(own)
            raise Cancelled("The user does not post.")

        return self._open(context).ending(params["requestID"], {}, body)


class ContainingApp(Extension):
    """The app that contains extensions. A host starts it when somebody opens one of its URLs."""

    def open_url(self, url: str, context: Context) -> Union[Optional[str], Awaitable[Optional[str]]]:
        """What the app shows for the URL, as text; `None` when it does not know it."""
        return None

    def handlers(self) -> dict[str, Handler]:
        return {**super().handlers(), "app/openURL": self._open_url}

    def _open_url(self, params: dict[str, Any], context: Context) -> Any:
        text = finished(self.open_url(params["url"], context), context._request)
        return {"handled": False} if text is None else {"handled": True, "presentation": text}
