"""How messages are told apart on a pipe: lines, or a Content-Length header before each."""

from __future__ import annotations

import json
import os

from ._errors import Error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Iterator, Optional, Union

MAXIMUM = 4 << 20
"""The longest message, in bytes."""

_CHUNK = 64 << 10
_LONGEST_HEADER = 4 << 10


class FramingLost(Exception):
    """What came is no frame, and nobody can tell where the next one begins."""


def decode(frame: bytes) -> Any:
    """The JSON value of a frame.

    Raises `Error` (`parseError`) for bytes that are not UTF-8, for text that is not JSON, and for an object with one
    key twice.
    """
    try:
        return json.loads(frame.decode("utf-8"), object_pairs_hook=_object, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Error("parseError", f"This is no JSON: {error}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("an object has one key twice")
    return value


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def encode(message: Any) -> bytes:
    """The bytes of a message, on one line.

    Raises `Error` (`responseUnserialisable`) for a value that JSON cannot hold.
    """
    try:
        try:
            text = json.dumps(message, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
            return text.encode("utf-8")
        except UnicodeEncodeError:
            # Half of a surrogate pair, which has an escape in JSON and no form in UTF-8.
            return json.dumps(message, allow_nan=False, separators=(",", ":")).encode("ascii")
    except (TypeError, ValueError, RecursionError) as error:
        raise Error("responseUnserialisable", f"This cannot be sent as JSON: {error}") from None


class Reader:
    """Takes frames from a descriptor. A frame that is too long is left out and reported as an `Error`."""

    def __init__(self, descriptor: int, framing: str) -> None:
        self._descriptor = descriptor
        self._frames = self._lines() if framing == "lines" else self._bodies()

    def __iter__(self) -> Iterator[Union[bytes, Error]]:
        return self._frames

    def _read(self) -> bytes:
        try:
            return os.read(self._descriptor, _CHUNK)
        except OSError:
            # The host is gone, however the kernel says it.
            return b""

    def _lines(self) -> Iterator[Union[bytes, Error]]:
        parts: list[bytes] = []
        length = 0
        is_too_long = False
        while chunk := self._read():
            start = 0
            while (end := chunk.find(b"\n", start)) >= 0:
                length += end - start
                if is_too_long or length > MAXIMUM:
                    yield too_long()
                else:
                    parts.append(chunk[start:end])
                    line = b"".join(parts)
                    if line.strip():
                        yield line
                parts, length, is_too_long = [], 0, False
                start = end + 1
            if start < len(chunk) and not is_too_long:
                length += len(chunk) - start
                parts.append(chunk[start:])
                if length > MAXIMUM:
                    parts, is_too_long = [], True

    def _bodies(self) -> Iterator[Union[bytes, Error]]:
        buffer = bytearray()
        while True:
            while (end := buffer.find(b"\r\n\r\n")) < 0:
                if len(buffer) > _LONGEST_HEADER:
                    raise FramingLost("a header has more than 4 KiB")
                chunk = self._read()
                if not chunk:
                    return
                buffer += chunk
            count = _content_length(bytes(buffer[:end]))
            del buffer[: end + 4]
            if count > MAXIMUM:
                if not self._skip(buffer, count):
                    return
                yield too_long()
                continue
            while len(buffer) < count:
                chunk = self._read()
                if not chunk:
                    return
                buffer += chunk
            frame = bytes(buffer[:count])
            del buffer[:count]
            yield frame

    def _skip(self, buffer: bytearray, count: int) -> bool:
        """Leaves out so many bytes, without keeping them."""
        while count > len(buffer):
            count -= len(buffer)
            buffer.clear()
            chunk = self._read()
            if not chunk:
                return False
            buffer += chunk
        del buffer[:count]
        return True


def too_long() -> Error:
    return Error("frameTooLarge", "The message has more than 4 MiB.")


def _content_length(header: bytes) -> int:
    length: Optional[int] = None
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            digits = value.strip()
            if not digits.isdigit() or len(digits) > 12:
                raise FramingLost("Content-Length is no number")
            length = int(digits)
    if length is None:
        raise FramingLost("a header without Content-Length")
    return length


def write_frame(descriptor: int, frame: bytes, framing: str) -> None:
    """Writes all of a frame. Raises `OSError` when nobody reads any more."""
    if framing == "lines":
        rest = memoryview(frame + b"\n")
    else:
        rest = memoryview(b"Content-Length: %d\r\n\r\n%b" % (len(frame), frame))
    while rest:
        rest = rest[os.write(descriptor, rest) :]
