#!/usr/bin/python3
"""A Today widget without any library: JSON-RPC 2.0, one message per line, on standard input and output."""

import json
import sys
import time

SUITE = "group.com.example.adventures"
next_id = 0


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def receive():
    line = sys.stdin.readline()
    return json.loads(line) if line else None


def call(method, params):
    """Calls the host and waits for the answer; the host sends nothing else while it waits for ours."""
    global next_id
    next_id += 1
    send({"id": next_id, "method": method, "params": params})
    while (message := receive()) is not None:
        if message.get("id") == next_id and "method" not in message:
            if "error" in message:
                raise RuntimeError(message["error"]["message"])
            return message["result"]
    sys.exit(0)


def perform_update():
    visits = call("defaults/get", {"suite": SUITE, "key": "clock.visits"}).get("value", 0) + 1
    call("defaults/set", {"suite": SUITE, "key": "clock.visits", "value": visits})
    return {"result": "newData", "view": {"title": "Clock", "text": time.strftime("%H:%M") + f", visit {visits}"}}


while (request := receive()) is not None:
    method = request.get("method")
    if method == "initialize":
        send({"id": request["id"], "result": {"protocolVersion": "1.0"}})
    elif method == "widget/performUpdate":
        try:
            send({"id": request["id"], "result": perform_update()})
        except RuntimeError as error:
            send({"id": request["id"], "error": {"code": -32000, "message": str(error)}})
    elif method == "terminate":
        send({"id": request["id"], "result": {}})
        break
    elif "id" in request:
        send({"id": request["id"], "error": {"code": -32601, "message": f"{method} is not served here"}})
