// JSON-RPC 2.0 over two streams, a message in a line. All messages of one turn of the loop go out in one write.
"use strict";

class Connection {
  // handlers: by method, a function from params to the result.
  constructor(input, output, handlers = {}) {
    this.output = output;
    this.handlers = handlers;
    this.calls = new Map();
    this.waiting = [];
    this.number = 0;
    this.begun = "";
    input.setEncoding("utf8");
    input.on("data", (text) => this.receive(text));
  }

  call(method, params) {
    return new Promise((resolve, reject) => {
      const id = ++this.number;
      this.calls.set(id, { resolve, reject });
      this.send({ jsonrpc: "2.0", id, method, params });
    });
  }

  send(message) {
    if (this.waiting.length === 0) process.nextTick(() => this.flush());
    this.waiting.push(JSON.stringify(message) + "\n");
  }

  flush() {
    const text = this.waiting.length === 1 ? this.waiting[0] : this.waiting.join("");
    this.waiting = [];
    this.output.write(text);
  }

  receive(text) {
    const lines = text.split("\n");
    lines[0] = this.begun + lines[0];
    this.begun = lines.pop();
    for (const line of lines) this.handle(JSON.parse(line));
  }

  handle(message) {
    if (message.method !== undefined) {
      const handler = this.handlers[message.method];
      if (handler) this.send({ jsonrpc: "2.0", id: message.id, result: handler(message.params) });
      else this.send({ jsonrpc: "2.0", id: message.id, error: { code: -32601, message: "Method not found" } });
      return;
    }
    const call = this.calls.get(message.id);
    this.calls.delete(message.id);
    if (message.error) call.reject(new Error(message.error.message));
    else call.resolve(message.result);
  }
}

module.exports = { Connection };
