// Items that a user shares or acts on.

export const TEXT = "public.utf8-plain-text";

/** The attachments of all items, in order. */
export function attachments(items) {
  return items.flatMap((item) => item.attachments ?? []);
}

/** The value when it came with the item and is of the type that is wanted. */
export function inlineBytes(attachment, type) {
  const inline = attachment.inline;
  if (!inline) return undefined;
  const isOnly = (attachment.registeredTypeIdentifiers ?? []).length === 1;
  if (type !== undefined && type !== inline.type && !isOnly) return undefined;
  return Buffer.from(inline.value, inline.encoding === "base64" ? "base64" : "utf8");
}

/** An item with one text, to return. */
export function textItem(text, { type = TEXT, title, name } = {}) {
  return item({ type, value: text }, type, title, name);
}

/** An item with some bytes, to return. */
export function dataItem(data, type, { title, name } = {}) {
  return item({ type, value: Buffer.from(data).toString("base64"), encoding: "base64" }, type, title, name);
}

function item(inline, type, title, name) {
  const attachment = { itemID: "a1", registeredTypeIdentifiers: [type], inline };
  if (name !== undefined) attachment.suggestedName = name;
  return { ...(title === undefined ? {} : { attributedTitle: title }), attachments: [attachment] };
}
