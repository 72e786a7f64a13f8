"""Items that a user shares or acts on."""

from __future__ import annotations

import base64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

    from . import types

TEXT = "public.utf8-plain-text"


class Attachment:
    """One value of an item, in one or more types."""

    def __init__(self, wire: dict[str, Any]) -> None:
        self.wire = wire

    @property
    def id(self) -> str:
        return str(self.wire["itemID"])

    @property
    def types(self) -> list[str]:
        """Uniform type identifiers, the one of the highest fidelity first."""
        return list(self.wire.get("registeredTypeIdentifiers", []))

    @property
    def name(self) -> Optional[str]:
        """A file name for people."""
        return self.wire.get("suggestedName")

    def inline_bytes(self, type: Optional[str] = None) -> Optional[bytes]:
        """The value when it came with the item and is of the type that is wanted."""
        inline = self.wire.get("inline")
        if not isinstance(inline, dict):
            return None
        if type is not None and type != inline.get("type") and len(self.types) != 1:
            return None
        if inline.get("encoding") == "base64":
            return base64.b64decode(inline["value"])
        return str(inline["value"]).encode("utf-8")


def attachments(items: list[dict[str, Any]]) -> list[Attachment]:
    """The attachments of all items, in order."""
    return [Attachment(wire) for item in items for wire in item.get("attachments") or []]


def text_item(text: str, *, type: str = TEXT, title: Optional[str] = None, name: Optional[str] = None) -> types.ExtensionItem:
    """An item with one text, to return."""
    return _item(title, name, [type], {"type": type, "value": text})


def data_item(data: bytes, type: str, *, title: Optional[str] = None, name: Optional[str] = None) -> types.ExtensionItem:
    """An item with some bytes, to return. Over 64 KiB, write them to a file of the scratch directory instead."""
    return _item(title, name, [type], {"type": type, "value": base64.b64encode(data).decode("ascii"), "encoding": "base64"})


def _item(title: Optional[str], name: Optional[str], types: list[str], inline: dict[str, Any]) -> Any:
    attachment: dict[str, Any] = {"itemID": "a1", "registeredTypeIdentifiers": types, "inline": inline}
    if name:
        attachment["suggestedName"] = name
    item: dict[str, Any] = {"attachments": [attachment]}
    if title:
        item["attributedTitle"] = title
    return item
