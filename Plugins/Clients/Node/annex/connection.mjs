// JSON-RPC 2.0 in both directions.

import { AnnexError, Cancelled, isObject } from "./errors.mjs";
import { FramingLost, decode, encode, framed, makeReader } from "./framing.mjs";

/** Calls that each side may have open at once. */
const MOST_OPEN = 64;

/** A result, with work that goes on when the answer is sent. */
export class Reply {
  constructor(result, afterwards) {
    this.result = result;
    this.afterwards = afterwards;
  }
}

/** A call of the host's, while it is worked on. */
export class Request {
  #abort = new AbortController();

  constructor(id, method, params) {
    this.id = id;
    this.method = method;
    this.params = params;
    this.meta = isObject(params._meta) ? params._meta : {};
  }

  get signal() {
    return this.#abort.signal;
  }

  cancel() {
    this.#abort.abort(new Cancelled());
  }
}

export class Connection {
  #write;
  #framing;
  #reader;
  #nextId = 0;
  #pending = new Map();
  #open = new Map();
  #waiting = [];

  /** Answers a request: a result, a `Reply`, or a promise of one. */
  serve = (request) => {
    throw new AnnexError("methodNotFound", `${request.method} is not served here.`);
  };
  /** Hears each notification, in their order. */
  hear = () => {};

  /** `write` takes bytes. */
  constructor(write, framing) {
    if (framing !== "lines" && framing !== "content-length") {
      throw new Error(`the framing “${framing}” is not known: it is lines or content-length`);
    }
    this.#write = write;
    this.#framing = framing;
    this.#reader = makeReader(framing);
  }

  // Sending

  send(message) {
    this.#write(framed(encode({ jsonrpc: "2.0", ...message }), this.#framing));
  }

  notify(method, params = {}) {
    this.send({ method, params });
  }

  /** Calls the other side; `signal` gives up. */
  async call(method, params = {}, { signal, timeout } = {}) {
    signal?.throwIfAborted();
    if (this.#pending.size >= MOST_OPEN) await new Promise((resolve) => this.#waiting.push(resolve));
    this.#nextId += 1;
    const id = this.#nextId;
    let timer;
    let onAbort;
    try {
      return await new Promise((resolve, reject) => {
        this.#pending.set(id, { resolve, reject });
        const giveUp = (error) => {
          if (this.#pending.has(id)) this.notify("$/cancelRequest", { id });
          reject(error);
        };
        onAbort = () => giveUp(signal.reason);
        signal?.addEventListener("abort", onAbort, { once: true });
        if (timeout !== undefined) {
          const late = new AnnexError("deadlineExceeded", `${method} was not answered within ${timeout} ms.`);
          timer = setTimeout(() => giveUp(late), timeout);
        }
        try {
          this.send({ id, method, params });
        } catch (error) {
          this.#settle(id, (call) => call.reject(error));
        }
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  #settle(id, action) {
    const call = this.#pending.get(id);
    if (call === undefined) return;
    this.#pending.delete(id);
    this.#waiting.shift()?.();
    action(call);
  }

  #refuse(id, error) {
    const wire = error instanceof AnnexError ? error : new AnnexError("handlerFailed", String(error));
    try {
      this.send({ id, error: wire.toWire() });
    } catch {
      this.send({ id, error: { code: wire.code, message: "The error cannot be sent as JSON." } });
    }
  }

  // Receiving

  /** Takes what came from the other side. Returns whether more can be read. */
  take(chunk) {
    try {
      for (const frame of this.#reader.take(chunk)) {
        try {
          if (frame instanceof AnnexError) throw frame;
          this.#takeMessage(decode(frame));
        } catch (error) {
          this.#refuse(null, error);
        }
      }
      return true;
    } catch (error) {
      if (!(error instanceof FramingLost)) throw error;
      this.#refuse(null, new AnnexError("parseError", `This is no message: ${error.message}.`));
      console.error(`annex: what the host sends cannot be read: ${error.message}`);
      return false;
    }
  }

  #takeMessage(message) {
    if (!isObject(message) || message.jsonrpc !== "2.0") {
      throw new AnnexError("invalidRequest", 'A message is an object with "jsonrpc": "2.0".');
    }
    const { id, method, params = {} } = message;
    if (method === undefined) return this.#takeAnswer(message);
    const hasId = Object.hasOwn(message, "id");
    if (typeof method !== "string" || (hasId && typeof id !== "string" && !Number.isSafeInteger(id))) {
      throw new AnnexError("invalidRequest", "A method is a text, and an id a whole number or a text.");
    }
    if (!hasId) return this.#takeNotification(method, isObject(params) ? params : {});
    if (!isObject(params)) {
      return this.#refuse(id, new AnnexError("invalidParams", `The params of ${method} are an object.`));
    }
    if (this.#open.has(id)) {
      return this.#refuse(id, new AnnexError("invalidRequest", "There is a request with this id already."));
    }
    if (this.#open.size >= MOST_OPEN) {
      return this.#refuse(id, new AnnexError("queueFull", `There are ${MOST_OPEN} requests already.`));
    }
    this.#begin(new Request(id, method, params));
  }

  #begin(request) {
    let result;
    try {
      result = this.serve(request);
    } catch (error) {
      return this.#fail(request, error);
    }
    if (!(result instanceof Promise)) return this.#finish(request, result);
    this.#open.set(request.id, request);
    result.then(
      (value) => this.#finish(request, value),
      (error) => this.#fail(request, error),
    );
  }

  #finish(request, value) {
    const isReply = value instanceof Reply;
    this.#open.delete(request.id);
    try {
      this.send({ id: request.id, result: (isReply ? value.result : value) ?? {} });
    } catch (error) {
      this.#refuse(request.id, error);
    }
    if (isReply) Promise.resolve(value.afterwards()).catch((error) => console.error(error));
  }

  #fail(request, error) {
    this.#open.delete(request.id);
    if (!(error instanceof AnnexError)) console.error(error);
    this.#refuse(request.id, error);
  }

  #takeAnswer(message) {
    if (Object.hasOwn(message, "error")) {
      if (message.id === null) console.error("annex: the host could not read a message:", message.error);
      this.#settle(message.id, (call) => call.reject(AnnexError.fromWire(message.error)));
    } else {
      this.#settle(message.id, (call) => call.resolve(message.result));
    }
  }

  #takeNotification(method, params) {
    if (method === "$/cancelRequest") return this.#open.get(params.id)?.cancel();
    try {
      this.hear(method, params);
    } catch (error) {
      console.error(error);
    }
  }
}
