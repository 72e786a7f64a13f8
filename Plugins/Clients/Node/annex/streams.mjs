// Large data, and data that comes bit by bit: nothing is sent before the reader gives credit.

import { AnnexError } from "./errors.mjs";

/** What a reader lets the other side send before it has read. */
const CREDIT = 256 << 10;
const PIECE = 48 << 10;
const MOST_WAITING = 64;

/** What the host sends, to be read once: `for await (const piece of stream)`. */
export class IncomingStream {
  #connection;
  #pieces = [];
  #wake = null;
  #next = 1;
  #credit = 0;
  #error = null;
  isTaken = false;
  hasEnded = false;

  constructor(id, connection) {
    this.id = id;
    this.#connection = connection;
  }

  begin() {
    if (this.isTaken) return;
    this.isTaken = true;
    if (!this.hasEnded) this.#give(CREDIT);
  }

  async *[Symbol.asyncIterator]() {
    this.begin();
    try {
      for (;;) {
        if (this.#pieces.length > 0) {
          const [piece, cost] = this.#pieces.shift();
          yield piece;
          if (!this.hasEnded) this.#give(cost);
        } else if (this.hasEnded) {
          if (this.#error) throw this.#error;
          return;
        } else {
          await new Promise((resolve) => (this.#wake = resolve));
        }
      }
    } finally {
      this.drop();
    }
  }

  /** All bytes. */
  async read() {
    const parts = [];
    for await (const part of this) parts.push(part);
    return Buffer.concat(parts);
  }

  /** Nothing more is wanted. */
  drop() {
    if (this.hasEnded) return;
    this.end(null);
    this.#connection.notify("$/stream/drop", { streamID: this.id });
  }

  #give(credit) {
    if (credit <= 0) return;
    this.#credit += credit;
    this.#connection.notify("$/stream/ack", { streamID: this.id, credit });
  }

  take({ seq, data, value }) {
    if (seq !== this.#next) return this.end(new AnnexError("protocolViolation", "A piece of a stream is missing."));
    this.#next += 1;
    const piece = typeof data === "string" ? Buffer.from(data, "base64") : value;
    const cost = typeof data === "string" ? piece.length : Buffer.byteLength(JSON.stringify(value ?? null));
    this.#credit -= cost;
    if (this.#credit < -PIECE * 4) {
      return this.end(new AnnexError("protocolViolation", "The stream sends more than it was allowed to."));
    }
    this.#pieces.push([piece, cost]);
    this.#wake?.();
  }

  end(error) {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.#error = error;
    this.#wake?.();
  }
}

/** What this extension sends. Name its `id` in a call or a result; then `write`, and `end`. */
export class OutgoingStream {
  #connection;
  #forget;
  #credit = 0;
  #next = 0;
  #dropped = null;
  #wake = null;

  constructor(id, connection, forget) {
    this.id = id;
    this.#connection = connection;
    this.#forget = forget;
    connection.notify("$/stream/open", { streamID: id });
  }

  /** Sends bytes; waits until the reader wants them. */
  async write(data) {
    let rest = typeof data === "string" ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    while (rest.length > 0) {
      const part = rest.subarray(0, Math.min(await this.#room(1), PIECE));
      this.#send(part.length, { data: part.toString("base64") });
      rest = rest.subarray(part.length);
    }
  }

  /** Sends any JSON as one piece. */
  async send(value) {
    const cost = Buffer.byteLength(JSON.stringify(value));
    await this.#room(cost);
    this.#send(cost, { value });
  }

  /** Nothing follows; with an error, what came is not whole. */
  end(error) {
    this.#forget();
    this.#connection.notify("$/stream/end", { streamID: this.id, ...(error ? { error: error.toWire() } : {}) });
  }

  #send(cost, piece) {
    this.#credit -= cost;
    this.#next += 1;
    this.#connection.notify("$/stream/data", { streamID: this.id, seq: this.#next, ...piece });
  }

  async #room(cost) {
    while (this.#credit < cost && !this.#dropped) await new Promise((resolve) => (this.#wake = resolve));
    if (this.#dropped) throw this.#dropped;
    return this.#credit;
  }

  acknowledge(credit) {
    if (Number.isSafeInteger(credit) && credit > 0) this.#credit += credit;
    this.#wake?.();
  }

  drop(error) {
    this.#dropped = error ?? new AnnexError("cancelled", "The reader of the stream wants no more.");
    this.#wake?.();
  }
}

/** The streams of a conversation, by their ids. */
export class Streams {
  #connection;
  #incoming = new Map();
  #outgoing = new Map();
  #count = 0;

  constructor(connection) {
    this.#connection = connection;
  }

  open() {
    this.#count += 1;
    const id = `s${this.#count}`;
    const stream = new OutgoingStream(id, this.#connection, () => this.#outgoing.delete(id));
    this.#outgoing.set(id, stream);
    return stream;
  }

  incoming(id) {
    const stream = this.#incoming.get(id) ?? new IncomingStream(id, this.#connection);
    if (stream.hasEnded) this.#incoming.delete(id);
    else this.#incoming.set(id, stream);
    stream.begin();
    return stream;
  }

  hear(method, params) {
    const id = params.streamID;
    if (typeof id !== "string") return;
    const incoming = this.#incoming.get(id);
    const outgoing = this.#outgoing.get(id);
    const error = params.error === undefined ? null : AnnexError.fromWire(params.error);
    if (method === "$/stream/open" && !incoming) {
      if (this.#incoming.size >= MOST_WAITING) this.#connection.notify("$/stream/drop", { streamID: id });
      else this.#incoming.set(id, new IncomingStream(id, this.#connection));
    } else if (method === "$/stream/data") {
      incoming?.take(params);
    } else if (method === "$/stream/end" && incoming) {
      incoming.end(error);
      if (incoming.isTaken) this.#incoming.delete(id);
    } else if (method === "$/stream/ack") {
      outgoing?.acknowledge(params.credit);
    } else if (method === "$/stream/drop" && outgoing) {
      outgoing.drop(error);
      this.#outgoing.delete(id);
    }
  }

  close() {
    const gone = new AnnexError("shuttingDown", "The other side has ended the conversation.");
    for (const stream of this.#incoming.values()) stream.end(gone);
    for (const stream of this.#outgoing.values()) stream.drop(gone);
  }
}
