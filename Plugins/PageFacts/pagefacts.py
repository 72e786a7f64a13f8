#!/usr/bin/python3
"""An action on web pages without any library: it reads what the page's preprocessing found, and answers with a summary."""

import json
import sys

RESULTS = "NSExtensionJavaScriptPreprocessingResultsKey"
FINALIZE = "NSExtensionJavaScriptFinalizeArgumentKey"
next_id = 0


def send(message):
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def fail(request_id, code, message):
    send({"id": request_id, "error": {"code": code, "message": message}})


def messages():
    """Everything that the host sends. What is no message is answered and left alone."""
    for line in sys.stdin.buffer:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as error:
            fail(None, -32700, f"This is no JSON: {error}")
            continue
        if isinstance(message, dict):
            yield message
        else:
            fail(None, -32600, "A message is an object.")


def call(method, params):
    global next_id
    next_id += 1
    send({"id": next_id, "method": method, "params": params})


def page_of(items):
    for item in items:
        for attachment in item.get("attachments", []):
            inline = attachment.get("inline", {})
            if inline.get("type") == "com.apple.property-list":
                return json.loads(inline["value"]).get(RESULTS)
    return None


KINDS = {
    "context/beginRequest": {"requestID": str, "point": str, "inputItems": list},
    "action/perform": {"requestID": str, "inputItems": list},
}
OPTIONAL = {"host": dict, "presentation": dict, "pageResults": dict}


def fit(method, params):
    """Whether the params are what the schema of the method asks for."""
    optional = {name: kind for name, kind in OPTIONAL.items() if params.get(name) is not None}
    return all(isinstance(params.get(name), kind) for name, kind in {**KINDS[method], **optional}.items())


def perform(params):
    request = params["requestID"]
    page = page_of(params["inputItems"])
    if page is None:
        error = {"domain": "PageFacts", "code": 1, "localizedDescription": "There is no page to read."}
        return call("context/cancelRequest", {"requestID": request, "error": error})
    words = str(page.get("text", "")).split()
    facts = {"title": page.get("title", "Untitled"), "words": len(words), "minutes": max(1, round(len(words) / 200))}
    attachment = {
        "itemID": "facts",
        "registeredTypeIdentifiers": ["com.apple.property-list"],
        "inline": {"type": "com.apple.property-list", "value": json.dumps({FINALIZE: facts}), "encoding": "json"},
    }
    call("context/completeRequest", {"requestID": request, "returningItems": [{"attachments": [attachment]}]})


for message in messages():
    method = message.get("method")
    if method == "initialize":
        if "1.0" in message["params"]["protocolVersions"]:
            send({"id": message["id"], "result": {"protocolVersion": "1.0"}})
        else:
            fail(message["id"], -32020, "This action speaks protocol 1.0.")
    elif method in KINDS and not fit(method, message["params"]):
        fail(message["id"], -32602, f"These are no params of {method}")
    elif method == "context/beginRequest":
        send({"id": message["id"], "result": {"accepted": True}})
    elif method == "action/perform":
        send({"id": message["id"], "result": {}})
        perform(message["params"])
    elif method == "terminate":
        send({"id": message["id"], "result": {}})
        break
    elif method and "id" in message:
        fail(message["id"], -32601, f"{method} is not served here")
