#!/usr/bin/python3
"""A renderer without any library: plain text as paragraphs, with a list of all pages below."""

import html
import json
import sys

last_id = 0


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def receive():
    line = sys.stdin.readline()
    return json.loads(line) if line else sys.exit(0)


def call(method, params):
    """Calls the host and waits for the answer."""
    global last_id
    last_id += 1
    send({"id": last_id, "method": method, "params": params})
    while True:
        message = receive()
        if message.get("id") == last_id and "method" not in message:
            return message["result"]


def render(params):
    if not isinstance(params["name"], str):
        raise TypeError("name is a text")
    paragraphs = [f"<p>{html.escape(text)}</p>" for text in params["text"].split("\n\n") if text.strip()]
    titles = call("pages/titles", {})["titles"]
    links = [f'<li><a href="{html.escape(name)}">{html.escape(titles[name])}</a></li>' for name in sorted(titles)]
    return {"html": "\n".join([*paragraphs, "<ul>", *links, "</ul>"])}


while True:
    request = receive()
    method = request.get("method")
    if "id" not in request:
        continue
    if method == "initialize":
        send({"id": request["id"], "result": {"protocolVersion": "1.0"}})
    elif method == "renderer/render":
        try:
            send({"id": request["id"], "result": render(request["params"])})
        except (AttributeError, KeyError, TypeError) as error:
            send({"id": request["id"], "error": {"code": -32602, "message": f"params: {error!r}"}})
    elif method == "terminate":
        send({"id": request["id"], "result": {}})
        sys.exit(0)
    else:
        send({"id": request["id"], "error": {"code": -32601, "message": f"There is no method {method} here."}})
