// A host that starts its plugin with child_process.
//
// usage: node host.js WORKLOAD COUNT
"use strict";

const { spawn } = require("node:child_process");
const { once } = require("node:events");
const { readFileSync } = require("node:fs");
const path = require("node:path");
const { Connection } = require("./connection.js");

const inFlight = 64;
const request = { text: "x".repeat(100) };

// The plugins that run; they end with their input.
const running = new Set();

function start() {
  const child = spawn(process.execPath, [path.join(__dirname, "plugin.js")], { stdio: ["pipe", "pipe", "inherit"] });
  child.once("exit", (code) => {
    running.delete(child);
    if (code !== 0) fail(new Error(`the plugin ended with ${code}`));
  });
  running.add(child);
  return { child, connection: new Connection(child.stdout, child.stdin) };
}

async function end(child) {
  child.stdin.end();
  await once(child, "exit");
}

async function text(connection, params) {
  const result = await connection.call("echo/text", params);
  if (result.text !== params.text) throw new Error("the echo is another text");
}

async function objects(connection, params) {
  const { items } = await connection.call("echo/objects", params);
  if (items.length !== params.items.length) throw new Error(`${items.length} of ${params.items.length} objects came back`);
}

// As many objects as fit into a number of bytes of compact JSON.
function filling(bytes) {
  const items = [];
  let length = '{"items":[]}'.length;
  for (;;) {
    const item = {
      id: items.length, name: `item-${String(items.length).padStart(6, "0")}`, value: 0.25, ok: true,
      tags: ["alpha", "beta"],
    };
    length += JSON.stringify(item).length + 1;
    if (length > bytes) return { items };
    items.push(item);
  }
}

// Calls from as many tasks as requests may be in flight.
async function burst(connection, count) {
  const task = async (share) => {
    for (; share > 0; share--) await text(connection, request);
  };
  const shares = Array.from({ length: inFlight }, (_, i) => Math.floor(count / inFlight) + (i < count % inFlight ? 1 : 0));
  await Promise.all(shares.map(task));
}

// Sorted nanoseconds, after a tenth as many and one to warm up.
async function repeat(count, body) {
  const times = [];
  for (let i = 0; i < Math.floor(count / 10) + 1 + count; i++) {
    const begin = process.hrtime.bigint();
    const moment = await body();
    times.push(Number((moment ?? process.hrtime.bigint()) - begin));
  }
  return times.slice(-count).sort((a, b) => a - b);
}

function median(sorted) {
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 0 ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle];
}

const percentile = (sorted, percent) => sorted[Math.ceil((percent * sorted.length) / 100) - 1];

// Megabytes a second of 1 MiB, by the median call.
const rate = (times) => `mbps=${((2 ** 20 * 1000) / median(times)).toFixed(1)}`;

// The KiB of memory that this process has.
const resident = () => Number(/^Rss: +(\d+)/m.exec(readFileSync("/proc/self/smaps_rollup", "utf8"))[1]);

async function measure(workload, count) {
  if (workload === "cold") {
    const times = await repeat(count, async () => {
      const { child, connection } = start();
      await text(connection, request);
      const moment = process.hrtime.bigint();
      await end(child);
      return moment;
    });
    return `ms_p50=${(median(times) / 1e6).toFixed(3)} ms_p99=${(percentile(times, 99) / 1e6).toFixed(3)}`;
  }
  const { child, connection } = start();
  await text(connection, request);
  switch (workload) {
    case "rtt": {
      const times = await repeat(count, () => text(connection, request));
      return `us_p50=${(median(times) / 1e3).toFixed(3)} us_p99=${(percentile(times, 99) / 1e3).toFixed(3)}`;
    }
    case "pipe": {
      await burst(connection, Math.floor(count / 10));
      const begin = process.hrtime.bigint();
      await burst(connection, count);
      return `rps=${(count / (Number(process.hrtime.bigint() - begin) / 1e9)).toFixed(0)}`;
    }
    case "payload": {
      const params = { text: "x".repeat(2 ** 20 - 11) };
      return rate(await repeat(count, () => text(connection, params)));
    }
    case "objects": {
      const params = filling(2 ** 20);
      return rate(await repeat(count, () => objects(connection, params)));
    }
    case "mem-host": {
      await end(child);
      const before = resident();
      for (let i = 0; i < count; i++) await text(start().connection, request);
      return `kib_each=${(Math.max(0, resident() - before) / count).toFixed(1)} kib_host=${before}`;
    }
    default: throw new Error(`there is no workload ${workload}`);
  }
}

function fail(error) {
  console.error(`error: ${error.message}`);
  process.exit(1);
}

const count = Number(process.argv[3]);
if (!Number.isSafeInteger(count) || count < 1) fail(new Error("COUNT is not a whole number above 0"));
measure(process.argv[2], count).then((line) => {
  console.log(line);
  for (const child of running) child.stdin.end();
}, fail);
