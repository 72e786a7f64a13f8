"""The error object of the protocol, as an exception."""

from __future__ import annotations

from .protocol import ERROR_CODES, ERROR_RECOVERIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Mapping, Optional, Union

_NAMES = {number: name for name, number in ERROR_CODES.items()}


class Error(Exception):
    """What a call of the host ends with, and what a handler raises to answer with a code of its own.

    `code` is a number or a name of `annex.ERROR_CODES`: `raise annex.Error("invalidParams", "There is no such key.")`.
    A number of your own lies outside of -32768 to -32000.
    """

    def __init__(
        self,
        code: Union[int, str],
        message: str,
        recovery: Optional[str] = None,
        details: Optional[Mapping[str, Any]] = None,
        cause: Optional[list[str]] = None,
    ) -> None:
        super().__init__(message)
        if isinstance(code, str):
            if code not in ERROR_CODES:
                raise ValueError(f"{code!r} is not the name of an error; annex.ERROR_CODES has them all")
            code = ERROR_CODES[code]
        self.code: int = code
        self.message: str = message
        self.recovery: Optional[str] = recovery if recovery is not None else ERROR_RECOVERIES.get(self.name)
        self.details: dict[str, Any] = dict(details or {})
        self.cause: list[str] = list(cause or [])

    @property
    def name(self) -> str:
        """The name of the code; an empty text for a code that the protocol does not have."""
        return _NAMES.get(self.code, "")

    def to_wire(self) -> dict[str, Any]:
        """The error object of JSON-RPC."""
        data: dict[str, Any] = {}
        if self.name:
            data["name"] = self.name
        if self.recovery:
            data["recovery"] = self.recovery
        if self.details:
            data["details"] = self.details
        if self.cause:
            data["cause"] = self.cause
        return {"code": self.code, "message": self.message, "data": data}

    @classmethod
    def from_wire(cls, value: Any) -> Error:
        """The exception of an error object; whatever the object lacks is made up for."""
        value = value if isinstance(value, dict) else {}
        code, message, data = value.get("code"), value.get("message"), value.get("data")
        data = data if isinstance(data, dict) else {}
        recovery, details, cause = data.get("recovery"), data.get("details"), data.get("cause")
        return cls(
            code if isinstance(code, int) else ERROR_CODES["internalError"],
            message if isinstance(message, str) else "The host answered with an error that says nothing.",
            recovery if isinstance(recovery, str) else None,
            details if isinstance(details, dict) else None,
            [text for text in cause if isinstance(text, str)] if isinstance(cause, list) else None,
        )


class Cancelled(Error):
    """The host does not want the answer any more; nothing is shown of what is still done."""

    def __init__(self, message: str = "The request was cancelled.") -> None:
        super().__init__("cancelled", message)


def told(error: BaseException) -> str:
    """The last line of a trace: the kind of an error, and its text where it has one."""
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


class RequestCancelled(Exception):
    """Ends a Share or Action request without a result: `raise annex.RequestCancelled("Notes", 3, "There is no text.")`."""

    def __init__(self, domain: str, code: int, description: Optional[str] = None) -> None:
        super().__init__(description or f"{domain} {code}")
        self.domain = domain
        self.code = code
        self.description = description

    @classmethod
    def of(cls, error: BaseException) -> RequestCancelled:
        """Any error as a domain and a code."""
        if isinstance(error, RequestCancelled):
            return error
        if isinstance(error, Cancelled):
            return cls("NSCocoaErrorDomain", 3072, error.message)
        if isinstance(error, Error):
            return cls("ExtensionErrorDomain", error.code, error.message)
        return cls("ExtensionErrorDomain", ERROR_CODES["handlerFailed"], told(error))

    def to_wire(self) -> dict[str, Any]:
        """The error of `context/cancelRequest`."""
        error: dict[str, Any] = {"domain": self.domain, "code": self.code}
        if self.description:
            error["localizedDescription"] = self.description
        return error
