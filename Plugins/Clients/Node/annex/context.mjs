// What an extension has while it works on a request: its directories, and the services of the host.

import { readFile } from "node:fs/promises";
import { join } from "node:path";

import { isObject } from "./errors.mjs";
import { inlineBytes } from "./items.mjs";

const PROGRESS_INTERVAL = 100;

export class Context {
  #session;
  #request;
  #progress = [-1, 0];

  constructor(session, request, requestID) {
    this.#session = session;
    this.#request = request;
    const found = request?.params.requestID;
    this.requestID = requestID ?? (typeof found === "string" ? found : "");
    this.params = request?.params ?? {};
  }

  // What the handshake said

  get extensionID() {
    return this.#session.parameters?.extension?.id ?? "";
  }

  get point() {
    return this.#session.parameters?.extension?.point ?? "";
  }

  get locale() {
    return this.#session.parameters?.locale ?? "en-US";
  }

  get scratch() {
    return this.#session.parameters?.directories?.scratch ?? "";
  }

  get directory() {
    return this.#session.parameters?.directories?.container ?? "";
  }

  // Calls

  get signal() {
    return this.#request?.signal ?? new AbortController().signal;
  }

  async call(method, params = {}, { timeout } = {}) {
    const { traceparent, tracestate } = this.#request?.meta ?? {};
    const _meta = { ...(traceparent && { traceparent }), ...(tracestate && { tracestate }) };
    const sent = Object.keys(_meta).length > 0 ? { ...params, _meta } : params;
    return this.#session.connection.call(method, sent, { signal: this.#request?.signal, timeout });
  }

  notify(method, params = {}) {
    this.#session.connection.notify(method, params);
  }

  progress(done, total, message) {
    const token = this.#request?.meta.progressToken;
    const [before, at] = this.#progress;
    const now = performance.now();
    if (token === undefined || done <= before || (now - at < PROGRESS_INTERVAL && done !== total)) return;
    this.#progress = [done, now];
    this.notify("$/progress", { token, progress: done, total, message });
  }

  log(level, message, fields) {
    this.notify("$/log", { level, message: String(message).slice(0, 8000), fields });
  }

  // Services

  defaults(suite) {
    return new Defaults(this, suite);
  }

  async container(group) {
    return this.call("container/path", { group });
  }

  async content(query, variables, { refresh } = {}) {
    return this.call("content/execute", { query, variables, refresh });
  }

  async contentImage(path, { width, height, format, quality, refresh } = {}) {
    return this.call("content/image", { path, width, height, format, quality, refresh });
  }

  async openURL(url) {
    return (await this.call("url/open", { requestID: this.requestID, url })).success === true;
  }

  async requestPermission(name, reason) {
    return (await this.call("permission/request", { name, reason })).state;
  }

  async fetch(url, { method = "GET", headers, body, timeout, maxBytes, stream = false, scopes, account } = {}) {
    const sent = typeof body === "string" ? { text: body } : body && { base64: Buffer.from(body).toString("base64") };
    const answer = await this.call(scopes ? "auth/fetch" : "network/fetch", {
      url,
      method,
      headers,
      body: sent,
      timeoutMs: timeout,
      maxBytes,
      delivery: stream ? "stream" : "file",
      requestID: this.requestID || undefined,
      scopes,
      account: scopes && account,
    });
    return new Response(this, answer);
  }

  async accessToken(scopes, { account, forceRefresh } = {}) {
    return this.call("auth/token", { scopes, account, forceRefresh });
  }

  async requestSignIn(reason, scopes) {
    return (await this.call("auth/requestSignIn", { reason, scopes })).state;
  }

  async load(attachment, type = "public.data") {
    const inline = inlineBytes(attachment, type);
    if (inline) return inline;
    const { requestID } = this;
    const answer = await this.call("item/load", { requestID, itemID: attachment.itemID, typeIdentifier: type });
    return inlineBytes(answer) ?? readFile(join(this.scratch, answer.path));
  }

  async text(attachment) {
    return (await this.load(attachment, "public.text")).toString("utf8");
  }

  openStream() {
    return this.#session.streams.open();
  }

  stream(id) {
    return this.#session.streams.incoming(id);
  }
}

/** The values of one app group. */
class Defaults {
  #context;

  constructor(context, suite) {
    this.#context = context;
    this.suite = suite;
  }

  async #call(method, params = {}) {
    return this.#context.call(`defaults/${method}`, { suite: this.suite, ...params });
  }

  async get(key, otherwise) {
    return (await this.#call("get", { key })).value ?? otherwise;
  }

  async all() {
    return (await this.#call("all")).values;
  }

  async set(key, value) {
    return (await this.#call("set", { key, value })).revision;
  }

  async update(values, remove) {
    return (await this.#call("setMany", { values, remove })).revision;
  }

  async remove(key) {
    return (await this.#call("remove", { key })).revision;
  }

  async add(key, amount = 1) {
    for (;;) {
      const found = await this.#call("get", { key });
      const value = (Number.isSafeInteger(found.value) ? found.value : 0) + amount;
      const { swapped } = await this.#call("compareAndSet", { key, value, expectedRevision: found.revision });
      if (swapped) return value;
    }
  }
}

/** What a server answered. */
class Response {
  #context;
  #body;

  constructor(context, { status, headers, finalURL, body }) {
    this.#context = context;
    this.#body = isObject(body) ? body : {};
    this.status = status;
    this.headers = headers;
    this.url = finalURL;
  }

  async *[Symbol.asyncIterator]() {
    if (this.#body.stream !== undefined) yield* this.#context.stream(this.#body.stream);
    else yield await this.bytes();
  }

  async bytes() {
    const { text, base64, file, stream } = this.#body;
    if (text !== undefined) return Buffer.from(text);
    if (base64 !== undefined) return Buffer.from(base64, "base64");
    if (file !== undefined) return readFile(join(this.#context.scratch, file));
    return stream === undefined ? Buffer.alloc(0) : this.#context.stream(stream).read();
  }

  async text() {
    return (await this.bytes()).toString("utf8");
  }

  async json() {
    return JSON.parse(await this.text());
  }
}
