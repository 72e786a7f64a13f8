// Tests of an extension in its own process: no host, no sandbox, milliseconds.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Connection } from "./connection.mjs";
import { AnnexError } from "./errors.mjs";
import { VERSION } from "./protocol.mjs";
import { Server } from "./run.mjs";

/** A host with one extension. `services` answers calls by method; group stores are there from the beginning. */
export class TestHost {
  #connection;
  #services;
  #revision = 0;
  #ends = new Map();
  #folder;
  logs = [];

  /** Starts the extension, runs the body, and ends the extension. */
  static async with(extension, { defaults = {}, services = {} }, body) {
    const host = new TestHost();
    host.defaults = structuredClone(defaults);
    host.#services = services;
    host.#folder = await mkdtemp(join(tmpdir(), "annex-test-"));
    const toHost = (bytes) => setImmediate(() => host.#connection.take(bytes));
    const server = new Server(extension, toHost, "lines", () => {});
    host.#connection = new Connection((bytes) => setImmediate(() => server.connection.take(bytes)), "lines");
    host.#connection.serve = (request) => host.#serve(request);
    host.#connection.hear = (method, params) => {
      if (method === "$/log") host.logs.push(params);
    };
    try {
      await host.#initialize();
      return await body(host);
    } finally {
      await host.call("terminate", { reason: "quit", graceMs: 2000 });
      await rm(host.#folder, { recursive: true });
    }
  }

  async #initialize() {
    await this.call("initialize", {
      protocolVersions: [VERSION],
      host: { name: "annex/testing", version: "1" },
      extension: { id: "org.example.test", point: "test", containingApp: "org.example" },
      capabilities: {},
      permissions: {},
      limits: {},
      locale: "en-US",
      directories: { scratch: this.#folder, container: this.#folder, groups: {} },
    });
    this.notify("initialized");
  }

  // What a host does

  /** Calls the extension. Throws what it answered. */
  async call(method, params = {}) {
    return this.#connection.call(method, params, { timeout: 10_000 });
  }

  notify(method, params = {}) {
    this.#connection.notify(method, params);
  }

  /** One update of a Today widget. */
  async performUpdate({ reason = "visible", displayMode = "compact" } = {}) {
    return this.call("widget/performUpdate", { requestID: "r1", reason, displayMode });
  }

  /** The choice of a row with an action; rows count from 0. */
  async didSelectRow(row, action) {
    return this.call("widget/didSelectRow", { requestID: "r1", row, action });
  }

  /** One run of an action: the items that it returns. */
  async perform(items) {
    await this.call("context/beginRequest", { requestID: "r1", point: "com.apple.services", inputItems: items });
    const end = this.#end("r1");
    await this.call("action/perform", { requestID: "r1", inputItems: items });
    return end;
  }

  /** One post of a Share extension: the items that it returns. */
  async post(text, items = []) {
    await this.call("context/beginRequest", { requestID: "r1", point: "com.apple.share-services", inputItems: items });
    const end = this.#end("r1");
    await this.call("share/didSelectPost", { requestID: "r1", contentText: text });
    return end;
  }

  #end(id) {
    return new Promise((resolve, reject) => {
      this.#ends.set(id, ({ returningItems, error }) => {
        if (error) reject(new AnnexError("handlerFailed", error.localizedDescription ?? `${error.domain} ${error.code}`));
        else resolve(returningItems ?? []);
      });
    });
  }

  // What an extension calls

  #serve({ method, params }) {
    if (Object.hasOwn(this.#services, method)) return this.#services[method](params);
    if (method === "context/completeRequest" || method === "context/cancelRequest") {
      this.#ends.get(params.requestID)?.(params);
      return { delivered: true };
    }
    const values = this.defaults[params.suite];
    if (method.startsWith("defaults/") && values) return this.#store(method, params, values);
    throw new AnnexError("methodNotFound", `The test has no service for ${method}.`);
  }

  #store(method, { key, value, values: several, remove = [] }, values) {
    const revision = this.#revision;
    if (method === "defaults/get") return { value: values[key], revision };
    if (method === "defaults/all") return { values, revision };
    this.#revision += 1;
    if (method === "defaults/set" || method === "defaults/compareAndSet") values[key] = value;
    else if (method === "defaults/remove") delete values[key];
    else if (method === "defaults/setMany") {
      Object.assign(values, several);
      for (const name of remove) delete values[name];
    } else throw new AnnexError("methodNotFound", `The test has no service for ${method}.`);
    return { swapped: true, revision: this.#revision };
  }
}
