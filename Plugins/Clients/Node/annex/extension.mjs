// An extension of any point: its handlers, and what the host tells every extension.

import { Reply, Request } from "./connection.mjs";
import { Context } from "./context.mjs";
import { AnnexError, RequestCancelled } from "./errors.mjs";

export class Extension {
  /** What answers the host's calls, by method. */
  handlers() {
    return {};
  }

  /** What hears the host's notifications, by method. */
  notifications() {
    return {};
  }

  /** The process comes near its ceiling: let go of what can be made again. */
  memoryPressure(level, usage, limit) {}

  /** The last thing that runs; there are some seconds at most. */
  willTerminate(reason) {}
}

/** The requests that a host has begun and that this extension has not ended yet. */
class OpenRequests {
  #open = new Map();

  begin(params) {
    const id = params.requestID;
    if (this.#open.has(id)) throw new AnnexError("invalidParams", `The request ${id} has already begun.`);
    // What runs for it later belongs to no call of the host's: a request of its own hears of the end.
    this.#open.set(id, { params, request: new Request(null, "context/beginRequest", params) });
    return { accepted: true };
  }

  items(id) {
    return this.#entry(id).params.inputItems ?? [];
  }

  withdraw({ requestID }) {
    const entry = this.#open.get(requestID);
    this.#open.delete(requestID);
    entry?.request.cancel();
  }

  #entry(id) {
    const entry = this.#open.get(id);
    if (!entry) throw new AnnexError("requestUnknown", `The request ${id} has not begun, or has ended.`);
    return entry;
  }

  /** Answers with the result; then runs an author's code and ends the request with what it returns or throws. */
  ending(session, id, result, body) {
    const { request } = this.#entry(id);
    return new Reply(result, () => this.#run(session, id, request, body));
  }

  async #run(session, id, request, body) {
    let items = [];
    let failure = null;
    try {
      items = (await body(new Context(session, request, id))) ?? [];
    } catch (error) {
      if (!(error instanceof AnnexError) && !(error instanceof RequestCancelled)) console.error(error);
      failure = RequestCancelled.of(error);
    }
    if (!this.#open.delete(id)) return;
    try {
      if (failure === null) {
        await session.connection.call("context/completeRequest", { requestID: id, returningItems: [...items] });
      } else {
        await session.connection.call("context/cancelRequest", { requestID: id, error: failure.toWire() });
      }
    } catch (error) {
      console.error(`annex: the host did not take the end of the request: ${error.message}`);
    }
  }
}

/** A point whose requests are begun, and ended with items. */
export class RequestExtension extends Extension {
  #requests = new OpenRequests();

  get requests() {
    return this.#requests;
  }

  handlers() {
    return { ...super.handlers(), "context/beginRequest": (params) => this.#requests.begin(params) };
  }

  notifications() {
    return { ...super.notifications(), "context/cancel": (params) => this.#requests.withdraw(params) };
  }
}
