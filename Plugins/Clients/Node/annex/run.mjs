// The conversation of one process, from the handshake to its end.

import { Connection } from "./connection.mjs";
import { Context } from "./context.mjs";
import { AnnexError } from "./errors.mjs";
import { PARAMS, VERSION } from "./protocol.mjs";
import { Streams } from "./streams.mjs";

/** Serves the host until it ends the conversation. Standard output belongs to the protocol from here on. */
export function run(extension) {
  const output = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  process.stdout.on("error", () => process.exit(0));
  const end = () => process.exit(0);
  const server = new Server(extension, (bytes) => output(bytes), process.env.ANNEX_FRAMING ?? "lines", end);
  process.stdin.on("data", (chunk) => {
    if (!server.connection.take(chunk)) process.exit(1);
  });
  process.stdin.on("end", end);
  process.stdin.on("error", end);
}

/** Answers one host. `run` does it for the process; tests make one of their own. */
export class Server {
  #extension;
  #end;
  #handlers;
  #notifications;
  #started = performance.now();
  parameters = null;

  constructor(extension, write, framing, end) {
    this.#extension = extension;
    this.#end = end;
    this.#handlers = new Map(Object.entries(extension.handlers()));
    this.#notifications = new Map(Object.entries(extension.notifications()));
    this.connection = new Connection(write, framing);
    this.streams = new Streams(this.connection);
    this.connection.serve = (request) => this.#serve(request);
    this.connection.hear = (method, params) => this.#hear(method, params);
  }

  #serve(request) {
    const { method, params } = request;
    if (method === "initialize") return this.#initialize(params);
    if (this.parameters === null) throw new AnnexError("notInitialized", `${method} came before initialize.`);
    if (method === "terminate") return this.#terminate(params);
    if (method === "$/ping") {
      return { nonce: params.nonce, uptimeMs: Math.round(performance.now() - this.#started) };
    }
    const handler = this.#handlers.get(method);
    if (!handler) throw new AnnexError("methodNotFound", `${method} is not served here.`);
    check(method, params);
    return handler(params, new Context(this, request), this);
  }

  #initialize(params) {
    if (this.parameters !== null) throw new AnnexError("alreadyInitialized", "initialize came twice.");
    const versions = params.protocolVersions;
    if (!Array.isArray(versions)) throw new AnnexError("invalidParams", "protocolVersions is an array of texts.");
    if (!versions.includes(VERSION)) {
      throw new AnnexError("versionUnsupported", `This extension speaks protocol ${VERSION}.`);
    }
    this.parameters = params;
    return { protocolVersion: VERSION, sdk: { name: "annex-node", language: "javascript", version: VERSION } };
  }

  async #terminate({ reason }) {
    await this.#extension.willTerminate(String(reason ?? ""));
    // The answer is written before this runs.
    setImmediate(this.#end);
    return {};
  }

  #hear(method, params) {
    if (method.startsWith("$/stream/")) return this.streams.hear(method, params);
    if (method === "memoryPressure") {
      return this.#extension.memoryPressure(params.level, params.usage, params.limit);
    }
    const handler = this.#notifications.get(method);
    if (handler) {
      Promise.resolve(handler(params, new Context(this))).catch((error) => console.error(error));
    }
  }
}

const kinds = {
  string: (value) => typeof value === "string",
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  object: (value) => typeof value === "object" && !Array.isArray(value),
};

/** Refuses params that lack a member, or have one of another type, than the method's schema says. */
function check(method, params) {
  for (const [name, [kind, isRequired]] of Object.entries(PARAMS[method] ?? {})) {
    const value = params[name];
    if (value === undefined || value === null) {
      if (!isRequired) continue;
      throw new AnnexError("invalidParams", `The params of ${method} lack the member ${name}.`);
    }
    if (kinds[kind] && !kinds[kind](value)) {
      throw new AnnexError("invalidParams", `The member ${name} of the params of ${method} is no ${kind}.`);
    }
  }
}
