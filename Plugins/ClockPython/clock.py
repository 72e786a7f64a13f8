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


def fail(request_id, code, message):
    send({"id": request_id, "error": {"code": code, "message": message}})


def receive():
    """The next message; None at the end of the input. What is no message is answered and left alone."""
    for line in sys.stdin.buffer:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            fail(None, -32700, f"This is no JSON: {error}")
            continue
        if isinstance(message, dict):
            return message
        fail(None, -32600, "A message is an object.")
    return None


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


def is_update(params):
    """Whether the params are what the schema of widget/performUpdate asks for."""
    needed = ("requestID", "reason", "displayMode")
    size = params.get("maxSize")
    return all(isinstance(params.get(name), str) for name in needed) and (size is None or isinstance(size, dict))


def is_choice(params):
    """Whether the params are what the schema of widget/didSelectRow asks for."""
    row = params.get("row")
    is_row = isinstance(row, int) and not isinstance(row, bool) and 0 <= row <= 1000000
    return is_row and all(isinstance(params.get(name), str) for name in ("requestID", "action"))


def view(visits):
    rows = [{"title": "Count anew", "action": "reset"}]
    return {"title": "Clock", "text": time.strftime("%H:%M") + f", visit {visits}", "rows": rows}


def count():
    """Adds a visit. When another host has counted in between, the number is read again, so that none is lost."""
    key = {"suite": SUITE, "key": "clock.visits"}
    while True:
        found = call("defaults/get", key)
        visits = found.get("value", 0) + 1
        change = {**key, "value": visits, "expectedRevision": found["revision"]}
        if call("defaults/compareAndSet", change)["swapped"]:
            return visits


def perform_update():
    return {"result": "newData", "view": view(count())}


def did_select_row(action):
    if action != "reset":
        return {"result": "noData"}
    call("defaults/set", {"suite": SUITE, "key": "clock.visits", "value": 0})
    return {"result": "newData", "view": view(0)}


while (request := receive()) is not None:
    method = request.get("method")
    if method == "initialize":
        if "1.0" in request["params"]["protocolVersions"]:
            send({"id": request["id"], "result": {"protocolVersion": "1.0"}})
        else:
            fail(request["id"], -32020, "This widget speaks protocol 1.0.")
    elif method == "widget/performUpdate" and not is_update(request["params"]):
        fail(request["id"], -32602, "requestID, reason and displayMode are texts, and maxSize is an object.")
    elif method == "widget/performUpdate":
        try:
            send({"id": request["id"], "result": perform_update()})
        except RuntimeError as error:
            fail(request["id"], -32000, str(error))
    elif method == "widget/didSelectRow" and not is_choice(request["params"]):
        fail(request["id"], -32602, "requestID and action are texts, and row is a number from 0 on.")
    elif method == "widget/didSelectRow":
        try:
            send({"id": request["id"], "result": did_select_row(request["params"]["action"])})
        except RuntimeError as error:
            fail(request["id"], -32000, str(error))
    elif method == "terminate":
        send({"id": request["id"], "result": {}})
        break
    elif method and "id" in request:
        fail(request["id"], -32601, f"{method} is not served here")
