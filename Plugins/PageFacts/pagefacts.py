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


for line in sys.stdin:
    message = json.loads(line)
    method = message.get("method")
    if method == "initialize":
        send({"id": message["id"], "result": {"protocolVersion": "1.0"}})
    elif method == "context/beginRequest":
        send({"id": message["id"], "result": {"accepted": True}})
    elif method == "action/perform":
        send({"id": message["id"], "result": {}})
        perform(message["params"])
    elif method == "terminate":
        send({"id": message["id"], "result": {}})
        break
    elif method and "id" in message:
        send({"id": message["id"], "error": {"code": -32601, "message": f"{method} is not served here"}})
