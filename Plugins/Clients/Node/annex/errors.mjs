// The error object of the protocol, as an exception.

import { ERROR_CODES, ERROR_RECOVERIES } from "./protocol.mjs";

const names = new Map(Object.entries(ERROR_CODES).map(([name, number]) => [number, name]));

/** What a call of the host ends with, and what a handler throws to answer with a code of its own. */
export class AnnexError extends Error {
  constructor(code, message, { recovery, details, cause } = {}) {
    super(message);
    this.name = "AnnexError";
    if (typeof code === "string") {
      if (!Object.hasOwn(ERROR_CODES, code)) {
        throw new TypeError(`“${code}” is not the name of an error; ERROR_CODES has them all`);
      }
      code = ERROR_CODES[code];
    }
    this.code = code;
    this.recovery = recovery ?? ERROR_RECOVERIES[this.codeName];
    this.details = { ...details };
    this.causes = [...(cause ?? [])];
  }

  get codeName() {
    return names.get(this.code) ?? "";
  }

  toWire() {
    const data = {};
    if (this.codeName) data.name = this.codeName;
    if (this.recovery) data.recovery = this.recovery;
    if (Object.keys(this.details).length > 0) data.details = this.details;
    if (this.causes.length > 0) data.cause = this.causes;
    return { code: this.code, message: this.message, data };
  }

  /** The exception of an error object; whatever the object lacks is made up for. */
  static fromWire(value) {
    const object = isObject(value) ? value : {};
    const data = isObject(object.data) ? object.data : {};
    return new AnnexError(
      Number.isSafeInteger(object.code) ? object.code : ERROR_CODES.internalError,
      typeof object.message === "string" ? object.message : "The host answered with an error that says nothing.",
      {
        recovery: typeof data.recovery === "string" ? data.recovery : undefined,
        details: isObject(data.details) ? data.details : undefined,
        cause: Array.isArray(data.cause) ? data.cause.filter((text) => typeof text === "string") : undefined,
      },
    );
  }
}

/** The host does not want the answer any more. */
export class Cancelled extends AnnexError {
  constructor(message = "The request was cancelled.") {
    super("cancelled", message);
    this.name = "Cancelled";
  }
}

/** Ends a Share or Action request without a result. */
export class RequestCancelled extends Error {
  constructor(domain, code, description) {
    super(description ?? `${domain} ${code}`);
    this.name = "RequestCancelled";
    this.domain = domain;
    this.code = code;
    this.description = description;
  }

  /** Any error as a domain and a code. */
  static of(error) {
    if (error instanceof RequestCancelled) return error;
    if (error instanceof Cancelled) return new RequestCancelled("NSCocoaErrorDomain", 3072, error.message);
    if (error instanceof AnnexError) return new RequestCancelled("ExtensionErrorDomain", error.code, error.message);
    return new RequestCancelled("ExtensionErrorDomain", ERROR_CODES.handlerFailed, String(error));
  }

  toWire() {
    const error = { domain: this.domain, code: this.code };
    if (this.description) error.localizedDescription = this.description;
    return error;
  }
}

export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
