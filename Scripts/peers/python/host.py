"""A host that starts its plugin with subprocess.

usage: python3 host.py WORKLOAD COUNT
"""

import json
import os
import re
import statistics
import subprocess
import sys
import time

from plugin import encoded, reads

IN_FLIGHT = 64
REQUEST = {"text": "x" * 100}
PLUGIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "plugin.py")


class Plugin:
    """A plugin that runs. It ends with its input."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, PLUGIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.reads = reads(self.process.stdout.fileno())
        self.number = 0
        self.waiting = {}

    def request(self, method, params):
        self.number += 1
        self.waiting[self.number] = params
        return encoded({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def results(self):
        """The params and the result of each answer of one read."""
        for line in next(self.reads):
            message = json.loads(line)
            if "error" in message:
                raise RuntimeError(message["error"]["message"])
            yield self.waiting.pop(message["id"]), message["result"]

    def call(self, method, params):
        self.write(self.request(method, params))
        for _, result in self.results():
            return result

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def text(plugin, params=REQUEST):
    check(params, plugin.call("echo/text", params))


def check(params, result):
    if result["text"] != params["text"]:
        raise RuntimeError("the echo is another text")


def objects(plugin, params):
    came = len(plugin.call("echo/objects", params)["items"])
    if came != len(params["items"]):
        raise RuntimeError(f"{came} of {len(params['items'])} objects came back")


def filling(size):
    """As many objects as fit into a number of bytes of compact JSON."""
    items, length = [], len('{"items":[]}')
    while True:
        number = len(items)
        item = {"id": number, "name": f"item-{number:06}", "value": 0.25, "ok": True, "tags": ["alpha", "beta"]}
        length += len(encoded(item))
        if length > size:
            return {"items": items}
        items.append(item)


def burst(plugin, count):
    """Makes calls; as each read brings answers, as many new requests go out in one write."""
    asked = answered = 0
    free = IN_FLIGHT
    while answered < count:
        batch = min(free, count - asked)
        if batch > 0:
            plugin.write(b"".join([plugin.request("echo/text", REQUEST) for _ in range(batch)]))
            asked += batch
        free = 0
        for params, result in plugin.results():
            check(params, result)
            free += 1
        answered += free


def repeat(count, body):
    """Sorted nanoseconds, after a tenth as many and one to warm up."""
    times = []
    for _ in range(count // 10 + 1 + count):
        begin = time.perf_counter_ns()
        moment = body()
        times.append((moment or time.perf_counter_ns()) - begin)
    return sorted(times[-count:])


def percentile(times, percent):
    return times[-(-percent * len(times) // 100) - 1]


def rate(times):
    """Megabytes a second of 1 MiB, by the median call."""
    return f"mbps={(1 << 20) * 1000 / statistics.median(times):.1f}"


def resident():
    """The KiB of memory that this process has."""
    with open("/proc/self/smaps_rollup") as file:
        return int(re.search(r"^Rss: +(\d+)", file.read(), re.MULTILINE)[1])


def cold():
    plugin = Plugin()
    text(plugin)
    moment = time.perf_counter_ns()
    plugin.end()
    return moment


def measure(workload, count):
    if workload == "cold":
        times = repeat(count, cold)
        return f"ms_p50={statistics.median(times) / 1e6:.3f} ms_p99={percentile(times, 99) / 1e6:.3f}"
    plugin = Plugin()
    text(plugin)
    plugins = [plugin]
    try:
        if workload == "rtt":
            times = repeat(count, lambda: text(plugin))
            return f"us_p50={statistics.median(times) / 1e3:.3f} us_p99={percentile(times, 99) / 1e3:.3f}"
        if workload == "pipe":
            burst(plugin, count // 10)
            begin = time.perf_counter_ns()
            burst(plugin, count)
            return f"rps={count / ((time.perf_counter_ns() - begin) / 1e9):.0f}"
        if workload == "payload":
            params = {"text": "x" * ((1 << 20) - 11)}
            return rate(repeat(count, lambda: text(plugin, params)))
        if workload == "objects":
            params = filling(1 << 20)
            return rate(repeat(count, lambda: objects(plugin, params)))
        if workload == "mem-host":
            plugins.pop().end()
            before = resident()
            for _ in range(count):
                plugins.append(Plugin())
                text(plugins[-1])
            return f"kib_each={max(0, resident() - before) / count:.1f} kib_host={before}"
        raise RuntimeError(f"there is no workload {workload}")
    finally:
        for plugin in plugins:
            plugin.end()


if __name__ == "__main__":
    try:
        print(measure(sys.argv[1], int(sys.argv[2])))
    except (IndexError, RuntimeError, ValueError) as error:
        sys.exit(f"error: {error}")
