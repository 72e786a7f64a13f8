// How messages are told apart on a pipe: lines, or a Content-Length header before each.

import { AnnexError } from "./errors.mjs";

/** The longest message, in bytes. */
export const MAXIMUM = 4 << 20;
const LONGEST_HEADER = 4 << 10;

/** What came is no frame, and nobody can tell where the next one begins. */
export class FramingLost extends Error {}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The JSON value of a frame. */
export function decode(frame) {
  try {
    return JSON.parse(utf8.decode(frame));
  } catch (error) {
    throw new AnnexError("parseError", `This is no JSON: ${error.message}`);
  }
}

/** The bytes of a message, on one line. */
export function encode(message) {
  let text;
  try {
    text = JSON.stringify(message);
  } catch (error) {
    throw new AnnexError("responseUnserialisable", `This cannot be sent as JSON: ${error.message}`);
  }
  const frame = Buffer.from(text, "utf8");
  if (frame.length > MAXIMUM) throw new AnnexError("frameTooLarge", "The message has more than 4 MiB.");
  return frame;
}

export function framed(frame, framing) {
  if (framing === "lines") return Buffer.concat([frame, Buffer.from("\n")]);
  return Buffer.concat([Buffer.from(`Content-Length: ${frame.length}\r\n\r\n`), frame]);
}

/** Takes chunks and gives frames; for one that is too long, an AnnexError. */
export function makeReader(framing) {
  return framing === "lines" ? new LineReader() : new BodyReader();
}

const tooLong = () => new AnnexError("frameTooLarge", "The message has more than 4 MiB.");

class LineReader {
  #parts = [];
  #length = 0;

  *take(chunk) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.#add(chunk.subarray(start, end));
      const isTooLong = this.#length > MAXIMUM;
      const line = Buffer.concat(this.#parts);
      this.#parts = [];
      this.#length = 0;
      start = end + 1;
      if (isTooLong) yield tooLong();
      else if (line.some((byte) => byte > 32)) yield line;
    }
    this.#add(chunk.subarray(start));
  }

  #add(part) {
    this.#length += part.length;
    if (this.#length > MAXIMUM) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }
}

class BodyReader {
  #header = Buffer.alloc(0);
  #parts = [];
  /** Bytes of the body that are still to come; `null` in a header. */
  #missing = null;
  #isTooLong = false;

  *take(chunk) {
    while (chunk.length > 0 || this.#missing === 0) {
      if (this.#missing === null) {
        const header = Buffer.concat([this.#header, chunk]);
        const end = header.indexOf("\r\n\r\n");
        if (end < 0 ? header.length > LONGEST_HEADER : end > LONGEST_HEADER) {
          throw new FramingLost("a header has more than 4 KiB");
        }
        if (end < 0) {
          this.#header = header;
          return;
        }
        this.#missing = contentLength(header.subarray(0, end).toString("latin1"));
        this.#isTooLong = this.#missing > MAXIMUM;
        this.#header = Buffer.alloc(0);
        chunk = header.subarray(end + 4);
      }
      const part = chunk.subarray(0, this.#missing);
      chunk = chunk.subarray(part.length);
      this.#missing -= part.length;
      if (!this.#isTooLong) this.#parts.push(part);
      if (this.#missing > 0) continue;
      const body = Buffer.concat(this.#parts);
      this.#parts = [];
      this.#missing = null;
      yield this.#isTooLong ? tooLong() : body;
    }
  }
}

function contentLength(header) {
  for (const line of header.split("\r\n")) {
    const [name, value] = line.split(":", 2);
    if (name.trim().toLowerCase() !== "content-length") continue;
    if (!/^[0-9]{1,12}$/.test((value ?? "").trim())) throw new FramingLost("Content-Length is no number");
    return Number(value);
  }
  throw new FramingLost("a header without Content-Length");
}
